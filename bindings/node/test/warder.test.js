// The Node package, run against an installed prefix (tests/bindings/node.sh): WARDER_PACKAGE is where it lies.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { describe, test } = require('node:test');
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const where = process.env.WARDER_PACKAGE;
const warder = require(where);
const { Engine, WarderError } = warder;

const POLICY = { allow: ['Bash(frob on)'], deny: ['Bash(frob off)'], ask: ['Bash(frob ask)'] };
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'warder-node-'));
const home = path.join(scratch, 'home');
const cwd = path.join(scratch, 'project');
fs.mkdirSync(home);
fs.mkdirSync(cwd);
process.on('exit', () => fs.rmSync(scratch, { recursive: true }));

const open = (options = {}) => new Engine({ home, cwd, texts: [POLICY], ...options });
const bash = (engine, command, more) => engine.check('Bash', { command }, more);
const is = (status) => (e) => e instanceof WarderError && e.status === status;

describe('checking', () => {
    for (const [command, behavior] of [
        ['frob on', 'allow'],
        ['frob off', 'deny'],
        ['frob ask', 'ask'],
        ['frob on; frob off', 'deny'],
        ['git status', 'allow'],
        ['nobody-knows-this', 'ask'],
    ])
        test(command, () => {
            const decision = bash(open(), command);
            assert.equal(decision.behavior, behavior);
            assert.equal(decision.allowed, behavior === 'allow');
        });

    test('what a decision says', () => {
        const decision = bash(open(), 'frob off', { toolUseId: 't1', session: 's1' });
        assert.equal(decision.rule, 'Bash(frob off)');
        assert.equal(decision.layer, 'deny-rules');
        assert.match(decision.reason, /policy\.json:1/);
        assert.ok(decision.message);
        assert.equal(decision.interrupt, false);
        assert.equal(decision.updatedInput, null);
        assert.equal(decision.id, '');
        assert.equal(JSON.parse(JSON.stringify(decision)).tool_use_id, 't1');
        assert.equal(decision.explain().profile, 'warder');
        assert.match(decision.explainText(), /deny-rules/);
        assert.ok(decision.explainText(true).includes('\x1b['));
        assert.deepEqual(bash(open(), 'frob up').suggestions, ['Bash(frob up)']);
    });

    test('what is no call denies', () => {
        for (const text of ['', '{', '[]', '{"tool":"Bash"}', '{"tool":"Bash","input":{},"input":{}}', '\ud800'])
            assert.equal(open().checkJson(text).behavior, 'deny', text);
        assert.equal(bash(open(), 'echo \ud800').behavior, 'deny');
        assert.equal(bash(open(), undefined).behavior, 'deny');
        assert.equal(open().check('Bash', { command: () => 1 }).behavior, 'deny');
    });

    test('nothing takes the place of what is judged', () => {
        const engine = open();
        for (const more of [
            { input: { command: 'frob on' } },
            { tool: 'Read' },
            { tool_name: 'Read' },
            { tool_input: {} },
            { toString: 1 },
            { cwd: 7 },
            { sesion: 's1' },
            'frob on',
        ])
            assert.throws(() => bash(engine, 'frob off', more), is('usage'), JSON.stringify(more));
        assert.equal(bash(engine, 'frob off', { __proto__: { input: { command: 'frob on' } } }).behavior, 'deny');
        assert.equal(bash(engine, 'frob off', JSON.parse('{"session": "s1"}')).behavior, 'deny');
        assert.ok(bash(engine, 'frob on', { cwd, mode: undefined, session: null }).allowed);
    });

    test('what is no JSON throws', () => {
        const circle = {};
        circle.circle = circle;
        for (const input of [circle, { command: 1n }])
            assert.throws(() => open().check('Bash', input), is('usage'));
    });

    test('a decision outlives its engine, which throws once it is closed', () => {
        const engine = open();
        const decision = bash(engine, 'frob on');
        engine.close();
        assert.ok(decision.allowed);
        for (const use of [() => bash(engine, 'ls'), () => engine.reload(), () => engine.generation, () => engine.update()])
            assert.throws(use, is('usage'));
    });

    test('the module has an engine', () => {
        const code = `const w = require(${JSON.stringify(where)}); console.log(w.check('Bash', {command: 'ls'}).allowed, w.version)`;
        const { stdout, stderr } = spawnSync(process.execPath, ['-e', code], { cwd, env: { ...process.env, HOME: home } });
        assert.match(String(stdout), /^true [0-9]+\.[0-9]+\.[0-9]+\n$/, String(stderr));
    });
});

