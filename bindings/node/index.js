// Decide whether an agent's tool call may run. index.d.ts says what everything is.
'use strict';

const native = require('./warder.node');

const STATUS = ['ok', 'syntax', 'limit', 'io', 'unsafe', 'nomem', 'usage'];
const BEHAVIOR = { deny: 0, ask: 1, allow: 2 };
const SAYS = { json: 0, explainJson: 1, explainText: 2, explainColoured: 3, updatedInput: 4, id: 5 };

class WarderError extends Error {
    constructor(message, { status = 6, line = 0, column = 0 } = {}) {
        super(line ? `${line}:${column}: ${message}` : message);
        this.name = 'WarderError';
        this.status = STATUS[status] ?? 'usage';
        this.line = line;
        this.column = column;
    }
}

// What the native part throws has a status; it becomes an error of ours.
function call(name, ...args) {
    try {
        return native[name](...args);
    } catch (e) {
        throw wrap(e);
    }
}

function wrap(e) {
    return e instanceof WarderError ? e : new WarderError(e?.message ?? String(e), e);
}

// JSON, once: what is judged is this text, whatever happens to the object.
function dump(value) {
    let text;
    try {
        text = JSON.stringify(value);
    } catch (e) {
        throw new WarderError(`this is no JSON: ${e.message}`);
    }
    if (text === undefined)
        throw new WarderError('this is no JSON');
    return text;
}

function behaviorNumber(name) {
    if (!Object.hasOwn(BEHAVIOR, name))
        throw new WarderError(`there is no behavior "${name}"`);
    return BEHAVIOR[name];
}

class Decision {
    #handle;
    #busy = false;

    // Only Engine makes decisions.
    constructor(handle) {
        this.#handle = handle;
    }

    #held() {
        if (this.#busy)
            throw new WarderError('the decision is being resolved');
        return this.#handle;
    }

    #say(what) {
        return call('say', this.#held(), SAYS[what]);
    }

    get behavior() {
        return call('behavior', this.#held());
    }
    get allowed() {
        return this.behavior === 'allow';
    }
    toJSON() {
        return JSON.parse(this.#say('json'));
    }
    get layer() {
        return this.toJSON().layer ?? '';
    }
    get rule() {
        return this.toJSON().rule ?? null;
    }
    get reason() {
        return this.toJSON().reason ?? '';
    }
    get message() {
        return this.toJSON().message ?? '';
    }
    get interrupt() {
        return this.toJSON().interrupt === true;
    }
    get suggestions() {
        return this.toJSON().suggestions ?? [];
    }
    get updatedInput() {
        const text = this.#say('updatedInput');
        return text === null ? null : JSON.parse(text);
    }
    get id() {
        return this.#say('id') ?? '';
    }
    explain() {
        return JSON.parse(this.#say('explainJson'));
    }
    explainText(colour = false) {
        return this.#say(colour ? 'explainColoured' : 'explainText');
    }

    // A decision belongs to one thread at a time, and resolving has its own.
    static async _resolve(decision, engine, options, ask) {
        const handle = decision.#held();
        decision.#busy = true;
        try {
            await native.resolve(engine, handle, options, ask);
        } catch (e) {
            throw wrap(e);
        } finally {
            decision.#busy = false;
        }
    }
}

function readTexts(texts) {
    return texts.map((t) => {
        if (typeof t === 'string')
            return { name: 'policy.yaml', text: t };
        return typeof t?.text === 'string' ? t : { name: 'policy.json', text: dump(t) };
    });
}

function readOptions(o) {
    const flags = Object.fromEntries(
        ['headless', 'autoAllow', 'record', 'sync'].map((name) => [name, o[name] ? 1 : 0]));
    return {
        ...o,
        ...flags,
        texts: readTexts(o.texts ?? []),
        rules: (o.rules ?? []).map(({ behavior, rule }) => ({ behavior: behaviorNumber(behavior), rule })),
    };
}

// What a person said, as the library takes it; undefined: nothing.
function readAnswer(said) {
    if (said === undefined || said === null)
        return undefined;
    if (typeof said === 'boolean')
        return { behavior: said ? BEHAVIOR.allow : BEHAVIOR.deny };
    return {
        behavior: behaviorNumber(said.behavior),
        message: said.message,
        updatedInput: said.updatedInput === undefined ? undefined : dump(said.updatedInput),
        interrupt: said.interrupt ? 1 : 0,
        remember: said.remember ? 1 : 0,
    };
}

// The native part calls it with a question, and without one when nobody waits for the answer any more.
function asker(ask, signal) {
    const cancel = new AbortController();
    const both = signal ? AbortSignal.any([signal, cancel.signal]) : cancel.signal;

    async function put(tool, session, toolUseId, cwd, input, verdict) {
        const question = { tool, session, toolUseId, cwd, input: JSON.parse(input), verdict: JSON.parse(verdict) };
        if (both.aborted)
            return { behavior: BEHAVIOR.deny, message: 'the request was cancelled' };
        const aborted = new Promise((done) => both.addEventListener('abort', () => done(false), { once: true }));
        return readAnswer(await Promise.race([ask(question, { signal: both }), aborted]));
    }
    return (question, ...texts) => {
        if (!question)
            cancel.abort();
        else // whoever cannot answer says nothing, and nothing denies
            put(...texts).then((said) => native.answer(question, said), () => native.answer(question));
    };
}

class Engine {
    #handle;

    constructor(options = {}) {
        this.#handle = call('open', readOptions(options));
    }

    #held() {
        if (!this.#handle)
            throw new WarderError('the engine is closed');
        return this.#handle;
    }

    close() {
        this.#handle = null;
    }

    check(tool, input = {}, more = {}) {
        const { toolUseId, ...rest } = more;
        return this.checkJson(dump({ tool, input, ...rest, tool_use_id: toolUseId }));
    }

    checkJson(text) {
        return new Decision(call('check', this.#held(), String(text)));
    }

    update(...updates) {
        call('update', this.#held(), dump(updates));
    }

    reload() {
        call('reload', this.#held());
    }

    get generation() {
        return call('generation', this.#held());
    }

    async resolve(decision, ask, options = {}) {
        const { signal, ...rest } = options;
        const flags = Object.fromEntries(
            ['terminal', 'leaveAsk', 'clientRunsHooks'].map((name) => [name, rest[name] ? 1 : 0]));
        const given = { ...rest, ...flags, asks: ask ? 1 : 0 };
        await Decision._resolve(decision, this.#held(), given, asker(ask, signal));
        return decision;
    }

    canUseTool(ask, options = {}) {
        const { session, ...rest } = options;
        return async (tool, input, { signal, toolUseID } = {}) => {
            try {
                const judged = dump(input);
                const whole = { tool, input: JSON.parse(judged), session, tool_use_id: toolUseID };
                const decision = this.checkJson(dump(whole));
                await this.resolve(decision, ask, { client: 'sdk', ...rest, signal });
                if (decision.allowed)
                    return { behavior: 'allow', updatedInput: decision.updatedInput ?? JSON.parse(judged) };
                return { behavior: 'deny', message: decision.message || decision.reason, interrupt: decision.interrupt };
            } catch (e) { // a callback that throws may be read as one that does not object
                return { behavior: 'deny', message: `not judged: ${e?.message ?? e}`, interrupt: false };
            }
        };
    }
}

let standard;

// By the policy of this user and directory.
function check(tool, input, more) {
    standard ??= new Engine();
    return standard.check(tool, input, more);
}

const version = native.version();

module.exports = { Decision, Engine, WarderError, check, version };
