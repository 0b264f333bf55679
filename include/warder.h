/* warder.h - decide whether an agent's tool call may run.
 *
 * Ownership, once for the whole header:
 *   - warder_x_new() and every function with a `**out` give you an object; warder_x_free() takes it
 * back, accepts NULL.
 *   - A pointer that an accessor returns belongs to the object it came from.
 *   - Strings you pass in are copied when they are kept; you may free yours on return. They end in
 * NUL unless a length stands beside them. Growth: structs that you fill begin with struct_size;
 * leave what you do not know zero. The small ones of which there are arrays (warder_rule,
 * warder_text), and warder_error, stay as they are. Threads: any number of threads may use one
 * engine at the same time, to check, to update and to reload. A check sees the policy as it was at
 * one moment, and never waits for an update. A decision belongs to one thread at a time; it may
 * outlive updates and the engine. Who changes the environment (setenv) must not do so meanwhile.
 * Failure: what cannot be done leaves outputs NULL, and every question about NULL has the answer
 * that denies. */
#ifndef WARDER_H
#define WARDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARDER_API   __attribute__((visibility("default")))
#define WARDER_CHECK __attribute__((warn_unused_result))

/* A struct to be filled: zero, but for struct_size. */
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

/* Deny is zero on purpose: a verdict that nobody wrote denies. */
typedef enum warder_behavior { WARDER_DENY = 0, WARDER_ASK = 1, WARDER_ALLOW = 2 } warder_behavior;

typedef enum warder_status {
    WARDER_OK = 0,
    WARDER_ESYNTAX, /* a text that is not what it should be; has a place */
    WARDER_ELIMIT,  /* larger, deeper or more than is read */
    WARDER_EIO,
    WARDER_EUNSAFE, /* a file that somebody else could have written */
    WARDER_ENOMEM,
    WARDER_EUSAGE, /* something was asked for that does not exist */
} warder_status;

/* Where and why a call failed. Optional everywhere: pass NULL if you do not care. */
typedef struct warder_error {
    warder_status status;
    uint32_t line, column; /* 1-based, column in bytes; 0 when the failure has no place in a text */
    char message[232];
} warder_error;

typedef struct warder_engine warder_engine;
typedef struct warder_decision warder_decision;

/* A rule given by hand, in the profile's spelling. */
typedef struct warder_rule {
    warder_behavior behavior;
    const char *text;
} warder_rule;

/* A policy in memory: what could also stand in a file that a person names. */
typedef struct warder_text {
    const char *name;   /* for messages; ".json", ".toml" or ".yaml" at its end says what it is */
    const char *format; /* "warder", "settings", "caliban", "guild"; NULL: told from the content */
    const char *text;
    size_t len;
} warder_text;

typedef struct warder_options {
    size_t struct_size;
    const char *profile;         /* NULL: what managed or user policy chose, else "warder" */
    const char *mode;            /* NULL: the policy's */
    const char *cwd;             /* NULL: the process's */
    const char *home;            /* NULL: $HOME */
    const char *project;         /* NULL: cwd */
    const char *plan_file;       /* the one file that plan mode may write */
    const char *const *policies; /* only these files, the texts and rules below and the built-in
                                    rules; NULL: search */
    size_t policy_count;
    const warder_rule *rules; /* of the cli source, in order */
    size_t rule_count;
    int headless;   /* say what an ask becomes when nobody can answer */
    int auto_allow; /* let asks run; dangerous */
    const warder_text
        *texts; /* with the policies, or instead of them: then no file is looked for */
    size_t text_count;
    int record; /* warder_resolve() records each decision, and denies what it cannot record */
    const char
        *data; /* the data directory that the record lies in; NULL: below $XDG_STATE_HOME or home */
    int sync; /* a record survives a power cut before the answer leaves, not only a dying process */
    uint32_t retention_days; /* how long records are kept; 0: 90; not below 30 */
    const char *session; /* of calls that name none; what it has gathered is read, and it does not
                            begin here */
    const char *client;  /* the program whose session it is */
} warder_options;
#define WARDER_OPTIONS_INIT WARDER_INIT(warder_options)

/* Reads the policy. A policy file that cannot be read does not fail here: the engine then denies
 * every call and says which file and line must be mended. */
