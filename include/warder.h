/* warder.h - decide whether an agent's tool call may run.
 *
 * Ownership, for the whole header:
 * - warder_x_new() and every function with a `**out` give you an object; warder_x_free() frees it
 *   and accepts NULL.
 * - A pointer that an accessor returns belongs to the object it came from.
 * - Strings that you pass in are copied if they are kept; you may free yours on return. They are
 *   NUL-terminated unless a length is passed with them.
 *
 * Compatibility: structs that you fill start with struct_size; leave members that you do not know
 * zero. The small structs used in arrays (warder_rule, warder_text) and warder_error never change.
 *
 * Threads: any number of threads may use one engine at the same time, to check, update and reload.
 * A check sees the policy as it was at one moment and never waits for an update. A decision belongs
 * to one thread at a time; it may outlive updates and the engine. After fork() the child may go on
 * with its engines; a decision of another thread of the parent is lost to it. Do not change the
 * environment (setenv) while another thread is inside the library.
 *
 * Faults: the first engine installs handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL. A fault while
 * a call is analysed (a bug of this library) becomes a decision that denies, in every mode, with
 * the layer "fault"; a line on standard error says so. All other signals go to the handlers that
 * were there before. Handlers that you install later replace these: pass on what is not yours, or
 * set no_fault_guard in the options of all engines.
 *
 * Errors: a function that fails leaves its outputs NULL, and every question about NULL has the
 * answer that denies. */
#ifndef WARDER_H
#define WARDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header; warder_version() and warder_version_number() are of the library that runs. */
#define WARDER_VERSION        "0.1.0"
#define WARDER_VERSION_NUMBER 0x000100 /* major, minor and patch, eight bits each */

#define WARDER_API   __attribute__((visibility("default")))
#define WARDER_CHECK __attribute__((warn_unused_result))

/* Initialises a struct: all zero except struct_size. C99, or C++11 and later. */
#ifdef __cplusplus
#define WARDER_INIT(type)                                                                          \
    ([] {                                                                                          \
        type t = type();                                                                           \
        t.struct_size = sizeof(t);                                                                 \
        return t;                                                                                  \
    }())
#else
#define WARDER_INIT(type)                                                                          \
    {                                                                                              \
        .struct_size = sizeof(type)                                                                \
    }
#endif

/* Deny is zero on purpose: a verdict that was never set denies. */
typedef enum warder_behavior { WARDER_DENY = 0, WARDER_ASK = 1, WARDER_ALLOW = 2 } warder_behavior;

typedef enum warder_status {
    WARDER_OK = 0,
    WARDER_ESYNTAX, /* malformed text; has a line and column */
    WARDER_ELIMIT,  /* too large, too deep or too many */
    WARDER_EIO,
    WARDER_EUNSAFE, /* a file that another user could have written */
    WARDER_ENOMEM,
    WARDER_EUSAGE, /* the caller asked for something that does not exist */
} warder_status;

/* Where and why a call failed. Optional everywhere: pass NULL if you do not care. Written on
 * failure only: a function that succeeds leaves it as it was. */
typedef struct warder_error {
    warder_status status;
    uint32_t line, column; /* 1-based, column in bytes; 0: not about a place in a text. A column
                              without a line is one of the message */
    char message[232];
} warder_error;

typedef struct warder_engine warder_engine;
typedef struct warder_decision warder_decision;

/* A rule in the profile's syntax. */
typedef struct warder_rule {
    warder_behavior behavior;
    const char *text;
} warder_rule;

/* A policy in memory: the contents of a policy file. */
typedef struct warder_text {
    const char *name;   /* for messages; the suffix ".json", ".toml" or ".yaml" gives the syntax */
    const char *format; /* "warder", "settings", "caliban", "guild"; NULL: detected */
    const char *text;
    size_t len;
} warder_text;

