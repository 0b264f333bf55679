#include "record/database.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"
#include "record/stamp.h"

/* Each row upgrades the schema by one version. Released rows are never edited: add a new one. */
static const char *const migrations[] = {
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, hash TEXT, at "
    "TEXT);"
    "CREATE TABLE records (n INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT, id TEXT, decision "
    "TEXT, project_id TEXT,"
    " worker_id TEXT, session_id TEXT, tool TEXT, rule_id TEXT, command TEXT, hash TEXT NOT NULL, "
    "line TEXT NOT NULL);"
    "CREATE INDEX records_id ON records (id) WHERE id IS NOT NULL;"
    "CREATE INDEX records_decision ON records (decision, n);"
    "CREATE INDEX records_project ON records (project_id, n);"
    "CREATE INDEX records_session ON records (session_id, n);"
    "CREATE INDEX records_at ON records (at);",

    "CREATE TABLE tokens (id TEXT PRIMARY KEY, role TEXT NOT NULL, name TEXT, policy TEXT, "
    "created_at TEXT NOT NULL,"
    " revoked_at TEXT, hash BLOB NOT NULL);"
    "CREATE TABLE reviews (id TEXT PRIMARY KEY, status TEXT NOT NULL, worker_id TEXT,"
    " task_id TEXT, project_id TEXT, session_id TEXT, tool TEXT, token_id TEXT, command TEXT, "
    "command_hash TEXT,"
    " call_hash TEXT, context TEXT, reason TEXT, requested_at TEXT NOT NULL, expires_at TEXT NOT "
    "NULL, responded_at "
    "TEXT,"
    " responded_by TEXT, message TEXT, rule TEXT, decision_id TEXT, delivered_at TEXT);"
    "CREATE INDEX reviews_open ON reviews (expires_at) WHERE status = 'pending';"
    "CREATE INDEX reviews_status ON reviews (status);"
    "CREATE INDEX reviews_token ON reviews (token_id);"
    "CREATE INDEX reviews_waiting ON reviews (responded_at) WHERE delivered_at IS NULL;",
};

static enum status failed(struct database *db, struct error *err)
{
    int code = sqlite3_errcode(db->handle) & 0xff;
    const char *why = sqlite3_errmsg(db->handle);

    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail(err, STATUS_IO,
                    "the index is locked by another process; the journal is not affected");
    if (code == SQLITE_NOMEM)
        return fail(err, STATUS_NOMEM, "no memory for the index");
    return fail(err, STATUS_IO, "the index: %s; the journal is not affected", why);
}

enum status database_run(struct database *db, const char *sql, struct error *err)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? STATUS_OK
                                                                        : failed(db, err);
}

enum status database_prepare(struct database *db, const char *sql, sqlite3_stmt **out,
                             struct error *err)
{
    *out = NULL;
    return sqlite3_prepare_v2(db->handle, sql, -1, out, NULL) == SQLITE_OK ? STATUS_OK
                                                                           : failed(db, err);
}

void database_bind(sqlite3_stmt *q, int at, struct str text)
{
    if (text.len)
        sqlite3_bind_text64(q, at, text.s, text.len, SQLITE_STATIC, SQLITE_UTF8);
    else
        sqlite3_bind_null(q, at);
}

enum status database_next(struct database *db, sqlite3_stmt *q, bool *row, struct error *err)
{
    int code = sqlite3_step(q);

    *row = code == SQLITE_ROW;
    return *row || code == SQLITE_DONE ? STATUS_OK : failed(db, err);
}

enum status database_step(struct database *db, sqlite3_stmt *q, struct error *err)
{
    bool row = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && row)
        status = database_next(db, q, &row, err);
    return status;
}

struct str database_column(sqlite3_stmt *q, int column)
{
    const char *s = (const char *)sqlite3_column_text(q, column);

    return (struct str){s ? s : "", (size_t)sqlite3_column_bytes(q, column)};
}

/* ---- opening ---- */

/* SQLite would make the file readable by others, and would follow a link. Its other files get the
 * mode of this one. */
static enum status make_file(const char *dir, char path[PATH_MAX], struct error *err)
{
    AUTO_CLOSE int parent = -1;
    AUTO_CLOSE int fd = -1;
    enum status status = own_make_directory(dir, err);