WARDER_API WARDER_CHECK warder_status warder_engine_new(const warder_options *options,
                                                        warder_engine **out, warder_error *err);
WARDER_API void warder_engine_free(warder_engine *engine);

/* Reads the sources again. Where a file has become unreadable, the projects that it concerns keep
 * the policy they had, and the error names the file; the rest is new. What updates have added
 * stays, and what they have taken away, apart from deny and ask rules: those that stand in the
 * files now count. */
WARDER_API WARDER_CHECK warder_status warder_engine_reload(warder_engine *engine,
                                                           warder_error *err);

/* Changes the policy of this engine; no file is written. One update or a list of them, all or
 * nothing:
 *   {"type": "addRules", "rules": ["Bash(npm test)"], "behavior": "allow", "destination":
 * "session"} "replaceRules" (all other rules of the tool go), "removeRules" (by tool and content);
 *   {"type": "setMode", "mode": "plan"}; "addDirectories", "removeDirectories" with "directories".
 * A rule may also be {"toolName": ..., "ruleContent": ...}. Managed and built-in rules stay,
 * whatever is said. */
WARDER_API WARDER_CHECK warder_status warder_engine_update(warder_engine *engine, const char *json,
                                                           size_t len, warder_error *err);

/* Counts from 1 the policies that the engine has had: it grows with each update and reload. */
WARDER_API uint64_t warder_engine_generation(warder_engine *engine);

/* Each of these reads the engine, writes nothing anywhere, asks nobody. What is no call at all is a
 * decision too: it denies. A failure leaves *out NULL, and NULL denies. */

/* One call as JSON: {"tool": "Bash", "input": {"command": "git status"}, "cwd": ..., "project":
 * ..., "session": ..., "mode": ..., "tool_use_id": ..., "annotations": {"readOnly": true}}; also
 * "tool_name" and "tool_input". */
WARDER_API WARDER_CHECK warder_status warder_check_json(warder_engine *engine, const char *json,
                                                        size_t len, warder_decision **out,
                                                        warder_error *err);
/* The tool's input as JSON. */
WARDER_API WARDER_CHECK warder_status warder_check_input(warder_engine *engine, const char *tool,
                                                         const char *input, size_t len,
                                                         warder_decision **out, warder_error *err);
/* The tool's first argument. WARDER_EUSAGE when it is not known what that is. */
WARDER_API WARDER_CHECK warder_status warder_check_argument(warder_engine *engine, const char *tool,
                                                            const char *argument,
                                                            warder_decision **out,
                                                            warder_error *err);
/* Another call in the memory of a decision that is no longer needed: what it said, and its texts,
 * are gone. Judged by the policy that holds now; once the memory has grown to what calls need, no
 * more is taken. On failure it denies. Not for a decision that somebody else still looks at.
 *
 * It also remembers what it has seen of the disk until the kernel reports a change there, which
 * takes three descriptors (inotify, /proc/self/mountinfo; up to eight decisions of an engine have
 * them). After fork() the child gets its own. A process that changes its user, its root directory
 * or its mount namespace frees such decisions then. */
WARDER_API WARDER_CHECK warder_status warder_check_again(warder_decision *decision,
                                                         const char *json, size_t len,
                                                         warder_error *err);
WARDER_API void warder_decision_free(warder_decision *decision);

WARDER_API warder_behavior
warder_decision_behavior(const warder_decision *decision); /* NULL denies */
WARDER_API const char *warder_decision_layer(const warder_decision *decision);
WARDER_API const char *
warder_decision_rule(const warder_decision *decision); /* NULL: no rule decided it */
WARDER_API const char *warder_decision_reason(const warder_decision *decision);
WARDER_API const char *warder_decision_message(const warder_decision *decision); /* for the model */
WARDER_API int warder_decision_interrupt(const warder_decision *decision);
/* What the record calls it: its id, "" when it was not recorded; and auto-accept, auto-deny,
 * human-accept, human-deny, timeout-deny, or ask where the question was left to the caller. */
