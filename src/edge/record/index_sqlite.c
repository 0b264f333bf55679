#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "machine/turns.h"
#include "record/database.h"
#include "record/index.h"

#define FORGET_ROWS 500 /* in one transaction */
#define REST_STEPS  500 /* of a statement, between two chances to rest */

struct sqlite_index {
    struct index base;
    struct database db;
    sqlite3_stmt *put, *hold; /* prepared once: the service adds a row for every answer */
    bool holds;               /* there may be rows in memory */
    bool indexed;             /* its indexes are there */
    char *dir;
    int busy_ms;
};

#define RECORDS                                                                                    \
    "records (n INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT, id TEXT, decision TEXT, "        \
    "project_id TEXT, worker_id TEXT, session_id TEXT, tool TEXT, rule_id TEXT, command TEXT, "    \
    "hash TEXT NOT NULL, line TEXT NOT NULL);"
#define ANSWERED "answered (id TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;"

static const char *const migrations[] = {
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, hash TEXT, at "
    "TEXT);"
    "CREATE TABLE " RECORDS,
    /* Questions that a later record answers; that one is listed in their place. The rows are made
     * again, because some have another kind now. */
    "CREATE TABLE " ANSWERED "DELETE FROM records; DELETE FROM head;",
};

/* Made when the table is up to date for the first time: sorting them at once takes half the time
 * that it takes to keep them while hundreds of thousands of rows are added. */
static const char INDEXES[] =
    "CREATE INDEX IF NOT EXISTS records_id ON records (id) WHERE id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_decision ON records (decision, n)"
    " WHERE decision IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_project ON records (project_id, n)"
    " WHERE project_id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_worker ON records (worker_id, n)"
    " WHERE worker_id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_session ON records (session_id, n)"
    " WHERE session_id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_tool ON records (tool, n) WHERE tool IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_rule ON records (rule_id, n) WHERE rule_id IS NOT NULL;"
    "CREATE INDEX IF NOT EXISTS records_at ON records (at);";

/* All of it can be made again from the journal, so a power cut may take the last rows. Its log is
 * emptied often, in small pieces: the sync that comes with it delays those of the journal. */
static const struct database_kind log_kind = {
    .name = INDEX_NAME,
    .what = "the index",
    .pragmas = "PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32768; PRAGMA "
               "wal_autocheckpoint=250; PRAGMA temp_store=MEMORY; "
               "CREATE TEMP TABLE held_" RECORDS "CREATE TEMP TABLE held_" ANSWERED,
    .migrations = migrations,
    .count = COUNT(migrations),
};

static struct sqlite_index *of(struct index *x)
{
    return (struct sqlite_index *)x;
}

/* ---- writing ---- */

static enum status begin(struct index *x, struct error *err)
{
    return database_run(&of(x)->db, "BEGIN IMMEDIATE", err);
}

static enum status commit(struct index *x, struct error *err)
{
    return database_run(&of(x)->db, "COMMIT", err);
}

static void cancel(struct index *x)
{
    if (!sqlite3_get_autocommit(of(x)->db.handle))
        (void)database_run(&of(x)->db, "ROLLBACK", NULL);
}

/* Where a row goes: the file, or the memory of this connection. */
struct place {
    const char *put, *put_answered;
};

/* ORDER: as `texts` of put_into() */
#define INTO(table)                                                                                \
    "INSERT OR IGNORE INTO " table " (at, kind, id, decision, project_id, worker_id, "             \
    "session_id, tool, rule_id, command, hash, line, n) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"

static const struct place in_file = {INTO("main.records"),
                                     "INSERT OR IGNORE INTO main.answered (id, n) VALUES (?, ?)"};
static const struct place in_memory = {
    INTO("temp.held_records"), "INSERT OR IGNORE INTO temp.held_answered (id, n) VALUES (?, ?)"};

static enum status put_answered(struct sqlite_index *s, const struct place *place,
                                const struct index_row *row, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(&s->db, place->put_answered, &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, row->answers);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)row->n);
        status = database_step(&s->db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

static enum status put_into(struct sqlite_index *s, const struct place *place, sqlite3_stmt **q,
                            const struct index_row *row, struct error *err)
{
    /* ORDER: as the columns of INTO */
    const struct str texts[] = {row->at,      row->kind,    row->id,      row->decision,
                                row->project, row->worker,  row->session, row->tool,
                                row->rule,    row->command, row->hash,    row->line};
    enum status status = STATUS_OK;

    if (row->answers.len)
        status = put_answered(s, place, row, err);
    if (status == STATUS_OK && !*q)
        status = database_prepare(&s->db, place->put, q, err);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < COUNT(texts); i++)
        database_bind(*q, (int)i + 1, texts[i]);
    sqlite3_bind_int64(*q, (int)COUNT(texts) + 1, (sqlite3_int64)row->n);
    status = database_step(&s->db, *q, err);
    sqlite3_reset(*q);
    sqlite3_clear_bindings(*q);
    return status;
}

