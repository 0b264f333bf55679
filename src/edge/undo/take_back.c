#include "undo/take_back.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "undo/content.h"

#define RENAME_ONLY_NEW 1u /* RENAME_NOREPLACE */

static bool is_empty(int directory, const char *name)
{
    int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    bool empty = d != NULL;

    if (!d)
        auto_close(&fd);
    for (const struct dirent *e; empty && (e = readdir(d)) != NULL;)
        empty = str_is(str_from(e->d_name), ".") || str_is(str_from(e->d_name), "..");
    if (d)
        closedir(d);
    return empty;
}

/* A directory that the command has made itself has another time. */
static bool is_stand_in(const struct beneath *b, const struct undo_op *op)
{
    struct undo_state now;

    return beneath_look_at(b->directory, b->name, &now) && now.kind == UNDO_DIRECTORY &&
           now.inode != op->was.inode && now.modified == op->was.modified &&
           is_empty(b->directory, b->name);
}

static bool come_back(struct undo_entry *e, const struct beneath *b, const struct undo_op *op)
{
    char name[UNDO_SLOT_SIZE];

    undo_slot_name(op->link, name);
    if (unlinkat(b->directory, b->name, AT_REMOVEDIR) < 0 ||
        syscall(SYS_renameat2, e->trash, name, b->directory, b->name, RENAME_ONLY_NEW) != 0)
        return false;
    if (op->above)
        mtime_write(b->directory, NULL, op->above);
    return true;
}

/* With links, the journal knows of them before the directory can be deleted again; without, it says
 * that it is back when it is. */
static enum status take_one(struct undo_entry *e, const struct beneath *b, const struct undo_op *op,
                            enum undo_over over, struct error *err)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state saved;
    enum status status = STATUS_OK;

    undo_slot_name(op->link, name);
    if (!beneath_look_at(e->trash, name, &saved) || saved.inode != op->was.inode)
        return STATUS_OK;
    if (over == UNDO_MAY_RUN && ((status = undo_save_tree_from(e, e->trash, name, op->path, err)) ||
                                 (status = undo_write_returned(&e->writer, op->link, err))))
        return status;
    if (!come_back(e, b, op))
        return STATUS_OK; /* the command was faster: it is in the trash */
    return over == UNDO_IS_OVER ? undo_write_returned(&e->writer, op->link, err) : STATUS_OK;
}

static bool has_any(const struct undo_log *log)
{
    for (size_t i = 0; i < log->ops.count; i++)
        if (log->ops.items[i].what == UNDO_ASIDE)
            return true;
    return false;
}

enum status undo_take_back(const struct undo_store *s, const char *id, struct undo_log *log,
                           enum undo_over over, struct error *err)
{
    struct undo_entry e;
    enum status status;

    if (log->ended || log->header.undoes.len || !has_any(log))
        return STATUS_OK;
    status = undo_entry_resume(&e, s, id, log, err);
    e.limits.lines = UNDO_OWN_LINES_MAX;
    for (size_t i = 0; !status && i < log->ops.count; i++) {
        struct beneath b;
        const struct undo_op *op = &log->ops.items[i];
        if (op->what != UNDO_ASIDE || !beneath_open(s->workspace, op->path, &b))
            continue;
        if (is_stand_in(&b, op))
            status = take_one(&e, &b, op, over, err);
        beneath_close(&b);
    }
    undo_entry_close(&e);
    return status;
}
