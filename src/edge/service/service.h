/* service.h - the inside of warder_service: calls being decided, pending reviews, and what the next
 * commit writes.
 *
 * INVARIANTS
 *
 *  1. The journal is authoritative. A decision is in it before its case is settled; a review has
 *     ended when the record that ended it is there. The database mirrors that and may lag; mend.c
 *     brings it up to date.
 *
 *  2. A review is in the database and in the journal before it is announced, so that it survives a
 *     restart, and the loss of the database. If it cannot be stored, the call is denied.
 *
 *  3. An approval is given out once: the record that ends a review says whether a worker received
 *     the answer; if not, another record says when it was fetched.
 *
 *  4. The whole text of a call lives in memory, and sealed in the database while its review is
 *     pending. A review whose call is not in memory cannot be approved. */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "ask/session_later.h"
#include "connect/event.h"
#include "engine/record.h"
#include "engine/report.h"
#include "record/database.h"
#include "record/review.h"
#include "record/state_db.h"
#include "service/table.h"
#include "service/writer.h"
#include "warder_service.h"

#define SERVICE_PENDING_MAX 100000u /* pending reviews; further calls that need one are denied */
#define SERVICE_CALLS_MAX   ((size_t)256 * 1024 * 1024) /* bytes of all calls that wait */
#define SERVICE_BODY_MAX                                                                           \
    ((size_t)1024 * 1024) /* bytes of an operator's request; a call may be larger */
#define SERVICE_BOUND_MAX                                                                          \
    ((uint64_t)4 * 1024 * 1024) /* bytes of files that are read for one question */
#define SERVICE_STAGED_MAX      ((size_t)16 * 1024 * 1024) /* bytes of one case besides its decision */
#define SERVICE_TIMEOUT_S       900u                       /* before a review expires */
#define SERVICE_TIMEOUT_MAX     604800u
#define SERVICE_KEPT_MS         ((int64_t)600 * 1000) /* for which an answer waits for its worker */
#define SERVICE_HOOKS_MS        5000u /* for all hooks of one call: other calls wait meanwhile */
#define SERVICE_BUSY_MS         250   /* to wait for a database that another process has locked */
#define SERVICE_RETRY_MS        1000  /* until something that failed is tried again */
#define SERVICE_RECORD_LEAST_S  20u   /* for which a record stays, however large the journal is */
#define SERVICE_STUCK_US        ((int64_t)5000 * 1000) /* a disk that takes longer is a problem */
#define SERVICE_TICK_MS         60000u                 /* the longest time between two ticks */
#define SERVICE_EXPIRE_MAX      256u /* reviews that expire in one tick, so that other work goes on */
#define SERVICE_REVIEWS_DEFAULT 50u /* in a list */
#define SERVICE_SETTLE_MAX      8u  /* reviews that are judged again in one tick: the same */
#define SERVICE_REVIEWS_MAX     1000u
#define SERVICE_LISTED_MAX      16384u    /* bytes of a call whose input is in a list */
#define SERVICE_LIST_BYTES      1048576u  /* of calls and explanations, after which a list ends */
#define SERVICE_PROJECTS_MAX    256u      /* with a policy in memory; a worker may visit many */
#define SERVICE_CLIENT          "service" /* the client of these sessions, before the caller's id */
#define SERVICE_NAME_MAX        4096u /* bytes of a session's name: it is listed and revoked by it */
#define SERVICE_CLIENT_MAX      96    /* bytes, with the NUL */

