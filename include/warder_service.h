/* warder_service.h - what `warder serve` does, without the network: the calls of many workers,
 * reviews by people, rules that change while it runs.
 *
 * A service belongs to one thread. Nothing here waits for a person: a call that needs one is a case
 * that stays open. Texts are JSON on one line. Ownership and errors as in warder.h; a failure that
 * has no better name is WARDER_FAILED, and whoever sees it must deny. */
#ifndef WARDER_SERVICE_H
#define WARDER_SERVICE_H

#include "warder_admin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a request ended; the error says why. */
typedef enum warder_outcome {
    WARDER_FAILED = 0, /* it could not be done, and nothing was */
    WARDER_DONE,
    WARDER_INVALID,   /* not what it should be */
    WARDER_FORBIDDEN, /* not with this role; said before anything is looked for */
    WARDER_NOT_FOUND,
    WARDER_CONFLICT, /* answered already, or not as it was */
    WARDER_FULL,     /* a limit: too many reviews wait, too many rules */
} warder_outcome;

typedef struct warder_service warder_service;
typedef struct warder_case warder_case;

/* ---- who asks ---- */

typedef enum warder_role {
    WARDER_NOBODY = 0,
    WARDER_WORKER,
    WARDER_VIEWER,
    WARDER_OPERATOR
} warder_role;

typedef struct warder_caller {
    warder_role role;
    char id[64];   /* of the token; "uid:1000" on the unix socket */
    char name[64]; /* that the token was made with */
} warder_caller;

/* ---- what happens ---- */

/* Something that operators and viewers are told at once; all of it redacted. */
typedef struct warder_event {
    uint64_t
        cursor; /* ascending, never 0; not continued after a restart: `epoch` in the JSON tells */
    const char *type; /* "review", "decision", "rules", "policy" */
    const char *json; /* {"cursor", "epoch", "type", "at", "review"|"decision"|...} */
} warder_event;

typedef struct warder_service_options {
    size_t struct_size;
    const char *data;    /* the data directory; NULL: below $XDG_STATE_HOME or home */
    const char *home;    /* NULL: $HOME */
    const char *profile; /* as in warder_options, with the next three */
    const char *mode;
    const char *const *policies;
    size_t policy_count;
    uint32_t review_timeout_s; /* 0: 900 */
    uint32_t cooldown_s;       /* before a promoted rule acts, where the answer does not say it */
    uint32_t retention_days;   /* 0: 90 */
    int no_sync;               /* records survive a dying process, not a power cut */
    void *context;             /* of the two functions */
    void (*event)(
        void *context,
        const warder_event *event); /* during warder_service_commit() and _tick(); NULL: none */
    /* The case's answer is final and its record durable: it may leave. Only of cases that were open
     * when warder_service_check() returned; `user` is what was given there. The case may be freed
     * in it. */
    void (*settled)(void *context, warder_case *item, void *user);
} warder_service_options;
#define WARDER_SERVICE_OPTIONS_INIT WARDER_INIT(warder_service_options)

/* A policy that cannot be read does not fail here: calls are denied until it is mended, and health
 * says so. Fails when another service has the data directory. */
WARDER_API WARDER_CHECK warder_status warder_service_open(const warder_service_options *options,
                                                          warder_service **out, warder_error *err);
/* Open cases are settled as denied; pending reviews stay in the database. NULL is fine. */
WARDER_API void warder_service_close(warder_service *service);

/* Whose token this is. WARDER_FORBIDDEN: nobody's, or one that was revoked. Compared in constant
 * time. */
WARDER_API WARDER_CHECK warder_outcome warder_service_login(warder_service *service,
                                                            const char *token, warder_caller *out,
                                                            warder_error *err);

/* ---- calls ---- */

/* One call: what warder_check_json() takes, plus "worker_id", "task_id", "project_id", "context":
 * {"task_description", "worktree_path"}, "wait" (seconds) and "review_id" (of an earlier answer, to
 * fetch how its review ended). What is no call is a case too: it denies. The answer is the verdict
 * with "decision", "decision_id", "matched_rule_id", "response_time_ms"; of an open case
 * {"behavior": "ask", "review_id", "status": "pending", "expires_at", ...}. The same call of the
 * same worker, put again while its review is pending, joins that review; put again behind it, it
 * fetches an answer that was never delivered, once. */
WARDER_API WARDER_CHECK warder_outcome warder_service_check(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *json, size_t len,
                                                            void *user, warder_case **out,
                                                            warder_error *err);
#define WARDER_HOOK_LINE "{\"hook\":" /* so begins a line that is such an event, and its answer */
/* One event of an agent's hook, as its process got it: {"hook": CLIENT, "event": TEXT, "cwd",
 * "project", "shell"}. The case's text is {"hook": {"out", "err", "code"}}, what the process prints
 * and ends with. Only what policy allows or denies by itself is decided here; of the rest the
 * outcome is WARDER_NOT_FOUND, nothing has been decided or recorded, and the process goes its own
 * way. */
WARDER_API WARDER_CHECK warder_outcome warder_service_hook(warder_service *service,
                                                           const warder_caller *caller,
                                                           const char *json, size_t len, void *user,
                                                           warder_case **out, warder_error *err);
