/** Decide whether an agent's tool call may run. */

export type Behavior = 'allow' | 'ask' | 'deny';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Input = Record<string, unknown>;

/** Something could not be done; a call that was to be judged was not, and must not run. */
export class WarderError extends Error {
    readonly status: 'ok' | 'syntax' | 'limit' | 'io' | 'unsafe' | 'nomem' | 'usage';
    /** 1-based; 0 when the failure has no place in a text. */
    readonly line: number;
    readonly column: number;
}

/** What Warder said of one call. Ask for `allowed`: an object is always true. */
export class Decision {
    private constructor();
    readonly behavior: Behavior;
    readonly allowed: boolean;
    readonly layer: string;
    /** The rule that decided, if one did. */
    readonly rule: string | null;
    /** Why, for people. */
    readonly reason: string;
    /** Why, for the model. */
    readonly message: string;
    /** The agent's loop should end. */
    readonly interrupt: boolean;
    /** The question was cancelled: a deny that is no answer. The agent's turn should end. */
    readonly cancelled: boolean;
    /** The rules that would clear an ask, the least ones first. */
    readonly suggestions: string[];
    /** The input that was judged and shall run instead of the call's own; null: nothing was changed. */
    readonly updatedInput: Input | null;
    /** What the record calls it; empty when it was not recorded. */
    readonly id: string;
    /** As in the record: auto-accept, auto-deny, human-accept, human-deny, timeout-deny or ask. */
    readonly name: string;
    /** All of it, as `warder check --json` prints it. */
    toJSON(): Record<string, Json>;
    /** The trace: every action, what each layer said, and what would make it allowed. */
    explain(): Record<string, Json>;
    explainText(colour?: boolean): string;
}

/** A policy in memory. The end of the name says what it is: .json, .toml or .yaml. */
export interface PolicyText {
    name?: string;
    format?: 'warder' | 'settings' | 'caliban' | 'guild';
    text: string;
}

/**
 * Without `policies` (files) and `texts` the policy is searched for as the command does. A list that is given is all there
 * is, also an empty one: then the built-in rules and `rules` count alone. Options that do not exist are refused.
 */
export interface EngineOptions {
    profile?: string;
    mode?: string;
    cwd?: string;
    home?: string;
    project?: string;
    planFile?: string;
    policies?: string[];
    /** YAML, a policy as an object, or a text with its name. */
    texts?: (string | PolicyText | Record<string, unknown>)[];
    rules?: { behavior: Behavior; rule: string }[];
    /** Nobody can answer an ask. */
    headless?: boolean;
    /** Let asks run; dangerous. */
    autoAllow?: boolean;
    record?: boolean;
    data?: string;
    sync?: boolean;
    retentionDays?: number;
    /** For calls that name no session. */
    session?: string;
    /** The program that sessions belong to: two programs may give theirs the same names. */
    client?: string;
    /** What sessions were granted lives in this engine and ends with it: no file is written. */
    sessionsInMemory?: boolean;
    /** While a person has paused Warder for this user, what would be asked is allowed. */
    pausable?: boolean;
}

export interface CallOptions {
    cwd?: string;
    project?: string;
    session?: string;
    mode?: string;
    toolUseId?: string;
    annotations?: { readOnly?: boolean; destructive?: boolean };
}

/** As the Agent SDK's PermissionUpdate; a rule may also be its text. */
export type Update =
    | {
          type: 'addRules' | 'replaceRules';
          rules: (string | { toolName: string; ruleContent?: string })[];
          behavior: Behavior;
          destination?: string;
          /** For calls of this session only. */
          session?: string;
      }
    | {
          type: 'removeRules';
          rules: (string | { toolName: string; ruleContent?: string })[];
          behavior?: Behavior;
          destination?: string;
          /** For calls of this session only. */
          session?: string;
      }
    | {
          type: 'setMode';
          mode: string;
          destination?: string;
          /** For calls of this session only; the engine needs its `client`. */
          session?: string;
      }
    | { type: 'addDirectories' | 'removeDirectories'; directories: string[]; destination?: string };

/** What a person, or whoever stands for one, is asked. */
export interface Question {
    tool: string;
    input: Input;
    verdict: Record<string, Json>;
    session: string;
    toolUseId: string;
    cwd: string;
}

