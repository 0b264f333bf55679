/* index_sync.c - from the journal to the table, whatever the database is. */
#include "base/json.h"
#include "record/index.h"

#define ROWS_PER_COMMIT 200 /* few enough that another writer waits only for milliseconds */
#define ROW_MEMORY_MAX  ((size_t)64 * 1024 * 1024)

void index_close(struct index *x)
{
    if (x)
        x->kind->close(x);
}

struct sync {
    struct index *index;
    struct journal_reader reader;
    struct arena arena; /* of one row */
    struct chain_head head;
    struct index_progress *out;
    size_t pending;
    uint64_t last; /* number of the last record that was read */
};

static enum status save(struct sync *s, struct error *err)
{
    enum status status = s->index->kind->set_head(s->index, &s->head, err);

    if (status == STATUS_OK)
        status = s->index->kind->commit(s->index, err);
    s->pending = 0;
    return status;
}

static enum status put(struct sync *s, const struct chain_link *link, struct str line,
                       struct error *err)
{
    struct value v;
    int64_t through;

    arena_reset(&s->arena);
    if (json_read(&s->arena, line, NULL, &v, NULL) != STATUS_OK) {
        s->out->damaged++; /* the hash is right, so it was written like this; but it cannot be
                              listed */
        return STATUS_OK;
    }
    const struct index_row row = {
        .n = link->n,
        .at = link->at,
        .kind = value_text(&v, "kind"),
        .id = value_text(&v, "id"),
        .decision = value_text(&v, "decision"),
        .project = value_text(&v, "project_id"),
        .worker = value_text(&v, "worker_id"),
        .session = value_text(&v, "session_id"),
        .tool = value_text(&v, "tool"),
        .rule = value_text(&v, "matched_rule_id"),
        .command = value_text(&v, "command"),
        .hash = link->hash,
        .line = line,
    };
    enum status status = s->index->kind->put(s->index, &row, err);
    const struct value *removed = value_get(&v, "removed_through");
    if (status == STATUS_OK && str_is(row.kind, "retention") && removed &&
        value_integer(removed, &through) && through > 0)
        status = s->index->kind->forget(s->index, (uint64_t)through, err);
    s->out->rows += status == STATUS_OK;
    return status;
}

/* If the last record of the table is not in the journal, or differs there, the table belongs to
 * another journal. */
static bool is_other_journal(const struct sync *s, const struct chain_link *link)
{
    return s->head.n == link->n && !str_is(link->hash, s->head.hash);
}

static enum status take_line(struct sync *s, struct str line, bool *other, struct error *err)
{
    struct chain_link link;

    if (chain_read(line, &link)) {
        s->out->damaged++;
        return STATUS_OK;
    }
    s->last = link.n;
    *other = is_other_journal(s, &link);
    if (*other || link.n <= s->head.n)
        return STATUS_OK;
    enum status status = s->pending ? STATUS_OK : s->index->kind->begin(s->index, err);
    if (status == STATUS_OK)
        status = put(s, &link, line, err);
    chain_take(&s->head, &link);
    if (status == STATUS_OK && ++s->pending >= ROWS_PER_COMMIT)
        status = save(s, err);
    return status;
}

static enum status clear(struct index *x, struct error *err)
{
    struct chain_head none = {0};
    enum status status = x->kind->begin(x, err);

    if (status == STATUS_OK)
        status = x->kind->forget(x, INT64_MAX, err);
    if (status == STATUS_OK)
        status = x->kind->set_head(x, &none, err);
    if (status == STATUS_OK)
        return x->kind->commit(x, err);
    x->kind->cancel(x);
    return status;
}

static enum status read_journal(struct sync *s, bool *other, struct error *err)
{
    struct journal_line line;
    bool got = true;
    enum status status = STATUS_OK;

    *other = false;
    while (status == STATUS_OK && got && !*other) {
        status = journal_next(&s->reader, false, &line, &got, err);
        if (status == STATUS_OK && got)
            status = take_line(s, line.text, other, err);
    }
    *other |= s->last < s->head.n;
    if (status == STATUS_OK && s->pending)
        status = save(s, err);
    if (status != STATUS_OK)
        s->index->kind->cancel(s->index);
    return status;
}

static enum status sync_once(struct index *x, const char *dir, struct index_progress *out,
                             bool *other, struct error *err)
{
    struct sync s = {.index = x, .out = out};
    enum status status = x->kind->head(x, &s.head, err);

    arena_init(&s.arena, ROW_MEMORY_MAX);
    if (status == STATUS_OK)
        status = journal_reader_open(&s.reader, dir, s.head.n, err);
    if (status == STATUS_OK)
        status = read_journal(&s, other, err);
    journal_reader_close(&s.reader);
    arena_release(&s.arena);
    return status;
}

enum status index_sync(struct index *x, const char *dir, bool again, struct index_progress *out,
                       struct error *err)
{
    bool other = again;
    enum status status = STATUS_OK;

    *out = (struct index_progress){0};
    if (!again)
        status = sync_once(x, dir, out, &other, err);
    if (status != STATUS_OK || !other)
        return status;
    *out = (struct index_progress){.rebuilt = true};
    status = clear(x, err);
    return status == STATUS_OK ? sync_once(x, dir, out, &other, err) : status;
}
