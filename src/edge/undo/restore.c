#include "undo/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/utf8.h"
#include "machine/own.h"
#include "undo/content.h"
#include "undo/end.h"
#include "undo/git_objects.h"
#include "undo/take_back.h"

#define RENAME_ONLY_NEW 1u /* RENAME_NOREPLACE */

/* A walk back through one journal. `own` gets a line before each change; in a rollback it is the
 * entry itself, and silent. */
struct walk {
    const struct undo_store *store;
    const struct undo_log *log;
    struct undo_entry *own;
    int trash;
    struct str id;               /* of the entry that is walked */
    struct git_objects *objects; /* what git has; NULL: no line needs it */
    bool changed;                /* by this step */
    const struct strs *links;    /* in the place of directories, that are put aside; NULL: none */
    struct error *err;
};

static enum status cannot(const struct walk *w, const struct undo_op *op, const char *what)
{
    return fail(w->err, STATUS_IO, "cannot %s %.*s: %s", what, STR_ARG(utf8_cut(op->path, 120)),
                strerror(errno));
}

static bool rename_new(int from, const char *name, int to, const char *other)
{
    return syscall(SYS_renameat2, from, name, to, other, RENAME_ONLY_NEW) == 0;
}

static enum status set_aside(struct walk *w, const struct undo_op *op)
{
    w->changed = true;
    return undo_set_aside(w->own, op->path, w->err);
}

/* A line of our own journal. What cannot be saved is not changed. */
static enum status save(struct walk *w, struct str path, enum undo_fate fate)
{
    w->changed = true;
    return undo_save(w->own, path, fate, w->err);
}

/* ---- files ---- */

static int open_slot(const struct walk *w, int64_t slot)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state seen;

    undo_slot_name(slot, name);
    if (slot == UNDO_SLOT_NONE || !beneath_look_at(w->trash, name, &seen))
        return -1;
    return content_open(w->trash, name, seen.inode, O_RDONLY);
}

/* What was saved of its content: in a slot, or as git has it, in a file without a name. */
static int open_content(const struct walk *w, const struct undo_op *op)
{
    struct error err = {0};
    struct git_content content;

    if (!op->blob)
        return open_slot(w, op->copy);
    if (!w->objects || !git_object_read(w->objects, op->blob, &content))
        return -1;
    int fd = memfd_create("content", MFD_CLOEXEC);
    if (fd >= 0 && own_write(fd, "a file", (struct str){content.bytes, content.len}, &err)) {
        close(fd);
        fd = -1;
    }
    free(content.bytes);
    return fd;
}

static bool has_content(const struct undo_op *op)
{
    return op->copy != UNDO_SLOT_NONE || op->blob;
}

/* Opens for writing what its owner may have made read-only: its mode comes back at the end. */
static int open_to_write(const struct beneath *b, const struct undo_state *now)
{
    int fd = content_open(b->directory, b->name, now->inode, O_RDWR);

    if (fd >= 0 || now->kind != UNDO_FILE || (now->mode & S_IWUSR && now->mode & S_IRUSR))
        return fd;
    if (fchmodat(b->directory, b->name, now->mode | S_IRUSR | S_IWUSR, AT_SYMLINK_NOFOLLOW) < 0)
        return -1;
    return content_open(b->directory, b->name, now->inode, O_RDWR);
}

static bool marks_equal(const struct undo_state *a, const struct undo_state *b)
{
    return a->mode == b->mode && a->user == b->user && a->group == b->group &&
           a->modified == b->modified;
}

static bool write_back(struct walk *w, const struct undo_op *op, const struct beneath *b, int from,
                       int to)
{
    struct strs attrs;
    struct undo_state now;
    bool good = content_equal(from, to) || content_copy(from, to);

    arena_reset(&w->own->arena);
    if (op->has_attrs)
        good =
            good && attrs_read(&w->own->arena, to, &attrs) && attrs_write(to, &attrs, &op->attrs);
    return good && beneath_look_at(b->directory, b->name, &now) &&
           marks_write(b->directory, b->name, &now, &op->was);
}

static bool is_as_it_was(struct walk *w, const struct undo_op *op, const struct undo_state *now,
                         int from, int to)
{
    struct strs attrs = {0};

    arena_reset(&w->own->arena);
    return marks_equal(now, &op->was) &&
           (!op->has_attrs ||
            (attrs_read(&w->own->arena, to, &attrs) && attrs_equal(&attrs, &op->attrs))) &&
           content_equal(from, to);
}