static enum status put(struct index *x, const struct index_row *row, struct error *err)
{
    return put_into(of(x), &in_file, &of(x)->put, row, err);
}

static enum status hold(struct index *x, const struct index_row *row, struct error *err)
{
    of(x)->holds = true;
    return put_into(of(x), &in_memory, &of(x)->hold, row, err);
}

static enum status run_with(struct database *db, const char *sql, uint64_t one, uint64_t two,
                            struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, sql, &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)one);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)two);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

static enum status drop(struct index *x, uint64_t through, struct error *err)
{
    const uint64_t last = through < INT64_MAX ? through : INT64_MAX;
    enum status status = STATUS_OK;

    if (!of(x)->holds)
        return STATUS_OK;
    status = run_with(&of(x)->db, "DELETE FROM held_records WHERE n <= ? AND ? > 0", last, 1, err);
    if (status == STATUS_OK)
        status =
            run_with(&of(x)->db, "DELETE FROM held_answered WHERE n <= ? AND ? > 0", last, 1, err);
    of(x)->holds = last < INT64_MAX;
    return status;
}

static enum status forget(struct index *x, uint64_t through, bool *more, struct error *err)
{
    struct database *db = &of(x)->db;
    enum status status = run_with(
        db,
        "DELETE FROM records WHERE n IN (SELECT n FROM records WHERE n <= ? ORDER BY n LIMIT ?)",
        through, FORGET_ROWS, err);

    *more = false;
    if (status != STATUS_OK)
        return status;
    const bool some = sqlite3_changes(db->handle) > 0;
    if ((status = run_with(db, "DELETE FROM answered WHERE n <= ? AND ? > 0", through, 1, err)) !=
        STATUS_OK)
        return status;
    status = database_shrink(db, more, err);
    *more |= some;
    return status;
}

static enum status set_head(struct index *x, const struct chain_head *head, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(
        &of(x)->db, "INSERT OR REPLACE INTO head (one, n, hash, at) VALUES (1, ?, ?, ?)", &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)head->n);
        database_bind(q, 2, str_from(head->hash));
        database_bind(q, 3, str_from(head->at));
        status = database_step(&of(x)->db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

/* ---- reading ---- */

static void copy_text(sqlite3_stmt *q, int column, char *out, size_t size)
{
    struct str s = database_column(q, column);

    snprintf(out, size, "%.*s", STR_ARG(s));
}

static enum status head(struct index *x, struct chain_head *out, struct error *err)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum status status = database_prepare(&of(x)->db, "SELECT n, hash, at FROM head", &q, err);

    *out = (struct chain_head){0};
    if (status == STATUS_OK)
        status = database_next(&of(x)->db, q, &row, err);
    if (row) {
        out->n = (uint64_t)sqlite3_column_int64(q, 0);
        copy_text(q, 1, out->hash, sizeof(out->hash));
        copy_text(q, 2, out->at, sizeof(out->at));
    }
    sqlite3_finalize(q);
    return status;
}

#define COLUMNS                                                                                    \
    "SELECT n, at, kind, id, decision, project_id, worker_id, session_id, tool, rule_id, "         \
    "command, hash, line "

static struct index_row row_of(sqlite3_stmt *q)
{
    return (struct index_row){
        .n = (uint64_t)sqlite3_column_int64(q, 0),
        .at = database_column(q, 1),
        .kind = database_column(q, 2),
        .id = database_column(q, 3),
        .decision = database_column(q, 4),
        .project = database_column(q, 5),
        .worker = database_column(q, 6),
        .session = database_column(q, 7),
        .tool = database_column(q, 8),
        .rule = database_column(q, 9),
        .command = database_column(q, 10),
        .hash = database_column(q, 11),
        .line = database_column(q, 12),
    };
}

/* A search through the tables, as far as it has come. */
struct walk {
    index_visit visit;
    void *context;
    size_t found;
    bool ended; /* the visitor wants no more */
};

static enum status visit_rows(struct sqlite_index *s, sqlite3_stmt *q, struct walk *walk,
                              struct error *err)
{
    bool row = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && !walk->ended) {
        status = database_next(&s->db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        walk->found++;
        const struct index_row r = row_of(q);
        walk->ended = !walk->visit(&r, walk->context);
    }
    return status;
}

