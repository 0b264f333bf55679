/* index_sync.c - from the journal to the table, whatever the database is. */
#include <sys/stat.h>

#include "base/json.h"
#include "machine/turns.h"
#include "record/index.h"

#define ROWS_PER_COMMIT 5000 /* of a file that only the log uses */
#define ROW_MEMORY_MAX  ((size_t)64 * 1024 * 1024)

static void stop_reading(struct index_reading *r)
{
    if (r->open)
        journal_reader_close(&r->journal);
    *r = (struct index_reading){0};
}

void index_close(struct index *x)
{
    if (!x)
        return;
    stop_reading(&x->sync);
    stop_reading(&x->ahead);
    x->kind->close(x);
}

/* The journal that it read is still the one of the directory. */
static bool can_go_on(const struct index_reading *r)
{
    struct stat st;

    return r->open && r->read && fstat(r->journal.segment, &st) == 0 && st.st_nlink > 0;
}

static enum status start_reading(struct index_reading *r, const char *dir, uint64_t from,
                                 struct error *err)
{
    stop_reading(r);
    r->open = true;
    return journal_reader_open(&r->journal, dir, from, err);
}

struct sync {
    struct index *index;
    enum status (*put)(struct index *x, const struct index_row *row, struct error *err);
    struct arena arena; /* of one row */
    struct chain_head head;
    struct index_progress *out;
    size_t pending, most;
};

static enum status save(struct sync *s, struct error *err)
{
    enum status status = s->index->kind->set_head(s->index, &s->head, err);

    if (status == STATUS_OK)
        status = s->index->kind->commit(s->index, err);
    s->pending = 0;
    return status;
}

static struct str kind_of(const struct value *v)
{
    const struct value *again = value_get(v, "again");
    bool repeats = again && again->kind == VALUE_BOOL && again->boolean &&
                   str_is(value_text(v, "decision"), "auto-accept");

    return repeats ? STR(INDEX_REPEAT) : value_text(v, "kind");
}

static enum status put(struct sync *s, const struct chain_link *link, struct str line,
                       struct error *err)
{
    struct value v;

    arena_reset(&s->arena);
    if (json_read(&s->arena, line, NULL, &v, NULL) != STATUS_OK) {
        s->out->damaged++; /* the hash is right, so it was written like this; but it cannot be
                              listed */
        return STATUS_OK;
    }
    const struct index_row row = {
        .n = link->n,
        .at = link->at,
        .kind = kind_of(&v),
        .id = value_text(&v, "id"),
        .decision = value_text(&v, "decision"),
        .project = value_text(&v, "project_id"),
        .worker = value_text(&v, "worker_id"),
        .session = value_text(&v, "session_id"),
        .tool = value_text(&v, "tool"),
        .rule = value_text(&v, "matched_rule_id"),
        .command = value_text(&v, "command"),
        .answers = value_text(&v, "answers"),
        .hash = link->hash,
        .line = line,
    };
    enum status status = s->put(s->index, &row, err);
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
    s->index->sync.read = link.n;
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

static enum status read_journal(struct sync *s, bool *other, struct error *err)
{
    struct journal_line line;
    bool got = true;
    enum status status = STATUS_OK;

    *other = false;
    while (status == STATUS_OK && got && !*other && !s->out->more) {
        status = journal_next(&s->index->sync.journal, false, &line, &got, err);
        if (status == STATUS_OK && got)
            status = take_line(s, line.text, other, err);
        s->out->more = s->most && s->out->rows >= s->most;
    }
    *other |= s->index->sync.read < s->head.n;
    if (status == STATUS_OK && s->pending)
        status = save(s, err);
    if (status != STATUS_OK)
        s->index->kind->cancel(s->index);
    return status;
}

/* Retention has removed what is before the oldest segment. */
static enum status forget_removed(struct sync *s, struct error *err)
{
    struct segments list = {0};
    bool more = false;
    enum status status = STATUS_OK;

    if (s->index->sync.journal.directory >= 0)
        status = segments_list(s->index->sync.journal.directory, &list, err);
    const uint64_t oldest = list.count ? list.first[0] : 0;
    segments_release(&list);
    if (oldest > 1)
        do
            status = s->index->kind->forget(s->index, oldest - 1, &more, err);
        while (status == STATUS_OK && more && !s->most);
    s->out->more |= more;
    return status;
}

static enum status sync_once(struct index *x, const char *dir, size_t most,
                             struct index_progress *out, bool *other, struct error *err)
{
    struct sync s = {.index = x, .put = x->kind->put, .out = out, .most = most};
    enum status status = x->kind->head(x, &s.head, err);