describe('policies', () => {
    test('from files and memory', () => {
        const file = path.join(home, 'p.toml');
        fs.writeFileSync(file, "deny = ['Bash(frob on)']\n");
        assert.equal(bash(open({ texts: [], policies: [file] }), 'frob on').behavior, 'deny');
        assert.ok(bash(open({ texts: ["allow: ['Bash(frob up)']"] }), 'frob up').allowed);
        assert.ok(bash(open({ texts: [{ format: 'guild', text: '{"accept": ["frob*"]}' }] }), 'frob up').allowed);
        assert.ok(bash(open({ rules: [{ behavior: 'allow', rule: 'Bash(frob up)' }] }), 'frob up').allowed);
    });

    for (const options of [
        { profile: 'none' },
        { profile: 7 },
        { profile: 'a\0b' },
        { mode: 'none' },
        { policies: ['/nonexistent/policy.yaml'] },
        { policies: [7] },
        { policies: 'x' },
        { rules: [{ behavior: 'allow', rule: 'Bash(' }] },
        { rules: [{ behavior: 'perhaps', rule: 'Bash' }] },
        { rules: [{ behavior: 'allow' }] },
        { texts: [{ text: '{}', format: 'none' }] },
        { retentionDays: 'x' },
        { retentionDays: -3, record: true },
        { retentionDays: 5, record: true },
        { retentionDays: 40 },
        { nope: 1 },
        { mod: 'plan' },
        { autoAllow: 'yes' },
        { texts: 'allow: [Bash]' },
        { texts: [7] },
        { texts: [null] },
        { texts: [{ text: '{}', name: 'x.json', kind: 'x' }] },
        { rules: [{ behavior: 'allow', rule: 'Bash', why: 'x' }] },
        { rules: [null] },
    ])
        test(`refused: ${JSON.stringify(options)}`, () => assert.throws(() => open(options), WarderError));

    for (const options of [7, 'x', [], true])
        test(`no options: ${JSON.stringify(options)}`, () => assert.throws(() => new Engine(options), is('usage')));

    test('an empty list is a list: nothing is searched for', () => {
        const own = path.join(scratch, 'own');
        fs.mkdirSync(path.join(own, '.config', 'warder'), { recursive: true, mode: 0o700 });
        fs.writeFileSync(path.join(own, '.config', 'warder', 'warder.yaml'), "allow: ['Bash(frob up)']\n", { mode: 0o600 });
        const says = (options) => bash(new Engine({ home: own, cwd, ...options }), 'frob up').behavior;
        assert.equal(says({}), 'allow');
        assert.equal(says({ policies: undefined, texts: null }), 'allow');
        assert.equal(says({ rules: [] }), 'allow');
        assert.equal(says({ policies: [] }), 'ask');
        assert.equal(says({ texts: [] }), 'ask');
    });

    test('a broken policy denies', () => {
        const decision = bash(open({ texts: ['deny: ['] }), 'ls');
        assert.equal(decision.behavior, 'deny');
        assert.equal(decision.layer, 'policy');
    });

    test('updates', () => {
        const engine = open();
        assert.equal(engine.generation, 1);
        engine.update({ type: 'addRules', rules: ['Bash(frob up)'], behavior: 'allow' });
        assert.ok(bash(engine, 'frob up').allowed);
        assert.throws(
            () => engine.update({ type: 'removeRules', rules: ['Bash(frob up)'] }, { type: 'setMode', mode: 'none' }),
            (e) => is('syntax')(e) && e.line === 1);
        assert.ok(bash(engine, 'frob up').allowed);
        assert.equal(engine.generation, 2);
    });

    test('reload', () => {
        const file = path.join(home, 'p.yaml');
        fs.writeFileSync(file, "allow: ['Bash(frob up)']\n");
        const engine = open({ texts: [], policies: [file] });
        fs.writeFileSync(file, 'deny: [\n');
        assert.throws(() => engine.reload(), /p\.yaml/);
        assert.ok(bash(engine, 'frob up').allowed);
        fs.writeFileSync(file, "deny: ['Bash']\n");
        engine.reload();
        assert.equal(bash(engine, 'frob up').behavior, 'deny');
    });
});

