#include "undo/save.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/utf8.h"
#include "machine/clock.h"
#include "machine/stamp.h"
#include "undo/content.h"
#include "undo/stand_in.h"
#include "undo/tracked.h"

#define RENAME_ONLY_NEW 1u /* RENAME_NOREPLACE */
#define ENTRY_MEMORY    ((size_t)1 << 20)

/* ---- entries ---- */

/* Where the trash is; it is opened, and made, if something will be saved by this process. */
enum entry_trash { TRASH_HERE, TRASH_IN_GIT, TRASH_LATER };

static enum entry_trash trash_of(bool in_git)
{
    return in_git ? TRASH_IN_GIT : TRASH_HERE;
}

static enum status open_entry(struct undo_entry *e, const struct undo_store *s, const char *id,
                              const struct undo_log *log, enum entry_trash trash, struct error *err)
{
    enum status status;

    memcpy(e->id, id, sizeof(e->id));
    e->store = s;
    if ((status = undo_entry_directory(s, e->id, !log, &e->directory, err)) ||
        (trash != TRASH_LATER &&
         (status = undo_trash_directory(s, e->id, trash == TRASH_IN_GIT, true, &e->trash, err))))
        return status;
    return undo_writer_open(&e->writer, e->directory, log, err);
}

static void empty_entry(struct undo_entry *e)
{
    *e = (struct undo_entry){.directory = -1, .trash = -1, .writer.fd = -1};
    arena_init(&e->arena, ENTRY_MEMORY);
}

static enum status begin_entry(struct undo_entry *e, const struct undo_store *s,
                               const struct undo_header *h, bool saves, struct error *err)
{
    char id[UNDO_ID_SIZE];
    struct undo_header full = *h;
    enum status status;

    full.project = str_from(s->project);
    full.inode = s->inode;
    full.in_git = undo_store_needs_git(s);
    full.at = h->at ? h->at : stamp_now();
    /* In a repository it may be impossible to make one: that is found out now. */
    const enum entry_trash trash = saves || full.in_git ? trash_of(full.in_git) : TRASH_LATER;
    if ((status = undo_id_new(s, id, err)) || (status = open_entry(e, s, id, NULL, trash, err)))
        return status;
    return undo_write_header(&e->writer, &full, err);
}

enum status undo_entry_announce(const struct undo_store *s, const struct undo_header *h,
                                char id[UNDO_ID_SIZE], struct error *err)
{
    struct undo_entry e;

    empty_entry(&e);
    enum status status = begin_entry(&e, s, h, false, err);
    memcpy(id, e.id, UNDO_ID_SIZE);
    undo_entry_close(&e);
    return status;
}

enum status undo_entry_begin(struct undo_entry *e, const struct undo_store *s,
                             const struct undo_header *h, const struct undo_limits *limits,
                             struct error *err)
{
    empty_entry(e);
    if (limits)
        e->limits = *limits;
    e->limits.file = e->limits.file ? e->limits.file : UNDO_FILE_MAX;
    e->limits.bytes = e->limits.bytes ? e->limits.bytes : UNDO_BYTES_MAX;
    e->limits.lines = e->limits.lines ? e->limits.lines : UNDO_LINES_MAX;
    e->deadline = e->limits.ms ? clock_ms() + e->limits.ms : 0;
    return begin_entry(e, s, h, true, err);
}

/* Slots that a process had filled when it was killed, before it wrote their lines. */
static void pass_unnamed(struct undo_entry *e)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state seen;

    while (beneath_look_at(e->trash, undo_slot_name(e->slots, name), &seen) &&
           seen.kind != UNDO_ABSENT)
        e->slots++;
}

enum status undo_entry_resume(struct undo_entry *e, const struct undo_store *s, const char *id,
                              const struct undo_log *log, struct error *err)
{
    empty_entry(e);
    e->limits = (struct undo_limits){UNDO_FILE_MAX, UNDO_BYTES_MAX, UNDO_LINES_MAX, 0};
    e->slots = log->slots;
    e->lines = (uint32_t)log->ops.count;
    enum status status = open_entry(e, s, id, log, trash_of(log->header.in_git), err);
    if (!status)
        pass_unnamed(e);
    return status;
}

