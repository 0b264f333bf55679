/* database.h - the SQLite file in the data directory: opening it safely, its schema, and the few
 * calls that its users share: the index of the record, reviews and tokens. */
#ifndef RECORD_DATABASE_H
#define RECORD_DATABASE_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/str.h"

#define DATABASE_NAME    "index.sqlite"
#define DATABASE_BUSY_MS 2000 /* how long to wait for another process */

struct database {
    sqlite3 *handle;
};

/* DIR/index.sqlite, created if it is missing and upgraded to the newest schema. Refused if it is a
 * link, belongs to another user, or others can write it. A damaged file is moved aside and a new
 * one is started; *notice then says so (free it). busy_ms 0: the default. */
enum status database_open(struct database *db, const char *dir, int busy_ms, char **notice,
                          struct error *err);
void database_close(struct database *db); /* zeroed memory is fine */

enum status database_run(struct database *db, const char *sql, struct error *err);
enum status database_prepare(struct database *db, const char *sql, sqlite3_stmt **out,
                             struct error *err);
void database_bind(sqlite3_stmt *q, int at,
                   struct str text); /* empty: NULL. Not copied: it must live until the step */
enum status database_step(struct database *db, sqlite3_stmt *q, struct error *err); /* to its end */
enum status database_next(struct database *db, sqlite3_stmt *q, bool *row,
                          struct error *err);            /* one row */
struct str database_column(sqlite3_stmt *q, int column); /* valid until the next step */

#endif
