/* database.h - the SQLite file in the data directory: opening it safely, its schema, and the few
 * calls that its users share. The index of the record is one of them; reviews and tokens live
 * beside it. */
#ifndef RECORD_DATABASE_H
#define RECORD_DATABASE_H

#include <sqlite3.h>

#include "base/error.h"
#include "base/str.h"

#define DATABASE_NAME    "index.sqlite"
#define DATABASE_BUSY_MS 2000 /* how long another process may hold it */

struct database {
    sqlite3 *handle;
};

/* DIR/index.sqlite, made when it is missing and brought to the newest schema. Refused when it is a
 * link, belongs to somebody else, or others can write it. A damaged file is moved aside and a new
 * one begun; *notice then says so (free it). busy_ms 0: the default. */
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