void undo_entry_close(struct undo_entry *e)
{
    undo_writer_close(&e->writer);
    auto_close(&e->trash);
    auto_close(&e->directory);
    e->trash = e->directory = -1;
    arena_release(&e->arena);
    free(e->inodes);
    e->inodes = NULL;
}

/* ---- inodes that are in the trash already ---- */

/* Those that have a link there: as long as they do, no other file can have the number. */
struct saved_inode {
    uint64_t inode;
    int64_t link, copy;
};

static struct saved_inode *inode_place(struct saved_inode *table, size_t room, uint64_t inode)
{
    size_t at = (size_t)(inode * 0x9e3779b97f4a7c15u >> 20) & (room - 1);

    while (table[at].inode && table[at].inode != inode)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static struct saved_inode *inode_find(const struct undo_entry *e, uint64_t inode)
{
    struct saved_inode *found =
        e->inodes_room ? inode_place(e->inodes, e->inodes_room, inode) : NULL;

    return found && found->inode ? found : NULL;
}

/* Without memory it is saved once more, which is as good. */
static void inode_remember(struct undo_entry *e, uint64_t inode, int64_t link, int64_t copy)
{
    if (link == UNDO_SLOT_NONE)
        return;
    if (e->inodes_used * 2 >= e->inodes_room) {
        size_t room = e->inodes_room ? e->inodes_room * 2 : 64;
        struct saved_inode *more = calloc(room, sizeof(*more));
        if (!more)
            return;
        for (size_t i = 0; i < e->inodes_room; i++)
            if (e->inodes[i].inode)
                *inode_place(more, room, e->inodes[i].inode) = e->inodes[i];
        free(e->inodes);
        e->inodes = more;
        e->inodes_room = room;
    }
    struct saved_inode *at = inode_place(e->inodes, e->inodes_room, inode);
    e->inodes_used += at->inode == 0;
    *at = (struct saved_inode){inode, link, copy};
}

/* ---- lines ---- */

static struct undo_op op_of(enum undo_what what, struct str path, const struct undo_state *was)
{
    return (struct undo_op){
        .what = what, .path = path, .was = *was, .link = UNDO_SLOT_NONE, .copy = UNDO_SLOT_NONE};
}

/* What is about to happen changes the time of the directory, too. */
static int64_t time_of(int directory)
{
    struct undo_state above;

    return beneath_look_at(directory, ".", &above) ? above.modified : 0;
}

static int64_t time_above(int workspace, struct str path)
{
    struct beneath b;
    int64_t at = beneath_open(workspace, path, &b) ? time_of(b.directory) : 0;

    beneath_close(&b);
    return at;
}

/* Looks at the clock once in a while; copies look each time. */
static bool is_late(struct undo_entry *e)
{
    if (e->deadline && !e->late && e->lines % 64 == 0)
        e->late = clock_ms() > e->deadline;
    return e->late;
}

/* Nothing more will be saved. The last line is kept for saying that there were too many. */
bool undo_entry_is_full(const struct undo_entry *e)
{
    return e->late || e->lines + 1 >= e->limits.lines;
}

static enum status put_op(struct undo_entry *e, const struct undo_op *op, struct error *err)
{
    if (e->silent)
        return STATUS_OK;
    if ((is_late(e) || undo_entry_is_full(e)) && op->what != UNDO_LEFT)
        return STATUS_LIMIT;
    e->lines++;
    return undo_write_op(&e->writer, op, err);
}

/* The first reason is in the journal; from the limit of lines on, the others are only counted. */
static enum status leave(struct undo_entry *e, struct str path, const struct undo_state *was,
                         const char *why, struct error *err)
{
    struct undo_op op = op_of(UNDO_LEFT, path, was);
    enum status status = STATUS_OK;

    e->left++;
    op.why = str_from(why);
    if (e->lines < e->limits.lines)
        status = put_op(e, &op, err);
    return status
               ? status
               : fail(err, STATUS_LIMIT, "cannot save %.*s: %s", STR_ARG(utf8_cut(path, 150)), why);
}

/* A tree that policy leaves out: the journal says so, and it is no failure. */
static enum status skip(struct undo_entry *e, struct str path, const struct undo_state *was,
                        struct error *err)
{
    enum status status = leave(e, path, was, "it is left out by policy", err);

