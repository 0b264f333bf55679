#include "record/state_fill.h"

#include "record/journal_read.h"
#include "record/review.h"

#define ROW_MEMORY_MAX ((size_t)64 * 1024 * 1024)

struct filling {
    struct database *db;
    struct state_db_progress *out;
    struct arena arena; /* of one record */
    struct chain_head head;
};

static enum status run_two(struct database *db, const char *sql, struct str first,
                           struct str second, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, sql, &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, first);
        database_bind(q, 2, second);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

static enum status set_record(struct filling *f, const char *sql, struct str id, uint64_t n,
                              struct error *err)
{
    char number[STR_NUMBER_MAX + 1];

    return run_two(f->db, sql, str_number(n, number), id, err);
}

/* The row of a token or a question, as it was when it was recorded. */
static enum status put_row(struct filling *f, const char *table, const struct chain_link *link,
                           struct str line, const char *mark, struct error *err)
{
    struct value v;

    arena_reset(&f->arena);
    if (json_read(&f->arena, line, NULL, &v, NULL) != STATUS_OK)
        return STATUS_OK;
    const struct value *row = value_get(&v, "row");
    if (!row || row->kind != VALUE_OBJECT)
        return STATUS_OK; /* of an older warder, which recorded less */
    enum status status = database_put_row(f->db, table, row, err);
    return status == STATUS_OK ? set_record(f, mark, value_text(row, "id"), link->n, err) : status;
}

/* A token that was revoked once stays revoked, whatever comes after it. */
static enum status take_token(struct filling *f, const struct chain_link *link, struct str line,
                              struct error *err)
{
    const bool revoked = str_is(chain_member(link->body, "action"), "revoked");
    enum status status =
        put_row(f, "tokens", link, line, "UPDATE tokens SET record = ?1 WHERE id = ?2", err);

    if (status != STATUS_OK || !revoked)
        return status;
    return run_two(f->db, "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?1) WHERE id = ?2",
                   link->at, chain_member(link->body, "token_id"), err);
}

static enum status take_end(struct filling *f, const struct chain_link *link, struct error *err)
{
    const struct review ended = review_end_of(link);
    bool taken;

    return ended.id.len ? review_end(f->db, &ended, &taken, err) : STATUS_OK;
}

static enum status take_delivery(struct filling *f, const struct chain_link *link,
                                 struct error *err)
{
    int64_t at = 0;
    bool taken;

    (void)stamp_parse(link->at, &at);
    return review_deliver(f->db, chain_member(link->body, "review_id"), at, &taken, err);
}

/* What was asked or given before a line that cannot be read may have ended in it. */
static enum status take_damage(struct filling *f, struct error *err)
{
    f->out->damaged++;
    return database_run(f->db,
                        "UPDATE tokens SET revoked_at = coalesce(revoked_at, created_at);"
                        "DELETE FROM reviews WHERE status = 'pending'",
                        err);
}

static enum status take_line(struct filling *f, struct str line, struct error *err)
{
    struct chain_link link;
    const bool readable = !chain_read(line, &link);
    enum status status = STATUS_OK;

    if (!readable || (f->head.n && chain_follow(&f->head, &link)))
        status = take_damage(f, err);
    if (!readable || status != STATUS_OK) {
        f->head = (struct chain_head){0};
        return status;
    }
    chain_take(&f->head, &link);
    f->out->records++;
    const struct str kind = chain_member(link.body, "kind");
    if (str_is(kind, "token"))
        return take_token(f, &link, line, err);
    if (str_is(kind, "review"))
        return put_row(f, "reviews", &link, line, "UPDATE reviews SET record = ?1 WHERE id = ?2",
                       err);
    if (str_is(kind, "decision"))
        return take_end(f, &link, err);
    return str_is(kind, "delivery") ? take_delivery(f, &link, err) : STATUS_OK;
}

static enum status read_all(struct filling *f, const char *dir, struct error *err)
{
    struct journal_reader reader;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&reader, dir, 0, err);

    while (status == STATUS_OK && got) {
        status = journal_next(&reader, false, &line, &got, err);
        if (status == STATUS_OK && got)
            status = take_line(f, line.text, err);
    }
    journal_reader_close(&reader);
    return status;
}

static enum status count(struct database *db, const char *sql, uint64_t *out, struct error *err)
{
    sqlite3_stmt *q = NULL;
    bool row = false;
    enum status status = database_prepare(db, sql, &q, err);

    if (status == STATUS_OK)
        status = database_next(db, q, &row, err);
    *out = row ? (uint64_t)sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return status;
}

enum status state_fill(struct database *db, const char *dir, struct state_db_progress *out,
                       struct error *err)
{
    struct filling f = {.db = db, .out = out};
    enum status status = database_run(db, "BEGIN IMMEDIATE", err);

    arena_init(&f.arena, ROW_MEMORY_MAX);
    if (status == STATUS_OK)
        status = read_all(&f, dir, err);
    if (status == STATUS_OK)
        status = count(db, "SELECT count(*) FROM tokens", &out->tokens, err);
    if (status == STATUS_OK)
        status = count(db, "SELECT count(*) FROM reviews", &out->reviews, err);
    if (status == STATUS_OK)
        status = database_run(db, "COMMIT", err);
    if (status != STATUS_OK)
        (void)database_run(db, "ROLLBACK", NULL);
    arena_release(&f.arena);
    return status;
}
