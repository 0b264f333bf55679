/* service.h - what stands behind warder_service: the calls that are being decided, the reviews that
 * wait, and what the next commit writes.
 *
 * INVARIANTS
 * 1. The journal is what counts. A decision is in it before its case is settled; a review has ended
 * when the record that ended it is there. The database mirrors that and may lag behind:
 * mend.c brings it up.
 * 2. A review is in the database before anybody hears of it, so that it survives a restart. Where
 * it cannot be put there, the call is denied.
 * 3. An approval is given out once: the record that ends a review says whether a worker was there,
 * and a record of its own says when the answer was fetched later.
 * 4. The whole text of a call lives in memory only. A review whose text is not known cannot be
 * approved. */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "connect/event.h"
#include "engine/record.h"
#include "engine/report.h"
#include "record/database.h"
#include "record/review.h"
#include "service/table.h"
#include "warder_service.h"

#define SERVICE_LOCK        "service.lock"
#define SERVICE_PENDING_MAX 100000u /* reviews that wait at once; one more is denied */
#define SERVICE_CALLS_MAX                                                                          \
    ((size_t)256 * 1024 * 1024) /* bytes of the calls that wait, all together */
#define SERVICE_BODY_MAX                                                                           \
    ((size_t)1024 * 1024) /* bytes of what an operator sends; a call may have more */
#define SERVICE_STAGED_MAX                                                                         \
    ((size_t)16 * 1024 * 1024)       /* bytes of what one case has beside its decision */
#define SERVICE_TIMEOUT_S       900u /* before a review expires */
#define SERVICE_TIMEOUT_MAX     604800u
#define SERVICE_KEPT_MS         ((int64_t)600 * 1000) /* that an answer waits for its worker */
#define SERVICE_HOOKS_MS        5000u /* for all hooks of one call: everybody else waits for them */
#define SERVICE_BUSY_MS         250   /* for which others may hold the database */
#define SERVICE_RETRY_MS        1000  /* before something that failed is tried again */
#define SERVICE_TICK_MS         60000u /* a tick is wanted at least this often */
#define SERVICE_EXPIRE_MAX      256u /* reviews that expire in one tick: others want to be served */
#define SERVICE_REVIEWS_DEFAULT 50u  /* in a list */
#define SERVICE_REVIEWS_MAX     1000u
#define SERVICE_PROJECTS_MAX    256u /* whose policy is in memory; a worker that wanders has many */
#define SERVICE_CLIENT          "service" /* whose sessions these are, in front of the caller's id */
#define SERVICE_CLIENT_MAX      96        /* bytes, with the NUL */

/* A review that waits for a person, or whose answer waits for its worker. */
struct waiting {
    struct table_link by_id, by_call;
    struct queue *in; /* NULL: in none */
    struct waiting *before, *after;
    enum waiting_state {
        WAITING_STAGED = 0, /* the next commit puts it into the database */
        WAITING_OPEN,
        WAITING_ENDING,  /* the next commit ends it */
        WAITING_OVER,    /* it has ended, and its worker was not told yet */
        WAITING_FETCHED, /* the next commit tells it */
    } state;
    char id[REVIEW_ID_SIZE], call_hash[SHA256_HEX], token_id[sizeof(((warder_caller *)NULL)->id)];
    char *call; /* the whole call as JSON; NULL: not known since a restart */
    size_t call_len;
    int64_t requested_at, expires_at; /* by the wall clock, as others are told */
    int64_t
        deadline; /* by the clock that does not jump: when it expires, or its answer is forgotten */
    enum review_status status; /* how it ended */
    char decision_id[DECISION_ID_SIZE];
    char *message; /* what the reviewer said; NULL: nothing */
    struct warder_case *cases;
};

struct queue {
    struct waiting *first, *last;
};

/* What the next commit brings to its end. */
enum staged_kind {
    STAGED_VERDICT = 0, /* a case that is decided */
    STAGED_QUESTION,    /* a case that needs a person: its review is new */
    STAGED_JOINED,      /* a case that needs a person who is asked already */
    STAGED_END,         /* a review that was answered, or has expired */
    STAGED_FETCH,       /* a case that fetches an answer that waited for it */
    STAGED_TOLD,        /* a case that is told how its review ended, and gets nothing by it */
};

struct staged {
    struct staged *next;
    enum staged_kind kind;
    warder_case *item; /* NULL of an end */
    struct waiting *review;
    warder_decision *decision; /* NULL: the call's text is not known */
    struct decision_ending ending;
    struct review row;     /* of a question: as it will be kept. Of an end: how it ended */
    warder_case *receiver; /* of an end: the one case that is told; NULL: it will be fetched */
    char by[160];          /* who put the call, or answered */
    struct arena arena;    /* of what has no decision */
    struct event *event;   /* that the call is of; NULL: it came by itself */
    bool by_mode;          /* of an event: allowed only because of its client's mode */
    struct str body;       /* of the record */
    bool failed;
};

