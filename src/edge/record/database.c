#include "record/database.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"

#define SHRINK_PAGES 250 /* given back at once: others wait for the disk meanwhile */

static enum status failed(struct database *db, struct error *err)
{
    int code = sqlite3_errcode(db->handle) & 0xff;
    const char *why = sqlite3_errmsg(db->handle), *what = db->kind->what;

    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail(err, STATUS_IO, "%s is locked by another process; the journal is not affected",
                    what);
    if (code == SQLITE_NOMEM)
        return fail(err, STATUS_NOMEM, "no memory for %s", what);
    return fail(err, STATUS_IO, "%s: %s; the journal is not affected", what, why);
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

/* ---- the files ---- */

static const char *const tails[] = {"", "-wal", "-shm"};

/* Under the lock of the directory: whoever makes or removes a database is alone. */
static enum status lock_directory(const char *dir, int *out, struct error *err)
{
    enum status status = own_need_directory(dir, out, err);

    while (status == STATUS_OK && flock(*out, LOCK_EX) < 0)
        if (errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock the data directory: %s", strerror(errno));
    return status;
}

/* SQLite would make the file readable by others. Its other files get the mode of this one. */
static enum status make_file(int parent, const char *name, struct error *err)
{
    AUTO_CLOSE int fd =
        openat(parent, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);

    return fd >= 0 || errno == EEXIST
               ? STATUS_OK
               : fail(err, STATUS_IO, "cannot create %s: %s", name, strerror(errno));
}

/* Closing a descriptor of this kind drops no lock. */
static enum status look_at_file(int parent, const char *name, struct error *err)
{
    AUTO_CLOSE int fd = openat(parent, name, O_PATH | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", name, strerror(errno));
    return own_check_file(fd, name, err);
}

static enum status need_file(const char *dir, const char *name, struct error *err)
{
    AUTO_CLOSE int parent = -1;
    enum status status = lock_directory(dir, &parent, err);

    if (status == STATUS_OK)
        status = make_file(parent, name, err);
    return status == STATUS_OK ? look_at_file(parent, name, err) : status;
}

bool database_exists(const char *dir, const char *name)
{
    char path[PATH_MAX];
    struct stat st;

    return snprintf(path, sizeof(path), "%s/%s", dir, name) < PATH_MAX && lstat(path, &st) == 0;
}

/* The log must go with its database: it must not be applied to the next one. */
enum status database_remove(const char *dir, const char *name, struct error *err)
{
    char path[NAME_MAX + 1];
    AUTO_CLOSE int parent = -1;
    enum status status = lock_directory(dir, &parent, err);

    for (size_t i = 0; status == STATUS_OK && i < COUNT(tails); i++) {
        snprintf(path, sizeof(path), "%s%s", name, tails[i]);
        if (unlinkat(parent, path, 0) < 0 && errno != ENOENT)
            status = fail(err, STATUS_IO, "cannot remove %s: %s", path, strerror(errno));
    }
    return status;
}

enum status database_rename(const char *dir, const char *name, const char *tag, struct error *err)
{
    char from[NAME_MAX + 1], to[NAME_MAX + 1];
    AUTO_CLOSE int parent = -1;
    enum status status = lock_directory(dir, &parent, err);

    for (size_t i = 0; status == STATUS_OK && i < COUNT(tails); i++) {
        snprintf(from, sizeof(from), "%s%s", name, tails[i]);
        snprintf(to, sizeof(to), "%s.%s%s", name, tag, tails[i]);
        if (renameat(parent, from, parent, to) < 0 && errno != ENOENT)
            status = fail(err, STATUS_IO, "cannot rename %s: %s", from, strerror(errno));
    }
    return status;
}

/* ---- opening ---- */

static enum status migrate(struct database *db, struct error *err)
{
    const struct database_kind *kind = db->kind;
    sqlite3_stmt *q = NULL;
    bool row = false;
    char sql[64];
    enum status status = database_prepare(db, "PRAGMA user_version", &q, err);

