/* review.h - asks that wait for a person, in the database.
 *
 * What is kept is redacted: the whole text lives with whoever waits, and a
 * review without its whole text cannot be approved. A review is answered
 * exactly once: the first answer wins, the time that ran out is one. */
#ifndef RECORD_REVIEW_H
#define RECORD_REVIEW_H

#include "record/database.h"
#include "record/keyed.h"
#include "record/stamp.h"

#define REVIEW_ID_SIZE      (2 + 32 + 1) /* r_ and 32 hexadecimal digits */
#define REVIEW_TIMEOUT_MS   ((int64_t)15 * 60 * 1000)
#define REVIEW_RECENT_MAX   5                   /* commands that its worker ran before */
#define REVIEW_COMMAND_MAX  ((size_t)64 * 1024) /* bytes of a command that are kept */
#define REVIEW_TEXT_MAX     ((size_t)4096)      /* of any other text */
#define REVIEW_LIST_DEFAULT 50
#define REVIEW_LIST_MAX     1000
#define REVIEW_PENDING_MAX  100000 /* that wait at once; one more is refused, and so denied */

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
    uint64_t change; /* grows with every change of any review: the cursor of those who poll */
    struct str worker_id, task_id, project_id, session_id, tool, token_id;
    struct str command, command_hash, call_hash;
    struct str context; /* {"task_description", "recent_commands", "worktree_path"}, JSON */
    struct str reason, requested_at, expires_at;
    struct str responded_at, responded_by, message, rule; /* rule: what the answer promoted */
};

/* *id is the new one's. Not below an arena_try(); what it builds lives in the arena. */
enum status review_create(struct database *db, struct arena *a, const struct review_request *r,
                          const struct record_key *key, char id[REVIEW_ID_SIZE], struct error *err);

struct review_answer {
    enum review_status status; /* REVIEW_APPROVED or REVIEW_DENIED */
    struct str by, message, rule;
};

enum review_outcome {
    REVIEW_UNKNOWN = 0, /* there is no such review */
    REVIEW_TAKEN,       /* this answer counts */
    REVIEW_OVER,        /* it was answered before, or its time has run out */
};

/* Exactly one of all answers is TAKEN, whatever processes give them. */
enum status review_answer(struct database *db, struct str id, const struct review_answer *answer, int64_t now,
                          enum review_outcome *out, struct error *err);

/* Ends those whose time has run out; *count: how many. */
enum status review_expire(struct database *db, int64_t now, size_t *count, struct error *err);

typedef bool (*review_visit)(const struct review *r, void *context); /* true goes on */

struct review_filter {
    bool by_status;
    enum review_status status;
    uint64_t after; /* only changes behind this one, the oldest change first */
    size_t limit;   /* 0: the default */
};
enum status review_list(struct database *db, const struct review_filter *f, review_visit visit, void *context,
                        struct error *err);
enum status review_get(struct database *db, struct str id, review_visit visit, void *context, bool *found,
                       struct error *err);

#endif