    if (status == STATUS_OK)
        status = own_open_directory(dir, &parent, err);
    if (status != STATUS_OK)
        return status;
    fd = openat(parent, DATABASE_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(err, errno == ELOOP ? STATUS_UNSAFE : STATUS_IO, "cannot open %s: %s",
                    DATABASE_NAME, strerror(errno));
    if (snprintf(path, PATH_MAX, "%s/" DATABASE_NAME, dir) >= PATH_MAX)
        return fail(err, STATUS_LIMIT, "the path of the index is too long");
    return own_check_file(fd, DATABASE_NAME, err);
}

static enum status migrate(struct database *db, struct error *err)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    char sql[64];
    enum status status = database_prepare(db, "PRAGMA user_version", &q, err);

    if (status == STATUS_OK)
        status = database_next(db, q, &row, err);
    int version = row ? sqlite3_column_int(q, 0) : 0;
    sqlite3_finalize(q);
    if (status == STATUS_OK && (size_t)version > COUNT(migrations))
        return fail(err, STATUS_USAGE, "the index was made by a newer warder (schema %d)", version);
    if (status != STATUS_OK || (size_t)version == COUNT(migrations))
        return status;
    for (size_t i = (size_t)version; status == STATUS_OK && i < COUNT(migrations); i++)
        status = database_run(db, migrations[i], err);
    snprintf(sql, sizeof(sql), "PRAGMA user_version = %zu", COUNT(migrations));
    return status == STATUS_OK ? database_run(db, sql, err) : status;
}

/* Checked again under a lock: two processes may start at once. */
static enum status migrate_alone(struct database *db, struct error *err)
{
    enum status status = database_run(db, "BEGIN IMMEDIATE", err);

    if (status != STATUS_OK)
        return status;
    status = migrate(db, err);
    if (status == STATUS_OK)
        return database_run(db, "COMMIT", err);
    (void)database_run(db, "ROLLBACK", NULL);
    return status;
}

static enum status open_file(struct database *db, const char *path, int busy_ms, struct error *err)
{
    if (sqlite3_open_v2(path, &db->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_FULLMUTEX,
                        NULL) != SQLITE_OK)
        return db->handle ? failed(db, err) : fail(err, STATUS_NOMEM, "no memory for the index");
    sqlite3_busy_timeout(db->handle, busy_ms ? busy_ms : DATABASE_BUSY_MS);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    enum status status = database_run(
        db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA trusted_schema=OFF", err);
    return status == STATUS_OK ? migrate_alone(db, err) : status;
}

static bool is_damaged(const struct database *db)
{
    int code = db->handle ? sqlite3_errcode(db->handle) & 0xff : SQLITE_OK;

    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

/* The write-ahead log of the old database must not be applied to the new one. */
static enum status move_aside(const char *path, char **notice, struct error *err)
{
    static const char *const tails[] = {"", "-wal", "-shm"};
    char from[PATH_MAX + 8], to[PATH_MAX + 48];
    int64_t now = stamp_now();

    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(from, sizeof(from), "%s%s", path, tails[i]);
        snprintf(to, sizeof(to), "%s.damaged-%" PRId64 "%s", path, now, tails[i]);
        if (rename(from, to) < 0 && errno != ENOENT)
            return fail(err, STATUS_IO, "cannot move the damaged index aside: %s", strerror(errno));
    }
    if (asprintf(notice,
                 "the index was damaged; it was moved to %s.damaged-%" PRId64
                 " and a new one was started",
                 path, now) < 0)
        *notice = NULL;
    return STATUS_OK;
}

enum status database_open(struct database *db, const char *dir, int busy_ms, char **notice,
                          struct error *err)
{
    char path[PATH_MAX];
    enum status status = make_file(dir, path, err);

    *db = (struct database){0};
    if (status != STATUS_OK)
        return status;
    status = open_file(db, path, busy_ms, err);
    if (status == STATUS_OK || !is_damaged(db))
        return status;
    database_close(db);
    if ((status = move_aside(path, notice, err)) != STATUS_OK ||
        (status = make_file(dir, path, err)) != STATUS_OK)
        return status;
    return open_file(db, path, busy_ms, err);
}

void database_close(struct database *db)
{
    sqlite3_close(db->handle);
    db->handle = NULL;
}