/* A review that waits for a person, or whose answer waits for its worker. */
struct waiting {
    struct table_link by_id, by_call;
    struct queue *in; /* NULL: in none */
    struct waiting *before, *after;
    enum waiting_state {
        WAITING_STAGED = 0, /* the next commit stores it */
        WAITING_OPEN,
        WAITING_ENDING,  /* the next commit ends it */
        WAITING_OVER,    /* it has ended, and its answer is not delivered yet */
        WAITING_FETCHED, /* the next commit delivers it */
    } state;
    char id[REVIEW_ID_SIZE], call_hash[SHA256_HEX], token_id[sizeof(((warder_caller *)NULL)->id)];
    char plain_hash[SHA256_HEX]; /* of the call without its files; "": not known since a restart */
    char *files;                 /* that it is bound to (ask/bound.h), as JSON; NULL: as above */
    char *call;                  /* the whole call as JSON; NULL: not known since a restart */
    size_t call_len;
    char *explain; /* of the judgement that asked, as JSON; NULL: not known since a restart */
    size_t explain_len;
    char *headline;     /* what is at stake, without secrets; NULL: not known since a restart */
    const char *stakes; /* NULL: the same */
    bool stored;        /* the database has its call, sealed */
    unsigned looked_at; /* the change of the rules after which it was judged again */
    int64_t requested_at, expires_at; /* wall clock, as shown to others */
    int64_t deadline;          /* monotonic clock: when it expires, or its answer is dropped */
    enum review_status status; /* how it ended */
    char decision_id[DECISION_ID_SIZE];
    char *message; /* the reviewer's message; NULL: none */
    struct warder_case *cases;
};

struct queue {
    struct waiting *first, *last;
};

/* One item of the next commit. */
enum staged_kind {
    STAGED_VERDICT = 0, /* a case that is decided */
    STAGED_QUESTION,    /* a case that needs a person: its review is new */
    STAGED_JOINED,      /* a case that joins a pending review */
    STAGED_END,         /* a review that was answered, or has expired */
    STAGED_FETCH,       /* a case that fetches an answer that waited for it */
    STAGED_TOLD,        /* a case that only learns how its review ended */
    STAGED_CHANGE,      /* a change of the rules or of the policy (enact.c) */
    STAGED_NOTED,       /* a record alone */
    STAGED_HELD,        /* a case that learns whether what was staged before it succeeded */
};

struct staged {
    struct staged *next;
    enum staged_kind kind;
    warder_case *item; /* NULL for an end or a change */
    struct waiting *review;
    warder_decision *decision; /* NULL: the text of the call is not in memory */
    struct decision_ending ending;
    struct review row;     /* for a question: the new row. For an end: how it ended */
    warder_case *receiver; /* for an end: the case that gets the answer; NULL: it will be fetched */
    struct staged *fetcher;   /* ... by this one, whose call came while the end was written */
    char by[160];             /* the caller that made the call, or that answered */
    struct arena arena;       /* for items without a decision */
    struct event *event;      /* of the hook that made the call; NULL: none */
    bool by_mode;             /* for an event: allowed only because of its client's mode */
    struct enactment *enacts; /* for a change */
    struct staged
        *about;    /* for a held case: what it waits for. For an answer: the change that it makes */
    bool stale;    /* for a change: it is based on one that failed */
    bool by_rules; /* for an end: the rules have changed, and decide it now */
    struct str body;      /* of the record */
    struct str sealed;    /* for a question: its call, for the database; malloc'ed */
    bool failed, refused; /* it could not be recorded; it could not be asked */
};

/* The call of a review, for the database. */
struct stored_call {
    char id[REVIEW_ID_SIZE];
    struct str sealed; /* malloc'ed */
};

/* What the journal has of a review and the database had not. */
struct mended {
    char id[REVIEW_ID_SIZE], decision_id[DECISION_ID_SIZE];
    enum review_status status; /* REVIEW_PENDING: nothing but the delivery of its answer */
    bool delivered;
    int64_t at;
};

/* What the database and the journal are given now and then. The owner says what is due, and seals
 * calls for it; the rest is how it went. */
struct upkeep {
    bool mends;   /* the database gets the ends of reviews that the journal has and it has not */
    bool forgets; /* old reviews are deleted */
    bool keeps;   /* keep.c */
    struct stored_call *calls; /* malloc'ed */
    size_t call_count;         /* at most KEEP_MAX */
    struct mended *mended;     /* malloc'ed */
    size_t mended_count;
    struct error database; /* not of keeping, which is done again soon */
    struct error record;
    bool recorded, kept;           /* something was; all of it was done */
    bool forgets_more, keeps_more; /* there is more to do */
};