/* One condition of a filter; the conditions that are set become one statement. */
struct condition {
    const char *sql;
    struct str text;
    uint64_t number;
};

static void escape_like(struct str text, char *out, size_t size)
{
    size_t n = 0;

    out[n++] = '%';
    for (size_t i = 0; i < text.len && n + 4 < size; i++) {
        if (strchr("%_\\", text.s[i]))
            out[n++] = '\\';
        out[n++] = text.s[i];
    }
    out[n++] = '%';
    out[n] = '\0';
}

/* It says something that only few calls have in common. Nearly all have the same tool, so its index
 * (which the plus hides) must not be taken for that. */
static bool names_few(const struct index_filter *f)
{
    return f->project.len || f->worker.len || f->session.len || f->rule.len;
}

/* The rows of a table in a range, both ends exclusive; before 0: to its end. */
struct range {
    const char *table;
    uint64_t after, before;
};

static enum status find_in(struct sqlite_index *s, const struct range *range,
                           const struct index_filter *f, struct walk *walk, struct error *err)
{
    char like[2048], sql[2048];
    struct str kind = f->all_kinds ? (struct str){0} : STR("decision");
    const size_t limit = f->limit ? f->limit : INDEX_LIMIT_DEFAULT;
    sqlite3_stmt *q = NULL;

    if (walk->ended || walk->found >= limit)
        return STATUS_OK;
    if (f->text.len * 2 + 4 > sizeof(like))
        return fail(err, STATUS_LIMIT, "the text to look for is too long");
    escape_like(f->text, like, sizeof(like));
    const struct condition conditions[] = {
        {" AND kind = ? AND (decision != 'ask' OR (id NOT IN (SELECT id FROM answered)"
         " AND id NOT IN (SELECT id FROM held_answered)))",
         kind, 0},
        {str_has(f->decision, '*') ? " AND decision GLOB ?" : " AND decision = ?", f->decision, 0},
        {" AND project_id = ?", f->project, 0},
        {" AND worker_id = ?", f->worker, 0},
        {" AND session_id = ?", f->session, 0},
        {names_few(f) ? " AND +tool = ?" : " AND tool = ?", f->tool, 0},
        {" AND rule_id = ?", f->rule, 0},
        {" AND at >= ?", str_from(f->since), 0},
        {" AND at < ?", str_from(f->until), 0},
        {" AND command LIKE ? ESCAPE '\\'", f->text.len ? str_from(like) : (struct str){0}, 0},
        {" AND n < ?", {0}, range->before},
        {" AND n > ?", {0}, range->after},
    };
    int len = snprintf(sql, sizeof(sql), COLUMNS "FROM %s WHERE 1", range->table);
    for (size_t i = 0; i < COUNT(conditions); i++)
        if (conditions[i].text.len || conditions[i].number)
            len += snprintf(sql + len, sizeof(sql) - (size_t)len, "%s", conditions[i].sql);
    snprintf(sql + len, sizeof(sql) - (size_t)len, " ORDER BY n %s LIMIT %zu",
             f->oldest_first ? "ASC" : "DESC", limit - walk->found);
    enum status status = database_prepare(&s->db, sql, &q, err);
    for (size_t i = 0, at = 0; status == STATUS_OK && i < COUNT(conditions); i++) {
        if (conditions[i].text.len)
            database_bind(q, (int)++at, conditions[i].text);
        else if (conditions[i].number)
            sqlite3_bind_int64(q, (int)++at, (sqlite3_int64)conditions[i].number);
    }
    if (status == STATUS_OK)
        status = visit_rows(s, q, walk, err);
    sqlite3_finalize(q);
    return status;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a; /* 0: none */
}

/* The file up to its head, and memory from there on: another process may move the head meanwhile.
 */
static enum status find(struct index *x, const struct index_filter *f, index_visit visit,
                        void *context, struct error *err)
{
    struct walk walk = {.visit = visit, .context = context};
    struct range file = {"records", f->after, f->before}, held = {"held_records", 0, f->before};
    struct chain_head last;
    enum status status = STATUS_OK;

    if (!of(x)->holds)
        return find_in(of(x), &file, f, &walk, err);
    if ((status = head(x, &last, err)) != STATUS_OK)
        return status;
    file.before = smaller(f->before, last.n + 1);
    held.after = f->after > last.n ? f->after : last.n;
    const struct range *first = f->oldest_first ? &file : &held;
    if ((status = find_in(of(x), first, f, &walk, err)) == STATUS_OK)
        status = find_in(of(x), first == &file ? &held : &file, f, &walk, err);
    return status;
}

