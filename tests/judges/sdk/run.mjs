// The real Claude Agent SDK, offline, with the integration that the README shows: does Warder see every call that runs?
//
// usage: run.mjs PACKAGE SDK: the installed Node package, and a directory below which npm has put the SDK.
//
// A session makes one call of every tool that it has. What Warder saw is read from its own record; what ran, from what
// the model was told. A second session, with canUseTool alone, shows that this judge notices a call that was missed.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { startModel } from './model.mjs';

const [warderPackage, sdkDirectory] = process.argv.slice(2);
const { Engine } = createRequire(import.meta.url)(warderPackage);
const sdk = await import(path.join(sdkDirectory, 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs'));

const SECRET = 'the-secret-of-this-project';
const MARK = 'SUBAGENT';
const notebook = { cells: [{ id: 'a', cell_type: 'code', source: 'x', metadata: {}, outputs: [], execution_count: null }],
    metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 };
const CALLS = {
    main: [
        { name: 'Bash', input: { command: 'echo one', description: 'd' } },
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'Write', input: { file_path: 'new.txt', content: 'x\n' } },
        { name: 'Read', input: { file_path: 'new.txt' } },
        { name: 'Edit', input: { file_path: 'new.txt', old_string: 'x', new_string: 'y' } },
        { name: 'Glob', input: { pattern: '*.txt' } },
        { name: 'Grep', input: { pattern: 'hello' } },
        { name: 'Read', input: { file_path: 'n.ipynb' } },
        { name: 'NotebookEdit', input: { notebook_path: 'n.ipynb', cell_id: 'a', new_source: 'y' } },
        { name: 'TodoWrite', input: { todos: [{ content: 'x', status: 'pending', activeForm: 'x' }] } },
        { name: 'WebFetch', input: { url: 'http://127.0.0.1:1/', prompt: 'x' } },
        { name: 'WebSearch', input: { query: 'xyz' } },
        { name: 'ToolSearch', input: { query: 'select:mcp__probe__look' } },
        { name: 'mcp__probe__look', input: {} },
        { name: 'Agent', input: { description: 'd', prompt: `${MARK}: do it`, subagent_type: 'general-purpose' } },
        { name: 'ListAgents', input: {} },
        { name: 'Bash', input: { command: 'cat .env', description: 'd' } },
        { name: 'Read', input: { file_path: '.env' } },
        { name: 'Bash', input: { command: 'sleep 1; echo last', description: 'd' } },
    ],
    [MARK]: [
        { name: 'Bash', input: { command: 'echo of the subagent', description: 'd' } },
        { name: 'Read', input: { file_path: 'a.txt' } },
        { name: 'Read', input: { file_path: '.env' } },
    ],
};
const MUST_RUN = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep', 'NotebookEdit', 'WebFetch', 'mcp__probe__look', 'Agent'];

function makePlace() {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-sdk-'));
    const project = path.join(place, 'project');
    for (const name of ['project', 'home', 'data'])
        fs.mkdirSync(path.join(place, name), { mode: 0o700 });
    fs.writeFileSync(path.join(project, 'a.txt'), 'hello\n');
    fs.writeFileSync(path.join(project, '.env'), `TOKEN=${SECRET}\n`);
    fs.writeFileSync(path.join(project, 'n.ipynb'), JSON.stringify(notebook));
    process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));
    return { project, home: path.join(place, 'home'), data: path.join(place, 'data') };
}

// The ids of the calls in Warder's record.
function recorded(data) {
    const seen = new Set();
    for (const name of fs.readdirSync(data, { recursive: true }))
        if (fs.statSync(path.join(data, name)).isFile())
            for (const [, id] of fs.readFileSync(path.join(data, name), 'latin1').matchAll(/"tool_use_id":"(toolu_[^"]*)"/g))
                seen.add(id);
    return seen;
}

function environment(home, url) {
    return {
        PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: path.join(home, '.claude'), ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1', IS_SANDBOX: '1', NO_PROXY: '127.0.0.1', CLAUDE_CODE_ENABLE_TASKS: '0',
    };
}

async function session(integrate) {
    const { project, home, data } = makePlace();
    const model = await startModel(CALLS);
    const engine = new Engine({
        home, cwd: project, record: true, data, texts: ["deny: ['Read(**/.env)']"],
    });
    const look = sdk.tool('look', 'looks', {}, async () => ({ content: [{ type: 'text', text: 'looked' }] }));
    const options = {
        cwd: project, model: 'claude-sonnet-4-5', settingSources: [], env: environment(home, model.url),
        tools: [...new Set(CALLS.main.map(({ name }) => name))],
        mcpServers: { probe: sdk.createSdkMcpServer({ name: 'probe', tools: [look] }) },
        ...integrate(engine),
    };
    for await (const message of sdk.query({ prompt: 'go', options }))
        if (message.type === 'result' && message.subtype !== 'success')
            throw new Error(`the session ended with ${message.subtype}`);
    model.stop();
    return { model, seen: recorded(data), data };
}

// Refused by the SDK itself before anything else, because there is no such tool or its input is none.
const refusedBefore = (result) => /No such tool|InputValidationError/.test(result);

function ran({ model }) {
    return model.asked.filter(({ id }) => model.results.has(id) && !refusedBefore(model.results.get(id)));
}

const ask = async () => true;
let wrong = 0;
function complain(what) {
    console.log(`FAILED: ${what}`);
    wrong = 1;
}

const hooked = await session((engine) => ({
    hooks: { PreToolUse: [{ hooks: [engine.preToolUse(ask)], timeout: 660, onFailure: 'block' }] },
}));
const calls = ran(hooked);
const missed = calls.filter(({ id }) => !hooked.seen.has(id));
const names = new Set(calls.map(({ name }) => name));
console.log(`preToolUse: ${calls.length} calls of ${names.size} tools, ${missed.length} missed`);
for (const { name, input } of missed)
    complain(`${name} ${JSON.stringify(input)} ran past Warder`);
for (const name of MUST_RUN)
    if (!names.has(name))
        complain(`the session has no ${name}: ${[...hooked.model.results].filter(([id]) =>
            hooked.model.asked.some((c) => c.id === id && c.name === name)).map(([, r]) => r.slice(0, 200))}`);
if (!calls.some(({ id }) => id.includes(MARK)))
    complain('the subagent made no call');
if (hooked.model.sent.includes(SECRET))
    complain('the model was told what .env holds');
if (!/last/.test([...hooked.model.results.values()].at(-1) ?? '') && !hooked.model.sent.includes('last'))
    complain('the session did not come to its end');

const alone = await session((engine) => ({ canUseTool: engine.canUseTool(ask) }));
const past = ran(alone).filter(({ id }) => !alone.seen.has(id));
console.log(`canUseTool alone: ${ran(alone).length} calls, ${past.length} missed`);
if (past.length === 0)
    complain('canUseTool alone misses nothing: this judge sees no difference, or the SDK has changed');
process.exit(wrong);
