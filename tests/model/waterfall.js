'use strict';
// "8-Layer Checker & 6 Modes": "Each layer can short-circuit with allow or deny, or fall through to the next layer."
const { verdict, byRisk } = require('./shared.js');

const builtin = [];

// Layer 1
function modeCheck({ mode, call, policy }) {
    if (mode === 'bypassPermissions')
        return verdict(policy.mode === 'bypassPermissions' ? 'allow' : 'deny', 'mode');
    if (mode === 'plan')
        return verdict('deny', 'mode');
    if (mode === 'delegate')
        return verdict(call.tool === 'Agent' ? 'allow' : 'deny', 'mode');
    return null;
}

// Layer 4: "First matching rule wins: allow, deny; ask: fall through"
function rules(walk) {
    const found = walk.strictestPart((part) => {
        const rule = walk.first(part);
        return rule ? verdict(rule.action, rule) : verdict('ask', null);
    });
    return found.behavior === 'ask' ? null : found;
}

function decide(walk) {
    const gate = modeCheck(walk);
    if (gate)
        return gate;
    if (walk.disabled)
        return verdict('deny', 'disabled');
    if (walk.allowed)
        return verdict('allow', 'allowed');
    return rules(walk) || verdict(byRisk(walk.mode, walk.call, true), 'mode-default');
}

module.exports = { builtin, decide };