/* The content comes back into the same file, so that its other names have it, too. */
static enum status put_content(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_state now;
    enum status status;

    if (!has_content(op) || op->was.kind != UNDO_FILE)
        return STATUS_OK;
    AUTO_CLOSE int from = open_content(w, op);
    if (from < 0 || !beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "read what was saved of");
    AUTO_CLOSE int look = content_open(b->directory, b->name, now.inode, O_RDONLY);
    if (look >= 0 && is_as_it_was(w, op, &now, from, look))
        return STATUS_OK;
    if ((status = save(w, op->path, UNDO_WRITTEN)))
        return status;
    AUTO_CLOSE int to = open_to_write(b, &now);
    if (to < 0 || !write_back(w, op, b, from, to))
        return cannot(w, op, "write");
    return STATUS_OK;
}

static bool create_file(const struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    AUTO_CLOSE int from = open_content(w, op);
    AUTO_CLOSE int to =
        from < 0 ? -1
                 : openat(b->directory, b->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                          S_IRUSR | S_IWUSR);

    return to >= 0 && content_copy(from, to);
}

static bool create_link(const struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    char name[UNDO_SLOT_SIZE], target[PATH_MAX];
    ssize_t n = readlinkat(w->trash, undo_slot_name(op->copy, name), target, sizeof(target) - 1);

    if (n <= 0)
        return false;
    target[n] = '\0';
    if (symlinkat(target, b->directory, b->name) < 0)
        return false;
    mtime_write(b->directory, b->name, op->was.modified);
    return true;
}

/* At a name that is free. */
static enum status give_back(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    char name[UNDO_SLOT_SIZE];
    enum status status = save(w, op->path, UNDO_REPLACED);
    bool good;

    if (status)
        return status;
    if (op->link != UNDO_SLOT_NONE)
        good = linkat(w->trash, undo_slot_name(op->link, name), b->directory, b->name, 0) == 0;
    else
        good = op->was.kind == UNDO_LINK ? create_link(w, op, b) : create_file(w, op, b);
    return good ? put_content(w, op, b) : cannot(w, op, "give back");
}

/* A file that is too large for a copy is moved away instead, and its old content gets a new file.
 */
static bool is_too_large(const struct walk *w, const struct undo_op *op,
                         const struct undo_state *now)
{
    return !w->own->silent && has_content(op) && now->size + w->own->bytes > w->own->limits.bytes;
}

/* Its directory may have been moved away, with the file: what is written there is the person's. */
static bool is_in_new_directory(const struct walk *w, struct str path)
{
    for (size_t i = 0; w->links && i < w->links->count; i++) {
        const struct str link = w->links->items[i];
        if (path.len > link.len && path.s[link.len] == '/' && str_starts(path, link))
            return true;
    }
    return false;
}

static enum status step_keep(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_op fresh = *op;
    struct undo_state now;
    enum status status;

    if (!beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "look at");
    bool same = now.kind == op->was.kind && (now.inode == op->was.inode ||
                                             (op->link == UNDO_SLOT_NONE && now.kind == UNDO_FILE));
    if (same && is_too_large(w, op, &now))
        fresh.link = UNDO_SLOT_NONE;
    else if (same)
        return put_content(w, op, b);
    if (has_content(op) && is_in_new_directory(w, op->path))
        fresh.link = UNDO_SLOT_NONE;
    if (now.kind != UNDO_ABSENT && (status = set_aside(w, op)))
        return status;
    return give_back(w, &fresh, b);
}

/* ---- directories and names ---- */