describe('asking', () => {
    const resolve = (ask, options, command = 'frob ask') => {
        const engine = open();
        return engine.resolve(bash(engine, command), ask, options);
    };

    for (const [name, ask, allowed] of [
        ['yes', () => true, true],
        ['yes, later', async () => true, true],
        ['allow', () => ({ behavior: 'allow' }), true],
        ['no', () => false, false],
        ['deny', async () => ({ behavior: 'deny' }), false],
        ['ask', () => ({ behavior: 'ask' }), false],
        ['nothing', () => undefined, false],
        ['throws', () => { throw new Error('x'); }, false],
        ['rejects', async () => { throw new Error('x'); }, false],
        ['a word', () => 'yes', false],
        ['an unknown behavior', () => ({ behavior: 'toString' }), false],
        ['another input, which is denied', () => ({ behavior: 'allow', updatedInput: { command: 'frob off' } }), false],
        ['another input, which is no JSON', () => ({ behavior: 'allow', updatedInput: { command: 1n } }), false],
        ['a message that is none', () => ({ behavior: 'allow', message: 7 }), false],
        ['nobody', null, false],
    ])
        test(name, async () => assert.equal((await resolve(ask)).behavior, allowed ? 'allow' : 'deny'));

    test('nobody is asked what is decided', async () => {
        let asked = 0;
        const ask = () => ++asked > 0;
        assert.equal((await resolve(ask, {}, 'frob off')).allowed, false);
        assert.equal((await resolve(ask, {}, 'frob on')).allowed, true);
        assert.equal(asked, 0);
    });

    test('the question, another input, a message, an interrupt', async () => {
        let seen;
        const changed = await resolve((question) => {
            seen = question;
            return { behavior: 'allow', updatedInput: { command: 'frob on' } };
        });
        assert.equal(seen.tool, 'Bash');
        assert.deepEqual(seen.input, { command: 'frob ask' });
        assert.equal(seen.verdict.behavior, 'ask');
        assert.equal(seen.cwd, cwd);
        assert.deepEqual(changed.updatedInput, { command: 'frob on' });
        const denied = await resolve(() => ({ behavior: 'deny', message: 'not today', interrupt: true }));
        assert.match(denied.message, /not today/);
        assert.equal(denied.interrupt, true);
    });

    for (const options of [{ deadline: -1 }, { deadline: 1.5 }, { deadline: '9' }, { client: 7 }, { nope: 1 }, { signal: {} }, 9])
        test(`refused: ${JSON.stringify(options)}`, async () => {
            await assert.rejects(resolve(() => true, options), is('usage'));
            assert.throws(() => open().canUseTool(() => true, options), is('usage'));
        });

    test('left to the caller', async () => assert.equal((await resolve(null, { leaveAsk: true })).behavior, 'ask'));

    test('a decision is nobody else\'s meanwhile', async () => {
        const engine = open();
        const decision = bash(engine, 'frob ask');
        const resolved = engine.resolve(decision, () => true);
        assert.throws(() => decision.behavior, is('usage'));
        await assert.rejects(engine.resolve(decision, () => true), is('usage'));
        assert.ok((await resolved).allowed);
    });

    test('the deadline denies, and the asker hears of it', async () => {
        let signal;
        for (let deadline = 50; !signal; deadline *= 2) { // on a busy machine it may pass before anybody is asked
            const decision = await resolve((_, context) => {
                signal = context.signal;
                return new Promise(() => {});
            }, { deadline });
            assert.equal(decision.behavior, 'deny');
        }
        assert.ok(signal.aborted);
    });

    test('many at once', async () => {
        const engine = open();
        const decisions = await Promise.all(Array.from({ length: 16 }, (_, i) =>
            engine.resolve(bash(engine, 'frob ask', { session: `s${i}` }), async () => i % 2 === 0, { client: 'test' })));
        for (const [i, decision] of decisions.entries())
            assert.equal(decision.allowed, i % 2 === 0, decision.explainText());
    });
});