typedef struct warder_options {
    size_t struct_size;
    const char
        *profile;     /* NULL: as in managed or user policy, else "warder"; managed counts first */
    const char *mode; /* NULL: the policy's */
    const char *cwd;  /* NULL: the process's */
    const char *home; /* NULL: $HOME */
    const char *project;   /* NULL: cwd */
    const char *plan_file; /* the one file that plan mode may write */
    /* NULL (and no texts): policy files are searched for, as the command does. Not NULL: only these
     * files, with the texts and rules below, the built-in rules and managed policy. A count of 0 is
     * none of them. */
    const char *const *policies;
    size_t policy_count;
    const warder_rule *rules; /* with source "cli", in order */
    size_t rule_count;
    int headless;   /* report what an ask becomes if no one can answer */
    int auto_allow; /* turn asks into allow; dangerous */
    /* Not NULL: added to policies, or alone, and no files but managed ones are searched for. A
     * count of 0: none. */
    const warder_text *texts;
    size_t text_count;
    int record;       /* warder_resolve() records each decision, and denies what it cannot record */
    const char *data; /* directory of the record; NULL: below $XDG_STATE_HOME or home */
    int sync;         /* flush each record to disk before the answer: it survives a power cut */
    uint32_t retention_days; /* how long records are kept; 0: 90; at least 30 */
    const char *session;     /* for calls that name none; an existing session, not a new one */
    const char *client;      /* the program that the session belongs to */
    int no_fault_guard; /* install no signal handlers: a fault in an analysis ends the process */
    /* What sessions were granted, counted and have brought in lives in this engine and ends with
     * it. 0: in files below $XDG_STATE_HOME or home, where other processes that name the same
     * client and session find it. */
    int sessions_in_memory;
    /* While a person has paused Warder for this user (`warder pause`), a question that policy
     * allows to be lifted is allow, and the reason says so. A service is never paused. */
    int pausable;
    /* The caller runs what is contained as the verdict says, in a cell, or not at all: a call may
     * be allowed because it runs there ("contained" in its JSON). 0: nothing is. Only for calls of
     * a client that runs the command it is answered. */
    int contain;
    /* The tier to judge by: "namespaces", "landlock" or "none". NULL: that of this machine, as
     * `warder sandbox check` found it. */
    const char *tier;
    /* The caller runs what warder_resolve() allows, and nothing else: a call may be allowed because
     * what it deletes or overwrites in the workspace was saved before ("reversible" in its JSON;
     * `warder undo` gives it back). warder_resolve() saves it, if the engine records; whoever only
     * checks must not run such a call. 0: nothing is saved. */
    int save;
} warder_options;
#define WARDER_OPTIONS_INIT WARDER_INIT(warder_options)

/* Reads the policy. A policy file that cannot be read does not fail here: the engine then denies
 * every call and says which file and line must be fixed. A file that was named and does not exist
 * does fail, and so does anything wrong with the options themselves. */
WARDER_API WARDER_CHECK warder_status warder_engine_new(const warder_options *options,
                                                        warder_engine **out, warder_error *err);
WARDER_API void warder_engine_free(warder_engine *engine);

/* Reads the sources again. If a file has become unreadable, the projects that use it keep their old
 * policy, and the error names the file; everything else is new. Changes made by updates persist,
 * with one exception: a deny or ask rule that an update removed is back if a file still has it. */
WARDER_API WARDER_CHECK warder_status warder_engine_reload(warder_engine *engine,
                                                           warder_error *err);

/* Changes the policy of this engine; writes no file. One update or a list, all or nothing:
 *   {"type": "addRules", "rules": ["Bash(npm test)"], "behavior": "allow"};
 *   "replaceRules" (removes all other rules of the tool), "removeRules" (by tool and content, and
 * by behavior and destination if given);
 *   {"type": "setMode", "mode": "plan"}; "addDirectories", "removeDirectories" with "directories".
 * Rules and a mode may be for calls of one session only: the same with "session": "s1". A mode of a
 * session replaces the one that its own calls have set, and needs the engine's `client`.
 * A rule may also be {"toolName": ..., "ruleContent": ...}. Managed and built-in rules cannot be
 * removed. A "destination" says which source the rules belong to, not for whom they count:
 * "session" is refused without the "session" that is meant; "engine" is all of them. */