    e->left--;
    e->skipped++;
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

static enum status put_or_leave(struct undo_entry *e, const struct undo_op *op, struct error *err)
{
    enum status status = put_op(e, op, err);

    return status == STATUS_LIMIT
               ? leave(e, op->path, &op->was,
                       e->late ? "saving the call takes too long" : "the call has too many files",
                       err)
               : status;
}

/* ---- files ---- */

#define FOREIGN "it belongs to another user or group, and could not be made again"

/* Is the link that was made one of the file that was seen? */
static bool link_file(struct undo_entry *e, const struct beneath *b, struct undo_state *was,
                      int64_t *slot)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state got;

    undo_slot_name(e->slots, name);
    if (linkat(b->directory, b->name, e->trash, name, 0) < 0)
        return false;
    if (beneath_look_at(e->trash, name, &got) && got.kind == was->kind && got.inode == was->inode) {
        *slot = e->slots++;
        was->changed = got.changed; /* by the link */
        return true;
    }
    (void)unlinkat(e->trash, name, 0);
    return false;
}

static const char *copy_content(struct undo_entry *e, int from, int to)
{
    struct stat st;
    uint64_t bytes;

    if (fstat(from, &st) < 0)
        return "it cannot be read";
    bytes = (uint64_t)st.st_blocks * 512 < (uint64_t)st.st_size ? (uint64_t)st.st_blocks * 512
                                                                : (uint64_t)st.st_size;
    if (content_clone(from, to))
        return NULL;
    if (bytes > e->limits.file)
        return "it is too large";
    if (e->bytes + bytes > e->limits.bytes)
        return "the call changes too much";
    e->late = e->late || (e->deadline && clock_ms() > e->deadline);
    if (e->late)
        return "saving the call takes too long";
    if (!content_copy(from, to))
        return errno == ENOSPC ? "there is no room for a copy" : "it cannot be copied";
    e->bytes += bytes;
    return NULL;
}

static const char *copy_file(struct undo_entry *e, const struct beneath *b,
                             const struct undo_state *was, struct undo_op *op)
{
    char name[UNDO_SLOT_SIZE];
    AUTO_CLOSE int from = content_open(b->directory, b->name, was->inode, O_RDONLY);
    if (from < 0)
        return "it cannot be read";
    undo_slot_name(e->slots, name);
    AUTO_CLOSE int to = openat(e->trash, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                               S_IRUSR | S_IWUSR);
    if (to < 0)
        return "there is no room in the trash";
    op->has_attrs = true;
    const char *why = attrs_read(&e->arena, from, &op->attrs) ? copy_content(e, from, to)
                                                              : "its attributes cannot be read";
    if (why) {
        op->has_attrs = false;
        (void)unlinkat(e->trash, name, 0);
    } else {
        op->copy = e->slots++;
    }
    return why;
}

/* On a file system apart, a link is saved by its text. */
static const char *copy_link(struct undo_entry *e, const struct beneath *b, struct undo_op *op)
{
    char target[PATH_MAX], name[UNDO_SLOT_SIZE];
    ssize_t n = readlinkat(b->directory, b->name, target, sizeof(target) - 1);

    if (n <= 0)
        return "it cannot be read";
    target[n] = '\0';
    if (symlinkat(target, e->trash, undo_slot_name(e->slots, name)) < 0)
        return "there is no room in the trash";
    op->copy = e->slots++;
    return NULL;
}

/* A copy that is not beside a link must be able to take the file's place. */
static const char *copy_any(struct undo_entry *e, const struct beneath *b, struct undo_op *op)
{
    if (op->link == UNDO_SLOT_NONE && !marks_may(&op->was))
        return FOREIGN;
    if (op->was.kind == UNDO_FILE)
        return copy_file(e, b, &op->was, op);
    return op->was.kind == UNDO_LINK ? copy_link(e, b, op) : "its kind cannot be saved";
}

/* A copy that is in the trash already is of what the file was before; its attributes are not. */
static const char *reuse_copy(struct undo_entry *e, const struct beneath *b, struct undo_op *op,
                              int64_t copy)
{
    AUTO_CLOSE int from = content_open(b->directory, b->name, op->was.inode, O_RDONLY);

    op->copy = copy;
    op->has_attrs = from >= 0 && attrs_read(&e->arena, from, &op->attrs);
    return NULL;
}

static enum status save_file(struct undo_entry *e, struct str path, const struct beneath *b,
                             const struct undo_state *was, int64_t above, enum undo_fate fate,
                             struct error *err)
{
    const struct saved_inode *known = inode_find(e, was->inode);
    struct undo_op op = op_of(UNDO_KEEP, path, was);
    const char *why = NULL;