struct warder_case {
    warder_service *service;
    void *user;
    struct warder_case *before, *next; /* among the cases of a review, or those that are settled */
    enum { CASE_STAGED = 0, CASE_PENDING, CASE_SETTLED } state;
    bool gone;   /* its owner has freed it before it was settled */
    bool awaits; /* it puts no call, it waits for a review */
    bool listed; /* among those that are settled and not told yet */
    struct waiting *review;
    char *json;
    uint32_t wait_ms;
    int64_t began; /* microseconds */
};

struct event_ring;
struct service_metrics;
struct workers;
struct trusted;

struct warder_service {
    warder_engine *engine;
    warder_service_options options;
    char data[4096];
    int lock;
    int64_t (*wall)(void); /* milliseconds; tests set the clocks */
    int64_t (*mono)(void);

    struct database db;
    bool db_open, db_behind; /* behind: something has ended that the database does not know */
    int64_t db_retry;        /* not to be tried before */
    struct error db_error;   /* STATUS_OK: the last use went well */
    char *db_notice;
    struct error journal_error, policy_error;
    bool policy_broken; /* there is no good one: everything is denied */
    char profile[32];

    struct table reviews, calls; /* struct waiting, by id and by the hash of the call */
    struct queue open, over;
    size_t pending, call_bytes; /* that wait, and what their calls take */
    struct staged *staged, **staged_end;
    size_t staged_count;
    warder_case *settled, *settled_last; /* to be told, in this order */

    struct event_ring *events;
    struct service_metrics *metrics;
    struct workers *workers;
    struct trusted *trusted;
    int64_t forget_at;  /* when old reviews are thrown away next */
    int64_t rules_from; /* seconds: when a rule begins to act; 0: none will */
};

/* Microseconds that only grow. */
int64_t service_micros(void);

/* ---- outcomes ---- */

__attribute__((format(printf, 3, 4))) warder_outcome
outcome_say(warder_error *err, warder_outcome outcome, const char *format, ...);
warder_outcome outcome_failed(warder_error *err, const struct error *why); /* WARDER_FAILED */
bool caller_is(const warder_caller *caller, warder_role role);
warder_outcome outcome_forbidden(warder_error *err, const char *who); /* "operators" */

/* What an operator sends: an object with no other keys than these. */
warder_outcome service_body(struct arena *a, struct str json, const char *const *keys, size_t count,
                            struct value *out, warder_error *err);
warder_outcome service_known_keys(const struct value *object, const char *const *keys, size_t count,
                                  warder_error *err);
warder_outcome service_empty_report(warder_report **out, warder_error *err); /* "{}" */

/* ---- waiting.c: reviews in memory ---- */

struct waiting *waiting_new(warder_service *s, const char *id, const char *call_hash,
                            const char *token_id);
void waiting_free(warder_service *s, struct waiting *w); /* its cases must be gone */
struct waiting *waiting_find(const warder_service *s, const char *id);
struct waiting *waiting_find_call(const warder_service *s, const char *call_hash);
/* Takes it out of the queue that it was in. */
void waiting_queue(struct queue *q, struct waiting *w, int64_t deadline);
/* Keeps the whole call. STATUS_LIMIT: all that wait take too much memory together. */
enum status waiting_keep_call(warder_service *s, struct waiting *w, struct str call,
                              struct error *err);
void case_attach(struct waiting *w, warder_case *item);
void case_detach(warder_case *item);
void waiting_over(warder_service *s, struct waiting *w,
                  int64_t until); /* its answer waits for its worker */

/* ---- check.c ---- */

struct decision_ending service_ending(const warder_service *s, const struct waiting *w);
warder_case *case_new(warder_service *s, void *user); /* NULL: no memory */
/* The client of a caller's sessions: two callers have two sessions, even under the same name. */
void service_client_of(const char *token_id, char out[SERVICE_CLIENT_MAX]);
/* Judges the call that a review is about, by the policy that holds now. */
enum status service_judge(warder_service *s, const char *token_id, struct str call,
                          warder_decision **out, struct decision_ending *ending, struct error *err);
/* Puts those that an approval was not for to a person again. */
void service_ask_again(warder_service *s, struct waiting *w, warder_case *cases);
struct staged *service_stage(warder_service *s, enum staged_kind kind); /* NULL: no memory */

/* Of a call that has its verdict: the case that the next commit settles. */
void service_take_case(struct staged *staged, warder_case *item, const char *token_id);

