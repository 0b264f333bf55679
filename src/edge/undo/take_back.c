#include "undo/take_back.h"

#include <unistd.h>

#include "undo/content.h"
#include "undo/stand_in.h"

/* Whether this line may be about a directory that is in the trash, with a link in its place. One
 * that says that it returned was written before the directory came back. */
static bool may_be_away(const struct undo_op *op)
{
    return op->link != UNDO_SLOT_NONE && (op->what == UNDO_ASIDE || op->what == UNDO_MADE);
}

static bool is_away(const struct undo_entry *e, const struct beneath *b, const struct undo_op *op)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state saved;

    undo_slot_name(op->link, name);
    return stand_in_is(b, e->trash, name) && beneath_look_at(e->trash, name, &saved) &&
           saved.kind == UNDO_DIRECTORY && saved.inode == op->was.inode;
}

static bool come_back(struct undo_entry *e, const struct beneath *b, const struct undo_op *op)
{
    char name[UNDO_SLOT_SIZE];

    if (!stand_in_end(b, e->trash, undo_slot_name(op->link, name)))
        return false;
    mtime_moved(b, &op->was);
    if (op->above)
        mtime_write(b->directory, NULL, op->above);
    return true;
}

/* With links, the journal knows of them before the directory can be deleted again; without, it says
 * that it is back when it is. */
static enum status take_one(struct undo_entry *e, const struct beneath *b, const struct undo_op *op,
                            enum undo_over over, struct error *err)
{
    const bool told = op->what == UNDO_MADE || over == UNDO_IS_CLOSED;
    const bool links = over == UNDO_MAY_RUN && !told;
    char name[UNDO_SLOT_SIZE];
    enum status status;

    undo_slot_name(op->link, name);
    if (links && ((status = undo_save_tree_from(e, e->trash, name, op->path, err)) ||
                  (status = undo_write_returned(&e->writer, op->link, err))))
        return status;
    if (!come_back(e, b, op) || links || told)
        return STATUS_OK; /* or the command was faster: it is in the trash */
    return undo_write_returned(&e->writer, op->link, err);
}

static bool has_any(const struct undo_log *log)
{
    for (size_t i = 0; i < log->ops.count; i++)
        if (may_be_away(&log->ops.items[i]))
            return true;
    return false;
}

typedef enum status away_fn(struct undo_entry *e, const struct beneath *b, const struct undo_op *op,
                            enum undo_over over, struct error *err);

/* The last first: a directory may have been moved away before the one above it was. */
static enum status each_away(struct undo_entry *e, const struct undo_log *log, away_fn *visit,
                             enum undo_over over, struct error *err)
{
    enum status status = STATUS_OK;

    for (size_t i = log->ops.count; !status && i > 0; i--) {
        struct beneath b;
        const struct undo_op *op = &log->ops.items[i - 1];
        if (!may_be_away(op) || !beneath_open(e->store->workspace, op->path, &b))
            continue;
        if (is_away(e, &b, op))
            status = visit(e, &b, op, over, err);
        beneath_close(&b);
    }
    return status;
}

enum status undo_take_back(const struct undo_store *s, const char *id, const struct undo_log *log,
                           enum undo_over over, struct error *err)
{
    struct undo_entry e;
    enum status status;

    if (log->header.undoes.len || !has_any(log))
        return STATUS_OK;
    status = undo_entry_resume(&e, s, id, log, err);
    e.limits.lines = UNDO_OWN_LINES_MAX;
    if (!status)
        status = each_away(&e, log, take_one, log->ended ? UNDO_IS_CLOSED : over, err);
    undo_entry_close(&e);
    return status;
}

/* STATUS_LIMIT ends the walk: one is enough. */
static enum status find_one(struct undo_entry *e, const struct beneath *b, const struct undo_op *op,
                            enum undo_over over, struct error *err)
{
    (void)e, (void)b, (void)op, (void)over, (void)err;
    return STATUS_LIMIT;
}

bool undo_is_away(const struct undo_store *s, const char *id, const struct undo_log *log)
{
    struct undo_entry e = {.store = s};
    bool away = !log->header.undoes.len && has_any(log) &&
                !undo_trash_directory(s, id, log->header.in_git, false, &e.trash, NULL);

    if (away) {
        away = each_away(&e, log, find_one, UNDO_IS_CLOSED, NULL) == STATUS_LIMIT;
        close(e.trash);
    }
    return away;
}
