/* state_db.h - state.sqlite: the reviews and tokens of the service, in a file of their own, so that
 * no use of the log can delay an ask.
 *
 * The journal has enough to make it again: a record of every token with its hash, of every question
 * and of every end of one. A file that is missing is made from the journal when it is opened, and
 * `warder state rebuild` does the same with one that is damaged inside. What the journal does not
 * have are whole commands: a review that was made again can be approved when its worker repeats its
 * call.
 *
 *     DIR/state.sqlite      DIR/state.lock   held shared by those who use it, alone by who makes it
 *
 * An older warder kept all of this in index.sqlite, together with the index of the record. That
 * file is taken over, and removed. */
#ifndef RECORD_STATE_DB_H
#define RECORD_STATE_DB_H

#include "record/database.h"

#define STATE_DB_NAME "state.sqlite"
/* Held by the service that uses this directory; it says where it listens. */
#define SERVICE_LOCK   "service.lock"
#define STATE_DB_LOCK  "state.lock"
#define STATE_DB_OLDER "index.sqlite"

struct state_db_progress {
    uint64_t records, tokens, reviews; /* that were read; that the new file has */
    uint64_t damaged; /* lines that are not records. A token or a pending review from before one is
                         not restored: the line may have revoked or ended it */
};

/* *notice: what a person should know, e.g. that a damaged file was set aside (free it). */
enum status state_db_open(struct database *db, const char *dir, int busy_ms, char **notice,
                          struct error *err);

/* How many reviews are pending; 0 if there is no such file, or it cannot be read. */
size_t state_db_pending(const char *dir);

/* Sets the file aside, if there is one, and makes it again from the journal. Fails if a service or
 * another process uses it. */
enum status state_db_rebuild(const char *dir, struct state_db_progress *out, struct error *err);

#endif