WARDER_API WARDER_CHECK warder_status warder_engine_update(warder_engine *engine, const char *json,
                                                           size_t len, warder_error *err);

/* Ends a session: forgets what it was granted, here and in the files that other processes read, and
 * the rules and the mode that updates have added for it. client NULL: the engine's. */
WARDER_API WARDER_CHECK warder_status warder_session_end(warder_engine *engine, const char *client,
                                                         const char *session, warder_error *err);

/* Starts at 1 and grows with each update and reload. */
WARDER_API uint64_t warder_engine_generation(warder_engine *engine);

/* These only read: they write no file and ask no one. Input that is not a valid call gives a
 * decision too: it denies. An error leaves *out NULL, and NULL denies. */

/* One call as JSON: {"tool": "Bash", "input": {"command": "git status"}, "cwd": ..., "project":
 * ..., "session": ..., "mode": ..., "tool_use_id": ..., "annotations": {"readOnly": true}}; also
 * "tool_name" and "tool_input". */
WARDER_API WARDER_CHECK warder_status warder_check_json(warder_engine *engine, const char *json,
                                                        size_t len, warder_decision **out,
                                                        warder_error *err);
/* The same call as a struct: nothing has to be put into JSON by hand. A member that is NULL is not
 * given, and the engine's options count. */
typedef struct warder_call {
    size_t struct_size;
    const char *tool;
    /* One of the two: the tool's input, a JSON object as the model wrote it; or the tool's first
     * argument as plain text, such as a command. Neither: an empty input. */
    const char *input;
    size_t input_len;
    const char *argument;
    const char *cwd, *project, *session, *client, *mode, *tool_use_id;
    int read_only, destructive; /* what the server of an MCP tool says about it */
} warder_call;
#define WARDER_CALL_INIT WARDER_INIT(warder_call)
WARDER_API WARDER_CHECK warder_status warder_check(warder_engine *engine, const warder_call *call,
                                                   warder_decision **out, warder_error *err);
/* The tool's input as JSON. */
WARDER_API WARDER_CHECK warder_status warder_check_input(warder_engine *engine, const char *tool,
                                                         const char *input, size_t len,
                                                         warder_decision **out, warder_error *err);
/* The tool's first argument. WARDER_EUSAGE if the tool has none that we know. */
WARDER_API WARDER_CHECK warder_status warder_check_argument(warder_engine *engine, const char *tool,
                                                            const char *argument,
                                                            warder_decision **out,
                                                            warder_error *err);
/* Judges another call by the current policy and reuses a decision that is no longer needed: its old
 * verdict and texts are gone. Allocates nothing once its memory has grown to what calls need. On
 * failure it denies.
 *
 * It also remembers what it saw on the disk until the kernel reports a change, which takes three
 * descriptors (inotify, /proc/self/mountinfo, epoll). Up to eight decisions of a process have such
 * a memory; the others, and all where the system has no inotify instance left, look at the disk
 * each time. After fork() the child gets its own. Free such decisions when the process changes its
 * user, root directory or mount namespace. */
WARDER_API WARDER_CHECK warder_status warder_check_again(warder_decision *decision,
                                                         const char *json, size_t len,
                                                         warder_error *err);
/* The same with a call as a struct. */
WARDER_API WARDER_CHECK warder_status warder_recheck(warder_decision *decision,
                                                     const warder_call *call, warder_error *err);
WARDER_API void warder_decision_free(warder_decision *decision);

/* Reading never changes a decision. NULL denies, and its texts say that there is no decision. */
WARDER_API warder_behavior warder_decision_behavior(const warder_decision *decision);
WARDER_API const char *warder_decision_layer(const warder_decision *decision);
/* NULL: no rule decided it. */
WARDER_API const char *warder_decision_rule(const warder_decision *decision);
WARDER_API const char *warder_decision_reason(const warder_decision *decision);
WARDER_API const char *warder_decision_message(const warder_decision *decision); /* for the model */
WARDER_API int warder_decision_interrupt(const warder_decision *decision);
/* The person, or the caller through cancel_fd, cancelled the question: a deny that is no answer.
 * The agent's turn should end, and the call should not be tried in another way. */