describe('canUseTool', () => {
    const use = (command, ask, options) => open().canUseTool(ask)('Bash', { command }, options);

    test('allow and deny', async () => {
        assert.deepEqual(await use('frob on'), { behavior: 'allow', updatedInput: { command: 'frob on' } });
        const denied = await use('frob off');
        assert.equal(denied.behavior, 'deny');
        assert.match(denied.message, /frob off/);
        assert.equal(denied.interrupt, false);
        assert.equal((await use('frob ask')).behavior, 'deny');
        assert.equal((await use('frob ask', async () => true)).behavior, 'allow');
    });

    test('what was judged runs, whatever happens to the object', async () => {
        const input = { command: 'frob ask' };
        const result = await open().canUseTool(() => {
            input.command = 'frob off';
            return true;
        })('Bash', input);
        assert.deepEqual(result, { behavior: 'allow', updatedInput: { command: 'frob ask' } });
    });

    test('a session needs its client', async () => {
        assert.throws(() => open().canUseTool(null, { session: 's1' }), is('usage'));
        assert.throws(() => open().preToolUse(null, { session: 's1' }), is('usage'));
        const use = open().canUseTool(() => ({ behavior: 'allow', remember: true }), { session: 's1', client: 'test' });
        assert.equal((await use('Bash', { command: 'frob up' })).behavior, 'allow');
        const other = (client) => open().canUseTool(null, { session: 's1', client })('Bash', { command: 'frob up' });
        assert.equal((await other('test')).behavior, 'allow');
        assert.equal((await other('test2')).behavior, 'deny');
        assert.throws(() => open().endSession('s1'), is('usage'));
        open().endSession('s1', 'test');
        assert.equal((await other('test')).behavior, 'deny');
    });

    test('sessions in memory are of their engine', async () => {
        const own = open({ client: 'memory', sessionsInMemory: true });
        const use = (engine, ask) => engine.canUseTool(ask, { session: 'm1', client: 'memory' })('Bash', { command: 'frob up' });
        assert.equal((await use(own, () => ({ behavior: 'allow', remember: true }))).behavior, 'allow');
        assert.equal((await use(own, null)).behavior, 'allow');
        assert.equal((await use(open({ client: 'memory' }), null)).behavior, 'deny');
        assert.throws(() => new Engine({ sessionsInMemory: 'yes' }));
        own.update({ type: 'setMode', mode: 'plan', session: 'm1', destination: 'session' });
        const write = (session) => own.check('Write', { file_path: path.join(cwd, 'x'), content: '' }, { session }).behavior;
        assert.equal(write('m1'), 'deny');
        assert.equal(write('m2'), 'ask');
    });

    test('an aborted request denies', async () => {
        const abort = new AbortController();
        const result = use('frob ask', () => (abort.abort(), new Promise(() => {})), { signal: abort.signal });
        assert.equal((await result).behavior, 'deny');
        assert.equal((await use('frob ask', () => true, { signal: AbortSignal.abort() })).behavior, 'deny');
    });

    test('what fails denies', async () => {
        const engine = open();
        const judge = engine.canUseTool();
        for (const [tool, input] of [['Bash', { command: 1n }], ['Bash', null], ['Bash', 'x'], ['', {}], [7, {}], []])
            assert.equal((await judge(tool, input)).behavior, 'deny');
        engine.close();
        assert.equal((await judge('Bash', { command: 'frob on' })).behavior, 'deny');
    });
});

test('a worker that ends while somebody is asked takes nothing with it', async () => {
    const code = `
        const { Engine } = require(${JSON.stringify(where)});
        const engine = new Engine({ home: ${JSON.stringify(home)}, cwd: '/nonexistent', texts: [{ ask: ['Bash'] }] });
        engine.resolve(engine.check('Bash', { command: 'x' }), () => {
            require('node:worker_threads').parentPort.postMessage('asked');
            return new Promise(() => {});
        });`;
    for (let i = 0; i < 5; i++) {
        const worker = new Worker(code, { eval: true });
        await new Promise((asked) => worker.once('message', asked));
        await worker.terminate();
    }
    const engine = open({ texts: [{ ask: ['Bash'] }] });
    assert.ok((await engine.resolve(bash(engine, 'x'), () => true)).allowed);
});