    op.above = above;
    if (known)
        op.link = known->link;
    else
        (void)link_file(e, b, &op.was, &op.link);
    bool copies = op.link == UNDO_SLOT_NONE || (fate == UNDO_WRITTEN && was->kind == UNDO_FILE);
    if (copies && known && known->copy != UNDO_SLOT_NONE)
        why = reuse_copy(e, b, &op, known->copy);
    else if (copies)
        why = copy_any(e, b, &op);
    inode_remember(e, was->inode, op.link,
                   op.copy != UNDO_SLOT_NONE || !known ? op.copy : known->copy);
    if (why && op.link == UNDO_SLOT_NONE)
        return leave(e, path, was, why, err);
    enum status status = put_or_leave(e, &op, err);
    return !status && why ? leave(e, path, was, why, err) : status;
}

static enum status save_directory(struct undo_entry *e, struct str path, const struct beneath *b,
                                  const struct undo_state *was, struct error *err)
{
    struct undo_op op = op_of(UNDO_MADE, path, was);
    AUTO_CLOSE int fd =
        openat(b->directory, b->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

    op.above = time_of(b->directory);
    op.has_attrs = fd >= 0 && attrs_read(&e->arena, fd, &op.attrs);
    enum status status = put_or_leave(e, &op, err);
    return !status && !marks_may(was) ? leave(e, path, was, FOREIGN, err) : status;
}

/* `above`: the time of its directory. */
static enum status save_seen(struct undo_entry *e, struct str path, const struct beneath *b,
                             const struct undo_state *was, int64_t above, enum undo_fate fate,
                             struct error *err)
{
    struct undo_op none;

    arena_reset(&e->arena);
    switch (was->kind) {
    case UNDO_ABSENT:
        none = op_of(UNDO_NONE, path, was);
        none.above = above;
        return put_or_leave(e, &none, err);
    case UNDO_DIRECTORY:
        return save_directory(e, path, b, was, err);
    case UNDO_FILE:
    case UNDO_LINK:
    case UNDO_SPECIAL:
        return save_file(e, path, b, was, above, fate, err);
    case UNDO_DEVICE:
    case UNDO_BEYOND:
        break;
    }
    return leave(e, path, was, "it is a device", err);
}

static enum status save_at(struct undo_entry *e, struct str path, const struct beneath *b,
                           enum undo_fate fate, struct error *err)
{
    struct undo_state was;

    if (!beneath_look_at(b->directory, b->name, &was))
        return leave(e, path, &was, "the disk does not say what it is", err);
    return save_seen(e, path, b, &was, time_of(b->directory), fate, err);
}

/* With a path whose directory is not there, nothing is at it. */
static enum status save_unreached(struct undo_entry *e, struct str path, struct error *err)
{
    struct undo_state was = {0};
    struct undo_op op;
    int why = errno;

    if (!beneath_is_path(path)) {
        e->left++;
        return fail(err, STATUS_LIMIT, "cannot save %.150s: it is no path of the workspace",
                    path.s);
    }
    if (why != ENOENT && why != ENOTDIR) {
        was.kind = UNDO_BEYOND;
        return leave(e, path, &was,
                     why == ELOOP || why == EXDEV ? "a link or another file system is on the way"
                                                  : "its directory cannot be opened",
                     err);
    }
    op = op_of(UNDO_NONE, path, &was);
    return put_or_leave(e, &op, err);
}

enum status undo_save(struct undo_entry *e, struct str path, enum undo_fate fate, struct error *err)
{
    struct beneath b;
    enum status status;

    if (e->silent)
        return STATUS_OK;
    status = beneath_open(e->store->workspace, path, &b) ? save_at(e, path, &b, fate, err)
                                                         : save_unreached(e, path, err);
    beneath_close(&b);
    return status;
}

enum status undo_save_mode(struct undo_entry *e, struct str path, struct error *err)
{
    struct undo_state was;
    struct undo_op op;

    if (e->silent || !beneath_look(e->store->workspace, path, &was) || was.kind == UNDO_ABSENT)
        return STATUS_OK;
    if (was.kind == UNDO_DEVICE || was.kind == UNDO_BEYOND)
        return leave(e, path, &was, "it is a device, or elsewhere", err);
    op = op_of(UNDO_MODE, path, &was);
    return put_or_leave(e, &op, err);
}

enum status undo_skip(struct undo_entry *e, struct str path, struct error *err)
{
    return skip(e, path, &(struct undo_state){.kind = UNDO_DIRECTORY}, err);
}

/* ---- trees ---- */

struct tree_saving {
    struct undo_entry *entry;
    enum undo_fate fate;
    char path[PATH_MAX];
    size_t len;
    struct error *err;
    enum status worst; /* STATUS_OK or STATUS_LIMIT; the walk goes on after the latter */
};

static enum status save_entries(struct tree_saving *t, int directory, unsigned depth);

static enum status save_inner(struct tree_saving *t, int directory, const char *name,
                              const struct undo_state *was, unsigned depth)
{
    struct str path = {t->path, t->len};
    AUTO_CLOSE int inner = beneath_enter(directory, name);

    return inner < 0 || depth >= UNDO_DEPTH_MAX
               ? leave(t->entry, path, was,
                       inner < 0 && errno == EXDEV ? "another mount is there"
                                                   : "it cannot be listed",
                       t->err)
               : save_entries(t, inner, depth + 1);
}

/* What the call names itself is saved, whatever policy leaves out. */
static bool is_skipped(const struct tree_saving *t, const struct undo_state *was, unsigned depth)
{
    const struct undo_entry *e = t->entry;

    return depth > 0 && was->kind == UNDO_DIRECTORY && e->skips &&
           e->skips(e->context, (struct str){t->path, t->len});
}

static bool is_tracked(struct tree_saving *t, const struct beneath *b, const struct undo_state *was)
{
    struct undo_entry *e = t->entry;

    if (was->kind != UNDO_FILE || !e->tracked)
        return false;
    e->late = e->late || (e->deadline && ++e->passed % 64 == 0 && clock_ms() > e->deadline);
    return !e->late && tracked_has(e->tracked, b, (struct str){t->path, t->len}, was);
}

static enum status save_one(struct tree_saving *t, int directory, const char *name, int64_t above,
                            unsigned depth)
{
    struct beneath b = {directory, name};
    struct str path = {t->path, t->len};
    struct undo_state was;
    enum status status = STATUS_OK;

    if (!beneath_look_at(directory, name, &was))
        status = leave(t->entry, path, &was, "the disk does not say what it is", t->err);
    else if (is_skipped(t, &was, depth))
        return skip(t->entry, path, &was, t->err);
    else if (is_tracked(t, &b, &was))
        return STATUS_OK;
    else if (was.kind == UNDO_DIRECTORY)
        status = save_inner(t, directory, name, &was, depth);
    if (status == STATUS_LIMIT)
        t->worst = status;
    else if (status)
        return status;
    status = save_seen(t->entry, path, &b, &was, above, t->fate, t->err);
    if (status == STATUS_LIMIT)
        t->worst = status;
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

/* What is inside comes first: undo goes backwards, and makes the directory first. */
static enum status save_entries(struct tree_saving *t, int directory, unsigned depth)
{
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    size_t len = t->len;
    const int64_t above = time_of(directory);
    enum status status = STATUS_OK;

    if (!d)
        auto_close(&again);
    for (const struct dirent *e; d && !status && (e = readdir(d)) != NULL;) {
        size_t more = strlen(e->d_name);
        if (t->entry->left && undo_entry_is_full(t->entry))
            break; /* the rest is lost as well */
        if (str_is(str_from(e->d_name), ".") || str_is(str_from(e->d_name), ".."))
            continue;
        if (len + 1 + more >= sizeof(t->path)) {
            t->worst = STATUS_LIMIT;
            continue;
        }
        t->path[len] = '/';
        memcpy(t->path + len + 1, e->d_name, more + 1);
        t->len = len + 1 + more;
        status = save_one(t, directory, e->d_name, above, depth);
        t->len = len;
        t->path[len] = '\0';
    }
    if (d)
        closedir(d);
    return status;
}

enum status undo_save_tree(struct undo_entry *e, struct str path, enum undo_fate fate,
                           struct error *err)
{
    struct tree_saving t = {.entry = e, .fate = fate, .err = err};
    struct beneath b;
    enum status status;

    if (!beneath_open(e->store->workspace, path, &b)) {
        status = save_unreached(e, path, err);
    } else {
        memcpy(t.path, path.s, path.len);
        t.len = path.len;
        status = save_one(&t, b.directory, b.name, time_of(b.directory), 0);
    }
    beneath_close(&b);
    return status ? status : t.worst;
}

enum status undo_save_tree_from(struct undo_entry *e, int directory, const char *name,
                                struct str path, struct error *err)
{
    struct tree_saving t = {.entry = e, .fate = UNDO_REPLACED, .err = err, .len = path.len};

    if (!beneath_is_path(path))
        return fail(err, STATUS_LIMIT, "it is no path of the workspace");
    memcpy(t.path, path.s, path.len);
    enum status status = save_one(&t, directory, name, 0, 0);
    return status ? status : t.worst;
}

/* ---- names ---- */

enum status undo_save_move(struct undo_entry *e, struct str from, struct str to, struct error *err)
{
    struct undo_op op;
    struct undo_state was;

    if (!beneath_look(e->store->workspace, from, &was))
        return leave(e, from, &was, "the disk does not say what it is", err);
    op = op_of(UNDO_MOVE, from, &was);
    op.to = to;
    op.above = time_above(e->store->workspace, from);
    op.above_to = time_above(e->store->workspace, to);
    return put_or_leave(e, &op, err);
}

enum status undo_save_back(struct undo_entry *e, struct str path, struct str entry, int64_t slot,
                           struct error *err)
{
    struct undo_op op = op_of(UNDO_BACK, path, &(struct undo_state){0});

    op.link = slot;
    op.entry = entry;
    op.above = time_above(e->store->workspace, path);
    return put_op(e, &op, err);
}

static bool rename_new(int from, const char *name, int to, const char *other)
{
    return syscall(SYS_renameat2, from, name, to, other, RENAME_ONLY_NEW) == 0;
}

/* To get another parent, a directory must be writable itself. */
static bool rename_away(struct undo_entry *e, const struct beneath *b, const struct undo_op *op)
{
    char name[UNDO_SLOT_SIZE];

    undo_slot_name(op->link, name);
    if (rename_new(b->directory, b->name, e->trash, name))
        return true;
    if (errno != EACCES || op->was.kind != UNDO_DIRECTORY ||
        fchmodat(b->directory, b->name, op->was.mode | S_IRWXU, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    bool moved = rename_new(b->directory, b->name, e->trash, name);
    int restored = fchmodat(moved ? e->trash : b->directory, moved ? name : b->name, op->was.mode,
                            AT_SYMLINK_NOFOLLOW);
    (void)restored; /* where it lies, nobody else can open it; undo sets the mode again */
    return moved;
}

static enum status aside_at(struct undo_entry *e, struct str path, const struct beneath *b,
                            struct error *err)
{
    struct undo_state was;
    struct undo_op op;
    enum status status;

    if (!beneath_look_at(b->directory, b->name, &was) || was.kind == UNDO_ABSENT ||
        was.kind == UNDO_DEVICE)
        return fail(err, STATUS_IO, "cannot move %.*s away", STR_ARG(utf8_cut(path, 150)));
    op = op_of(UNDO_ASIDE, path, &was);
    op.link = e->slots++;
    op.above = time_of(b->directory);
    if ((status = put_op(e, &op, err)) || (status = undo_writer_flush(&e->writer, err)))
        return status;
    while (!rename_away(e, b, &op)) {
        if (errno == EEXIST && e->silent) { /* of a rollback that was killed */
            op.link = e->slots++;
            continue;
        }
        return fail(err, STATUS_IO, "cannot move %.*s into the trash: %s",
                    STR_ARG(utf8_cut(path, 120)), strerror(errno));
    }
    return STATUS_OK;
}

static enum status cannot_move(struct str path, struct error *err)
{
    return fail(err, STATUS_LIMIT, "cannot move %.*s away", STR_ARG(utf8_cut(path, 150)));
}

/* The line comes first; where it cannot be moved after all, the next one says that it is there. */
static enum status at_once_at(struct undo_entry *e, struct str path, const struct beneath *b,
                              struct error *err)
{
    struct undo_state was;
    struct undo_op op;
    char name[UNDO_SLOT_SIZE];
    enum status status;

    if (!beneath_look_at(b->directory, b->name, &was) || was.kind != UNDO_DIRECTORY ||
        beneath_has_mounts(b->directory, b->name))
        return cannot_move(path, err);
    op = op_of(UNDO_ASIDE, path, &was);
    op.link = e->slots++;
    op.above = time_of(b->directory);
    if ((status = put_op(e, &op, err)) || (status = undo_writer_flush(&e->writer, err)))
        return status;
    if (!stand_in_put(b, e->trash, undo_slot_name(op.link, name), was.inode)) {
        status = undo_write_returned(&e->writer, op.link, err);
        return status ? status : cannot_move(path, err);
    }
    mtime_write(b->directory, NULL, op.above);
    return STATUS_OK;
}

enum status undo_save_at_once(struct undo_entry *e, struct str path, struct error *err)
{
    struct beneath b;
    enum status status =
        beneath_open(e->store->workspace, path, &b)
            ? at_once_at(e, path, &b, err)
            : fail(err, STATUS_LIMIT, "cannot reach %.*s", STR_ARG(utf8_cut(path, 150)));

    beneath_close(&b);
    return status;
}

/* Can nothing be renamed into the trash? */
static bool is_apart(const struct undo_entry *e)
{
    struct stat st;

    return fstat(e->trash, &st) == 0 && st.st_dev != e->store->device;
}

/* Then it is copied there, and removed once all of it is. In a rollback its lines come after those
 * that are taken back, and count no more. */
static enum status copy_aside(struct undo_entry *e, struct str path, const struct beneath *b,
                              struct error *err)
{
    const bool silent = e->silent;

    e->silent = false;
    enum status status = undo_save_tree(e, path, UNDO_REPLACED, err);
    e->silent = silent;
    if (!status)
        status = undo_writer_flush(&e->writer, err);
    if (status)
        return status == STATUS_LIMIT ? STATUS_IO : status;
    return undo_remove_all(b->directory, b->name)
               ? STATUS_OK
               : fail(err, STATUS_IO, "cannot remove %.*s: %s", STR_ARG(utf8_cut(path, 120)),
                      strerror(errno));
}

enum status undo_set_aside(struct undo_entry *e, struct str path, struct error *err)
{
    struct beneath b;
    enum status status;

    if (!beneath_open(e->store->workspace, path, &b))
        status = fail(err, STATUS_IO, "cannot reach %.*s: %s", STR_ARG(utf8_cut(path, 150)),
                      strerror(errno));
    else
        status = is_apart(e) ? copy_aside(e, path, &b, err) : aside_at(e, path, &b, err);
    beneath_close(&b);
    return status;
}
