'use strict';
// A disagreement in words: enough to write it down as a policy and a call.

const byWhat = ({ by }) => (by && by.text ? `${by.source} ${by.action} ${by.text}` : String(by));

function rulesOf(policy) {
    const row = (source, { action, text, form }) => `${source}${form ? ` ${form}` : ''}: ${action} ${text}`;
    const files = policy.files.flatMap((file) => file.entries.map((entry) => row(`${file.source} ${file.format}`, entry)));
    return [...policy.cli.map((entry) => row('cli', entry)), ...files];
}

const SWITCHES = ['mode', 'disabledTools', 'allowedTools', 'readOnlyServers', 'disableBypass', 'disableAuto', 'managedOnly', 'clearancesOff'];
function switchesOf(policy) {
    const given = (file) => SWITCHES.filter((key) => file[key] !== undefined).map((key) => `${key} ${file[key]}`);
    return policy.files.map((file) => [`${file.source} ${file.format}`, ...given(file)]).filter((row) => row.length > 1).map((row) => row.join(', '));
}

function describe(policy, call, mine, theirs) {
    const { profile, mode, trusted, autoAllow, headless, planFile } = policy;
    return {
        profile,
        call: { tool: call.tool, input: call.input, mode: call.mode, annotations: call.annotations },
        model: mine.slice(0, 3).map((m) => `${m.behavior} by ${byWhat(m)}`),
        warder: `${theirs.behavior} by ${theirs.layer}: ${theirs.reason}`,
        options: { mode, autoAllow, headless, planFile },
        trusted,
        rules: rulesOf(policy),
        switches: switchesOf(policy),
    };
}

// Disagreements that have the same cause look the same here.
function kindOf(policy, mine, theirs) {
    const by = mine.by && mine.by.text ? `${mine.by.source === 'builtin' ? 'shipped ' : ''}rule` : mine.by;
    return `${policy.profile}: model ${mine.behavior} by ${by}, warder ${theirs.behavior} by ${theirs.layer}${theirs.rule ? ', rule' : ''}`;
}

module.exports = { describe, kindOf };
