'use strict';
// Puts policies and calls to `warder check --jsonl` and to the model, and compares the verdicts.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const { Random } = require('./random.js');
const { makePolicy, makeCall, EXISTING } = require('./generate.js');
const { write } = require('./render.js');
const { describe, kindOf } = require('./describe.js');
const differences = require('./differences.js');

const NAMES = Object.keys(differences);
const PROFILES = ['caliban', 'waterfall', 'guild', 'mini', 'mink'];
const SAMPLE = 20; // of so many decisions one is looked at for the differences that it rests on
// What Warder's own documents promise, without its known errors; and with one of them, or all.
const BUGS = NAMES.filter((name) => differences[name].bug);
const ALL = (name) => name in differences && !differences[name].bug;
const WITH_BUG = BUGS.map((bug) => [bug, (name) => name === bug || ALL(name)]);
if (BUGS.length > 1) // several at once
    WITH_BUG.push([BUGS[0], (name) => name in differences]);
const LETTER = () => false;
const WITHOUT = Object.fromEntries(NAMES.map((name) => [name, (other) => other !== name && ALL(other)]));

// With root, each job has a mount namespace of its own, where /etc is a directory in its scratch: managed policy.
const ETC = ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache', 'localtime'];
function scratch() {
    const top = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-model-'));
    const roots = { top, E: `${top}/etc`, H: `${top}/h`, P: `${top}/p` };
    for (const dir of [roots.E, roots.H, roots.P])
        fs.mkdirSync(dir, { mode: 0o755 });
    for (const file of EXISTING) {
        fs.mkdirSync(path.dirname(`${roots.P}/${file}`), { recursive: true });
        fs.writeFileSync(`${roots.P}/${file}`, 'text\n');
    }
    for (const file of ETC)
        if (fs.existsSync(`/etc/${file}`))
            fs.copyFileSync(`/etc/${file}`, `${roots.E}/${file}`);
    return roots;
}

// What `warder trust` hashes and shows depends on the profile: it is told by a policy of its own.
function profileFile(policy, roots) {
    const file = `${roots.top}/${policy.profile}.yaml`;
    fs.writeFileSync(file, `profile: ${policy.profile}\n`);
    return file;
}

function run(warder, args, roots, input, more) {
    const env = { PATH: process.env.PATH, HOME: roots.H, ...more };
    const done = spawnSync(warder, args, { cwd: roots.P, env, input, maxBuffer: 1 << 30 });
    if (done.error)
        throw done.error;
    return done;
}

function argsOf(policy) {
    const args = ['check', '--jsonl', '--profile', policy.profile];
    for (const { action, text } of policy.cli)
        args.push(`--${action}`, text);
    if (policy.mode)
        args.push('--mode', policy.mode);
    if (policy.autoAllow)
        args.push('--auto-allow');
    if (policy.headless)
        args.push('--headless');
    if (policy.planFile)
        args.push('--plan-file', policy.planFile);
    return args;
}

function judgeByWarder(warder, policy, calls, roots) {
    if (policy.trusted)
        run(warder, ['trust', '--yes'], roots, '', { WARDER_CONFIG: profileFile(policy, roots) });
    const lines = calls.map(({ tool, input, mode, annotations }) => JSON.stringify({ tool, input, mode, annotations }));
    const done = run(warder, argsOf(policy), roots, `${lines.join('\n')}\n`);
    const answers = done.stdout.toString().trimEnd().split('\n');
    if (answers.length !== calls.length)
        throw new Error(`${argsOf(policy).join(' ')}: ${answers.length} answers of ${calls.length}: ${done.stderr}`);
    return answers.map((line) => JSON.parse(line));
}

// A verdict that is only admitted must be given for the reason that it is admitted for.
const same = (mine, theirs) =>
    mine.behavior === theirs.behavior
    && (!mine.layers || mine.layers.includes(theirs.layer))
    && (mine.rule === undefined || mine.rule === theirs.rule);

// The verdict of the model that Warder's agrees with, or null.
function agreed(model, policy, call, theirs) {
    for (const admitted of model.judge(policy, call, ALL))
        if (same(admitted, theirs))
            return admitted;
    for (const [name, ours] of WITH_BUG)
        for (const wrong of model.judge(policy, call, ours))
            if (same(wrong, theirs))
                return { ...wrong, name };
    return null;
}

const first = (verdicts) => verdicts.next().value;

// Which differences a verdict rests on: those without which the model says something else.
function attribute(model, policy, call, mine, used) {
    const letter = first(model.judge(policy, call, LETTER));
    if (letter.behavior === mine.behavior)
        return;
    let any = false;
    for (const name of NAMES)
        if (first(model.judge(policy, call, WITHOUT[name])).behavior !== mine.behavior) {
            countIn(used, name);
            any = true;
        }
    if (!any)
        countIn(used, 'several together');
}

const countIn = (table, name) => (table[name] = (table[name] || 0) + 1);

function compareOne(model, opts, policy, call, theirs, total, looked) {
    const row = total.profiles[policy.profile];
    row.decisions++;
    const found = agreed(model, policy, call, theirs);
    if (!found) {
        const mine = [...model.judge(policy, call, ALL)];
        row.disagree++;
        if (countIn(total.kinds, kindOf(policy, mine[0], theirs)) <= 3 && total.shown.length < opts.show)
            total.shown.push(describe(policy, call, mine, theirs));
    } else if (found.name) {
        row.admitted++;
        countIn(total.used, found.name);
    } else if (looked)
        attribute(model, policy, call, found, total.used);
}

function comparePolicy(model, opts, policy, calls, answers, total) {
    calls.forEach((call, i) =>
        compareOne(model, opts, policy, call, answers[i], total, opts.count && i % SAMPLE === 0));
}

function emptyTotal() {
    const row = () => ({ decisions: 0, admitted: 0, disagree: 0 });
    return { profiles: Object.fromEntries(PROFILES.map((p) => [p, row()])), used: {}, shown: [], kinds: {}, policies: 0 };
}

// One job: policies one after the other, in its own scratch directories.
function work(opts) {
    const model = require(opts.model ? path.join(opts.model, 'judge.js') : './judge.js');
    const roots = scratch();
    const total = emptyTotal();
    const random = new Random(opts.seed);
    if (opts.managed)
        mustRun('mount', ['--bind', roots.E, '/etc']);
    try {
        for (let left = opts.decisions; left > 0; left -= opts.per) {
            const profile = opts.profile || PROFILES[total.policies % PROFILES.length];
            const managed = opts.managed && total.policies % 2 === 0;
            const policy = makePolicy(random, profile, { project: roots.P, managed });
            total.policies++;
            write(random, policy, roots);
            const calls = Array.from({ length: Math.min(opts.per, left) }, () => makeCall(random, policy));
            comparePolicy(model, opts, policy, calls, judgeByWarder(opts.warder, policy, calls, roots), total);
        }
    } finally {
        if (opts.managed)
            mustRun('umount', ['/etc']);
        fs.rmSync(roots.top, { recursive: true, force: true });
    }
    return total;
}

function mustRun(command, args) {
    const done = spawnSync(command, args);
    if (done.status !== 0)
        throw new Error(`${command} ${args.join(' ')}: ${done.stderr}`);
}

module.exports = { work, emptyTotal, NAMES, PROFILES, SAMPLE };
