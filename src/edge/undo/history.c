#include "undo/history.h"

#include <stdlib.h>

#include "base/auto.h"
#include "undo/beneath.h"

struct str undo_id_brief(struct str id)
{
    return str_from_byte(id, UNDO_ID_BRIEF);
}

enum status undo_find(const struct undo_rows *rows, struct str text, const struct undo_row **out,
                      struct error *err)
{
    size_t found = 0;

    *out = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct undo_row *row = &rows->items[i];
        if (!str_eq(row->id, text) && !(text.len && str_starts(undo_id_brief(row->id), text)))
            continue;
        *out = row;
        found++;
    }
    if (found == 1)
        return STATUS_OK;
    *out = NULL;
    return fail(err, STATUS_USAGE, "%s undo entry begins with %.40s",
                found ? "more than one" : "no", text.s);
}

/* ---- one row ---- */

static bool is_changed(const struct undo_state *was, const struct undo_state *end)
{
    return was->kind != end->kind || was->inode != end->inode || was->size != end->size ||
           was->modified != end->modified || was->mode != end->mode;
}

static void count_op(struct undo_row *row, const struct undo_log *log, const struct undo_op *op)
{
    const struct undo_end *end = undo_log_end(log, op->path);

    if (op->what == UNDO_LEFT)
        row->left++;
    if (!end || op->what == UNDO_LEFT)
        return;
    bool was = op->was.kind != UNDO_ABSENT,
         is = end->state.kind != UNDO_ABSENT && end->state.kind != UNDO_BEYOND;
    row->created += !was && is;
    row->deleted += was && !is;
    row->changed +=
        was && is && op->was.kind != UNDO_DIRECTORY && is_changed(&op->was, &end->state);
}

struct path_order {
    struct str path;
    size_t at;
};
struct path_orders LIST_OF(struct path_order);

static int by_path_and_order(const void *a, const void *b)
{
    const struct path_order *x = a, *y = b;
    int order = str_compare(x->path, y->path);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The first line about a path says what it was before the call. */
static void count_ops(struct arena *a, struct undo_row *row, const struct undo_log *log)
{
    struct path_orders list = {0};

    for (size_t i = 0; i < log->ops.count; i++)
        LIST_PUSH(a, &list, (struct path_order){log->ops.items[i].path, i});
    if (list.count)
        qsort(list.items, list.count, sizeof(*list.items), by_path_and_order);
    for (size_t i = 0; i < list.count; i++)
        if (i == 0 || !str_eq(list.items[i].path, list.items[i - 1].path))
            count_op(row, log, &log->ops.items[list.items[i].at]);
}

struct row_reading {
    struct arena *arena, *scratch;
    const struct undo_log *log;
    struct undo_row row;
    struct undo_rows *out;
};

static void add_row(void *arg)
{
    struct row_reading *r = arg;
    struct str *texts[] = {&r->row.header.session, &r->row.header.client,   &r->row.header.tool,
                           &r->row.header.use,     &r->row.header.decision, &r->row.header.hash,
                           &r->row.header.text,    &r->row.header.undoes,   &r->row.header.project};

    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i] = str_copy(r->arena, *texts[i]);
    LIST_PUSH(r->arena, r->out, r->row);
}

static void count_row(void *arg)
{
    struct row_reading *r = arg;

    count_ops(r->scratch, &r->row, r->log);
}

static enum status read_row(struct arena *a, struct arena *scratch, const struct undo_store *s,
                            struct str id, struct undo_rows *out, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    struct undo_log log = {0};
    struct row_reading r = {.arena = a, .scratch = scratch, .log = &log, .out = out};
    enum status status = undo_entry_directory(s, id.s, false, &directory, NULL);

    arena_reset(scratch);
    if (!status)
        status = undo_log_read(scratch, directory, &log, NULL);
    r.row.id = id;
    r.row.header = log.header;
    if (status || !arena_try(scratch, count_row, &r))
        r.row = (struct undo_row){.id = id, .standing = UNDO_DAMAGED};
    else if (log.rolling)
        r.row.standing = UNDO_TAKEN_BACK;
    else if (!log.ended)
        r.row.standing = UNDO_RUNS;
    return arena_try(a, add_row, &r) ? STATUS_OK : fail(err, STATUS_NOMEM, "too many undo entries");
}

/* ---- all of them ---- */

/* From the newest back: an undo that was undone itself takes nothing back. */
static void settle(struct undo_rows *rows)
{
    for (size_t i = rows->count; i > 0; i--) {
        const struct undo_row *row = &rows->items[i - 1];
        if (!row->header.undoes.len || row->header.part || row->standing != UNDO_STANDS)
            continue;
        for (size_t k = 0; k < i - 1; k++)
            if (str_eq(rows->items[k].id, row->header.undoes) &&
                rows->items[k].standing == UNDO_STANDS)
                rows->items[k].standing = UNDO_UNDONE;
    }
}

enum status undo_history(struct arena *a, const struct undo_store *s, struct undo_rows *out,
                         struct error *err)
{
    struct arena scratch;
    struct undo_ids ids;
    enum status status = undo_store_list(a, s, &ids, err);

    *out = (struct undo_rows){0};
    arena_init(&scratch, UNDO_MEMORY_MAX);
    for (size_t i = 0; !status && i < ids.count; i++)
        status = read_row(a, &scratch, s, ids.items[i], out, err);
    arena_release(&scratch);
    settle(out);
    return status;
}
