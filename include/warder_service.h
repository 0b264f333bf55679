/* warder_service.h - what `warder serve` does, without the network: the calls of many workers,
 * reviews by people, rules that change while it runs.
 *
 * A service belongs to one thread. No function waits for a person: a call that needs one is a case
 * that stays open. Texts are JSON on one line. Ownership and errors are as in warder.h; any other
 * failure is WARDER_FAILED, and the caller must then deny. */
#ifndef WARDER_SERVICE_H
#define WARDER_SERVICE_H

#include "warder_admin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a request ended; the error says why. */
typedef enum warder_outcome {
    WARDER_FAILED = 0, /* it failed, and nothing was done */
    WARDER_DONE,
    WARDER_INVALID,   /* a malformed request */
    WARDER_FORBIDDEN, /* not with this role; checked before anything is searched for */
    WARDER_NOT_FOUND,
    WARDER_CONFLICT, /* already answered, or changed meanwhile */
    WARDER_FULL,     /* a limit: too many pending reviews, too many rules */
} warder_outcome;

typedef struct warder_service warder_service;
typedef struct warder_case warder_case;

/* ---- callers ---- */

typedef enum warder_role {
    WARDER_NOBODY = 0,
    WARDER_WORKER,
    WARDER_VIEWER,
    WARDER_OPERATOR
} warder_role;

typedef struct warder_caller {
    warder_role role;
    char id[64];   /* of the token; "uid:1000" on the unix socket */
    char name[64]; /* of the token */
} warder_caller;

/* ---- events ---- */

/* Sent to operators and viewers at once; redacted. */
typedef struct warder_event {
    uint64_t cursor;  /* ascending, never 0; starts over after a restart, which changes `epoch` */
    const char *type; /* "review", "decision", "rules", "policy" */
    const char *json; /* {"cursor", "epoch", "type", "at", "review"|"decision"|...} */
    /* With links_of, of a new review: {"page", "post", "deny", "approve"}, what a notice of it
     * needs so that it can be answered from there. Whoever reads it can answer: it is for notices
     * alone. NULL: none. */
    const char *links;
} warder_event;

typedef struct warder_service_options {
    size_t struct_size;
    const char *data;    /* the data directory; NULL: below $XDG_STATE_HOME or home */
    const char *home;    /* NULL: $HOME */
    const char *profile; /* this and the next three as in warder_options */
    const char *mode;
    const char *const *policies;
    size_t policy_count;
    uint32_t review_timeout_s; /* 0: 900 */
    uint32_t cooldown_s;       /* before a promoted rule applies, unless the answer gives one */
    uint32_t retention_days;   /* 0: 90 */
    int no_sync;               /* records survive a crash of the process, not a power cut */
    void *context;             /* passed to the two functions */
    /* Called during warder_service_commit() and _tick(); may be NULL. */
    void (*event)(void *context, const warder_event *event);
    /* The case's answer is final and its record durable: it may be sent. Only for cases that were
     * open when warder_service_check() returned; `user` is the argument from there. May free the
     * case. */
    void (*settled)(void *context, warder_case *item, void *user);
    uint64_t retention_bytes; /* the oldest records are removed beyond it, even if they are younger;
                                 0: no limit */
    /* Given: a thread of the service waits for the disk, and calls this when it has written what
     * warder_service_hand_over() gave it. It may only wake the service's own thread, which calls
     * warder_service_take_back(). NULL: no thread; handing over waits for the disk. */
    void (*written)(void *context);
    const char *links_of; /* the id of an operator's token: links answer in its name; NULL: none */
    int links_approve;    /* links may also approve, unless the call is grave */
} warder_service_options;
#define WARDER_SERVICE_OPTIONS_INIT WARDER_INIT(warder_service_options)

/* A policy that cannot be read does not fail here: calls are denied until it is fixed, and health
 * says so. Fails if another service uses the data directory. */
WARDER_API WARDER_CHECK warder_status warder_service_open(const warder_service_options *options,
                                                          warder_service **out, warder_error *err);