/** What was answered. An input that is changed is judged before it counts. */
export interface Answer {
    behavior: 'allow' | 'deny';
    /** For the model. */
    message?: string;
    updatedInput?: Input;
    /** With a deny: the agent should stop. */
    interrupt?: boolean;
    /** With an allow of a call with a session: do not ask again in it. */
    remember?: boolean;
    /** Who decided, for the record; 'program' if it is not said. */
    by?: 'program' | 'person' | 'timeout';
    who?: string;
}

/**
 * May say nothing, yes or no, or more. If it throws, the call is denied, and the error is a warning of the process.
 * `signal`: the answer is no longer needed.
 */
export type Ask = (
    question: Question,
    context: { signal: AbortSignal },
) => void | undefined | null | boolean | Answer | Promise<void | undefined | null | boolean | Answer>;

export interface PrepareOptions {
    /** The program that the session belongs to; else that of the engine. A call with a session needs one. */
    client?: string;
    /** Milliseconds for all askers and hooks together, then it is deny; ten minutes if it is not said. */
    deadline?: number;
    clientRunsHooks?: boolean;
    /** Takes the question back: it is deny. */
    signal?: AbortSignal;
}

export interface ResolveOptions extends PrepareOptions {
    /** A person may be asked at the terminal. */
    terminal?: boolean;
    /** What hooks and `ask` leave open stays ask. */
    leaveAsk?: boolean;
}

/** `session`: in place of the SDK's; then `client` must be given, too. */
export type SdkOptions = Omit<PrepareOptions, 'signal'> & { session?: string };

export type PermissionResult =
    | { behavior: 'allow'; updatedInput: Input }
    | { behavior: 'deny'; message: string; interrupt: boolean };

/** The permission callback of the Claude Agent SDK. */
export type CanUseTool = (
    toolName: string,
    input: Input,
    options?: { signal?: AbortSignal; toolUseID?: string; suggestions?: unknown[] },
) => Promise<PermissionResult>;

/** What a PreToolUse hook of the Claude Agent SDK answers. */
export interface PreToolUseAnswer {
    continue?: boolean;
    stopReason?: string;
    hookSpecificOutput: {
        hookEventName: 'PreToolUse';
        permissionDecision: 'allow' | 'deny';
        permissionDecisionReason?: string;
        updatedInput?: Input;
    };
}

/** The hook itself; the event is the SDK's HookInput. */
export type PreToolUse = (
    event: { hook_event_name: string },
    toolUseID?: string,
    options?: { signal?: AbortSignal },
) => Promise<PreToolUseAnswer>;

/** A policy that calls are put to. */
export class Engine {
    constructor(options?: EngineOptions);
    /** Checks from now on throw. */
    close(): void;
    /** Judges one call. Reads the policy, writes nothing, asks nobody. */
    check(tool: string, input?: Input, more?: CallOptions): Decision;
    /** One call as JSON. What is no call at all is a decision, too: it denies. */
    checkJson(text: string): Decision;
    /** Changes rules, mode or directories of this engine, all updates at once or none. */
    update(...updates: Update[]): void;
    /** Reads the sources again. Throws where a file is broken: then what held before holds on. */
    reload(): void;
    readonly generation: number;
    /** Forgets a session: what it was granted, and the rules and the mode that updates have added for it. */
    endSession(session: string, client?: string): void;
    /** Brings a decision to its end: hooks, then whoever can be asked. Without an answer it denies. */
    resolve(decision: Decision, ask?: Ask | null, options?: ResolveOptions): Promise<Decision>;
    /** `resolve()` up to the question, for a caller that asks by itself; null: there is none, and the decision is final. */
    prepare(decision: Decision, options?: PrepareOptions): Promise<Question | null>;
    /** ... and from the answer on. Without one it denies. */
    conclude(decision: Decision, answer?: boolean | Answer | null): Promise<Decision>;
    /**
     * For the Claude Agent SDK; it sees every call:
     * `hooks: { PreToolUse: [{ hooks: [engine.preToolUse(ask)], timeout: 660, onFailure: 'block' }] }`.
     * The timeout, in seconds, should be longer than the deadline. Whatever fails denies.
     */
    preToolUse(ask?: Ask | null, options?: SdkOptions): PreToolUse;
    /**
     * `canUseTool: engine.canUseTool(ask)`. The SDK puts to it only what its own rules would ask about, so most calls
     * are never judged: use preToolUse(). Whatever fails denies.
     */
    canUseTool(ask?: Ask | null, options?: SdkOptions): CanUseTool;
    [Symbol.dispose](): void;
}

/** By the policy of this user and directory. */
export function check(tool: string, input?: Input, more?: CallOptions): Decision;
export const version: string;