/* What is written at once. It belongs to the writer while `writing`. */
struct batch {
    warder_service *service; /* whose recorder, database for writing and clock are used */
    struct upkeep *upkeep;   /* instead of anything else; NULL: none */
    struct staged *items;
    size_t count;
    struct str *bodies; /* the records of the items that have one, in their order */
    size_t body_count;
    struct session_later later;  /* what these calls changed in their sessions */
    const struct rulebook *book; /* whose settings for the record count; NULL: none */
    bool asks;                   /* it has new reviews to store */
    int64_t began;
    /* How it went: zero is success. */
    size_t written; /* records that are durable, the first ones */
    struct error insert, record, end;
    int64_t micros;
};

struct warder_case {
    warder_service *service;
    void *user;
    struct warder_case *before, *next; /* in the list of a review's cases, or of settled ones */
    enum { CASE_STAGED = 0, CASE_PENDING, CASE_SETTLED } state;
    bool gone;              /* its owner freed it before it was settled */
    bool claimed;           /* the batch that is being written ends its review, and answers it */
    bool awaits;            /* it makes no call, it waits for a review */
    bool held;              /* nor this one: it waits for a record */
    warder_outcome outcome; /* of a held one */
    bool listed;            /* in the list of settled cases that are not delivered yet */
    struct waiting *review;
    struct staged *staged; /* that refers to it; NULL: none */
    char *json;
    uint32_t wait_ms;
    int64_t began; /* microseconds */
};

struct event_ring;
struct service_metrics;
struct workers;
struct trusted;
struct bindings;
struct logins;

struct warder_service {
    warder_engine *engine;
    warder_service_options options;
    char data[4096];
    int lock;
    int64_t (*wall)(void); /* milliseconds; tests set the clocks */
    int64_t (*mono)(void);

    struct database db, db_write; /* the writer has one of its own */
    bool db_open, db_write_open;
    bool db_behind;        /* the database lags: a review has ended that it does not know */
    int64_t db_retry;      /* no retry before this time */
    struct error db_error; /* STATUS_OK: the last use succeeded */
    char *db_notice;
    struct error journal_error, policy_error;
    int64_t policy_read; /* when it was read, by the monotonic clock */
    bool policy_broken;  /* there is no valid policy: everything is denied */
    char profile[32];
    char url[256]; /* where people reach it, as it was announced; "": not known */

    struct table reviews, calls; /* struct waiting, by id and by the hash of the call */
    struct queue open, over;
    size_t pending, call_bytes; /* pending reviews, and the bytes of their calls */
    size_t explain_bytes;       /* ... and of what explains them */
    struct staged *staged, *staged_last, **staged_end;
    size_t staged_count;
    struct writer writer;
    struct batch batch; /* the one that is being written */
    struct upkeep upkeep;
    bool writing;
    struct staged *change_ahead; /* the newest change of the rules that is not in force yet */
    unsigned changes;            /* of the rules, after which reviews are judged again */
    bool settles;                /* some were not yet */
    bool upkeep_due;             /* when the writer has given its batch back */
    bool calls_unstored;         /* some reviews may have a call that the database does not have */
    bool state_lost;             /* the database was removed after upkeep was handed over */
    struct staged *done, **done_end;     /* finished, and to be noted once they are told */
    warder_case *settled, *settled_last; /* to be delivered, in this order */

    struct event_ring *events;
    struct service_metrics *metrics;
    struct workers *workers;
    struct trusted *trusted;
    struct bindings *bindings;
    struct logins *logins;
    int64_t forget_at;  /* when old reviews are deleted next */
    int64_t keep_at;    /* when the journal is given next what it does not have any more */
    int64_t rules_from; /* seconds: when the next rule takes effect; 0: none */
};

/* Monotonic microseconds. */
int64_t service_micros(void);

/* ---- outcomes ---- */

