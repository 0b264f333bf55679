// The official client, the proxy, and an example server: the client must not notice the proxy, except where a call is
// not allowed.
import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const warder = join(process.env.WARDER_BUILD, 'warder');
const server = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js');
const home = mkdtempSync(join(tmpdir(), 'warder-mcp-'));
const cwd = join(home, 'project');
const open = [];

before(() => mkdirSync(cwd));
after(async () => {
  await Promise.all(open.map((client) => client.close()));
  rmSync(home, { recursive: true, force: true });
});

async function connect(command, args) {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH, HOME: home };
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' }));
  open.push(client);
  return client;
}
const direct = () => connect(process.execPath, [server, 'stdio']);
const through = (...rules) =>
  connect(warder, ['mcp', 'proxy', '--home', home, '--name', 'every', ...rules, '--', process.execPath, server, 'stdio']);

test('lists the same tools, resources and prompts as without the proxy', async () => {
  const [plain, proxied] = await Promise.all([direct(), through()]);
  assert.deepEqual(await proxied.listTools(), await plain.listTools());
  assert.deepEqual(await proxied.listPrompts(), await plain.listPrompts());
  assert.deepEqual(proxied.getServerVersion(), plain.getServerVersion());
});

test('an allowed call runs, with any text in it', async () => {
  const client = await through('--allow', 'mcp__every__echo');
  const message = 'a\r\n\u2028"\\ \u00e9 \u{1f600}';
  const result = await client.callTool({ name: 'echo', arguments: { message } });
  assert.equal(result.isError ?? false, false);
  assert.match(result.content[0].text, /Echo/);
  assert.ok(result.content[0].text.includes(message));
});

test('a denied call is a tool error that says why, and the connection lives on', async () => {
  const client = await through('--deny', 'mcp__every__echo');
  const result = await client.callTool({ name: 'echo', arguments: { message: 'x' } });
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /mcp__every__echo/);
  await client.ping();
});

test('what nobody can be asked about is denied', async () => {
  const client = await through();
  const result = await client.callTool({ name: 'echo', arguments: { message: 'x' } });
  assert.equal(result.isError, true);
});

test('calls at the same time get their own answers', async () => {
  const client = await through('--allow', 'mcp__every__echo');
  const texts = Array.from({ length: 40 }, (_, i) => `number ${i}`);
  const results = await Promise.all(texts.map((message) => client.callTool({ name: 'echo', arguments: { message } })));
  results.forEach((result, i) => assert.ok(result.content[0].text.includes(texts[i])));
});
