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

// ---- options ----

// What an option may be. A key that is not in its table is refused: a misspelt one could have made things stricter.
const KINDS = {
    'a string': (v) => typeof v === 'string',
    'true or false': (v) => typeof v === 'boolean',
    'a whole number that is not negative': (v) => Number.isInteger(v) && v >= 0 && v <= 0xffffffff,
    'a list of strings': (v) => Array.isArray(v) && v.every((t) => typeof t === 'string'),
    'a list': Array.isArray,
    'an object': (v) => typeof v === 'object' && !Array.isArray(v),
    'an AbortSignal': (v) => v instanceof AbortSignal,
};
const [TEXT, FLAG, NUMBER, TEXTS, LIST, OBJECT, SIGNAL] = Object.keys(KINDS);

const ENGINE_OPTIONS = {
    profile: TEXT, mode: TEXT, cwd: TEXT, home: TEXT, project: TEXT, planFile: TEXT, policies: TEXTS, texts: LIST,
    rules: LIST, headless: FLAG, autoAllow: FLAG, record: FLAG, data: TEXT, sync: FLAG, retentionDays: NUMBER,
};
const POLICY_TEXT = { name: TEXT, format: TEXT, text: TEXT };
const RULE = { behavior: TEXT, rule: TEXT };
const CALL_OPTIONS = { cwd: TEXT, project: TEXT, session: TEXT, mode: TEXT, toolUseId: TEXT, annotations: OBJECT };
const RESOLVE_OPTIONS = {
    client: TEXT, deadline: NUMBER, terminal: FLAG, leaveAsk: FLAG, clientRunsHooks: FLAG, signal: SIGNAL,
};
const SDK_OPTIONS = { ...RESOLVE_OPTIONS, session: TEXT };
const ANSWER = { behavior: TEXT, message: TEXT, updatedInput: OBJECT, interrupt: FLAG, remember: FLAG };

// A copy of what was given, without what is undefined or null; each value is read once.
function checked(what, given, table) {
    const out = {};
    if (!KINDS[OBJECT](given ?? {}))
        throw new WarderError(`${what} must be an object`);
    for (const [key, value] of Object.entries(given ?? {})) {
        if (!Object.hasOwn(table, key))
            throw new WarderError(`${what} cannot have "${key}"`);
        if (value === undefined || value === null)
            continue;
        if (!KINDS[table[key]](value))
            throw new WarderError(`${key} must be ${table[key]}`);
        out[key] = typeof value === 'boolean' ? Number(value) : value;
    }
    return out;
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

function readText(t) {
    if (typeof t === 'string')
        return { name: 'policy.yaml', text: t };
    if (typeof t !== 'object' || t === null)
        throw new WarderError('a policy text must be a string or an object');
    return typeof t.text === 'string' ? checked('a policy text', t, POLICY_TEXT) : { name: 'policy.json', text: dump(t) };
}

function readRule(given) {
    const { behavior, rule } = checked('a rule', given, RULE);
    return { behavior: behaviorNumber(behavior), rule };
}

// A list that is not given stays so: without `policies` and `texts` the disk is searched, with empty ones it is not.
function readOptions(given) {
    const o = checked('the options', given, ENGINE_OPTIONS);
    return { ...o, texts: o.texts?.map(readText), rules: o.rules?.map(readRule) };
}

// What a person said, as the library takes it; undefined: nothing.
function readAnswer(said) {
    if (said === undefined || said === null)
        return undefined;
    if (typeof said === 'boolean')
        return { behavior: said ? BEHAVIOR.allow : BEHAVIOR.deny };
    const a = checked('an answer', said, ANSWER);
    return { ...a, behavior: behaviorNumber(a.behavior), updatedInput: a.updatedInput && dump(a.updatedInput) };
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

    constructor(options) {
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

    // What is judged is `tool` and `input`: nothing in `more` can take their place.
    check(tool, input = {}, more = undefined) {
        const { toolUseId, ...rest } = checked('a call', more, CALL_OPTIONS);
        return this.checkJson(dump({ ...rest, tool_use_id: toolUseId, tool, input }));
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

    async resolve(decision, ask, options) {
        const { signal, ...rest } = checked('the options', options, RESOLVE_OPTIONS);
        await Decision._resolve(decision, this.#held(), { ...rest, asks: ask ? 1 : 0 }, asker(ask, signal));
        return decision;
    }

    canUseTool(ask, options) {
        const { session } = checked('the options', options, SDK_OPTIONS);
        const { session: _, ...rest } = options ?? {};
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