__attribute__((format(printf, 3, 4))) warder_outcome
outcome_say(warder_error *err, warder_outcome outcome, const char *format, ...);
warder_outcome outcome_failed(warder_error *err, const struct error *why); /* WARDER_FAILED */
bool caller_is(const warder_caller *caller, warder_role role);
warder_outcome outcome_forbidden(warder_error *err, const char *who); /* "operators" */

/* The body of an operator's request: an object with no other keys than these. */
warder_outcome service_body(struct arena *a, struct str json, const char *const *keys, size_t count,
                            struct value *out, warder_error *err);
warder_outcome service_known_keys(const struct value *object, const char *const *keys, size_t count,
                                  warder_error *err);
warder_outcome service_empty_report(warder_report **out, warder_error *err); /* "{}" */

/* ---- waiting.c: reviews in memory ---- */

struct waiting *waiting_new(warder_service *s, const char *id, const char *call_hash,
                            const char *token_id);
void waiting_free(warder_service *s, struct waiting *w); /* it must have no cases */
struct waiting *waiting_find(const warder_service *s, const char *id);
struct waiting *waiting_find_call(const warder_service *s, const char *call_hash);
/* Removes it from the queue that it was in first. */
void waiting_queue(struct queue *q, struct waiting *w, int64_t deadline);
/* Keeps the whole call. STATUS_LIMIT: all waiting calls together take too much memory. */
enum status waiting_keep_call(warder_service *s, struct waiting *w, struct str call,
                              struct error *err);
void case_attach(struct waiting *w, warder_case *item);
void case_detach(warder_case *item);
void waiting_over(warder_service *s, struct waiting *w,
                  int64_t until); /* keeps its answer for its worker */

/* ---- explain.c ---- */

void explain_keep(warder_service *s, struct waiting *w, warder_decision *d);
void explain_forget(warder_service *s, struct waiting *w);
/* "stakes", "headline" and "url", for events and notices: none of them has a secret. */
void explain_summary(struct json_writer *writer, const warder_service *s, const struct waiting *w);
/* "stakes", "headline" and "explain"; w NULL: not known. `command`: without the secrets of this
 * one; empty: all of it. */
void explain_members(struct json_writer *writer, const struct waiting *w, struct str command);

/* ---- check.c ---- */

struct decision_ending service_ending(const warder_service *s, const struct waiting *w);
warder_case *case_new(warder_service *s, void *user); /* NULL: no memory */
/* The client of a caller's sessions: two callers have two sessions, even under the same name. */
void service_client_of(const char *token_id, char out[SERVICE_CLIENT_MAX]);
/* Judges the call of a review by the current policy. */
enum status service_judge(warder_service *s, const char *token_id, struct str call,
                          enum said_mode said, warder_decision **out,
                          struct decision_ending *ending, struct error *err);
/* *changed: a file that the call reads or runs and that is not what it was when the question was
 * asked; empty: none. */
enum status service_still_bound(warder_service *s, warder_decision *d, const struct waiting *w,
                                struct str *changed, struct error *err);
/* Asks a person again about the cases that an approval was not for. */
void service_ask_again(warder_service *s, struct waiting *w, warder_case *cases);
struct staged *service_stage(warder_service *s, enum staged_kind kind); /* NULL: no memory */

/* The answer of a review that was not delivered yet goes to this item. */
void service_fetch(struct staged *item, struct waiting *w);

/* The case that the next commit settles, of a call that has its verdict. */
void service_take_case(struct staged *staged, warder_case *item, const char *token_id);

/* ---- hook.c ---- */

/* The answer for the event's process. malloc'ed; NULL: no memory. */
char *json_hook(struct staged *item);

/* ---- commit.c ---- */

enum status service_commit(warder_service *s, struct error *err);
/* Gives what was staged to the writer. False: there is nothing, or it has the last batch still. */
bool service_hand_over(warder_service *s);
void service_write(struct batch *b); /* on the writer's thread */
/* Gives it this one, which is not one of decisions. */
void service_hand_over_upkeep(warder_service *s, struct upkeep *u);

/* ---- enact.c: changes of the rules and of the policy ----
 *
 * A change is staged as everything else: recorded and written by the writer, in force when its
 * batch is back. */

