'use strict';
// Deliberate errors: one statement of the model is changed at a time, and the comparison must notice. Each is [file, the text as
// it is, the text instead]; one that does not fit the model any more is an error, too.
const fs = require('fs');
const os = require('os');
const path = require('path');

const MUTANTS = [
    ['shared.js', "const STRONG_FIRST = ['managed', 'cli', 'local', 'project', 'user', 'builtin']", "const STRONG_FIRST = ['managed', 'cli', 'local', 'user', 'project', 'builtin']"],
    ['shared.js', "const STRONG_FIRST = ['managed', 'cli', 'local',", "const STRONG_FIRST = ['managed', 'local', 'cli',"],
    ['shared.js', "const MINK_ORDER = ['managed', 'cli', 'user', 'project', 'local', 'builtin']", "const MINK_ORDER = ['managed', 'cli', 'local', 'project', 'user', 'builtin']"],
    ['shared.js', "deny: 0, ask: 1, allow: 3", "deny: 1, ask: 0, allow: 3"],
    ['shared.js', "(entry.listed ? 2 :", "(entry.listed ? 4 :"],
    ['shared.js', "medium: ['Write', 'Edit', 'NotebookEdit']", "medium: ['Write', 'NotebookEdit']"],
    ['shared.js', "if (says.destructive)", "if (says.destructive && !says.readOnly)"],
    ['shared.js', "dontAsk: { none: 'allow', low: 'allow', medium: 'deny'", "dontAsk: { none: 'allow', low: 'allow', medium: 'allow'"],
    ['shared.js', "rule.action !== 'allow' || rule.source === 'managed'", "rule.source === 'managed'"],
    ['shared.js', "rule.action !== 'allow' && sameServer(parsed(rule).tool, call.tool)", "false"],
    ['patterns.js', "out += '[^/]*';", "out += '.*';"],
    ['patterns.js', "text.toLowerCase().includes(pattern.toLowerCase())", "text.includes(pattern)"],
    ['patterns.js', "out += bracket(pattern, i, end, '!');", "out += bracket(pattern, i, end, '^');"],
    ['patterns.js', "pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern", "text.startsWith(pattern.replace(/\\*$/, ''))"],
    ['patterns.js', "const startsWithWords = (prefix, text) => text === prefix || text.startsWith(`${prefix} `);", "const startsWithWords = (prefix, text) => text.startsWith(prefix);"],
    ['patterns.js', "(c === '*' ? '.*' : c === '?' ? '.' : literal(c))", "(c === '*' ? '.*' : literal(c))"],
    ['commands.js', "sudo: { inner: 1, transparent: false }", "sudo: { inner: 1, transparent: true }"],
    ['commands.js', "const bare = [base(words[0]), ...words.slice(1)];", "const bare = words;"],
    ['caliban.js', "...['Read', 'Glob', 'Grep', 'LS']", "...['Read', 'Glob', 'LS']"],
    ['waterfall.js', "return found.behavior === 'ask' ? null : found;", "return found.by ? found : null;"],
    ['waterfall.js', "policy.mode === 'bypassPermissions' ? 'allow' : 'deny'", "policy.mode ? 'allow' : 'deny'"],
    ['waterfall.js', "call.tool === 'Agent' ? 'allow' : 'deny'", "'deny'"],
    ['guild.js', "'su *', 'rm -rf /*'", "'rm -rf /*'"],
    ['guild.js', "'curl*', 'wget*'", "'wget*'"],
    ['guild.js', "'pytest*', 'cargo test*'", "'cargo test*'"],
    ['mini.js', "    /\\btaskkill\\s/i,\n", ''],
    ['mini.js', "    /\\bsudo\\b/,\n", ''],
    ['mini.js', "if (walk.mode === 'acceptEdits' && EDIT_TOOLS", "if (walk.mode === 'acceptEdits' && !EDIT_TOOLS"],
    ['mini.js', "!walk.call.exists", "walk.call.exists"],
    ['mink.js', "call.inTree", "true"],
    ['mink.js', "const INTERACTIVE = new Set(['AskUserQuestion', 'ExitPlanMode'])", "const INTERACTIVE = new Set(['ExitPlanMode'])"],
    ['mink.js', "if (asked)", "if (asked && walk.mode !== 'bypassPermissions')"],
    ['judge.js', "mine < theirs ? own : managed", "mine < theirs ? managed : own"],
    ['judge.js', "apart ? [own, managed]", "apart ? [own]"],
    ['judge.js', "if (mode === 'bypassPermissions' && policy.files.some((f) => f.disableBypass))", "if (mode === 'never')"],
    ['judge.js', "return mode === 'auto' && policy.files.some((f) => f.disableAuto) ? 'default' : mode;", "return mode;"],
    ['judge.js', "walk.hasGuests ? [true, false] : [true]", "[true]"],
    ['judge.js', "if (walk.disabled && ours('disabled') && !later)", "if (walk.disabled && ours('disabled') && !later && walk.mode !== 'plan')"],
    ['judge.js', "const managed = ours('managed-first') && walk.any('deny', 'managed');", "const managed = null;"],
    ['judge.js', "e.unreadable && e.action !== 'allow'", "e.unreadable && e.action === 'deny'"],
    ['judge.js', "if (mode === 'dontAsk' && ours('extra-modes'))", "if (mode === 'dontAsk' && ours('extra-modes') && !policy.autoAllow)"],
    ['judge.js', "policy.headless ? verdict('deny', found.by) : found", "found"],
];

// A copy of the model with one change; the caller compares with it.
function copyOf(mutant) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-mutant-'));
    for (const file of fs.readdirSync(__dirname).filter((name) => name.endsWith('.js')))
        fs.copyFileSync(path.join(__dirname, file), path.join(dir, file));
    const [file, from, to] = mutant;
    const text = fs.readFileSync(path.join(dir, file), 'utf8');
    if (text.split(from).length !== 2)
        throw new Error(`${file}: "${from}" is there ${text.split(from).length - 1} times`);
    fs.writeFileSync(path.join(dir, file), text.replace(from, () => to));
    return dir;
}

const disagreements = (total) => Object.values(total.profiles).reduce((n, row) => n + row.disagree, 0);

// A mutant is looked for in growing runs; it is caught when more disagrees than with the model as it is.
async function runMutants(opts, runAll) {
    let missed = 0;
    for (const mutant of MUTANTS) {
        const dir = copyOf(mutant);
        let caught = 0;
        let tried = 0;
        for (let seed = opts.seed; !caught && tried < opts.decisions; seed++) {
            const size = Math.min(20000, opts.decisions - tried);
            const total = await runAll({ ...opts, decisions: size, seed, per: 100, show: 0, count: false, model: dir });
            tried += size;
            caught = disagreements(total);
        }
        fs.rmSync(dir, { recursive: true, force: true });
        missed += caught ? 0 : 1;
        console.log(`${caught ? 'caught' : 'MISSED'} ${mutant[0]}: ${mutant[1].trim().slice(0, 90)} (${caught} in ${tried})`);
    }
    console.log(`${MUTANTS.length - missed} of ${MUTANTS.length} mutants caught`);
    return missed ? 1 : 0;
}

module.exports = { runMutants };