/* Says where it can be reached, for the message of a second service that is started here. */
WARDER_API void warder_service_announce(warder_service *service, const char *where);
/* Open cases are settled as denied; pending reviews stay in the database. NULL is fine. */
WARDER_API void warder_service_close(warder_service *service);

#define WARDER_TOKENS_CHANGED                                                                      \
    "tokens.changed" /* in the data directory: replaced when a token is                            \
                      */
/* Identifies a token. WARDER_FORBIDDEN: unknown or revoked. Compared in constant time. */
WARDER_API WARDER_CHECK warder_outcome warder_service_login(warder_service *service,
                                                            const char *token, warder_caller *out,
                                                            warder_error *err);

/* {"name", "role", "now", "version", "profile", "profiles", "modes", "features"}: who asks, and of
 * what. */
WARDER_API WARDER_CHECK warder_outcome warder_service_me(warder_service *service,
                                                         const warder_caller *caller,
                                                         warder_report **out, warder_error *err);

/* ---- calls ---- */

/* One call: as for warder_check_json(), save that a milder mode than the service's own and a plan
 * file do not count, plus "worker_id", "task_id", "project_id", "context":
 * {"task_description", "worktree_path"}, "wait" (seconds) and "review_id" (of an earlier answer, to
 * fetch the outcome of its review). Input that is not a valid call is a case too: it denies. The
 * answer is the verdict with "decision", "decision_id", "matched_rule_id", "response_time_ms"; for
 * an open case {"behavior": "ask", "review_id", "status": "pending", "expires_at", ...}. If the
 * same worker repeats a call while its review is pending, it joins that review; if it repeats it
 * after the review, it gets an answer that was never delivered, once. */
WARDER_API WARDER_CHECK warder_outcome warder_service_check(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *json, size_t len,
                                                            void *user, warder_case **out,
                                                            warder_error *err);
#define WARDER_HOOK_LINE "{\"hook\":" /* the start of such an event, and of its answer */
/* One event of an agent's hook, as its process received it: {"hook": CLIENT, "event": TEXT, "cwd",
 * "project", "shell"}. The case's text is {"hook": {"out", "err", "code"}}, what the process prints
 * and its exit code. Decides only what the policy allows or denies by itself. Otherwise the outcome
 * is WARDER_NOT_FOUND: nothing was decided or recorded, and the process must decide without the
 * service. */
WARDER_API WARDER_CHECK warder_outcome warder_service_hook(warder_service *service,
                                                           const warder_caller *caller,
                                                           const char *json, size_t len, void *user,
                                                           warder_case **out, warder_error *err);
/* Does not record, review or touch a session: the report is the verdict. */
WARDER_API WARDER_CHECK warder_outcome warder_service_dry_run(warder_service *service,
                                                              const warder_caller *caller,
                                                              const char *json, size_t len,
                                                              warder_report **out,
                                                              warder_error *err);
/* All of a judgement, as warder_decision_explain_json() has it; with "tree": true also that of a
 * shell text. Any mode may be tried: nothing is decided. WARDER_NOT_FOUND: the body has a "profile"
 * that is not the service's, or "policy": "without"; see warder_explain_elsewhere(). Operators and
 * viewers only. */
WARDER_API WARDER_CHECK warder_outcome warder_service_explain(warder_service *service,
                                                              const warder_caller *caller,
                                                              const char *json, size_t len,
                                                              warder_report **out,
                                                              warder_error *err);
/* Records everything decided since the last commit: one write, one sync. Then calls `settled` for
 * each case that was open and has ended, and `event`. No answer may be sent before. If it fails,
 * those cases are settled as denied. */
WARDER_API WARDER_CHECK warder_status warder_service_commit(warder_service *service,
                                                            warder_error *err);
/* A commit in two halves, for a loop that must not wait for the disk. Handing over gives everything
 * decided so far to the writer, as one batch: 1; 0 if there is nothing, or the writer still has the
 * last batch. Taking it back settles its cases as a commit does; *done: 0 if it is not written
 * yet. */
WARDER_API int warder_service_hand_over(warder_service *service);
WARDER_API WARDER_CHECK warder_status warder_service_take_back(warder_service *service, int *done,
                                                               warder_error *err);
