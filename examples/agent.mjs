// An agent whose tool calls Warder judges. If the verdict is ask, this program asks at the terminal.
//
// With the Claude Agent SDK it is one line: query({ prompt, options: { canUseTool: engine.canUseTool(ask) } }).
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
        return answer.trim().toLowerCase() === 'y';
    } finally {
        terminal.close();
    }
}

const canUseTool = new Engine({ texts: [policy] }).canUseTool(ask);
for (const [tool, input] of calls) {
    const { behavior, message = '' } = await canUseTool(tool, input);
    console.log(behavior, tool, JSON.stringify(input), message);
}