/* The rows that `where` finds, a condition with up to two parameters. */
static enum status get_where(struct sqlite_index *x, const char *where, struct str one,
                             struct str two, struct walk *walk, struct error *err)
{
    char sql[768];
    sqlite3_stmt *q = NULL;

    snprintf(sql, sizeof(sql),
             COLUMNS "FROM records WHERE %s UNION " COLUMNS "FROM held_records WHERE %s LIMIT 2",
             where, where);
    enum status status = database_prepare(&x->db, sql, &q, err);
    if (status == STATUS_OK) {
        database_bind(q, 1, one);
        if (two.len)
            database_bind(q, 2, two);
        status = visit_rows(x, q, walk, err);
    }
    sqlite3_finalize(q);
    return status;
}

#define ID_MAX 64

/* The letters are all below '~'. */
static enum status get_by_prefix(struct sqlite_index *x, struct str id, struct walk *walk,
                                 struct error *err)
{
    const char *mark = str_has(id, '_') ? "" : "d_";
    char from[ID_MAX + 4], to[ID_MAX + 4];

    if (id.len < ID_PREFIX_MIN || id.len > ID_MAX)
        return STATUS_OK;
    snprintf(from, sizeof(from), "%s%.*s", mark, STR_ARG(id));
    snprintf(to, sizeof(to), "%s%.*s~", mark, STR_ARG(id));
    return get_where(x, "id >= ?1 AND id < ?2", str_from(from), str_from(to), walk, err);
}

static enum status get(struct index *x, struct str id, index_visit visit, void *context,
                       bool *found, struct error *err)
{
    struct walk walk = {.visit = visit, .context = context};
    bool number = id.len && id.len < 20;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < id.len; i++)
        number = number && ascii_is_digit(id.s[i]);
    if (number)
        status = get_where(of(x), "n = CAST(?1 AS INTEGER)", id, (struct str){0}, &walk, err);
    if (status == STATUS_OK && !walk.found)
        status = get_where(of(x), "id = ?1", id, (struct str){0}, &walk, err);
    if (status == STATUS_OK && !walk.found)
        status = get_by_prefix(of(x), id, &walk, err);
    *found = walk.found > 0;
    return status;
}

/* Not while it writes: other processes wait for that. */
static int rest(void *handle)
{
    if (sqlite3_txn_state(handle, "main") != SQLITE_TXN_WRITE)
        turns_rest();
    return 0;
}

/* By the index of the rules alone, which has their ids and the numbers of the records in this order
 * (the plus hides the table's own order, in which all of it would be read).
 * Records are numbered as time goes by, so the first one of that time begins the count. */
#define USES_IN(table, range)                                                                      \
    "SELECT rule_id, count(*) AS hits, max(n) AS last FROM " table                                 \
    " WHERE rule_id IS NOT NULL AND +n >= (SELECT n FROM first) AND +n " range                     \
    " (SELECT n FROM file) GROUP BY rule_id"

static const char uses_sql[] =
    "WITH file(n) AS (SELECT coalesce((SELECT n FROM main.head), 0)),"
    " first(n) AS (SELECT coalesce((SELECT n FROM main.records WHERE at >= ?1 ORDER BY at LIMIT 1),"
    " (SELECT n + 1 FROM file))),"
    " parts AS (" USES_IN("main.records", "<=") " UNION ALL " USES_IN(
        "temp.held_records",
        ">") "),"
             " uses AS (SELECT rule_id, sum(hits) AS hits, max(last) AS last FROM parts GROUP BY "
             "rule_id)"
             " SELECT rule_id, hits, coalesce((SELECT at FROM main.records WHERE n = last),"
             " (SELECT at FROM temp.held_records WHERE n = last)) FROM uses ORDER BY rule_id";

static enum status uses(struct index *x, const char since[STAMP_SIZE], index_use_visit visit,
                        void *context, struct error *err)
{
    struct database *db = &of(x)->db;
    sqlite3_stmt *q = NULL;
    bool row = true;
    enum status status = database_prepare(db, uses_sql, &q, err);

    if (status == STATUS_OK)
        database_bind(q, 1, str_from(since));
    while (status == STATUS_OK && (status = database_next(db, q, &row, err)) == STATUS_OK && row) {
        const struct index_use use = {.rule = database_column(q, 0),
                                      .count = (uint64_t)sqlite3_column_int64(q, 1),
                                      .last = database_column(q, 2)};
        if (!visit(&use, context))
            break;
    }
    sqlite3_finalize(q);
    return status;
}