static enum status put_marks(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_state now;
    struct strs attrs = {0};
    AUTO_CLOSE int fd =
        openat(b->directory, b->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    arena_reset(&w->own->arena);
    if (!beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "look at");
    if (op->has_attrs &&
        (fd < 0 || !attrs_read(&w->own->arena, fd, &attrs) ||
         (!attrs_equal(&attrs, &op->attrs) && !attrs_write(fd, &attrs, &op->attrs))))
        return cannot(w, op, "set attributes of");
    if (!marks_write(b->directory, b->name, &now, &op->was))
        return cannot(w, op, "set the mode of");
    return STATUS_OK;
}

static enum status make_directory(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    enum status status = save(w, op->path, UNDO_REPLACED);

    if (status)
        return status;
    if (mkdirat(b->directory, b->name, S_IRWXU) < 0)
        return cannot(w, op, "make");
    return put_marks(w, op, b);
}

static enum status step_made(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_state now;
    enum status status;

    if (!beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "look at");
    if (now.kind == UNDO_DIRECTORY) {
        status = undo_save(w->own, op->path, UNDO_REPLACED, w->err);
        return status ? status : put_marks(w, op, b);
    }
    if (now.kind != UNDO_ABSENT && (status = set_aside(w, op)))
        return status;
    return make_directory(w, op, b);
}

/* What is there on the way back is what the call had found there, made anew or not. */
static enum status step_mode(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_state now;
    enum status status;

    if (!beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "look at");
    if (now.kind != op->was.kind || now.mode == op->was.mode)
        return STATUS_OK;
    if ((status = undo_save_mode(w->own, op->path, w->err)))
        return status;
    return fchmodat(b->directory, b->name, op->was.mode, AT_SYMLINK_NOFOLLOW) == 0
               ? STATUS_OK
               : cannot(w, op, "set the mode of");
}

static enum status step_none(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct undo_state now;

    if (!beneath_look_at(b->directory, b->name, &now))
        return cannot(w, op, "look at");
    return now.kind == UNDO_ABSENT ? STATUS_OK : set_aside(w, op);
}

/* If nothing is at the old name here, on the way back, then it was moved: every other way to lose
 * it has a line of its own, which has brought it back by now. */
static bool was_moved(const struct undo_state *was, const struct undo_state *now)
{
    if (was->kind != now->kind || was->kind == UNDO_ABSENT)
        return false;
    return was->inode == now->inode || was->kind == UNDO_DIRECTORY ||
           (was->size == now->size && was->modified == now->modified);
}

/* A link on the way that was there when somebody looked; any other is an attack, or bad luck. */
static bool is_listed(const struct walk *w, struct str path)
{
    const struct str link = beneath_link_above(w->store->workspace, path);
    const bool listed = link.len && w->links && strs_has(w->links, link);

    errno = ELOOP;
    return listed;
}

static enum status step_move(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    struct beneath to;
    struct undo_state from_now, to_now;
    enum status status = STATUS_OK;

    if (!beneath_look_at(b->directory, b->name, &from_now))
        return cannot(w, op, "look at");
    if (!beneath_open(w->store->workspace, op->to, &to))
        status = errno == ENOENT || errno == ENOTDIR || (errno == ELOOP && is_listed(w, op->to))
                     ? STATUS_OK
                     : cannot(w, op, "reach");
    else if (from_now.kind == UNDO_ABSENT && beneath_look_at(to.directory, to.name, &to_now) &&
             was_moved(&op->was, &to_now)) {
        w->changed = true;
        if (!w->own->silent)
            status = undo_save_move(w->own, op->to, op->path, w->err);
        if (!status && !rename_new(to.directory, to.name, b->directory, b->name))
            status = cannot(w, op, "move back");
        if (!status)
            mtime_moved(b, &op->was);
        if (!status && op->above_to)
            mtime_write(to.directory, NULL, op->above_to);
    }
    beneath_close(&to);
    return status;
}

static enum status step_aside(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state now, saved;
    enum status status = STATUS_OK;

    undo_slot_name(op->link, name);
    if (!beneath_look_at(b->directory, b->name, &now) || !beneath_look_at(w->trash, name, &saved))
        return cannot(w, op, "look at");
    if (saved.inode != op->was.inode && now.inode == op->was.inode)
        return STATUS_OK; /* it was never moved, or is back */
    if (now.kind != UNDO_ABSENT && (status = set_aside(w, op)))
        return status;
    w->changed = true;
    if (!w->own->silent)
        status = undo_save_back(w->own, op->path, w->id, op->link, w->err);
    if (!status && !rename_new(w->trash, name, b->directory, b->name))
        status = cannot(w, op, "move back");
    if (!status)
        mtime_moved(b, &op->was);
    return status;
}

/* A rollback returns it to the trash that it came from; a redo takes it into its own. */
static enum status step_back(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    char name[UNDO_SLOT_SIZE], id[UNDO_ID_SIZE];
    AUTO_CLOSE int trash = -1;

    if (w->own->silent && undo_id_is(op->entry)) {
        memcpy(id, op->entry.s, sizeof(id));
        if (!undo_trash_directory(w->store, id, w->log->header.in_git, false, &trash, NULL) &&
            (rename_new(b->directory, b->name, trash, undo_slot_name(op->link, name)) ||
             errno == ENOENT))
            return STATUS_OK;
    }
    return step_none(w, op, b);
}

static enum status step_at(struct walk *w, const struct undo_op *op, const struct beneath *b)
{
    switch (op->what) {
    case UNDO_KEEP:
        return step_keep(w, op, b);
    case UNDO_NONE:
        return step_none(w, op, b);
    case UNDO_MADE:
        return step_made(w, op, b);
    case UNDO_MOVE:
        return step_move(w, op, b);
    case UNDO_ASIDE:
        return step_aside(w, op, b);
    case UNDO_BACK:
        return step_back(w, op, b);
    case UNDO_MODE:
        return step_mode(w, op, b);
    case UNDO_LEFT:
        break;
    }
    return STATUS_OK;
}

/* Where its directory is not, nothing is. */
static bool needs_directory(const struct undo_op *op)
{
    return op->what != UNDO_NONE && op->what != UNDO_BACK && op->what != UNDO_MOVE &&
           op->what != UNDO_MODE;
}

/* ... nor where a link is in its place: one that the call has made between two lines, since it need
 * not say what becomes of its own. The line before removes it. */
static bool is_to_be_absent(const struct undo_op *op)
{
    return op->what == UNDO_NONE;
}

/* One that is not there; no line says what it was. */
static enum status make_missing(struct walk *w, struct str path)
{
    const struct undo_op op = {.path = path};
    struct undo_state now;
    struct beneath b;
    enum status status = STATUS_OK;

    if (!beneath_open(w->store->workspace, path, &b) || !beneath_look_at(b.directory, b.name, &now))
        status = cannot(w, &op, "reach");
    else if (now.kind == UNDO_ABSENT && !(status = save(w, path, UNDO_REPLACED)) &&
             mkdirat(b.directory, b.name, S_IRWXU | S_IRWXG | S_IRWXO) < 0)
        status = cannot(w, &op, "make");
    beneath_close(&b);
    return status;
}

/* In the place of a directory is a link, which somebody has made since: it is put aside, and the
 * directories of the path are made. */
static enum status clear_way(struct walk *w, struct str path)
{
    const struct str link = beneath_link_above(w->store->workspace, path);
    char above[PATH_MAX];
    enum status status = STATUS_OK;

    for (size_t i = link.len; !status && link.len && i < path.len && i < sizeof(above); i++) {
        if (path.s[i] != '/')
            continue;
        memcpy(above, path.s, i);
        above[i] = '\0';
        w->changed = true;
        if (i == link.len)
            status = undo_set_aside(w->own, (struct str){above, i}, w->err);
        if (!status)
            status = make_missing(w, (struct str){above, i});
    }
    return status;
}

/* The directory of its path, which is there, or is made where the wish says so. */
static enum status reach(struct walk *w, const struct undo_op *op, struct beneath *out)
{
    enum status status;

    if (beneath_open(w->store->workspace, op->path, out))
        return STATUS_OK;
    if (errno == ELOOP && is_listed(w, op->path) &&
        (needs_directory(op) || op->what == UNDO_MOVE)) {
        if ((status = clear_way(w, op->path)) || beneath_open(w->store->workspace, op->path, out))
            return status;
    } else if (errno == ENOENT || errno == ENOTDIR ||
               (errno == ELOOP && (is_to_be_absent(op) || is_listed(w, op->path)))) {
        if (!needs_directory(op))
            return STATUS_OK;
    }
    return cannot(w, op, "reach");
}

static enum status step(struct walk *w, const struct undo_op *op)
{
    struct beneath b;
    enum status status;

    if (op->what == UNDO_LEFT)
        return STATUS_OK;
    w->changed = false;
    status = reach(w, op, &b);
    if (!status && b.directory >= 0) {
        status = step_at(w, op, &b);
        /* The step of a rollback may have been taken by one that was killed then. */
        if (!status && (w->changed || w->own->silent) && op->above)
            mtime_write(b.directory, NULL, op->above);
    }
    beneath_close(&b);
    return status;
}

/* ---- taking back ---- */

static enum status roll_back(struct arena *a, const struct undo_store *s, const char *id,
                             struct undo_log *log, struct error *err)
{
    struct undo_entry own;
    struct walk w = {.store = s, .log = log, .own = &own, .id = str_from(id), .err = err};
    enum status status = undo_entry_resume(&own, s, id, log, err);

    (void)a; /* as close_open() */
    own.silent = true;
    w.trash = own.trash;
    for (size_t left = log->rolling ? log->rolled : log->ops.count; !status && left > 0; left--) {
        status = step(&w, &log->ops.items[left - 1]);
        if (!status)
            status = undo_write_rolled(&own.writer, left - 1, err);
    }
    if (!status && log->ops.count == 0)
        status = undo_write_rolled(&own.writer, 0, err);
    if (!status)
        status = undo_write_ended(&own.writer, err);
    undo_entry_close(&own);
    return status;
}

static enum status read_log(struct arena *a, const struct undo_store *s, const char *id,
                            struct undo_log *out, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = undo_entry_directory(s, id, false, &directory, err);

    return status ? status : undo_log_read(a, directory, out, err);
}

typedef enum status fix_fn(struct arena *a, const struct undo_store *s, const char *id,
                           struct undo_log *log, struct error *err);

/* Calls fix() for an entry that has no end. One that cannot be read is left, for a person to see;
 * one that says nothing, because its process was killed then, is removed. */
static enum status fix_open(struct arena *a, const struct undo_store *s, const char *id, bool undos,
                            size_t *count, fix_fn *fix, struct error *err)
{
    struct undo_log log;
    enum status status;

    if (undo_entry_is_held(s, id))
        return STATUS_OK;
    status = read_log(a, s, id, &log, NULL);
    if (status == STATUS_USAGE)
        return undo_entry_remove(s, id, err);
    if (status || log.ended || (log.header.undoes.len > 0) != undos)
        return STATUS_OK;
    if (count)
        (*count)++;
    return fix(a, s, id, &log, err);
}

static enum status each_open(const struct undo_store *s, bool undos, size_t *count, fix_fn *fix,
                             struct error *err)
{
    struct arena ids, a;
    struct undo_ids all;
    enum status status;

    arena_init(&ids, UNDO_MEMORY_MAX);
    arena_init(&a, UNDO_MEMORY_MAX);
    status = undo_store_list(&ids, s, &all, err);
    for (size_t i = all.count; !status && i > 0; i--) { /* the newest first */
        arena_reset(&a);
        status = fix_open(&a, s, all.items[i - 1].s, undos, count, fix, err);
    }
    arena_release(&a);
    arena_release(&ids);
    return status;
}

enum status undo_recover(const struct undo_store *s, size_t *count, struct error *err)
{
    if (count)
        *count = 0;
    return s->entries < 0 ? STATUS_OK : each_open(s, true, count, roll_back, err);
}

/* Reads it again: taking something back has added lines. */
static enum status take_back(struct arena *a, const struct undo_store *s, const char *id,
                             struct undo_log *log, enum undo_over over, struct error *err)
{
    enum status status = undo_take_back(s, id, log, over, err);

    return status || log->header.undoes.len ? status : read_log(a, s, id, log, err);
}

static enum status close_one(struct arena *a, const struct undo_store *s, const char *id,
                             struct undo_log *log, enum undo_over over, struct error *err)
{
    struct undo_entry e;
    enum status status = take_back(a, s, id, log, over, err);

    if (status)
        return status;
    if (!log->ops.count && !log->header.undoes.len) /* the call has changed nothing */
        return undo_entry_remove(s, id, err);
    status = undo_entry_resume(&e, s, id, log, err);
    if (!status)
        status = undo_entry_end(&e, log, err);
    undo_entry_close(&e);
    return status;
}

static enum status close_open(struct arena *a, const struct undo_store *s, const char *id,
                              struct undo_log *log, struct error *err)
{
    return close_one(a, s, id, log, UNDO_MAY_RUN, err);
}

enum status undo_close_open(const struct undo_store *s, struct error *err)
{
    return s->entries < 0 ? STATUS_OK : each_open(s, false, NULL, close_open, err);
}

/* Is there nothing to close, or more than somebody who waits has time for? */
static bool is_passed(const struct undo_store *s, const char *id, struct str use)
{
    AUTO_CLOSE int directory = -1;
    uint64_t size;

    return undo_entry_directory(s, id, false, &directory, NULL) ||
           undo_log_is_ended(directory, &size) || undo_entry_is_held(s, id) ||
           (!use.len && size > UNDO_CLOSED_MAX);
}

enum status undo_close_recent(const struct undo_store *s, struct str use, int64_t before,
                              struct error *err)
{
    struct arena ids, a;
    struct undo_ids all;
    struct undo_log log;
    enum status status;

    arena_init(&ids, UNDO_MEMORY_MAX);
    arena_init(&a, UNDO_MEMORY_MAX);
    status = undo_store_list(&ids, s, &all, err);
    for (size_t i = all.count; !status && i > 0 && all.count - i < UNDO_RECENT; i--) {
        const char *id = all.items[i - 1].s;
        arena_reset(&a);
        if (is_passed(s, id, use) || read_log(&a, s, id, &log, NULL) || log.ended ||
            log.header.undoes.len || (use.len && !str_eq(use, log.header.use)))
            continue;
        if (use.len || log.header.at < before)
            status = close_one(&a, s, id, &log, use.len ? UNDO_IS_OVER : UNDO_MAY_RUN, err);
        else
            status = undo_take_back(s, id, &log, UNDO_MAY_RUN, err);
    }
    arena_release(&a);
    arena_release(&ids);
    return status;
}

/* ---- undo ---- */

static bool is_kept(const struct undo_plan *plan, struct str path)
{
    for (size_t i = 0; i < plan->kept.count; i++)
        if (str_eq(plan->kept.items[i].path, path))
            return true;
    return false;
}

static bool is_done(const struct undo_plan *plan, const struct undo_wish *wish,
                    const struct undo_op *op)
{
    return undo_is_wished(wish, op) && !is_kept(plan, op->path) &&
           !(op->to.len && is_kept(plan, op->to));
}

static enum status walk_back(struct walk *w, const struct undo_plan *plan,
                             const struct undo_wish *wish)
{
    enum status status = STATUS_OK;

    for (size_t i = plan->log.ops.count; !status && i > 0; i--)
        if (is_done(plan, wish, &plan->log.ops.items[i - 1]))
            status = step(w, &plan->log.ops.items[i - 1]);
    return status;
}

/* Writes the end of our own entry; one that says nothing is not kept. */
static enum status finish(const struct undo_store *s, char id[UNDO_ID_SIZE], bool failed,
                          struct error *err)
{
    struct arena a;
    struct undo_log log = {0};
    enum status status;

    arena_init(&a, UNDO_MEMORY_MAX);
    status = read_log(&a, s, id, &log, err);
    if (!status && failed)
        status = roll_back(&a, s, id, &log, err);
    else if (!status && log.ops.count == 0)
        status = undo_entry_remove(s, id, err);
    else if (!status)
        status = close_one(&a, s, id, &log, UNDO_IS_OVER, err);
    if (failed || log.ops.count == 0)
        id[0] = '\0';
    arena_release(&a);
    return status;
}

enum status undo_apply(const struct undo_store *s, const struct undo_plan *plan,
                       const struct undo_wish *wish, char own[UNDO_ID_SIZE], struct error *err)
{
    struct undo_header h = plan->log.header;
    struct undo_limits limits = {.file = UINT64_MAX, .lines = UNDO_OWN_LINES_MAX};
    struct undo_entry e;
    struct error later = {0};
    struct git_objects objects = {.directory = -1};
    struct walk w = {.store = s,
                     .log = &plan->log,
                     .own = &e,
                     .id = str_from(plan->id),
                     .objects = &objects,
                     .links = &plan->links,
                     .err = err};
    enum status status;

    own[0] = '\0';
    if (plan->conflicts.count)
        return fail(err, STATUS_USAGE, "%zu paths are in the way", plan->conflicts.count);
    h.undoes = str_from(plan->id);
    h.part = wish->paths || plan->kept.count;
    h.at = 0;
    h.whole = UNDO_WHOLE_NOT;
    h.alone = false;
    if (!(status = undo_entry_begin(&e, s, &h, &limits, err))) {
        memcpy(own, e.id, UNDO_ID_SIZE);
        AUTO_CLOSE int trash = -1;
        status = undo_trash_open(s, plan->id, &plan->log, &trash, err);
        w.trash = trash;
        if (!status && plan->log.tracked.any)
            (void)git_objects_open(&objects, s->workspace);
        if (!status)
            status = walk_back(&w, plan, wish);
    }
    git_objects_close(&objects);
    undo_entry_close(&e);
    if (!own[0])
        return status;
    enum status last = finish(s, own, status != STATUS_OK, status ? &later : err);
    return status ? status : last;
}
