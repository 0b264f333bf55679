/* review.h - questions that wait for a person, in the database.
 *
 * The stored text is redacted. The whole call is stored sealed (seal.h) until the review ends, and
 * a review without it cannot be approved. A review ends exactly once: the first answer wins, and a
 * timeout is an answer. Whether the worker has the answer is stored, too: it is given out once. */
#ifndef RECORD_REVIEW_H
#define RECORD_REVIEW_H

#include "machine/stamp.h"
#include "record/chain.h"
#include "record/keyed.h"
#include "record/state_db.h"

#define REVIEW_ID_SIZE     (2 + 32 + 1)        /* r_ and 32 hexadecimal digits */
#define REVIEW_RECENT_MAX  5                   /* earlier commands of its worker */
#define REVIEW_COMMAND_MAX ((size_t)64 * 1024) /* bytes of a command that are kept */
#define REVIEW_TEXT_MAX    ((size_t)4096)      /* of any other text */

/* Pending is not zero: a zeroed review is over. */
enum review_status { REVIEW_EXPIRED = 0, REVIEW_DENIED, REVIEW_APPROVED, REVIEW_PENDING };

const char *review_status_name(enum review_status status);
bool review_status_parse(struct str name, enum review_status *out);

/* The question, with whole texts: they are redacted when it is stored. */
struct review_request {
    struct str worker_id, task_id, project_id, session_id, tool, token_id;
    struct str command;
    bool shell;           /* the command is shell text */
    struct str call_hash; /* of the exact call that would be approved */
    struct str task_description, worktree_path, reason;
    struct str recent[REVIEW_RECENT_MAX];
    size_t recent_count;
    int64_t requested_at, expires_at; /* milliseconds */
};

/* As it is stored. Texts live as long as the call. */
struct review {
    struct str id;
    enum review_status status;
    uint64_t row; /* grows with each new one: the cursor of lists */
    struct str worker_id, task_id, project_id, session_id, tool, token_id;
    struct str command, command_hash, call_hash;
    struct str context; /* {"task_description", "recent_commands", "worktree_path"}, JSON */
    struct str reason, requested_at, expires_at;
    struct str responded_at, responded_by, message, rule; /* rule: what the answer promoted */
    struct str decision_id;                               /* of the record that ended it */
    struct str delivered_at;                              /* empty: no worker has the answer */
    struct str sealed; /* the whole call, encrypted; only where it is asked for */
};

/* Makes a row of a request, with a new id. Do not call it inside an arena_try(). The row lives in
 * the arena, and some of it points into the request. */
enum status review_make(struct arena *a, const struct review_request *r,
                        const struct record_key *key, struct review *out, struct error *err);

enum status review_insert(struct database *db, const struct review *r, struct error *err);

/* The journal's record of a question, from which its row can be made again; and the end of a review
 * as a decision's record tells it. Its id is empty: the record ends none. */
void review_record(struct json_writer *w, const struct review *r);
struct review review_end_of(const struct chain_link *link);

/* Notes whether the journal has it; and its sealed call. */
enum status review_recorded(struct database *db, struct str id, bool recorded, struct error *err);
enum status review_sealed(struct database *db, struct str id, struct str sealed, struct error *err);

/* Ends a pending one as r->status says, with its responded_at, responded_by, message, rule,
 * decision_id and delivered_at. *taken is false if it is not pending: exactly one caller ends it.
 */
enum status review_end(struct database *db, const struct review *r, bool *taken, struct error *err);

/* Notes that the worker gets the answer now. *taken is false if one has had it before. */
enum status review_deliver(struct database *db, struct str id, int64_t now, bool *taken,
                           struct error *err);

/* Deletes ended reviews that were requested before this time, a limited number of them. *more: some
 * are left. */
enum status review_forget(struct database *db, int64_t before, bool *more, struct error *err);

typedef bool (*review_visit)(const struct review *r, void *context); /* true continues */

/* Empty or zero: anything. */
struct review_filter {
    bool by_status;
    enum review_status status;
    struct str token_id;
    uint64_t before;           /* only rows before this one */
    size_t limit;              /* 0: all of them */
    bool oldest_first;         /* by the time they expire; only of those that are pending */
    int64_t undelivered_since; /* only those that ended after this time and whose worker has no
                                  answer */
    bool unrecorded;           /* only those that the journal does not have */
    bool sealed;               /* with their sealed calls */
};
/* The newest first. */
enum status reviews_visit(struct database *db, const struct review_filter *f, review_visit visit,
                          void *context, struct error *err);
enum status review_find(struct database *db, struct str id, review_visit visit, void *context,
                        bool *found, struct error *err);

#endif
