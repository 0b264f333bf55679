/* review.h - asks that wait for a person, in the database.
 *
 * What is kept is redacted: the whole text lives with whoever waits, and a
 * review without its whole text cannot be approved. A review ends exactly once:
 * the first answer wins, and the time that ran out is one. Whether its answer
 * has reached the worker is kept, too: it is given out once. */
#ifndef RECORD_REVIEW_H
#define RECORD_REVIEW_H

#include "record/database.h"
#include "record/keyed.h"
#include "record/stamp.h"

#define REVIEW_ID_SIZE     (2 + 32 + 1)        /* r_ and 32 hexadecimal digits */
#define REVIEW_RECENT_MAX  5                   /* commands that its worker ran before */
#define REVIEW_COMMAND_MAX ((size_t)64 * 1024) /* bytes of a command that are kept */
#define REVIEW_TEXT_MAX    ((size_t)4096)      /* of any other text */

/* Pending is not zero: a review that nobody wrote is over. */
enum review_status { REVIEW_EXPIRED = 0, REVIEW_DENIED, REVIEW_APPROVED, REVIEW_PENDING };

const char *review_status_name(enum review_status status);
bool review_status_parse(struct str name, enum review_status *out);

/* What is asked. All of it whole: it is redacted on the way in. */
struct review_request {
    struct str worker_id, task_id, project_id, session_id, tool, token_id;
    struct str command;
    bool shell;           /* the command is shell text */
    struct str call_hash; /* of the exact call that an approval would be for */
    struct str task_description, worktree_path, reason;
    struct str recent[REVIEW_RECENT_MAX];
    size_t recent_count;
    int64_t requested_at, expires_at; /* milliseconds */
};

/* As it is kept. Texts live as long as the call. */
struct review {
    struct str id;
    enum review_status status;
    uint64_t row; /* grows with each new one: the cursor of those who list */
    struct str worker_id, task_id, project_id, session_id, tool, token_id;
    struct str command, command_hash, call_hash;
    struct str context; /* {"task_description", "recent_commands", "worktree_path"}, JSON */
    struct str reason, requested_at, expires_at;
    struct str responded_at, responded_by, message, rule; /* rule: what the answer promoted */
    struct str decision_id;                               /* of the record that ended it */
    struct str delivered_at; /* empty: no worker has been told how it ended */
};

/* What is kept of a request, with a new id. Not below an arena_try(); what it builds lives in the
 * arena, and some of it points into the request. */
enum status review_make(struct arena *a, const struct review_request *r,
                        const struct record_key *key, struct review *out, struct error *err);

enum status review_insert(struct database *db, const struct review *r, struct error *err);

/* Ends a pending one as r->status says, with its responded_at, responded_by, message, rule,
 * decision_id and delivered_at. *taken is false when it is not pending: of all that would end it
 * exactly one does. */
enum status review_end(struct database *db, const struct review *r, bool *taken, struct error *err);

/* The worker is told now how it ended. */
enum status review_deliver(struct database *db, struct str id, int64_t now, struct error *err);

/* Throws those away that were asked for before this time and have ended. */
enum status review_forget(struct database *db, int64_t before, struct error *err);

typedef bool (*review_visit)(const struct review *r, void *context); /* true goes on */

/* Empty and zero: anything. */
struct review_filter {
    bool by_status;
    enum review_status status;
    struct str token_id;
    uint64_t before;           /* only rows before this one */
    size_t limit;              /* 0: all of them */
    bool oldest_first;         /* by the time they expire; only of those that are pending */
    int64_t undelivered_since; /* only those that ended behind this time, and whose worker was not
                                  told */
};
/* The newest first. */
enum status reviews_visit(struct database *db, const struct review_filter *f, review_visit visit,
                          void *context, struct error *err);
enum status review_find(struct database *db, struct str id, review_visit visit, void *context,
                        bool *found, struct error *err);

#endif