enum enacted { ENACT_RULES, ENACT_UPDATE };

struct enactment {
    enum enacted kind;
    struct str text;        /* the rules' new file, or the update as it was sent */
    struct str event;       /* what listeners are told */
    struct str undone;      /* the record for the case that the file cannot be written */
    struct error why;       /* why it is not in force */
    warder_outcome outcome; /* if it is not: whose fault that is */
    char *told;             /* what the caller is told instead of what was foreseen; malloc'ed */
};

/* Stages it with its records; all of it is copied. */
enum status service_enact(warder_service *s, const struct enactment *e, const struct str *bodies,
                          size_t count, struct error *err);
void enact_write(struct batch *b); /* on the writer's thread, after the records */
void enact_finish(warder_service *s, struct batch *b);
void enact_free(struct enactment *e); /* NULL is fine */
void enact_settle(const struct batch *b, struct staged *held);

/* ---- case.c ---- */

/* The staged item refers to it from now on; NULL: none does. */
void case_stage(warder_case *item, struct staged *staged);
void case_unclaim(warder_case *item);
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

/* As its row says, or as it will be after `ended` is written. promoted: NULL if no rule was made.
 */
warder_outcome service_show_review(warder_service *s, const warder_caller *caller, const char *id,
                                   const struct review *ended, const struct promoted *promoted,
                                   warder_report **out, warder_error *err);

/* ---- answer.c ---- */

/* The review's time is over. */
enum status service_expire(warder_service *s, struct waiting *w, struct error *err);
/* The rules have changed: it ends if they decide it now. An accept ends only one whose worker
 * waits, which is told at once: any other asks again, and nobody is given an accept of rules that
 * may have changed once more. */
enum status service_settle(warder_service *s, struct waiting *w, struct error *err);

/* ---- link.c: answers by a link ---- */

/* The operator that they are of must be one. */
enum status link_check_owner(warder_service *s, struct error *err);
/* For the notice of a new review, JSON; malloc'ed. NULL: there are none. */
char *links_make(warder_service *s, const struct waiting *w);

/* ---- store.c: the database ---- */

/* Opens it if it is closed. After a failure it fails at once for a while. */
bool store_ready(warder_service *s, struct error *err);
/* The same for readers: a writer never blocks them, and a successful read does not mean that the
 * database can be written. */
bool store_readable(warder_service *s, struct error *err);
enum status store_read(warder_service *s, enum status status, const struct error *err);
/* Call it with the status of the use; it returns that status. */
enum status store_used(warder_service *s, enum status status, const struct error *err);
/* True after a failure, until it may be tried again. */
bool store_rests(const warder_service *s, struct error *err);
/* These on the writer's thread, with a connection of its own; NULL: it cannot be opened. */
struct database *store_writable(warder_service *s, struct error *err);
enum status store_insert(struct batch *b, struct error *err);
enum status store_end(struct batch *b, struct error *err);
/* For the one that may use the connection for writing. */
void store_leave_removed(warder_service *s);
bool review_copy(struct arena *a, const struct review *r, struct review *o); /* false: no memory */
/* Copies a row into the arena. Do not call it inside an arena_try(). */
enum status store_review(warder_service *s, struct arena *a, const char *id, struct review *out,
                         bool *found, struct error *err);

/* ---- upkeep.c: what is mended, forgotten and kept now and then, by the writer ---- */

/* Hands over what is due, if the writer has nothing else; otherwise as soon as it has not. */
void service_upkeep(warder_service *s);
void upkeep_write(struct batch *b); /* on the writer's thread */
void upkeep_finish(warder_service *s);
/* At the start: the pending reviews are read. */
void upkeep_start(warder_service *s);

/* ---- policy.c ---- */

void service_look_at_policy(warder_service *s);
void service_announce_policy(warder_service *s);
warder_status service_reload(warder_service *s, warder_error *err);

/* ---- keep.c: what the database and the journal need to be made again from each other ---- */

/* The call of a review for the database; malloc'ed (seal_free()). */
enum status waiting_seal(warder_service *s, const struct waiting *w, struct str *out,
                         struct error *err);
