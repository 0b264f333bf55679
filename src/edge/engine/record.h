/* record.h - how decisions get into the record.
 *
 * Promise 4: the record of a decision is durable before the answer leaves. So
 * the function that brings a decision to its end calls decision_record() last, and a
 * decision that cannot be recorded denies. */
#ifndef ENGINE_RECORD_H
#define ENGINE_RECORD_H

#include "engine/engine.h"
#include "record/journal.h"

struct recorder;

/* Opens nothing yet: a data directory that cannot be used denies the decisions, not the start.
 * STATUS_USAGE when the options cannot be met. */
enum status recorder_new(struct str data, const struct journal_options *options,
                         struct recorder **out, struct error *err);
void recorder_free(struct recorder *r); /* NULL is fine */
/* Before the first record: as in struct journal_options. STATUS_USAGE if it is too little. */
enum status recorder_limit(struct recorder *r, uint64_t retention_bytes, unsigned least_s,
                           struct error *err);

/* Its lock, around a fork(); NULL is fine. The child also leaves the journal to its parent. */
void recorder_hold(struct recorder *r);
void recorder_let_go(struct recorder *r);
void recorder_leave_journal(struct recorder *r);

/* How a decision ended. */
enum ended {
    ENDED_BY_POLICY = 0, /* rules, hooks, the embedder's callback */
    ENDED_BY_PERSON,
    ENDED_BY_TIME, /* no answer came in time */
};

struct decision_ending {
    enum ended how;
    const char *answered_by, *client, *review_id; /* NULL: not known */
    const char *answers;      /* the id of the question on record that it answers; NULL: none */
    const char *caller;       /* the id of a token, or "uid:1000"; NULL: the process itself */
    struct str answer_reason; /* of the person who answered; empty: none was given */
    int64_t requested_at, responded_at,
        response_ms;  /* stamp_now(); 0: not asked, or not answered */
    bool undelivered; /* a review ended, and its worker was not there to be told */
};

/* Appends the decision as it is now, gives it its id and name, and returns when the record is
 * durable. On failure the decision denies from here on and says why. Without a recorder it only
 * gets its name. A decision that was recorded is not recorded again, unless it has become another
 * one since. */
enum status decision_record(warder_decision *d, const struct decision_ending *ending,
                            struct error *err);

/* The id that it will be recorded with next, for what has to name it before. Empty: it is not
 * recorded, or the system has no random bytes. */
struct str decision_id_ahead(warder_decision *d);

/* What the record keeps of a call; without_input: reading that made the analysis crash. */
void record_call(struct arena *a, const struct call *c, bool without_input,
                 struct decision_record *out);

/* It is allowed, and nothing is answered: the client's own checks decide. */
bool decision_is_left(const warder_decision *d);

/* What `warder allow` is given to have it allowed from now on: the first letters of its id. Empty:
 * it was not recorded, or no rule can be made of its record that would allow it. */
struct str decision_for_rule(const warder_decision *d);

/* ---- for the service, which records decisions and other things in one go ---- */

/* The key of the data directory; opens the journal if it is not open. */
enum status recorder_key(struct recorder *r, struct record_key *out, struct error *err);

/* The record of the decision as it is now; the decision gets its id and name. It lives in the
 * decision's arena. */
enum status decision_write(warder_decision *d, const struct decision_ending *ending,
                           const struct record_key *key, struct str *body, struct error *err);

/* One write, one sync. `book`: whose settings for the record count; NULL: none. */
enum status recorder_append(struct recorder *r, const struct rulebook *book,
                            const struct str *bodies, size_t count, struct error *err);

/* The number of the last record; 0: the journal is not open, or empty. */
uint64_t recorder_last(struct recorder *r);

/* It could not be recorded: it denies from here on, and says why. */
void decision_unrecorded(warder_decision *d, const struct error *why);

/* Several at once: one write, one sync. All of one engine. On failure all of them deny. */
enum status decisions_record(warder_decision *const *decisions,
                             const struct decision_ending *endings, size_t count,
                             struct error *err);

#endif
