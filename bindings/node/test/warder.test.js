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