/* And back, after a restart. */
enum status waiting_unseal(warder_service *s, struct waiting *w, struct str sealed,
                           struct error *err);
#define KEEP_EVERY_MS ((int64_t)SERVICE_RECORD_LEAST_S * 500) /* before a record can be removed */
#define KEEP_MAX      256u /* in one go: records wait meanwhile */

/* Seals calls for the database that it does not have. */
void keep_seal(warder_service *s, struct upkeep *u);
/* Records tokens and reviews that the journal does not have, or whose records are about to be
 * removed; stores those calls. On the writer's thread. */
enum status keep_write(warder_service *s, struct database *db, struct upkeep *u, struct error *err);
/* Which of them the database has now. */
void keep_finish(warder_service *s, const struct upkeep *u);

/* ---- mend.c ---- */

/* Free it with segments_release(). */
enum status service_segments(warder_service *s, struct segments *out, struct error *err);

/* Gives the database the ends of reviews that it missed, from the journal. On the writer's thread.
 */
enum status mend_database(warder_service *s, struct database *db, struct upkeep *u,
                          struct error *err);
/* Then: reads the reviews that are not in memory. */
enum status mend_memory(warder_service *s, const struct upkeep *u, struct error *err);

/* ---- event.c ---- */

struct event_ring *events_new(void);
void events_free(struct event_ring *ring);
/* `name` is the key that `json` gets. An event that cannot be kept is counted as missed. */
void events_add(warder_service *s, const char *type, const char *name, struct str json);
void events_decision(warder_service *s, struct str body);
void events_review(warder_service *s, const struct review *r);
void events_ended(warder_service *s, const struct review *r);

/* ---- metrics.c ---- */

struct service_metrics *metrics_new(void);
void metrics_decision(struct service_metrics *m, const char *decision);
void metrics_judged(struct service_metrics *m, int64_t micros);
void metrics_stored(struct service_metrics *m, int64_t micros);
void metrics_committed(struct service_metrics *m, int64_t micros);
void metrics_unrecorded(struct service_metrics *m);
void metrics_reviewed(struct service_metrics *m, enum review_status status, int64_t ms);

/* ---- worker.c: the last commands of each worker, and what happened in each session ----
 */

struct workers *workers_new(void);
void workers_free(struct workers *all);
/* ran: the worker has its answer, so an allowed call will run. */
void workers_note(struct workers *all, const char *token_id, warder_decision *d, bool ran);
size_t workers_recent(struct workers *all, const char *token_id, struct str worker,
                      struct str out[REVIEW_RECENT_MAX]);

/* ---- login.c ---- */

struct logins *logins_new(void); /* free() it */

/* ---- binding.c: what a worker's token is bound to ---- */

struct access_token;
struct bindings *bindings_new(void);
void bindings_free(struct bindings *all);
/* Notes what the row of a token says. */
enum status binding_note(struct bindings *all, const struct access_token *t, struct error *err);
/* NULL: none. Callers of the unix socket, operators, viewers and an embedder's own callers have
 * none. */
const struct caller_bounds *binding_of(const struct bindings *all, const char *id);

/* ---- trusted.c: tokens that carry a policy of their own ---- */

struct trusted *trusted_new(void);
void trusted_free(struct trusted *all);
/* Notes what a login found out about a token. */
enum status trusted_note(struct trusted *all, const char *id, struct str policy, struct error *err);
/* Gives the decision the rulebook of this token. Fails if the token's policy cannot be read: then
 * nothing is allowed. */
enum status trusted_apply(warder_service *s, const char *id, warder_decision *d, struct error *err);
/* After judging: the token's book may be freed, and the decision continues with the common one. */
void trusted_leave(warder_decision *d, const struct rulebook *common);
void trusted_reload(struct trusted *all); /* the files are read again */
void trusted_files(const struct trusted *all, void (*visit)(void *context, const char *path),
                   void *context);
const struct error *trusted_problem(const struct trusted *all); /* NULL: none */

#endif
