#include "record/state_db.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"
#include "machine/stamp.h"
#include "record/state_fill.h"

#define NEW_NAME      STATE_DB_NAME ".new"
#define LOCK_PAUSE_MS 5

/* `record`: the number of the journal's record that has the row; 0: none has it yet. `sealed`: the
 * whole call, encrypted (seal.h), as long as the review is pending. */
static const char *const migrations[] = {
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, role TEXT NOT NULL, name TEXT, policy TEXT, "
    "created_at TEXT NOT NULL,"
    " revoked_at TEXT, hash BLOB NOT NULL, record INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE reviews (id TEXT PRIMARY KEY, status TEXT NOT NULL, worker_id TEXT,"
    " task_id TEXT, project_id TEXT, session_id TEXT, tool TEXT, token_id TEXT, command TEXT, "
    "command_hash TEXT,"
    " call_hash TEXT, context TEXT, reason TEXT, requested_at TEXT NOT NULL, expires_at TEXT NOT "
    "NULL, responded_at "
    "TEXT,"
    " responded_by TEXT, message TEXT, rule TEXT, decision_id TEXT, delivered_at TEXT,"
    " sealed BLOB, record INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX reviews_open ON reviews (expires_at) WHERE status = 'pending';"
    "CREATE INDEX reviews_status ON reviews (status);"
    "CREATE INDEX reviews_token ON reviews (token_id);"
    "CREATE INDEX reviews_waiting ON reviews (responded_at) WHERE delivered_at IS NULL;"
    "CREATE INDEX reviews_unrecorded ON reviews (record) WHERE record = 0;"
    "CREATE INDEX reviews_unsealed ON reviews (id) WHERE status = 'pending' AND sealed IS NULL;",

    "ALTER TABLE tokens ADD COLUMN projects TEXT;"
    "ALTER TABLE tokens ADD COLUMN workers TEXT;"
    "ALTER TABLE tokens ADD COLUMN modes TEXT;",

    /* kind: what it is, if no token of its own. parent: the token, or the user, it came from. */
    "ALTER TABLE tokens ADD COLUMN kind TEXT;"
    "ALTER TABLE tokens ADD COLUMN parent TEXT;"
    "ALTER TABLE tokens ADD COLUMN expires_at TEXT;"
    "ALTER TABLE tokens ADD COLUMN lasts INTEGER NOT NULL DEFAULT 0;",
};

static const struct database_kind state_kind = {
    .name = STATE_DB_NAME,
    .what = "the state database",
    .pragmas = "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON",
    .migrations = migrations,
    .count = COUNT(migrations),
};

/* ---- who uses it ---- */

static enum status open_lock(const char *dir, int *out, struct error *err)
{
    AUTO_CLOSE int parent = -1;
    enum status status = own_need_directory(dir, &parent, err);

    *out = -1;
    if (status != STATUS_OK)
        return status;
    *out = openat(parent, STATE_DB_LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                  S_IRUSR | S_IWUSR);
    if (*out < 0)
        return fail(err, errno == ELOOP ? STATUS_UNSAFE : STATUS_IO,
                    "cannot open " STATE_DB_LOCK ": %s", strerror(errno));
    return own_check_file(*out, STATE_DB_LOCK, err);
}

static enum status lock_for(int lock, int how, int busy_ms, struct error *err)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
    int left = busy_ms ? busy_ms : DATABASE_BUSY_MS;

    for (; flock(lock, how | LOCK_NB) < 0; left -= LOCK_PAUSE_MS) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock " STATE_DB_LOCK ": %s", strerror(errno));
        if (left <= 0)
            return fail(err, STATUS_IO,
                        "the state database is in use: stop the service, or wait for the other "
                        "command");
        nanosleep(&pause, NULL);
    }
    return STATUS_OK;
}

/* ---- a file of an older warder ---- */

static enum status run_text(struct database *db, const char *sql, const char *text, bool *row,
                            struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, sql, &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, str_from(text));
        status = database_next(db, q, row, err);
    }
    sqlite3_finalize(q);
    return status;
}

/* It is read as a whole, and nobody else may have it open: a service of that version would go on
 * with a file that is no longer there. */
static enum status claim_older(const char *path, bool *damaged, struct error *err)
{
    struct database old = {.kind = &state_kind};
    enum status status = STATUS_OK;

