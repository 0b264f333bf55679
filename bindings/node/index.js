// Decide whether an agent's tool call may run. index.d.ts says what everything is.
'use strict';

const native = require('./warder.node');

const STATUS = ['ok', 'syntax', 'limit', 'io', 'unsafe', 'nomem', 'usage'];
const BEHAVIOR = { deny: 0, ask: 1, allow: 2 };
const BY = { program: 0, person: 1, timeout: 2 };
const SAYS = Object.fromEntries([
    'json', 'explainJson', 'explainText', 'explainColoured', 'updatedInput', 'id', 'name', 'layer', 'rule', 'reason', 'message',
    'interrupt', 'cancelled',
].map((name, i) => [name, i])); // as in addon.c
const RESOLVE = 0, PREPARE = 1, CONCLUDE = 2; // as in addon.c

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

function numberOf(what, table, name) {
    if (!Object.hasOwn(table, name))
        throw new WarderError(`there is no ${what} "${name}"`);
    return table[name];
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
    session: TEXT, client: TEXT, sessionsInMemory: FLAG, pausable: FLAG,
};
const POLICY_TEXT = { name: TEXT, format: TEXT, text: TEXT };
const RULE = { behavior: TEXT, rule: TEXT };
const CALL_OPTIONS = { cwd: TEXT, project: TEXT, session: TEXT, mode: TEXT, toolUseId: TEXT, annotations: OBJECT };
const PREPARE_OPTIONS = { client: TEXT, deadline: NUMBER, clientRunsHooks: FLAG, signal: SIGNAL };
const RESOLVE_OPTIONS = { ...PREPARE_OPTIONS, terminal: FLAG, leaveAsk: FLAG };
const SDK_OPTIONS = { client: TEXT, deadline: NUMBER, clientRunsHooks: FLAG, session: TEXT };
const ANSWER = {
    behavior: TEXT, message: TEXT, updatedInput: OBJECT, interrupt: FLAG, remember: FLAG, by: TEXT, who: TEXT,
};

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
    #text(what) {
        const text = this.#say(what);
        if (text === null)
            throw new WarderError('there is no memory to show the decision', { status: STATUS.indexOf('nomem') });
        return text;
    }
    toJSON() {
        return JSON.parse(this.#text('json'));
    }
    get layer() {
        return this.#say('layer');
    }
    get rule() {
        return this.#say('rule');
    }
    get reason() {
        return this.#say('reason');
    }
    get message() {
        return this.#say('message');
    }
    get interrupt() {
        return this.#say('interrupt') !== null;
    }
    get cancelled() {
        return this.#say('cancelled') !== null;
    }
    get suggestions() {
        return this.toJSON().suggestions ?? [];
    }
    get updatedInput() {
        const text = this.#say('updatedInput');
        return text === null ? null : JSON.parse(text);
    }
    get id() {
        return this.#say('id');
    }
    explain() {
        return JSON.parse(this.#text('explainJson'));
    }
    explainText(colour = false) {
        return this.#text(colour ? 'explainColoured' : 'explainText');
    }

    get name() {
        return this.#say('name');
    }

    // A decision belongs to one thread at a time, and resolving has its own.
    static async _run(decision, engine, kind, given, ask, signal) {
        if (!(decision instanceof Decision))
            throw new WarderError('there is no decision');
        const handle = decision.#held();
        let stop;
        decision.#busy = true;
        try {
            const [promise, running] = native.resolve(engine, handle, kind, given, ask);
            stop = () => native.cancel(running);
            if (signal?.aborted)
                stop();
            signal?.addEventListener('abort', stop);
            return await promise;
        } catch (e) {
            throw wrap(e);
        } finally {
            signal?.removeEventListener('abort', stop);
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
    return { behavior: numberOf('behavior', BEHAVIOR, behavior), rule };
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
    return {
        ...a,
        behavior: numberOf('behavior', BEHAVIOR, a.behavior),
        by: numberOf('answerer', BY, a.by ?? 'program'),
        updatedInput: a.updatedInput && dump(a.updatedInput),
    };
}

function readQuestion([tool, session, toolUseId, cwd, input, verdict]) {
    return { tool, session, toolUseId, cwd, input: JSON.parse(input), verdict: JSON.parse(verdict) };
}

// An asker that throws has no answer, which denies. What it threw is a warning of the process.
function failed(e) {
    process.emitWarning(e instanceof Error ? e : new Error(String(e)));
    return { failed: e?.name ?? typeof e };
}

// The native part calls it with a question, and without one when the answer is no longer needed.
function asker(ask) {
    const cancel = new AbortController();
    const { signal } = cancel;

    async function put(texts) {
        try {
            return readAnswer(await ask(readQuestion(texts), { signal }));
        } catch (e) {
            return signal.aborted ? undefined : failed(e);
        }
    }
    return (question, ...texts) => {
        if (!question)
            cancel.abort(new WarderError('the question was taken back'));
        else
            put(texts).then((said) => native.answer(question, said));
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

    endSession(session, client) {
        const given = checked('a session', { session, client }, { session: TEXT, client: TEXT });
        call('endSession', this.#held(), given.client ?? '', given.session ?? '');
    }

    get generation() {
        return call('generation', this.#held());
    }

    async resolve(decision, ask, options) {
        const { signal, ...rest } = checked('the options', options, RESOLVE_OPTIONS);
        if (ask !== undefined && ask !== null && typeof ask !== 'function')
            throw new WarderError('ask must be a function');
        await Decision._run(decision, this.#held(), RESOLVE, { ...rest, asks: ask ? 1 : 0 }, asker(ask), signal);
        return decision;
    }

    // Everything before the question; null: there is none, and the decision is final.
    async prepare(decision, options) {
        const { signal, ...rest } = checked('the options', options, PREPARE_OPTIONS);
        const texts = await Decision._run(decision, this.#held(), PREPARE, rest, () => {}, signal);
        return texts ? readQuestion(texts) : null;
    }

    async conclude(decision, answer) {
        await Decision._run(decision, this.#held(), CONCLUDE, readAnswer(answer), () => {});
        return decision;
    }

    // ---- the Claude Agent SDK ----

    // Judges a call to its end. What is judged is one text, whatever happens to the object, and its input goes back.
    async #judge(tool, input, more, ask, options) {
        const judged = dump(input);
        const decision = this.check(tool, JSON.parse(judged), more);
        await this.resolve(decision, ask, options);
        const { allowed, message, reason, interrupt } = decision;
        return { allowed, reason, message: message || reason, interrupt, judged, updatedInput: decision.updatedInput };
    }

    #sdk(options) {
        const { session, ...rest } = checked('the options', options, SDK_OPTIONS);
        if (session !== undefined && !rest.client)
            throw new WarderError('a session needs the name of its client');
        const { clientRunsHooks, ...asking } = { client: 'sdk', ...rest };
        return { session, asking: { ...asking, clientRunsHooks: clientRunsHooks === 1 } };
    }

    preToolUse(ask, options) {
        const { session, asking } = this.#sdk(options);
        return async (event, toolUseId, { signal } = {}) => {
            try {
                const { hook_event_name: name, tool_name: tool, tool_input: input, cwd, permission_mode: mode } = event;
                if (name !== 'PreToolUse')
                    throw new WarderError(`this hook is for PreToolUse, not ${name}`);
                const more = {
                    cwd,
                    session: session ?? event.session_id,
                    toolUseId: toolUseId ?? event.tool_use_id,
                    mode: STRICTER_MODES.includes(mode) ? mode : undefined,
                };
                return hookAnswer(await this.#judge(tool, input, more, ask, { ...asking, signal }));
            } catch (e) { // a hook that throws is one that does not object
                return hookAnswer({ message: `not judged: ${e?.message ?? e}` });
            }
        };
    }

    canUseTool(ask, options) {
        const { session, asking } = this.#sdk(options);
        return async (tool, input, { signal, toolUseID } = {}) => {
            try {
                const said = await this.#judge(tool, input, { session, toolUseId: toolUseID }, ask, { ...asking, signal });
                if (said.allowed)
                    return { behavior: 'allow', updatedInput: said.updatedInput ?? JSON.parse(said.judged) };
                return { behavior: 'deny', message: said.message, interrupt: said.interrupt };
            } catch (e) { // a callback that throws may be read as one that does not object
                return { behavior: 'deny', message: `not judged: ${e?.message ?? e}`, interrupt: false };
            }
        };
    }
}

if (Symbol.dispose) // Node 20 and later: using engine = new Engine()
    Engine.prototype[Symbol.dispose] = Engine.prototype.close;

// Modes of the agent's session that can only make a verdict stricter.
const STRICTER_MODES = ['plan', 'dontAsk'];

function hookAnswer({ allowed = false, reason, message, interrupt = false, updatedInput }) {
    const said = { hookEventName: 'PreToolUse', permissionDecision: allowed ? 'allow' : 'deny' };
    said.permissionDecisionReason = allowed ? reason : message;
    if (allowed && updatedInput)
        said.updatedInput = updatedInput;
    return { ...(interrupt && { continue: false, stopReason: message }), hookSpecificOutput: said };
}

let standard;

// By the policy of this user and directory.
function check(tool, input, more) {
    standard ??= new Engine();
    return standard.check(tool, input, more);
}

const version = native.version();

module.exports = { Decision, Engine, WarderError, check, version };