/* ---- hook.c ---- */

/* What the event's process is told. malloc'ed; NULL: no memory. */
char *json_hook(struct staged *item);

/* ---- commit.c ---- */

enum status service_commit(warder_service *s, struct error *err);
void case_settle(warder_case *item, char *json); /* takes the text; NULL denies */
void service_tell_settled(warder_service *s);

/* ---- json.c ---- */

/* malloc'ed; NULL: no memory. */
char *json_verdict(const struct staged *item, int64_t micros);
char *json_pending(const struct staged *item);
char *json_waiting(const struct waiting *w); /* of a review alone */
char *json_ended(const struct waiting *w, bool delivered);
void review_members(struct json_writer *w, const struct review *r, struct str whole);
const char *review_decision(enum review_status status); /* human-accept, ... */

/* ---- review.c ---- */

/* The rules that an answer made. */
struct promoted {
    struct str first; /* JSON */
    struct str all;   /* a list of them, JSON */
    struct str ids;   /* with blanks between them */
};

/* As its row says, or as it will be when `ended` is written; promoted NULL: nothing was. */
warder_outcome service_show_review(warder_service *s, const warder_caller *caller, const char *id,
                                   const struct review *ended, const struct promoted *promoted,
                                   warder_report **out, warder_error *err);

/* ---- answer.c ---- */

/* The review's time is over. */
enum status service_expire(warder_service *s, struct waiting *w, struct error *err);

/* ---- store.c: the database ---- */

/* Opens it when it is not open. Fails at once for a while after it has failed. */
bool store_ready(warder_service *s, struct error *err);
/* The two for those who only read: whoever writes, and however long, does not keep them out, and
 * that they could read does not say that it can be written. */
bool store_readable(warder_service *s, struct error *err);
enum status store_read(warder_service *s, enum status status, const struct error *err);
/* To be called with how its use ended; gives the status back. */
enum status store_used(warder_service *s, enum status status, const struct error *err);
enum status store_insert(warder_service *s, struct staged *batch, struct error *err);
void store_end(warder_service *s, struct staged *batch);
bool review_copy(struct arena *a, const struct review *r, struct review *o); /* false: no memory */
/* A row, copied into the arena. Not below an arena_try(). */
enum status store_review(warder_service *s, struct arena *a, const char *id, struct review *out,
                         bool *found, struct error *err);

/* ---- policy.c ---- */

void service_look_at_policy(warder_service *s);
warder_status service_reload(warder_service *s, warder_error *err);

/* ---- mend.c ---- */

/* Reads the reviews that are pending, holds them against the journal, and brings both together. */
enum status service_mend(warder_service *s, struct error *err);

/* ---- event.c ---- */

struct event_ring *events_new(void);
void events_free(struct event_ring *ring);
/* `name` is that of the member that `json` is. What cannot be kept is missed, and said so. */
void events_add(warder_service *s, const char *type, const char *name, struct str json);
void events_decision(warder_service *s, struct str body);
void events_review(warder_service *s, const struct review *r);
void events_ended(warder_service *s, const struct review *r);

/* ---- metrics.c ---- */

struct service_metrics *metrics_new(void);
void metrics_decision(struct service_metrics *m, const char *decision);
void metrics_judged(struct service_metrics *m, int64_t micros);
void metrics_stored(struct service_metrics *m, int64_t micros);
void metrics_reviewed(struct service_metrics *m, enum review_status status, int64_t ms);

/* ---- worker.c: the last commands of each worker, and what happened in each session ----
 */

struct workers *workers_new(void);
void workers_free(struct workers *all);
/* ran: the worker was told, so that what is allowed will run. */
void workers_note(struct workers *all, const char *token_id, warder_decision *d, bool ran);
size_t workers_recent(struct workers *all, const char *token_id, struct str worker,
                      struct str out[REVIEW_RECENT_MAX]);

/* ---- trusted.c: tokens that carry a policy of their own ---- */

struct trusted *trusted_new(void);
void trusted_free(struct trusted *all);
/* What a login has found out about a token. */
enum status trusted_note(struct trusted *all, const char *id, struct str policy, struct error *err);
/* Gives the decision the book that holds for this token. Fails when the token's policy cannot be
 * read: then nothing is allowed. */
enum status trusted_apply(warder_service *s, const char *id, warder_decision *d, struct error *err);
/* It was judged: the book may go, and the decision goes on with the common one. */
void trusted_leave(warder_decision *d, const struct rulebook *common);
void trusted_reload(struct trusted *all); /* the files are read again */
void trusted_files(const struct trusted *all, void (*visit)(void *context, const char *path),
                   void *context);
const struct error *trusted_problem(const struct trusted *all); /* NULL: none */

#endif
