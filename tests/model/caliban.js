'use strict';
// ADR 0020: "Higher-priority rules shadow lower-priority ones. Within a single source, first match wins."
const { verdict } = require('./shared.js');

// "Built-in defaults (read-only tools Allow; everything else Ask)."
const builtin = [
    ...['Read', 'Glob', 'Grep', 'LS'].map((tool) => ({ action: 'allow', text: tool, dialect: 'caliban' })),
    { action: 'ask', text: '*', dialect: 'caliban' },
];

function decide(walk) {
    return walk.strictestPart((part) => {
        const rule = walk.first(part);
        return verdict(rule.action, rule);
    });
}

module.exports = { builtin, decide };
