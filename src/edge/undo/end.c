#include "undo/end.h"

#include <stdlib.h>

#include "undo/tracked.h"
#include "undo/whole.h"

struct touching {
    struct arena *arena;
    const struct undo_log *log;
    struct undo_touches *out;
};

static int by_path(const void *a, const void *b)
{
    return str_compare(((const struct undo_touched *)a)->path,
                       ((const struct undo_touched *)b)->path);
}

static void touch_all(void *arg)
{
    struct touching *t = arg;
    size_t kept = 0;

    for (size_t i = 0; i < t->log->ops.count; i++) {
        const struct undo_op *op = &t->log->ops.items[i];
        bool made = op->what == UNDO_NONE || op->what == UNDO_BACK;
        if (op->what == UNDO_LEFT || op->idle)
            continue; /* undo does not touch it */
        LIST_PUSH(t->arena, t->out, ((struct undo_touched){op->path, made, false, op}));
        if (op->to.len)
            LIST_PUSH(t->arena, t->out, ((struct undo_touched){op->to, false, false, NULL}));
    }
    if (t->out->count)
        qsort(t->out->items, t->out->count, sizeof(*t->out->items), by_path);
    for (size_t i = 0; i < t->out->count; i++) {
        struct undo_touched *at = &t->out->items[i];
        struct undo_touched *last = kept ? &t->out->items[kept - 1] : NULL;
        if (last && str_eq(last->path, at->path)) {
            last->made |= at->made;
            last->only = NULL;
        } else {
            t->out->items[kept++] = *at;
        }
    }
    t->out->count = kept;
}

bool undo_touched_paths(struct arena *a, const struct undo_log *log, struct undo_touches *out)
{
    struct touching t = {a, log, out};

    *out = (struct undo_touches){0};
    return arena_try(a, touch_all, &t);
}

/* Nobody can set the time of the last change; the line has it as of after the link was made. */
static bool is_untouched(const struct undo_op *op, const struct undo_state *now)
{
    return op && undo_may_be_idle(op) && op->was.kind == now->kind && op->was.inode == now->inode &&
           op->was.changed == now->changed && op->was.modified == now->modified &&
           op->was.size == now->size && op->was.mode == now->mode;
}

/* Of a directory, what is in it counts only if the call has made it: undo would take it away. Of
 * the files of a whole work tree that have a link, none is read: inode, size and times have to do.
 */
static bool is_digested(const struct undo_touched *t, const struct undo_state *now, bool whole)
{
    if (now->kind == UNDO_DIRECTORY)
        return t->made;
    return !(whole && now->kind == UNDO_FILE && t->only && t->only->link != UNDO_SLOT_NONE);
}

static enum status end_path(struct undo_entry *e, struct beneath_near *near,
                            const struct undo_touched *t, bool whole, struct error *err)
{
    struct undo_end end = {.path = t->path, .made = t->found};
    char digest[BENEATH_DIGEST];

    if (!beneath_look_near(near, e->store->workspace, t->path, &end.state))
        end.state.kind = UNDO_BEYOND;
    if (is_untouched(t->only, &end.state))
        return STATUS_OK;
    if (is_digested(t, &end.state, whole) &&
        beneath_digest(e->store->workspace, t->path, &end.state, digest))
        end.digest = str_from(digest);
    return undo_write_end(&e->writer, &end, err);
}

/* The lines about paths that are in the journal, or should be. */
static enum status end_touched(struct undo_entry *e, const struct undo_log *log,
                               const struct tracked_kept *kept, struct error *err)
{
    struct arena paths;
    struct undo_touches touched;
    struct beneath_near near = BENEATH_NEAR;
    enum status status = STATUS_OK;

    arena_init(&paths, UNDO_MEMORY_MAX);
    if (!undo_touched_paths(&paths, log, &touched))
        status = fail(err, STATUS_NOMEM, "the call has too many files");
    else if (log->header.whole)
        (void)undo_whole_find_new(&paths, e->store->workspace, log, kept, &touched);
    for (size_t i = 0; !status && i < touched.count; i++)
        status = end_path(e, &near, &touched.items[i], log->header.whole != UNDO_WHOLE_NOT, err);
    beneath_close(&near.at);
    arena_release(&paths);
    return status;
}

enum status undo_entry_end(struct undo_entry *e, const struct undo_log *log, struct error *err)
{
    struct tracked_kept kept;
    enum status status = tracked_recall(&kept, e->directory, log, err);

    e->writer.gathers = true;
    if (!status)
        status = end_touched(e, log, &kept, err);
    if (!status && log->tracked.any)
        status = tracked_end(e, log, &kept, err);
    if (!status)
        status = undo_write_ended(&e->writer, err);
    tracked_forget(&kept);
    e->writer.gathers = false;
    return status ? status : undo_writer_flush(&e->writer, err);
}