/* Without record, review or session: the report is the verdict. */
WARDER_API WARDER_CHECK warder_outcome warder_service_dry_run(warder_service *service,
                                                              const warder_caller *caller,
                                                              const char *json, size_t len,
                                                              warder_report **out,
                                                              warder_error *err);
/* Records everything that was decided since the last one: one write, one sync. Then `settled` is
 * called for each case that it ended, and `event`. Until then no answer may leave. When it fails
 * those cases are settled as denied. */
WARDER_API WARDER_CHECK warder_status warder_service_commit(warder_service *service,
                                                            warder_error *err);
WARDER_API size_t warder_service_uncommitted(const warder_service *service);

WARDER_API int
warder_case_pending(const warder_case *item); /* a person is asked; behind a commit */
WARDER_API uint32_t
warder_case_wait_ms(const warder_case *item); /* how long the worker wants its answer held */
WARDER_API const char *
warder_case_json(warder_case *item);                 /* behind a commit: what the worker is told */
WARDER_API void warder_case_free(warder_case *item); /* a pending review goes on without it */

/* ---- reviews ---- */

/* status NULL: all of them; cursor NULL: the newest. {"reviews": [HumanReviewRequest], "next":
 * ...}. Operators see whole commands where they are known, viewers redacted ones, workers only
 * their own. */
WARDER_API WARDER_CHECK warder_outcome
warder_service_reviews(warder_service *service, const warder_caller *caller, const char *status,
                       const char *cursor, uint32_t limit, warder_report **out, warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_review(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *id, warder_report **out,
                                                             warder_error *err);
/* {"answer": "approve|deny|promote", "rule": ..., "reason": ..., "cooldown": ...}. The first one
 * wins, the others are WARDER_CONFLICT. Counts behind the next commit. The report is the review,
 * with "rule" and "promoted" (all of them) where one was made. */
WARDER_API WARDER_CHECK warder_outcome warder_service_answer(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *id, const char *json,
                                                             size_t len, warder_report **out,
                                                             warder_error *err);
/* A case that waits for the review without putting the call again: settled when it ends. One that
 * has ended already is not pending. Of the worker's own reviews. */
WARDER_API WARDER_CHECK warder_outcome warder_service_await(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *id, void *user,
                                                            warder_case **out, warder_error *err);

/* ---- rules and policy ---- */

/* AuthorizationRule: {"id", "pattern", "type": "accept|deny", "reason", "scope", "created_at",
 * "created_by"}. Changes are written to the policy file of the service, recorded, and then hold for
 * the next call. */
WARDER_API WARDER_CHECK warder_outcome warder_service_rules(warder_service *service,
                                                            const warder_caller *caller,
                                                            const char *scope, warder_report **out,
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
/* {"id" or "pattern", "type", "scope", "commands": [...], "since", "limit"}: which of those
 * commands, and of those in the log, the rule would match. */
WARDER_API WARDER_CHECK warder_outcome warder_service_rule_audit(warder_service *service,
                                                                 const warder_caller *caller,
                                                                 const char *json, size_t len,
                                                                 warder_report **out,
                                                                 warder_error *err);
/* As warder_engine_update(), audited. Operators only. */
WARDER_API WARDER_CHECK warder_outcome warder_service_update(warder_service *service,
                                                             const warder_caller *caller,
                                                             const char *json, size_t len,
                                                             warder_report **out,
                                                             warder_error *err);
WARDER_API WARDER_CHECK warder_outcome warder_service_session(warder_service *service,
                                                              const warder_caller *caller,
                                                              const char *id, warder_report **out,
                                                              warder_error *err);
/* Reads the policy again. What cannot be read leaves the last good one in force, and health says
 * so. */
WARDER_API WARDER_CHECK warder_status warder_service_reload(warder_service *service,
                                                            warder_error *err);
/* The files that the policy was read from or looked for in, so that they can be watched. */
WARDER_API void warder_service_files(warder_service *service,
                                     void (*visit)(void *context, const char *path), void *context);

/* ---- looking at it ---- */

/* What happened behind `cursor` (0: from the oldest kept): {"events": [...], "cursor": N, "epoch":
 * ..., "missed": bool}
 */
WARDER_API WARDER_CHECK warder_outcome warder_service_events(warder_service *service,
                                                             const warder_caller *caller,
                                                             uint64_t cursor, uint32_t limit,
                                                             warder_report **out,
                                                             warder_error *err);
/* In the text form of Prometheus. */
WARDER_API WARDER_CHECK warder_outcome warder_service_metrics(warder_service *service,
                                                              warder_report **out,
                                                              warder_error *err);
/* {"status": "ok|degraded|failing", "generation", "pending", "problems": [...]}; errors counts what
 * is wrong. */
WARDER_API WARDER_CHECK warder_outcome warder_service_health(warder_service *service,
                                                             warder_report **out,
                                                             warder_error *err);

/* Expires reviews whose time is over, lets promoted rules act whose cooldown is over. *next_ms:
 * when it wants to be called again. Behind it a commit. */
WARDER_API WARDER_CHECK warder_status warder_service_tick(warder_service *service,
                                                          uint32_t *next_ms, warder_error *err);

#ifdef __cplusplus
}
#endif
#endif