/* Cases and changes that neither a commit nor a hand-over has taken yet. */
WARDER_API size_t warder_service_uncommitted(const warder_service *service);

/* Both after a commit: does it wait for a person; the answer for the worker. */
WARDER_API int warder_case_pending(const warder_case *item);
WARDER_API const char *warder_case_json(warder_case *item);
/* Its answer is being written: it is settled soon, or pending again if that fails. */
WARDER_API int warder_case_ending(const warder_case *item);
/* How long the worker is willing to wait for its answer. */
WARDER_API uint32_t warder_case_wait_ms(const warder_case *item);
WARDER_API void warder_case_free(warder_case *item); /* a pending review continues without it */

/* Answers to reviews and changes of rules and policy take effect with the next commit, and must not
 * be confirmed before. Right after one of them: a case that is settled by that commit. Then
 * warder_case_outcome() says whether it has taken effect, and warder_case_json() why not, or what
 * to confirm it with; NULL: with its report. *out is NULL if nothing is to be committed. */
WARDER_API WARDER_CHECK warder_status warder_service_hold(warder_service *service, void *user,
                                                          warder_case **out);
WARDER_API warder_outcome warder_case_outcome(const warder_case *item);

/* ---- reviews ---- */

/* status NULL: all of them; cursor NULL: the newest. {"reviews": [HumanReviewRequest], "next":
 * ...}. Operators see whole commands if they are known, viewers redacted ones, workers only
 * their own. */
