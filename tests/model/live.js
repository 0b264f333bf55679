#!/usr/bin/env node
'use strict';
// What a policy read from files cannot show: updates of a running engine, sessions with their denials, and modes that change
// in between. By the Node package: live.js BUILD [--steps N] [--seed N], 77 where
// that was not built. The expectations are those of the documents (001,
// ApplyUpdate; mini, "Denial tracking") and of warder.3.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Random } = require('./random.js');
const { judge } = require('./judge.js');
const differences = require('./differences.js');
const { makeCall, ruleFor, EXISTING } = require('./generate.js');
const { describe } = require('./describe.js');

const PROFILES = ['caliban', 'waterfall', 'mini', 'mink'];
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'delegate'];
const OURS = (name) => name in differences && !differences[name].bug;
const STEPS_OF_ONE = 60;
const IN_A_ROW = 3; // "3 consecutive denials trigger a downgrade"
const IN_ALL = 20; // "20 total denials abort Agent execution"

const toolOf = (text) => text.split(/[(:]/)[0];

// 001: "addRules: append to checker.sessionRules or configRules", "replaceRules: Remove ALL rules for this tool name; add the
// new rule", "removeRules: Find and remove matching rule (tool + content)".
const UPDATES = {
    addRules: (live, entry) => live.file.entries.push(entry),
    replaceRules(live, entry) {
        const others = (e) => toolOf(e.text) !== toolOf(entry.text);
        live.file.entries = [...live.file.entries.filter(others), entry];
        live.policy.cli = live.policy.cli.filter(others);
    },
    removeRules(live, entry) {
        live.file.entries = live.file.entries.filter((e) => e.text !== entry.text);
    },
};

function update(random, live) {
    if (random.chance(0.2)) {
        const mode = random.pick(MODES);
        live.engine.update({ type: 'setMode', mode });
        live.policy = { ...live.policy, mode };
        return;
    }
    const known = live.file.entries.filter((e) => !live.policy.cli.some((other) => other.text === e.text));
    const type = random.weighted([[6, 'addRules'], [1, 'replaceRules'], [known.length ? 2 : 0, 'removeRules']]);
    const entry = type === 'removeRules' ? { ...random.pick(known) } : { ...ruleFor(random, live.policy.profile), listed: true }; // in the order in which they came
    const rule = { type, rules: [entry.text], destination: 'user' };
    live.engine.update(type === 'removeRules' ? rule : { ...rule, behavior: entry.action });
    UPDATES[type](live, entry);
    live.policy = { ...live.policy }; // what was kept of the old one does not hold any more
}

// What the session adds to a verdict: auto asks after three denials in a row, and the twentieth denial interrupts.
function expected(live, call) {
    const auto = (call.mode || live.policy.mode) === 'auto';
    live.session.latched = live.session.latched || (auto && live.session.inARow >= IN_A_ROW);
    const asked = auto && live.session.latched ? { ...call, mode: 'default' } : call;
    const found = [...judge(live.policy, asked, OURS)];
    return found[0].by === 'danger' && (call.mode || live.policy.mode) !== 'dontAsk' && live.session.confirmed.has(keyOf(call)) ? [{ behavior: 'allow', by: 'confirmed' }] : found;
}

// mini: "this.confirmedPaths.add(perm.message)": the command, or what is done to which file
const keyOf = ({ tool, input }) => input.command || `${tool} ${input.file_path}`;

function count(session, behavior, answered, mode) {
    if (behavior === 'allow')
        session.inARow = 0;
    else if (answered) {
        session.inAll++;
        session.inARow++;
        session.latched = session.latched || (mode === 'auto' && session.inARow >= IN_A_ROW);
    }
}

const check = ({ engine, name }, { tool, input, mode, annotations }) =>
    engine.check(tool, input, { mode, annotations, session: name });

async function leftOpen(live, call) {
    const { behavior, layer, rule, reason, interrupt } = await live.engine.resolve(check(live, call), undefined, { leaveAsk: true });
    return { behavior, layer, rule, reason, interrupt, ends: behavior, counts: behavior === 'deny' };
}

// The whole way of a call: judged with what the session has gathered, and asked about if need be.
async function resolve(random, live, call) {
    if (live.policy.profile === 'waterfall')
        return leftOpen(live, call); // there a callback is layer 6, and is asked before the mode
    const answer = random.pick([undefined, true, false]);
    const checked = check(live, call);
    let question = null;
    const end = await live.engine.resolve(checked, ({ verdict }) => {
        question = verdict;
        return answer;
    });
    const { behavior, layer, rule, reason } = question || end;
    return { behavior, layer, rule, reason, ends: end.behavior, interrupt: end.interrupt, counts: !question || answer !== undefined };
}

async function callOnce(random, live, total) {
    const { session } = live;
    const call = makeCall(random, live.policy);
    const mine = expected(live, call);
    const theirs = await resolve(random, live, call);
    const agree = mine.some((m) => m.behavior === theirs.behavior && (m.rule === undefined || m.rule === theirs.rule));
    const interrupts = theirs.ends === 'deny' && session.inAll + (theirs.counts ? 1 : 0) >= IN_ALL;
    total.decisions++;
    if (theirs.behavior === 'ask' && theirs.ends === 'allow' && live.policy.profile === 'mini' && mine[0].by === 'danger')
        session.confirmed.add(keyOf(call));
    if (!agree || theirs.interrupt !== interrupts) {
        total.disagree++;
        if (total.disagree <= 5)
            console.log(JSON.stringify({ session, interrupt: theirs.interrupt, ...describe(live.policy, call, mine, theirs) }));
    }
    count(session, theirs.ends, theirs.counts, call.mode || live.policy.mode);
}

async function oneEngine(Engine, random, total, { project, home }) {
    const profile = random.pick(PROFILES);
    random.wide = false;
    const file = { source: 'user', format: 'ours', entries: [] };
    const cli = Array.from({ length: random.below(4) }, () => ruleFor(random, profile));
    const mode = random.pick(MODES);
    const policy = { profile, project, trusted: true, cli, files: [file], mode };
    const rules = cli.map((e) => ({ behavior: e.action, rule: e.text }));
    const engine = new Engine({ profile, mode, texts: [], rules, client: 'model', sessionsInMemory: true, project, cwd: project, home });
    const live = { name: `session ${total.engines}`, engine, policy, file, session: { inARow: 0, inAll: 0, latched: false, confirmed: new Set() } };
    for (let i = 0; i < STEPS_OF_ONE; i++)
        if (random.chance(0.15)) {
            update(random, live);
            total.updates++;
        } else
            await callOnce(random, live, total);
    engine.close();
    total.engines++;
}

// The package as it would be installed, a home and a project.
function scratch(build) {
    const top = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-live-'));
    const [home, project] = [`${top}/h`, `${top}/p`];
    fs.mkdirSync(home);
    for (const file of EXISTING) {
        fs.mkdirSync(path.dirname(`${project}/${file}`), { recursive: true });
        fs.writeFileSync(`${project}/${file}`, 'text\n');
    }
    fs.copyFileSync(path.join(__dirname, '../../bindings/node/index.js'), `${top}/index.js`);
    fs.copyFileSync(`${build}/warder.node`, `${top}/warder.node`);
    return { top, home, project };
}

async function main([build, ...rest]) {
    if (!fs.existsSync(`${build}/warder.node`)) {
        console.log('SKIPPED: the Node package was not built (libnode-dev)');
        return 77;
    }
    const given = (name, otherwise) => (rest.includes(`--${name}`) ? Number(rest[rest.indexOf(`--${name}`) + 1]) : otherwise);
    const places = scratch(build);
    const { Engine } = require(places.top);
    const random = new Random(given('seed', 1));
    const total = { decisions: 0, updates: 0, engines: 0, disagree: 0 };
    while (total.decisions + total.updates < given('steps', 6000))
        await oneEngine(Engine, random, total, places);
    fs.rmSync(places.top, { recursive: true, force: true });
    console.log(`${total.decisions} decisions in ${total.engines} sessions with ${total.updates} updates: ${total.disagree} disagree`);
    return total.disagree ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => (process.exitCode = code));