static enum status open_once(struct sqlite_index *s, struct error *err)
{
    enum status status = database_open(&s->db, &log_kind, s->dir, s->busy_ms, err);

    if (status == STATUS_OK)
        sqlite3_progress_handler(s->db.handle, REST_STEPS, rest, s->db.handle);
    return status;
}

static enum status open_database(struct sqlite_index *s, char **notice, struct error *err)
{
    enum status status = open_once(s, err);

    if (status == STATUS_OK || !database_is_damaged(&s->db))
        return status;
    database_close(&s->db);
    if ((status = database_remove(s->dir, INDEX_NAME, err)) != STATUS_OK)
        return status;
    if (notice)
        *notice = strdup("the index was damaged; a new one was started");
    return open_once(s, err);
}

static void close_database(struct sqlite_index *s)
{
    sqlite3_finalize(s->put);
    sqlite3_finalize(s->hold);
    s->put = s->hold = NULL;
    s->holds = false;
    s->indexed = false;
    database_close(&s->db);
}

static enum status start_again(struct sqlite_index *s, bool remove, struct error *err)
{
    close_database(s);
    enum status status = remove ? database_remove(s->dir, INDEX_NAME, err) : STATUS_OK;
    return status == STATUS_OK ? open_database(s, NULL, err) : status;
}

static enum status revive(struct index *x, bool *revived, struct error *err)
{
    struct sqlite_index *s = of(x);
    const bool damaged = database_is_damaged(&s->db);

    *revived = !s->db.handle || damaged || database_has_moved(&s->db);
    return *revived ? start_again(s, damaged, err) : STATUS_OK;
}

/* A file that is damaged inside cannot be emptied, and an empty one is quickly made. */
static enum status clear(struct index *x, struct error *err)
{
    return start_again(of(x), true, err);
}

static enum status complete(struct index *x, struct error *err)
{
    struct sqlite_index *s = of(x);
    enum status status = s->indexed ? STATUS_OK : database_run(&s->db, INDEXES, err);

    s->indexed |= status == STATUS_OK;
    return status;
}

static void close_index(struct index *x)
{
    close_database(of(x));
    free(of(x)->dir);
    free(x);
}

static const struct index_kind sqlite_kind = {
    .name = "sqlite",
    .begin = begin,
    .put = put,
    .hold = hold,
    .drop = drop,
    .forget = forget,
    .clear = clear,
    .complete = complete,
    .set_head = set_head,
    .commit = commit,
    .cancel = cancel,
    .head = head,
    .find = find,
    .get = get,
    .uses = uses,
    .revive = revive,
    .close = close_index,
};

/* They are made when the table has come to the end of the journal for the first time, this one
 * last. */
static bool has_indexes(struct sqlite_index *s)
{
    sqlite3_stmt *q = NULL;
    bool row = false;

    if (database_prepare(&s->db, "SELECT 1 FROM sqlite_master WHERE name = 'records_at'", &q,
                         NULL) == STATUS_OK)
        (void)database_next(&s->db, q, &row, NULL);
    sqlite3_finalize(q);
    return row;
}

enum status index_open_sqlite(const char *dir, int busy_ms, struct index **out, char **notice,
                              struct error *err)
{
    struct sqlite_index *s = calloc(1, sizeof(*s));

    *out = NULL;
    *notice = NULL;
    if (!s || !(s->dir = strdup(dir))) {
        free(s);
        return fail(err, STATUS_NOMEM, "out of memory");
    }
    s->base.kind = &sqlite_kind;
    s->busy_ms = busy_ms;
    enum status status = open_database(s, notice, err);
    if (status != STATUS_OK) {
        close_index(&s->base);
        return status;
    }
    s->base.complete = s->indexed = has_indexes(s);
    *out = &s->base;
    return STATUS_OK;
}

bool index_last(const char *dir, uint64_t *out)
{
    char path[PATH_MAX];
    struct database db = {.kind = &log_kind};
    sqlite3_stmt *q = NULL;
    bool row = false;

    *out = 0;
    if (!database_exists(dir, INDEX_NAME))
        return true;
    bool read = snprintf(path, sizeof(path), "%s/" INDEX_NAME, dir) < PATH_MAX &&
                sqlite3_open_v2(path, &db.handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW,
                                NULL) == SQLITE_OK &&
                database_prepare(&db, "SELECT n FROM head", &q, NULL) == STATUS_OK &&
                database_next(&db, q, &row, NULL) == STATUS_OK;
    if (row)
        *out = (uint64_t)sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    database_close(&db);
    return read;
}