WARDER_API int warder_decision_cancelled(const warder_decision *decision);
/* As in the record: its id, "" if it was not recorded; and its name, one of auto-accept, auto-deny,
 * human-accept, human-deny, timeout-deny, ask if the question was left to the caller, or
 * left-to-client if an agent's own checks decide. */
WARDER_API const char *warder_decision_id(const warder_decision *decision);
WARDER_API const char *warder_decision_name(const warder_decision *decision);
/* The input that was judged and must run instead of the call's own, as JSON; NULL: unchanged. */
WARDER_API const char *warder_decision_updated_input(warder_decision *decision);

/* The rules that would allow it, the narrowest first. */
WARDER_API size_t warder_decision_suggestion_count(const warder_decision *decision);
WARDER_API const char *warder_decision_suggestion(const warder_decision *decision, size_t i);

/* The hooks and classifiers of policy files that were not asked, and that warder_resolve() would
 * ask before the call may run: they may decide otherwise. None of a deny, or once it is resolved.
 */
WARDER_API size_t warder_decision_unasked_count(const warder_decision *decision);
WARDER_API const char *warder_decision_unasked(const warder_decision *decision, size_t i);

/* These three return NULL if there is no memory for the text. The decision is what it was.
 *
 * {"behavior": "allow|deny|ask", "layer": ..., "rule": ..., "reason": ..., "message": ...,
 * "interrupt": false, "tool_use_id": ..., "updated_input": null, "findings": [...], "suggestions":
 * [...], ...} on one line. */
WARDER_API const char *warder_decision_json(warder_decision *decision);

/* The trace: every action with what it touches, what each layer said, which rule in which file
 * decided, and what would allow it. */
WARDER_API const char *warder_decision_explain_json(warder_decision *decision);
/* The same as plain text. how: 0, or these together. */
enum {
    WARDER_EXPLAIN_COLOUR = 1, /* with terminal escapes */
    WARDER_EXPLAIN_ALL = 2,    /* with the layers that had nothing to say */
};
WARDER_API const char *warder_decision_explain_text(warder_decision *decision, int how);

/* ---- asking ---- */

/* The question: to the embedder's callback, where everything lives until that returns, or from
 * warder_question_of(), where it lives as long as the decision is not changed. */
typedef struct warder_question {
    size_t struct_size;
    const char *tool, *session, *tool_use_id, *cwd; /* "" if not given */
    const char *input;                              /* JSON */
    const char *verdict;                            /* as warder_decision_json() writes it */
    int cancel_fd; /* readable: the answer is no longer needed, return soon; -1: not a callback */
} warder_question;
#define WARDER_QUESTION_INIT WARDER_INIT(warder_question)

/* Who decided, for the record: it calls a person's answers human-accept and human-deny. */
typedef enum warder_by {
    WARDER_BY_PROGRAM = 0,
    WARDER_BY_PERSON,
    WARDER_BY_TIMEOUT, /* no one answered in time; with a deny */
} warder_by;

/* The answer. Zeroed it means no answer, and the other askers decide. The callback gets one that
 * the library made: fill in members, do not replace it as a whole. */
typedef struct warder_answer {
    size_t struct_size;
    int given; /* 0: no answer; -1: asking failed, and `message` may say how */
    warder_behavior behavior;
    const char *message;       /* for the model; NULL: none */
    const char *updated_input; /* a JSON object to judge and run instead; NULL: unchanged */
    int interrupt;             /* with a deny: the agent should stop */
    int remember;              /* with an allow, of a call with a session: do not ask again in it */
    warder_by by;
    const char *who;      /* the name of the person or program, for the record; NULL: not said */
    uint64_t reserved[8]; /* zero; later versions need no larger struct */
} warder_answer;
#define WARDER_ANSWER_INIT WARDER_INIT(warder_answer)