WARDER_API WARDER_CHECK warder_outcome
warder_service_reviews(warder_service *service, const warder_caller *caller, const char *status,
                       const char *cursor, uint32_t limit, warder_report **out, warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_review(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *id, warder_report **out,
                                                             warder_error *err);
/* {"answer": "approve|deny|promote", "rule": ..., "reason": ..., "cooldown": ...}. The first
 * answer wins, others get WARDER_CONFLICT. Takes effect with the next commit. The report is the
 * review, with "rule" and "promoted" (all of them) if rules were added. */
WARDER_API WARDER_CHECK warder_outcome warder_service_answer(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *id, const char *json,
                                                             size_t len, warder_report **out,
                                                             warder_error *err);
/* {"link"}, by whoever holds it: a link of a notice answers one review, once, with the answer that
 * it was made for, and takes effect as above. Looking tells what that is, without secrets:
 * {"answer", "by", "review"}. WARDER_FORBIDDEN: it is not ours, its operator's token is revoked, or
 * what it would approve is grave. WARDER_CONFLICT: the review is over. */
WARDER_API WARDER_CHECK warder_outcome warder_service_link_look(warder_service *service,
                                                                const char *json, size_t len,
                                                                warder_report **out,
                                                                warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_link_answer(warder_service *service,
                                                                  const char *json, size_t len,
                                                                  warder_report **out,
                                                                  warder_error *err);
/* A case that waits for one of the worker's own reviews without repeating the call; settled when
 * the review ends. If it has ended already, the case is not pending. */
WARDER_API WARDER_CHECK warder_outcome warder_service_await(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *id, void *user,
                                                            warder_case **out, warder_error *err);

/* ---- rules and policy ---- */

/* AuthorizationRule: {"id", "pattern", "type": "allow|ask|deny", "reason", "scope", "created_at",
 * "created_by"}. Changes are recorded and written to the policy file of the service with the next
 * commit, and apply to calls after it. The report is the rule as it will be. */
WARDER_API WARDER_CHECK warder_outcome warder_service_rules(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *scope, warder_report **out,
                                                            warder_error *err);
/* The same, each with how often the log of the last 30 days names it ("hits", "last_hit") and what
 * the linter says of it ("lint": [{"name", "severity", "message"}]). As an audit it may take long,
 * and may be called by another thread. */
WARDER_API WARDER_CHECK warder_outcome warder_service_rules_in_use(warder_service *service,
                                                                   const warder_caller *caller,
                                                                   const char *scope,
                                                                   warder_report **out,
                                                                   warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_rule(warder_service *service,
                                                           const warder_caller *caller,
                                                           const char *id, warder_report **out,
                                                           warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_rule_add(warder_service *service,
                                                               const warder_caller *caller,
                                                               const char *json, size_t len,
                                                               warder_report **out,
                                                               warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_rule_change(warder_service *service,
                                                                  const warder_caller *caller,
                                                                  const char *id, const char *json,
                                                                  size_t len, warder_report **out,
                                                                  warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_rule_remove(warder_service *service,
                                                                  const warder_caller *caller,
                                                                  const char *id,
                                                                  warder_report **out,
                                                                  warder_error *err);
/* {"id" or "pattern", "type", "scope", "regex", "flags", "paths", "commands": [...], "since",
 * "limit"}: which of those commands, and of those in the log, the rule would match. It may take
 * long, and may be called by another thread while the service's own goes on. */
WARDER_API WARDER_CHECK warder_outcome warder_service_rule_audit(warder_service *service,
                                                                 const warder_caller *caller,
                                                                 const char *json, size_t len,
                                                                 warder_report **out,
                                                                 warder_error *err);
/* As warder_engine_update(), audited, with the next commit: what is held for it says whether it was
 * valid, and the new generation. Operators only. */
WARDER_API WARDER_CHECK warder_outcome warder_service_update(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *json, size_t len,
                                                             warder_report **out,
                                                             warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_session(warder_service *service,
                                                              const warder_caller *caller,
                                                              const char *id, warder_report **out,
                                                              warder_error *err);
/* Takes back what was approved for the rest of this session: it asks again. Recorded with the next
 * commit. Operators only. */
WARDER_API WARDER_CHECK warder_outcome warder_service_session_revoke(warder_service *service,
                                                                     const warder_caller *caller,
                                                                     const char *id,
                                                                     warder_report **out,
                                                                     warder_error *err);
/* {"sessions": [...]}: those that have called since the service started and since this time (NULL:
 * any), the one that called last first. */
WARDER_API WARDER_CHECK warder_outcome warder_service_sessions(warder_service *service,
                                                               const warder_caller *caller,
                                                               const char *since,
                                                               warder_report **out,
                                                               warder_error *err);
/* Reads the policy again. If it cannot be read, the last good one stays in force, and health says
 * so. */
WARDER_API WARDER_CHECK warder_status warder_service_reload(warder_service *service,
                                                            warder_error *err);
/* The files that the policy was read from or that were searched for, so that they can be watched.
 */
WARDER_API void warder_service_files(warder_service *service,
                                     void (*visit)(void *context, const char *path), void *context);

/* ---- monitoring ---- */

/* Events after `cursor` (0: from the oldest kept): {"events": [...], "cursor": N, "epoch": ...,
 * "missed": bool}. */
WARDER_API WARDER_CHECK warder_outcome warder_service_events(warder_service *service,
                                                             const warder_caller *caller,
                                                             uint64_t cursor, uint32_t limit,
                                                             warder_report **out,
                                                             warder_error *err);
/* The same, of some types only: "review decision rules policy", with blanks between them; NULL:
 * all. The cursor passes over the others. */
WARDER_API WARDER_CHECK warder_outcome warder_service_events_of(warder_service *service,
                                                                const warder_caller *caller,
                                                                const char *types, uint64_t cursor,
                                                                uint32_t limit, warder_report **out,
                                                                warder_error *err);
/* In the Prometheus text format. */
WARDER_API WARDER_CHECK warder_outcome warder_service_metrics(warder_service *service,
                                                              warder_report **out,
                                                              warder_error *err);
/* {"status": "ok|degraded|failing", "generation", "pending", "problems": [...]}; the report's
 * errors are the problems. */
WARDER_API WARDER_CHECK warder_outcome warder_service_health(warder_service *service,
                                                             warder_report **out,
                                                             warder_error *err);

/* Expires reviews that timed out and activates promoted rules after their cooldown. *next_ms: when
 * to call it again. Commit after it. */
WARDER_API WARDER_CHECK warder_status warder_service_tick(warder_service *service,
                                                          uint32_t *next_ms, warder_error *err);

#ifdef __cplusplus
}
#endif
#endif
