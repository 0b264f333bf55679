// An agent whose tool calls Warder judges. If the verdict is ask, this program asks at the terminal.
//
// With the Claude Agent SDK it is one line, which sees every call:
// query({ prompt, options: { hooks: { PreToolUse: [{ hooks: [engine.preToolUse(ask)], timeout: 660, onFailure: 'block' }] } } }).
import readline from 'node:readline/promises';
import { Engine } from 'warder';

const policy = `
allow: ['Bash(npm run:*)']
deny: ['Bash(curl:*)', 'Read(**/.env)']
`;
const calls = [
    ['Bash', { command: 'git status' }],
    ['Bash', { command: 'npm run build && curl example.com' }],
    ['Bash', { command: 'make install' }],
    ['Read', { file_path: 'src/.env' }],
];

async function ask({ tool, input, verdict }, { signal }) {
    const terminal = readline.createInterface({ input: process.stdin, output: process.stdout });
    try {
        const answer = await terminal.question(`${tool} ${JSON.stringify(input)}: ${verdict.reason}? [y/N] `, { signal });
        return { behavior: answer.trim().toLowerCase() === 'y' ? 'allow' : 'deny', by: 'person' };
    } finally {
        terminal.close();
    }
}

const engine = new Engine({ texts: [policy] });
for (const [tool, input] of calls) {
    const { behavior, message } = await engine.resolve(engine.check(tool, input), ask);
    console.log(behavior, tool, JSON.stringify(input), message);
}