/* Returns 0; anything else means that it failed, as `given` = -1 does. Runs in its own thread
 * next to the other askers; warder_resolve() does not return before it. Strings in the answer are
 * copied as soon as it returns. An answer that contradicts itself, or a failure, denies unless
 * another asker answers, and the reason says what was wrong. */
typedef int (*warder_can_use_tool)(void *context, const warder_question *question,
                                   warder_answer *answer);

typedef struct warder_asking {
    size_t struct_size;
    warder_can_use_tool can_use_tool; /* NULL: none */
    void *context;                    /* passed to all functions */
    /* Called with each final decision. */
    void (*observe)(void *context, const warder_decision *decision);
    /* Which program the session belongs to; NULL: the engine's `client`. A call with a session
     * needs one: sessions of two programs may have the same name. */
    const char *client;
    /* for all askers and hooks together, then it is a deny; 0: WARDER_DEADLINE_MS, ten minutes */
    uint32_t deadline_ms;
    int terminal;  /* a person may be asked at the terminal */
    int leave_ask; /* stays ask if hooks and callback do not answer, and is recorded as such */
    int client_runs_hooks; /* the client runs its own hooks: run only those of our files */
    /* with `terminal`, but no terminal: the first character of a line of standard input answers */
    int lines;
    int cancel_fd; /* readable: stop asking, and deny; -1 or 0: none */
    /* A classifier, asked at the same time; NULL: none. It may deny; its allow counts only where
     * policy says `classifierAllows`, and only for an ask that does not want a person. WARDER_ASK,
     * no answer and a failure leave the question to the others. */
    warder_can_use_tool classify;
} warder_asking;
#define WARDER_DEADLINE_MS 600000
#define WARDER_ASKING_INIT WARDER_INIT(warder_asking)

/* Makes a decision final. Applies what its session has been granted, runs the trusted PreToolUse
 * hooks (a rewritten input is judged again) and, if it is still ask, the askers. The first valid
 * answer counts; no answer denies. The outcome is counted in the session and, if the engine has a
 * record, recorded. Afterwards the decision is allow or deny, or ask only with leave_ask. Call it
 * once per decision. Any error leaves the decision denying. */
WARDER_API WARDER_CHECK warder_status warder_resolve(warder_engine *engine,
                                                     warder_decision *decision,
                                                     const warder_asking *asking,
                                                     warder_error *err);

/* The same in two steps, for a caller that asks in its own loop and with its own means.
 *
 * warder_prepare() does everything but ask: session, hooks, service. It waits for the hooks and
 * nothing else. `asking` names no callback and no terminal. Afterwards the decision is allow or
 * deny, which is final and recorded, or ask: then warder_question_of() is what to ask, and
 * warder_conclude() takes the answer. It judges a rewritten input, counts and remembers in the
 * session, records, and always ends in allow or deny; an answer after the deadline of `asking` is
 * too late. An answer that is not given, and NULL, means that no one can answer.
 *
 * A decision that is freed before it was concluded has no record. Errors leave it denying. */
WARDER_API WARDER_CHECK warder_status warder_prepare(warder_engine *engine,
                                                     warder_decision *decision,
                                                     const warder_asking *asking,
                                                     warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_question_of(warder_decision *decision,
                                                         warder_question *out, warder_error *err);
WARDER_API WARDER_CHECK warder_status warder_conclude(warder_engine *engine,
                                                      warder_decision *decision,
                                                      const warder_answer *answer,
                                                      warder_error *err);

WARDER_API const char *warder_behavior_name(warder_behavior behavior);
/* "ok", "syntax", "limit", "io", "unsafe", "nomem", "usage"; "unknown" for anything else. */
WARDER_API const char *warder_status_name(warder_status status);
WARDER_API const char *warder_version(void);
WARDER_API uint32_t warder_version_number(void); /* as WARDER_VERSION_NUMBER */

#ifdef __cplusplus
}
#endif
#endif