    if (sqlite3_open_v2(path, &old.handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, NULL) !=
            SQLITE_OK ||
        sqlite3_busy_timeout(old.handle, DATABASE_BUSY_MS) != SQLITE_OK ||
        sqlite3_exec(old.handle, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) != SQLITE_OK) {
        *damaged = database_is_damaged(&old);
        status = fail(err, STATUS_IO,
                      "cannot take over " STATE_DB_OLDER ": %s; stop the older service first",
                      old.handle ? sqlite3_errmsg(old.handle) : "no memory");
    }
    database_close(&old);
    return status;
}

/* ORDER: as in the schema of that version, which is all that it had */
#define OLDER_TOKENS "id, role, name, policy, created_at, revoked_at, hash"
#define OLDER_REVIEWS                                                                              \
    "id, status, worker_id, task_id, project_id, session_id, tool, token_id, command, "            \
    "command_hash, call_hash, context, reason, requested_at, expires_at, responded_at, "           \
    "responded_by, message, rule, decision_id, delivered_at"

static enum status take_over(struct database *db, const char *path, bool *damaged,
                             struct error *err)
{
    bool row = false, found = false;
    enum status status = claim_older(path, damaged, err);

    if (status == STATUS_OK)
        status = run_text(db, "ATTACH ? AS older", path, &row, err);
    if (status == STATUS_OK)
        status = run_text(db, "SELECT 1 FROM older.sqlite_master WHERE name = ?", "reviews", &found,
                          err);
    if (status == STATUS_OK && found)
        status = database_run(db,
                              "BEGIN IMMEDIATE;"
                              "INSERT INTO tokens (" OLDER_TOKENS ") SELECT " OLDER_TOKENS
                              " FROM older.tokens;"
                              "INSERT INTO reviews (" OLDER_REVIEWS ") SELECT " OLDER_REVIEWS
                              " FROM older.reviews ORDER BY rowid; COMMIT",
                              err);
    *damaged |= status != STATUS_OK && database_is_damaged(db);
    if (!sqlite3_get_autocommit(db->handle))
        (void)database_run(db, "ROLLBACK", NULL);
    (void)database_run(db, "DETACH older", NULL);
    return status;
}

/* ---- making it ---- */

/* All of it in one file, so that it can be renamed. */
static enum status close_whole(struct database *db, struct error *err)
{
    bool row = false;
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, "PRAGMA journal_mode=DELETE", &q, err);

    if (status == STATUS_OK)
        status = database_next(db, q, &row, err);
    if (status == STATUS_OK && !(row && str_is(database_column(q, 0), "delete")))
        status = fail(err, STATUS_IO, "cannot finish the new state database");
    sqlite3_finalize(q);
    database_close(db);
    return status;
}

static enum status put_in_place(const char *dir, struct error *err)
{
    AUTO_CLOSE int parent = -1;
    enum status status = own_open_directory(dir, &parent, err);

    if (status != STATUS_OK)
        return status;
    if (renameat(parent, NEW_NAME, parent, STATE_DB_NAME) < 0 || fsync(parent) < 0)
        return fail(err, STATUS_IO, "cannot create " STATE_DB_NAME ": %s", strerror(errno));
    return STATUS_OK;
}

/* What became of a file, for a person. */
static void say(char **notice, const char *what, const char *name, const char *tag)
{
    free(*notice);
    if (asprintf(notice, "%s %s%s%s; reviews and tokens were restored from the journal", name, what,
                 *tag ? " to " : "", tag) < 0)
        *notice = NULL;
}

static enum status set_aside(const char *dir, const char *name, char aside[64], struct error *err)
{
    char tag[32];

    snprintf(tag, sizeof(tag), "damaged-%" PRId64, stamp_now());
    snprintf(aside, 64, "%s.%s", name, tag);
    return database_rename(dir, name, tag, err);
}

/* An older file, or the journal. */
static enum status fill_new(struct database *db, const char *dir, struct state_db_progress *out,
                            char **notice, struct error *err)
{
    char path[PATH_MAX], aside[64];
    bool damaged = false;

    if (!database_exists(dir, STATE_DB_OLDER))
        return state_fill(db, dir, out, err);
    snprintf(path, sizeof(path), "%s/" STATE_DB_OLDER, dir);
    enum status status = take_over(db, path, &damaged, err);
    if (status == STATUS_OK || !damaged)
        return status;
    status = set_aside(dir, STATE_DB_OLDER, aside, err);
    if (status == STATUS_OK)
        status = state_fill(db, dir, out, err);
    say(notice, "was damaged; it was moved", STATE_DB_OLDER, aside);
    return status;
}

/* Alone. */
static enum status make(const char *dir, struct state_db_progress *out, char **notice,
                        struct error *err)
{
    struct database db = {0};
    enum status status = database_remove(dir, NEW_NAME, err);