describe('in two steps', () => {
    test('the question, and the answer to it', async () => {
        const engine = open();
        const decision = bash(engine, 'frob ask', { toolUseId: 't1' });
        const question = await engine.prepare(decision);
        assert.deepEqual([question.tool, question.input, question.toolUseId], ['Bash', { command: 'frob ask' }, 't1']);
        assert.equal(question.verdict.behavior, 'ask');
        await engine.conclude(decision, { behavior: 'allow', by: 'person', who: 'ada' });
        assert.ok(decision.allowed);
        assert.equal(decision.name, 'human-accept');
        assert.match(decision.reason, /a person/);
    });

    test('what is decided has no question', async () => {
        const engine = open();
        assert.equal(await engine.prepare(bash(engine, 'frob off')), null);
        assert.equal(await engine.prepare(bash(engine, 'frob on')), null);
    });

    for (const [answer, name] of [
        [true, 'auto-accept'],
        [false, 'auto-deny'],
        [undefined, 'auto-deny'],
        [{ behavior: 'deny', by: 'person' }, 'human-deny'],
        [{ behavior: 'deny', by: 'timeout' }, 'timeout-deny'],
        [{ behavior: 'allow', updatedInput: { command: 'frob off' } }, 'auto-deny'],
    ])
        test(JSON.stringify(answer) ?? 'nothing', async () => {
            const engine = open();
            const decision = bash(engine, 'frob ask');
            await engine.prepare(decision);
            assert.equal((await engine.conclude(decision, answer)).name, name);
        });

    test('what cannot be used throws, and denies', async () => {
        const engine = open();
        for (const answer of [{ behavior: 'allow', interrupt: true }, { behavior: 'allow', remember: true }, { behavior: 'ask' }]) {
            const decision = bash(engine, 'frob ask');
            await engine.prepare(decision);
            await assert.rejects(engine.conclude(decision, answer), is('usage'));
            assert.equal(decision.behavior, 'deny');
            assert.match(decision.reason, /could not be used/);
        }
        await assert.rejects(engine.conclude(bash(engine, 'frob ask'), true), is('usage'));
        await assert.rejects(engine.resolve({}, () => true), is('usage'));
        await assert.rejects(engine.resolve(bash(engine, 'ls'), 'yes'), is('usage'));
    });
});

describe('preToolUse', () => {
    const event = (command, more) => ({
        hook_event_name: 'PreToolUse', session_id: 's-1', cwd, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1', ...more,
    });
    const use = async (command, ask, more) =>
        (await open().preToolUse(ask)(event(command, more), 't1', { signal: new AbortController().signal })).hookSpecificOutput;

    test('allow, deny, ask', async () => {
        assert.equal((await use('frob on')).permissionDecision, 'allow');
        const denied = await use('frob off');
        assert.deepEqual([denied.hookEventName, denied.permissionDecision], ['PreToolUse', 'deny']);
        assert.match(denied.permissionDecisionReason, /frob off/);
        assert.equal((await use('frob ask')).permissionDecision, 'deny');
        assert.equal((await use('frob ask', async () => true)).permissionDecision, 'allow');
        const changed = await use('frob ask', () => ({ behavior: 'allow', updatedInput: { command: 'frob on' } }));
        assert.deepEqual(changed.updatedInput, { command: 'frob on' });
        assert.equal((await use('frob on')).updatedInput, undefined);
    });

    test('the agent is stopped', async () => {
        const said = await open().preToolUse(() => ({ behavior: 'deny', message: 'enough', interrupt: true }))(event('frob ask'));
        assert.deepEqual([said.continue, said.stopReason], [false, 'enough']);
    });

    test('a mode of the session makes it stricter, never milder', async () => {
        assert.equal((await use('frob ask', () => true, { permission_mode: 'dontAsk' })).permissionDecision, 'deny');
        assert.equal((await use('frob ask', null, { permission_mode: 'bypassPermissions' })).permissionDecision, 'deny');
        assert.equal((await use('frob on', null, { permission_mode: 'default' })).permissionDecision, 'allow');
    });

    test('what it was given is remembered in its session', async () => {
        const engine = open();
        const remember = engine.preToolUse(() => ({ behavior: 'allow', remember: true }));
        assert.equal((await remember(event('frob up', { session_id: 'u-1' }))).hookSpecificOutput.permissionDecision, 'allow');
        const says = async (id) =>
            (await engine.preToolUse()(event('frob up', { session_id: id }))).hookSpecificOutput.permissionDecision;
        assert.equal(await says('u-1'), 'allow');
        assert.equal(await says('u-2'), 'deny');
    });

    test('what fails denies', async () => {
        const closed = open();
        closed.close();
        for (const [hook, given] of [
            [closed.preToolUse(), event('frob on')],
            [open().preToolUse(), undefined],
            [open().preToolUse(), {}],
            [open().preToolUse(), event('frob on', { hook_event_name: 'PostToolUse' })],
            [open().preToolUse(), event('frob on', { tool_name: undefined })],
            [open().preToolUse(), event('frob on', { tool_input: 'frob on' })],
            [open().preToolUse(), event('frob on', { cwd: 7 })],
        ])
            assert.equal((await hook(given)).hookSpecificOutput.permissionDecision, 'deny', JSON.stringify(given));
    });
});

