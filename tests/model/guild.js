'use strict';
// "REQ-F-1: System evaluates bash commands against ordered rule sets: deny rules first, then accept rules, then default to
// human review". Other tools are out of the document's scope: mode and risk decide, as docs/profiles.md says.
const { verdict, stricter, byRisk, properName } = require('./shared.js');

const DENY = [
    'curl*', 'wget*', 'nc *', 'netcat*', 'ssh *', 'scp *', 'rsync*', 'sudo *', 'su *', 'rm -rf /*', 'rm -rf ~*', 'rm -rf .*',
    '*/.ssh/*', '*/.aws/*', '*/.config/claude/*', '*/.env*', '*/credentials*', 'docker run*-v /*', 'docker run*--privileged*',
];
const ACCEPT = [
    'bun test*', 'bun run test*', 'npm test*', 'npm run test*', 'pytest*', 'cargo test*', 'go test*', 'bun run build*',
    'bun run lint*', 'bun run typecheck*', 'npm run build*', 'npm run lint*', 'tsc*', 'eslint*', 'cargo build*', 'go build*',
    'bun install', 'bun add *', 'npm install', 'npm ci', 'git status*', 'git diff*', 'git log*', 'git show*', 'git add*',
    'git commit*', 'git branch*', 'git checkout*', 'git stash*', 'ls*', 'pwd', 'cat *', 'head *', 'tail *', 'wc *', 'find *',
    'grep *', 'rg *',
];
const shipped = (action) => (text) => ({ action, text, dialect: 'guild' });
const builtin = [...DENY.map(shipped('deny')), ...ACCEPT.map(shipped('allow'))];

function decide(walk) {
    const denied = walk.any('deny');
    if (denied)
        return verdict('deny', denied);
    const asked = walk.any('ask');
    if (asked)
        return stricter(verdict('ask', asked), withoutRules(walk));
    return walk.covered() || withoutRules(walk);
}

function withoutRules(walk) {
    if (properName(walk.call.tool) === 'Bash')
        return verdict('ask', 'review');
    return verdict(byRisk(walk.mode, walk.call, walk.believed), 'other-tools');
}

module.exports = { builtin, decide, DENY, ACCEPT };