    if (status == STATUS_OK)
        status = database_open_as(&db, &state_kind, dir, NEW_NAME, 0, err);
    if (status == STATUS_OK)
        status = fill_new(&db, dir, out, notice, err);
    if (status == STATUS_OK)
        status = close_whole(&db, err);
    else
        database_close(&db);
    if (status == STATUS_OK)
        status = put_in_place(dir, err);
    if (status == STATUS_OK && database_exists(dir, STATE_DB_OLDER))
        status = database_remove(dir, STATE_DB_OLDER, err);
    return status;
}

static enum status make_missing(const char *dir, int lock, int busy_ms, char **notice,
                                struct error *err)
{
    struct state_db_progress progress = {0};
    enum status status = lock_for(lock, LOCK_EX, busy_ms, err);

    if (status == STATUS_OK && !database_exists(dir, STATE_DB_NAME))
        status = make(dir, &progress, notice, err);
    if (status == STATUS_OK && progress.tokens + progress.reviews && !*notice)
        say(notice, "was missing", STATE_DB_NAME, "");
    return status;
}

/* Alone: another process may have done it already. */
static enum status replace_damaged(const char *dir, int lock, int busy_ms, char **notice,
                                   struct error *err)
{
    char aside[64];
    enum status status = lock_for(lock, LOCK_EX, busy_ms, err);

    if (status == STATUS_OK)
        status = set_aside(dir, STATE_DB_NAME, aside, err);
    if (status == STATUS_OK)
        status = make(dir, &(struct state_db_progress){0}, notice, err);
    if (status == STATUS_OK)
        say(notice, "was damaged; it was moved", STATE_DB_NAME, aside);
    return status;
}

static enum status open_locked(struct database *db, const char *dir, int lock, int busy_ms,
                               char **notice, struct error *err)
{
    enum status status = STATUS_OK;

    if (!database_exists(dir, STATE_DB_NAME))
        status = make_missing(dir, lock, busy_ms, notice, err);
    if (status == STATUS_OK)
        status = lock_for(lock, LOCK_SH, busy_ms, err);
    if (status == STATUS_OK)
        status = database_open(db, &state_kind, dir, busy_ms, err);
    if (status == STATUS_OK || !database_is_damaged(db))
        return status;
    database_close(db);
    if ((status = replace_damaged(dir, lock, busy_ms, notice, err)) != STATUS_OK ||
        (status = lock_for(lock, LOCK_SH, busy_ms, err)) != STATUS_OK)
        return status;
    return database_open(db, &state_kind, dir, busy_ms, err);
}

enum status state_db_open(struct database *db, const char *dir, int busy_ms, char **notice,
                          struct error *err)
{
    int lock = -1;
    enum status status = open_lock(dir, &lock, err);

    *db = (struct database){.kind = &state_kind};
    if (status == STATUS_OK)
        status = lock_for(lock, LOCK_SH, busy_ms, err);
    if (status == STATUS_OK)
        status = open_locked(db, dir, lock, busy_ms, notice, err);
    if (lock >= 0 && status != STATUS_OK)
        close(lock);
    else
        db->in_use = lock;
    return status;
}

static size_t count_pending(struct database *db)
{
    char now[STAMP_SIZE];
    sqlite3_stmt *q = NULL;
    bool row = false;
    size_t count = 0;

    stamp_print(stamp_now(), now);
    if (database_prepare(db,
                         "SELECT count(*) FROM reviews WHERE status = 'pending' AND expires_at > ?",
                         &q, NULL) == STATUS_OK) {
        database_bind(q, 1, str_from(now));
        if (database_next(db, q, &row, NULL) == STATUS_OK && row)
            count = (size_t)sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return count;
}

size_t state_db_pending(const char *dir)
{
    struct database db = {0};
    AUTO_FREE char *notice = NULL;
    size_t count = 0;

    if (database_exists(dir, STATE_DB_NAME) &&
        state_db_open(&db, dir, 0, &notice, NULL) == STATUS_OK)
        count = count_pending(&db);
    database_close(&db);
    return count;
}

enum status state_db_rebuild(const char *dir, struct state_db_progress *out, struct error *err)
{
    AUTO_CLOSE int lock = -1;
    char aside[64], *notice = NULL;
    enum status status = open_lock(dir, &lock, err);

    *out = (struct state_db_progress){0};
    if (status == STATUS_OK)
        status = lock_for(lock, LOCK_EX, 0, err);
    if (status == STATUS_OK)
        status = set_aside(dir, STATE_DB_NAME, aside, err);
    if (status == STATUS_OK)
        status = make(dir, out, &notice, err);
    free(notice);
    return status;
}