    arena_init(&s.arena, ROW_MEMORY_MAX);
    /* The table may have been begun again meanwhile. */
    if (status == STATUS_OK && !(can_go_on(&x->sync) && x->sync.read <= s.head.n))
        status = start_reading(&x->sync, dir, s.head.n, err);
    if (status == STATUS_OK)
        status = read_journal(&s, other, err);
    if (status == STATUS_OK && !*other)
        status = forget_removed(&s, err);
    if (status == STATUS_OK && !*other && !out->more) {
        status = x->kind->complete(x, err);
        x->complete = status == STATUS_OK;
    }
    if (status != STATUS_OK || *other)
        stop_reading(&x->sync);
    arena_release(&s.arena);
    return status;
}

static enum status sync_or_clear(struct index *x, const char *dir, bool again, size_t most,
                                 struct index_progress *out, struct error *err)
{
    bool other = again;
    enum status status = STATUS_OK;

    *out = (struct index_progress){0};
    if (!again)
        status = sync_once(x, dir, most, out, &other, err);
    if (status != STATUS_OK || !other)
        return status;
    *out = (struct index_progress){.rebuilt = true};
    status = x->kind->clear(x, err);
    return status == STATUS_OK ? sync_once(x, dir, most, out, &other, err) : status;
}

/* ---- without writing ---- */

#define HELD_MAX ((size_t)64 * 1024 * 1024) /* bytes of journal; docs/service.md */

static enum status hold_line(struct sync *s, struct str line, bool *other, struct error *err)
{
    struct index *x = s->index;
    struct chain_link link;

    if (chain_read(line, &link))
        return STATUS_OK;
    x->ahead.read = link.n;
    *other |= is_other_journal(s, &link);
    if (*other || link.n <= s->head.n)
        return STATUS_OK;
    x->held += line.len;
    return put(s, &link, line, err);
}

static enum status hold_rest(struct sync *s, bool *whole, struct error *err)
{
    struct index *x = s->index;
    struct journal_line line;
    bool got = true, other = false;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && got && !other && x->held <= HELD_MAX) {
        status = journal_next(&x->ahead.journal, false, &line, &got, err);
        if (status == STATUS_OK && got)
            status = hold_line(s, line.text, &other, err);
        turns_rest();
    }
    *whole = status == STATUS_OK && !other && x->held <= HELD_MAX && x->ahead.read >= s->head.n;
    return status;
}

/* What is held must begin right after the head, or before it. */
static enum status start_ahead(struct index *x, const char *dir, uint64_t head, struct error *err)
{
    const bool goes_on = can_go_on(&x->ahead) && x->held_from <= head && x->held <= HELD_MAX;
    enum status status = x->kind->drop(x, goes_on ? head : UINT64_MAX, err);

    if (goes_on || status != STATUS_OK)
        return status;
    x->held_from = head;
    x->held = 0;
    return start_reading(&x->ahead, dir, head, err);
}

enum status index_look_ahead(struct index *x, const char *dir, bool *whole, struct error *err)
{
    struct index_progress ignored = {0};
    struct sync s = {.index = x, .put = x->kind->hold, .out = &ignored};
    bool revived = false;
    enum status status = x->kind->revive(x, &revived, err);

    *whole = false;
    x->complete &= !revived;
    if (status != STATUS_OK || !x->complete)
        return status;
    arena_init(&s.arena, ROW_MEMORY_MAX);
    if ((status = x->kind->head(x, &s.head, err)) == STATUS_OK &&
        (status = start_ahead(x, dir, s.head.n, err)) == STATUS_OK)
        status = hold_rest(&s, whole, err);
    if (!*whole)
        stop_reading(&x->ahead);
    arena_release(&s.arena);
    return status;
}

/* ---- all of it ---- */

enum status index_sync(struct index *x, const char *dir, bool again, size_t most,
                       struct index_progress *out, struct error *err)
{
    struct error inner = {0};
    bool revived = false;
    enum status status = x->kind->revive(x, &revived, err);

    if (status == STATUS_OK)
        status = sync_or_clear(x, dir, again, most, out, err);
    if (status == STATUS_OK || x->kind->revive(x, &revived, &inner) != STATUS_OK || !revived)
        return status;
    status = sync_or_clear(x, dir, false, most, out, err); /* it was damaged inside */
    out->rebuilt = true;
    return status;
}

#define FOLLOW_ROWS 200 /* of a piece: a record that is being written waits for no more */

enum status index_follow(struct index *x, const char *dir, struct error *err)
{
    struct index_progress progress = {.more = true};
    bool whole = false;
    enum status status = index_look_ahead(x, dir, &whole, err);

    while (!whole && progress.more) {
        if ((status = index_sync(x, dir, false, FOLLOW_ROWS, &progress, err)) != STATUS_OK)
            return status;
        turns_rest();
    }
    return status;
}
