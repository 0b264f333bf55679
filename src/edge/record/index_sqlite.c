#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"
#include "record/database.h"
#include "record/index.h"

struct sqlite_index {
    struct index base;
    struct database db;
    sqlite3_stmt *put; /* prepared once: the service adds a row for every answer */
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

/* ORDER: as the columns in PUT */
static const char PUT[] =
    "INSERT OR IGNORE INTO records (at, kind, id, decision, project_id, worker_id, session_id, "
    "tool, rule_id, command, hash, line, n) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";

static enum status put(struct index *x, const struct index_row *row, struct error *err)
{
    struct sqlite_index *s = of(x);
    /* ORDER: as the columns in PUT */
    const struct str texts[] = {row->at,      row->kind,    row->id,      row->decision,
                                row->project, row->worker,  row->session, row->tool,
                                row->rule,    row->command, row->hash,    row->line};
    enum status status = STATUS_OK;

    if (!s->put)
        status = database_prepare(&s->db, PUT, &s->put, err);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < COUNT(texts); i++)
        database_bind(s->put, (int)i + 1, texts[i]);
    sqlite3_bind_int64(s->put, (int)COUNT(texts) + 1, (sqlite3_int64)row->n);
    status = database_step(&s->db, s->put, err);
    sqlite3_reset(s->put);
    sqlite3_clear_bindings(s->put);
    return status;
}

static enum status forget(struct index *x, uint64_t through, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(&of(x)->db, "DELETE FROM records WHERE n <= ?", &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)through);
        status = database_step(&of(x)->db, q, err);
    }
    sqlite3_finalize(q);
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

static enum status visit_rows(struct sqlite_index *s, sqlite3_stmt *q, index_visit visit,
                              void *context, bool *found, struct error *err)
{
    bool row = true, more = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && row && more) {
        status = database_next(&s->db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        *found = true;
        const struct index_row r = row_of(q);
        more = visit(&r, context);
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

static enum status find(struct index *x, const struct index_filter *f, index_visit visit,
                        void *context, struct error *err)
{
    char like[2048], sql[2048];
    struct str kind = f->all_kinds ? (struct str){0} : STR("decision");
    sqlite3_stmt *q = NULL;
    bool found;

    if (f->text.len * 2 + 4 > sizeof(like))
        return fail(err, STATUS_LIMIT, "the text to look for is too long");
    escape_like(f->text, like, sizeof(like));
    const struct condition conditions[] = {
        {" AND kind = ?", kind, 0},
        {" AND decision = ?", f->decision, 0},
        {" AND project_id = ?", f->project, 0},
        {" AND worker_id = ?", f->worker, 0},
        {" AND session_id = ?", f->session, 0},
        {" AND tool = ?", f->tool, 0},
        {" AND rule_id = ?", f->rule, 0},
        {" AND at >= ?", str_from(f->since), 0},
        {" AND at < ?", str_from(f->until), 0},
        {" AND command LIKE ? ESCAPE '\\'", f->text.len ? str_from(like) : (struct str){0}, 0},
        {" AND n < ?", {0}, f->before},
        {" AND n > ?", {0}, f->after},
    };
    int len = snprintf(sql, sizeof(sql), COLUMNS "FROM records WHERE 1");
    for (size_t i = 0; i < COUNT(conditions); i++)
        if (conditions[i].text.len || conditions[i].number)
            len += snprintf(sql + len, sizeof(sql) - (size_t)len, "%s", conditions[i].sql);
    snprintf(sql + len, sizeof(sql) - (size_t)len, " ORDER BY n %s LIMIT %zu",
             f->oldest_first ? "ASC" : "DESC", f->limit ? f->limit : INDEX_LIMIT_DEFAULT);
    enum status status = database_prepare(&of(x)->db, sql, &q, err);
    for (size_t i = 0, at = 0; status == STATUS_OK && i < COUNT(conditions); i++) {
        if (conditions[i].text.len)
            database_bind(q, (int)++at, conditions[i].text);
        else if (conditions[i].number)
            sqlite3_bind_int64(q, (int)++at, (sqlite3_int64)conditions[i].number);
    }
    if (status == STATUS_OK)
        status = visit_rows(of(x), q, visit, context, &found, err);
    sqlite3_finalize(q);
    return status;
}

static enum status get(struct index *x, struct str id, index_visit visit, void *context,
                       bool *found, struct error *err)
{
    sqlite3_stmt *q = NULL;
    char *end = NULL;
    unsigned long long n = id.len && id.len < 20 ? strtoull(id.s, &end, 10) : 0;
    bool number = end && end == id.s + id.len;
    enum status status = database_prepare(
        &of(x)->db,
        number ? COLUMNS "FROM records WHERE n = ?" : COLUMNS "FROM records WHERE id = ?", &q, err);

    *found = false;
    if (status == STATUS_OK) {
        if (number)
            sqlite3_bind_int64(q, 1, (sqlite3_int64)n);
        else
            database_bind(q, 1, id);
        status = visit_rows(of(x), q, visit, context, found, err);
    }
    sqlite3_finalize(q);
    return status;
}

static void close_index(struct index *x)
{
    struct sqlite_index *s = of(x);

    sqlite3_finalize(s->put);
    database_close(&s->db);
    free(s);
}

static const struct index_kind sqlite_kind = {
    .name = "sqlite",
    .begin = begin,
    .put = put,
    .forget = forget,
    .set_head = set_head,
    .commit = commit,
    .cancel = cancel,
    .head = head,
    .find = find,
    .get = get,
    .close = close_index,
};

enum status index_open_sqlite(const char *dir, int busy_ms, struct index **out, char **notice,
                              struct error *err)
{
    struct sqlite_index *s = calloc(1, sizeof(*s));

    *out = NULL;
    *notice = NULL;
    if (!s)
        return fail(err, STATUS_NOMEM, "out of memory");
    s->base.kind = &sqlite_kind;
    enum status status = database_open(&s->db, dir, busy_ms, notice, err);
    if (status != STATUS_OK) {
        close_index(&s->base);
        return status;
    }
    *out = &s->base;
    return STATUS_OK;
}
