/* database.h - the SQLite files in the data directory: opening them safely, their schemas, and the
 * few calls that their users share. There are two, each for one purpose: log.sqlite, the index of
 * the record (index.h), and state.sqlite, reviews and tokens (state_db.h).
 *
 * SQLite locks with POSIX locks, which a process loses when it closes any descriptor of the file.
 * So nothing outside of SQLite opens a database that SQLite may have open: it is looked at without
 * being opened (O_PATH), and made under a lock before anyone can open it. */
#ifndef RECORD_DATABASE_H
#define RECORD_DATABASE_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/json.h"
#include "base/str.h"

#define DATABASE_BUSY_MS 2000 /* how long to wait for another process */

struct database_kind {
    const char *name;    /* of its file */
    const char *what;    /* in messages */
    const char *pragmas; /* of every connection */
    /* Each row upgrades the schema by one version. Released rows are never edited: add a new
     * one. */
    const char *const *migrations;
    size_t count;
};

struct database {
    sqlite3 *handle;
    const struct database_kind *kind;
    int in_use;          /* a descriptor that is closed with it; 0: none */
    sqlite3_stmt *login; /* of token_check(); NULL: not prepared yet */
};

/* DIR/NAME, created if it is missing and upgraded to the newest schema. Refused if it is a link,
 * belongs to another user, or others can write it. busy_ms 0: the default. Call database_close() in
 * every case. */
enum status database_open(struct database *db, const struct database_kind *kind, const char *dir,
                          int busy_ms, struct error *err);
/* The same under another name than the kind's. */
enum status database_open_as(struct database *db, const struct database_kind *kind, const char *dir,
                             const char *name, int busy_ms, struct error *err);
void database_close(struct database *db); /* zeroed memory is fine */

bool database_is_damaged(const struct database *db); /* what failed last failed because of that */
bool database_has_moved(const struct database *db);  /* its file is no longer there */
bool database_exists(const char *dir, const char *name);
/* Removes the file with its log, or renames them to NAME.TAG. It may be missing. Other processes
 * that have it open keep what they have: database_has_moved() tells them. */
enum status database_remove(const char *dir, const char *name, struct error *err);
enum status database_rename(const char *dir, const char *name, const char *tag, struct error *err);

enum status database_run(struct database *db, const char *sql, struct error *err);
enum status database_prepare(struct database *db, const char *sql, sqlite3_stmt **out,
                             struct error *err);
void database_bind(sqlite3_stmt *q, int at,
                   struct str text); /* empty: NULL. Not copied: it must live until the step */
enum status database_step(struct database *db, sqlite3_stmt *q, struct error *err); /* to its end */
enum status database_next(struct database *db, sqlite3_stmt *q, bool *row,
                          struct error *err);            /* one row */
struct str database_column(sqlite3_stmt *q, int column); /* valid until the next step */
/* Gives free pages back to the file system, a limited number at a time. *more: some are left. */
enum status database_shrink(struct database *db, bool *more, struct error *err);

/* ---- whole rows as JSON, so that the journal can keep them ---- */

/* Members for the row that the statement is at: all columns that are not NULL, but for those
 * `without`; blobs as {"hex": ...}. */
void database_row_members(struct json_writer *w, sqlite3_stmt *q, const char *const *without,
                          size_t count);
/* Adds such a row. Members that are no columns of this schema are skipped; a row whose key is there
 * already stays as it is. */
enum status database_put_row(struct database *db, const char *table, const struct value *row,
                             struct error *err);

#endif