    if (status == STATUS_OK)
        status = database_next(db, q, &row, err);
    int version = row ? sqlite3_column_int(q, 0) : 0;
    sqlite3_finalize(q);
    if (status == STATUS_OK && (size_t)version > kind->count)
        return fail(err, STATUS_USAGE, "%s was made by a newer warder (schema %d)", kind->what,
                    version);
    if (status != STATUS_OK || (size_t)version == kind->count)
        return status;
    for (size_t i = (size_t)version; status == STATUS_OK && i < kind->count; i++)
        status = database_run(db, kind->migrations[i], err);
    snprintf(sql, sizeof(sql), "PRAGMA user_version = %zu", kind->count);
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
        return db->handle ? failed(db, err)
                          : fail(err, STATUS_NOMEM, "no memory for %s", db->kind->what);
    sqlite3_busy_timeout(db->handle, busy_ms ? busy_ms : DATABASE_BUSY_MS);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* The first one counts only in a file that is still empty. */
    enum status status =
        database_run(db,
                     "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
                     "PRAGMA journal_size_limit=16777216; PRAGMA trusted_schema=OFF",
                     err);
    if (status == STATUS_OK)
        status = database_run(db, db->kind->pragmas, err);
    return status == STATUS_OK ? migrate_alone(db, err) : status;
}

enum status database_open_as(struct database *db, const struct database_kind *kind, const char *dir,
                             const char *name, int busy_ms, struct error *err)
{
    char path[PATH_MAX];
    enum status status = need_file(dir, name, err);

    *db = (struct database){.kind = kind};
    if (status != STATUS_OK)
        return status;
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= PATH_MAX)
        return fail(err, STATUS_LIMIT, "the path of %s is too long", kind->what);
    return open_file(db, path, busy_ms, err);
}

enum status database_open(struct database *db, const struct database_kind *kind, const char *dir,
                          int busy_ms, struct error *err)
{
    return database_open_as(db, kind, dir, kind->name, busy_ms, err);
}

void database_close(struct database *db)
{
    sqlite3_finalize(db->login);
    sqlite3_close(db->handle);
    if (db->in_use > 0)
        close(db->in_use);
    *db = (struct database){.kind = db->kind};
}

bool database_is_damaged(const struct database *db)
{
    int code = db->handle ? sqlite3_errcode(db->handle) & 0xff : SQLITE_OK;

    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

bool database_has_moved(const struct database *db)
{
    int moved = 0;

    return db->handle &&
           sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved;
}

enum status database_shrink(struct database *db, bool *more, struct error *err)
{
    char sql[64];
    sqlite3_stmt *q = NULL;
    bool row = false;

    snprintf(sql, sizeof(sql), "PRAGMA incremental_vacuum(%d)", SHRINK_PAGES);
    enum status status = database_run(db, sql, err);
    if (status == STATUS_OK)
        status = database_prepare(db, "PRAGMA freelist_count", &q, err);
    if (status == STATUS_OK)
        status = database_next(db, q, &row, err);
    *more = row && sqlite3_column_int64(q, 0) > 0;
    sqlite3_finalize(q);
    return status;
}

/* ---- rows as JSON ---- */

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static void blob_json(struct json_writer *w, sqlite3_stmt *q, int column)
{
    const int len = sqlite3_column_bytes(q, column);
    char *hex = ARENA_ARRAY(w->out->arena, char, 2 * (size_t)len + 1);

    json_begin_object(w);
    if (len)
        (void)str_hex(hex, sqlite3_column_blob(q, column), (size_t)len);
    json_key(w, "hex");
    json_text(w, (struct str){hex, 2 * (size_t)len});
    json_end_object(w);
}

void database_row_members(struct json_writer *w, sqlite3_stmt *q, const char *const *without,
                          size_t count)
{
    for (int i = 0; i < sqlite3_column_count(q); i++) {
        const char *name = sqlite3_column_name(q, i);
        const int type = sqlite3_column_type(q, i);
        if (type == SQLITE_NULL || is_one_of(name, without, count))
            continue;
        json_key(w, name);
        if (type == SQLITE_BLOB)
            blob_json(w, q, i);
        else
            json_text(w, database_column(q, i));
    }
}

static void bind_blob(sqlite3_stmt *q, int at, struct str hex)
{
    unsigned char bytes[256];
    size_t len;

    if (sodium_hex2bin(bytes, sizeof(bytes), hex.s, hex.len, NULL, &len, NULL) == 0)
        sqlite3_bind_blob(q, at, bytes, (int)len, SQLITE_TRANSIENT);
}

/* "INSERT OR IGNORE INTO TABLE (a, b) VALUES (?, ?)" of the columns that are in the row. */
static enum status prepare_put(struct database *db, const char *table, const struct value *row,
                               sqlite3_stmt **out, struct error *err)
{
    char sql[2048], marks[512];
    sqlite3_stmt *names = NULL;
    size_t n = 0, m = 0;

    snprintf(sql, sizeof(sql), "SELECT * FROM %s LIMIT 0", table);
    enum status status = database_prepare(db, sql, &names, err);
    n = (size_t)snprintf(sql, sizeof(sql), "INSERT OR IGNORE INTO %s (", table);
    for (int i = 0; status == STATUS_OK && i < sqlite3_column_count(names); i++) {
        const char *name = sqlite3_column_name(names, i);
        if (!value_get(row, name) || n + 64 > sizeof(sql) || m + 4 > sizeof(marks))
            continue;
        n += (size_t)snprintf(sql + n, sizeof(sql) - n, "%s%.60s", m ? ", " : "", name);
        m += (size_t)snprintf(marks + m, sizeof(marks) - m, "%s?", m ? "," : "");
    }
    sqlite3_finalize(names);
    if (status != STATUS_OK || !m)
        return status;
    snprintf(sql + n, sizeof(sql) - n, ") VALUES (%s)", marks);
    return database_prepare(db, sql, out, err);
}

static void bind_row(struct database *db, sqlite3_stmt *q, const char *table,
                     const struct value *row)
{
    char sql[128];
    sqlite3_stmt *names = NULL;
    int at = 0;

    snprintf(sql, sizeof(sql), "SELECT * FROM %s LIMIT 0", table);
    if (database_prepare(db, sql, &names, NULL) != STATUS_OK)
        return;
    for (int i = 0; i < sqlite3_column_count(names); i++) {
        const struct value *v = value_get(row, sqlite3_column_name(names, i));
        if (!v)
            continue;
        at++;
        if (v->kind == VALUE_OBJECT)
            bind_blob(q, at, value_text(v, "hex"));
        else
            database_bind(q, at, v->text);
    }
    sqlite3_finalize(names);
}

enum status database_put_row(struct database *db, const char *table, const struct value *row,
                             struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = prepare_put(db, table, row, &q, err);

    if (status == STATUS_OK && q) {
        bind_row(db, q, table, row);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}