WARDER_API const char *warder_decision_id(const warder_decision *decision);
WARDER_API const char *warder_decision_name(const warder_decision *decision);
/* The input that was judged and shall run instead of the call's own, as JSON; NULL: nothing was
 * changed. As with the texts below, ask for the behaviour behind it. */
WARDER_API const char *warder_decision_updated_input(warder_decision *decision);

/* The rules that would clear it, the least ones first. */
WARDER_API size_t warder_decision_suggestion_count(const warder_decision *decision);
WARDER_API const char *warder_decision_suggestion(const warder_decision *decision, size_t i);

/* What is too large to be shown becomes a deny, in the text and in the decision: ask for
 * warder_decision_behavior() behind the texts, not before them.
 *
 * {"behavior": "allow|deny|ask", "layer": ..., "rule": ..., "reason": ..., "message": ...,
 * "interrupt": false, "tool_use_id": ..., "updated_input": null, "findings": [...], "suggestions":
 * [...], ...} on one line. */
WARDER_API const char *warder_decision_json(warder_decision *decision);

/* The trace: every action with what it touches, what each layer said, which rule at which place
 * decided, and what would make it allowed. */
WARDER_API const char *warder_decision_explain_json(warder_decision *decision);
/* The same for people. colour: with terminal escapes. */
WARDER_API const char *warder_decision_explain_text(warder_decision *decision, int colour);

/* ---- asking ---- */

/* What the embedder's callback is asked about. Everything lives until the callback returns. */
typedef struct warder_question {
    size_t struct_size;
    const char *tool, *session, *tool_use_id, *cwd; /* "" where the call says nothing */
    const char *input;                              /* JSON */
    const char *verdict;                            /* as warder_decision_json() writes it */
    int cancel_fd; /* readable: nobody waits for the answer any more, return soon */
} warder_question;

/* What it says. Zeroed it says nothing, and the others decide. */
typedef struct warder_answer {
    size_t struct_size;
    int given; /* 0: nothing was said */
    warder_behavior behavior;
    const char *message;       /* for the model; NULL: none */
    const char *updated_input; /* a JSON object that shall run instead, after it was judged; NULL:
                                  unchanged */
    int interrupt;             /* with a deny: the agent's loop should end */
    int remember;              /* with an allow: do not ask again in this session */
} warder_answer;

/* Returns 0, or anything else when it failed: the same as saying nothing. Runs on a thread of its
 * own beside the other askers; warder_resolve() returns after it has. Strings in the answer are
 * copied as soon as it returns. */
typedef int (*warder_can_use_tool)(void *context, const warder_question *question,
                                   warder_answer *answer);

typedef struct warder_asking {
    size_t struct_size;
    warder_can_use_tool can_use_tool; /* NULL: none */
    void *context;                    /* of both functions */
    void (*observe)(void *context,
                    const warder_decision *decision); /* sees each final decision, changes none */
    const char *client; /* which program the session belongs to; NULL: not said */
    uint32_t
        deadline_ms; /* for all askers and hooks together; 0: WARDER_DEADLINE_MS. Then it is deny */
    int terminal;    /* a person may be asked at the terminal */
    int leave_ask;   /* what hooks and callback leave open stays ask: the caller puts the question
                        itself */
    int client_runs_hooks; /* of its own settings files, so that only those of our files are run */
    int lines; /* with `terminal`, where there is none: the first character of a line of standard
                  input answers */
} warder_asking;
#define WARDER_DEADLINE_MS 600000
#define WARDER_ASKING_INIT WARDER_INIT(warder_asking)

/* Brings a decision to its end: with what its session has gathered, the trusted PreToolUse hooks (a
 * rewritten input is judged again) and, when it is still ask, the askers. The first valid answer
 * counts; no answer denies. The outcome is counted in the session and recorded where the engine has
 * a record. Behind it the decision says allow or deny, and ask only with leave_ask. Call it once
 * for a decision. Every failure leaves the decision denying. */
WARDER_API WARDER_CHECK warder_status warder_resolve(warder_engine *engine,
                                                     warder_decision *decision,
                                                     const warder_asking *asking,
                                                     warder_error *err);

WARDER_API const char *warder_behavior_name(warder_behavior behavior);
WARDER_API const char *warder_version(void);

#ifdef __cplusplus
}
#endif
#endif