describe('what goes wrong', () => {
    test('what an asker throws is a warning, and the reason names it', async () => {
        const warned = new Promise((heard) => process.once('warning', heard));
        const engine = open();
        const decision = await engine.resolve(bash(engine, 'frob ask'), () => { throw new RangeError('out of paper'); });
        assert.match(decision.reason, /could not be used: it failed: RangeError/);
        assert.equal((await warned).message, 'out of paper');
    });

    for (const [name, ask, says] of [
        ['a word', () => 'allow', /WarderError/],
        ['a contradiction', () => ({ behavior: 'allow', interrupt: true }), /allows the call and stops the agent/],
        ['no session', () => ({ behavior: 'allow', remember: true }), /has no session/],
    ])
        test(name, async () => {
            process.once('warning', () => {});
            const engine = open();
            assert.match((await engine.resolve(bash(engine, 'frob ask'), ask)).reason, says);
        });

    test('an abort is no answer', async () => {
        const engine = open();
        const abort = new AbortController();
        let inner;
        const asked = engine.resolve(bash(engine, 'frob ask'), (_, { signal }) => {
            inner = signal;
            setTimeout(() => abort.abort(), 20);
            return new Promise(() => {});
        }, { signal: abort.signal });
        const decision = await asked;
        assert.equal(decision.reason, 'the question was taken back');
        assert.equal(decision.behavior, 'deny');
        assert.ok(inner.aborted);
        const before = await engine.resolve(bash(engine, 'frob ask'), () => true, { signal: AbortSignal.abort() });
        assert.equal(before.reason, 'the question was taken back');
    });

    test('descriptors go with their questions', async () => {
        const engine = open();
        const open_fds = () => fs.readdirSync('/proc/self/fd').length;
        await engine.resolve(bash(engine, 'frob ask'), () => true);
        const before = open_fds();
        const kept = [];
        for (let i = 0; i < 50; i++)
            kept.push(await engine.resolve(bash(engine, 'frob ask'), () => true));
        assert.ok(open_fds() <= before + 2, `${before} descriptors became ${open_fds()}`);
        assert.ok(kept.every((d) => d.allowed));
    });

    test('an engine can be disposed of', { skip: !Symbol.dispose }, () => {
        const engine = open();
        engine[Symbol.dispose]();
        assert.throws(() => bash(engine, 'ls'), is('usage'));
    });
});

test('the types are those of the module', () => {
    const types = fs.readFileSync(path.join(where, 'index.d.ts'), 'utf8');
    const declared = [...types.matchAll(/^export (?:class|function|const) (\w+)/gm)].map((m) => m[1]);
    assert.deepEqual(declared.sort(), Object.keys(warder).sort());
    for (const name of ['Engine', 'Decision']) {
        const body = types.match(new RegExp(`class ${name} \\{([^]*?)^\\}`, 'm'))[1];
        const members = [...body.matchAll(/^    (?:readonly )?(\w+)[?(:]/gm)].map((m) => m[1]);
        const real = Object.getOwnPropertyNames(warder[name].prototype).filter((n) => n !== 'constructor');
        assert.deepEqual(members.filter((n) => n !== 'constructor').sort(), real.sort(), name);
    }
});
