#include "cell/tripwire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/list.h"
#include "base/path.h"
#include "cell/kernel.h"
#include "cell/names.h"
#include "cell/trash.h"

#define TRIPWIRE_MEMORY  256000000
#define TRIPWIRE_ENTRIES 500000 /* that are looked at */

struct found {
    struct str path; /* absolute */
    dev_t device;
    ino_t number;
};
struct found_list LIST_OF(struct found);

struct tripwire {
    const struct plan *plan;
    struct arena arena;
    bool armed, whole; /* everything could be looked at */
    struct found_list before, after;
};

/* ---- looking ---- */

struct walk {
    struct tripwire *wire;
    struct found_list *out;
    struct str root;
    int root_fd, fd;     /* the one that is read */
    size_t entries;      /* so far */
    struct strs waiting; /* directories, relative to the root */
};

struct entry { /* as getdents64() has it */
    uint64_t number;
    int64_t next;
    uint16_t size;
    uint8_t kind;
    char name[];
};

static struct str join(struct arena *a, struct str directory, const char *name)
{
    return directory.len ? path_join(a, directory, str_from(name)) : str_copy(a, str_from(name));
}

static void keep(struct walk *w, struct str relative, const char *name)
{
    struct arena *a = &w->wire->arena;
    struct stat st;

    if (fstatat(w->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        LIST_PUSH(a, w->out, (struct found){path_join(a, w->root, relative), st.st_dev, st.st_ino});
}

static bool is_directory(const struct walk *w, const struct entry *e)
{
    struct stat st;

    return e->kind == DT_DIR ||
           (e->kind == DT_UNKNOWN && fstatat(w->fd, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(st.st_mode));
}

static void look_at(struct walk *w, struct str directory, const struct entry *e)
{
    if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0)
        return;
    struct str relative = join(&w->wire->arena, directory, e->name);
    if (names_end(w->wire->plan, relative))
        keep(w, relative, e->name);
    else if (is_directory(w, e))
        LIST_PUSH(&w->wire->arena, &w->waiting, relative);
}

static bool look_in(struct walk *w, struct str directory)
{
    _Alignas(struct entry) char room[32768];
    long got;

    w->fd =
        kernel_openat2(w->root_fd, directory.len ? directory.s : ".",
                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    if (w->fd < 0)
        return errno == ENOENT || errno == EACCES; /* what we may not open, the cell could not */
    while ((got = syscall(SYS_getdents64, w->fd, room, sizeof(room))) > 0)
        for (long at = 0; at < got; at += ((const struct entry *)(room + at))->size, w->entries++)
            look_at(w, directory, (const struct entry *)(room + at));
    close(w->fd);
    w->fd = -1;
    return got == 0;
}

static void look_below(void *arg)
{
    struct walk *w = arg;

    LIST_PUSH(&w->wire->arena, &w->waiting, STR(""));
    while (w->waiting.count && w->entries < TRIPWIRE_ENTRIES)
        if (!look_in(w, w->waiting.items[--w->waiting.count]))
            w->wire->whole = false;
    if (w->waiting.count)
        w->wire->whole = false;
}

/* A directory that everybody writes in is not the cell's: what is new there may be anyone's. */
static bool is_shared(int fd)
{
    struct stat st;

    return fstat(fd, &st) != 0 || (st.st_mode & S_ISVTX);
}

static void look_through(struct tripwire *t, struct str root, struct found_list *out)
{
    struct walk w = {.wire = t, .out = out, .root = root, .fd = -1};

    w.root_fd = kernel_openat2(AT_FDCWD, root.s, O_RDONLY | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
    if (w.root_fd < 0 || (!is_shared(w.root_fd) && !arena_try(&t->arena, look_below, &w)))
        t->whole = false;
    if (w.fd >= 0)
        close(w.fd);
    if (w.root_fd >= 0)
        close(w.root_fd);
}

static void look_everywhere(struct tripwire *t, struct found_list *out)
{
    for (size_t i = 0; i < t->plan->write.count; i++)
        look_through(t, t->plan->write.items[i], out);
}

struct tripwire *tripwire_new(const struct plan *plan)
{
    struct tripwire *t = calloc(1, sizeof(*t));

    if (t) {
        t->plan = plan;
        t->whole = true;
        arena_init(&t->arena, TRIPWIRE_MEMORY);
    }
    return t;
}

void tripwire_free(struct tripwire *t)
{
    if (t)
        arena_release(&t->arena);
    free(t);
}

void tripwire_arm(struct tripwire *t)
{
    if (t->armed || t->plan->refuse.count == 0)
        return;
    t->armed = true;
    look_everywhere(t, &t->before);
}

/* ---- moving away ---- */

static bool was_there(const struct tripwire *t, const struct found *new)
{
    for (size_t i = 0; i < t->before.count; i++) {
        const struct found *old = &t->before.items[i];
        if (str_eq(old->path, new->path) ||
            (old->device == new->device && old->number == new->number))
            return true;
    }
    return false;
}

void tripwire_look(struct tripwire *t, struct report *report)
{
    if (!t->armed)
        return;
    look_everywhere(t, &t->after);
    for (size_t i = 0; i < t->after.count; i++) {
        const struct found *new = &t->after.items[i];
        if (!was_there(t, new))
            report_refusal(report, trash_move(new->path) ? REFUSED_KEPT : REFUSED_STAYS, new->path);
    }
    if (!t->whole)
        report_refusal(report, REFUSED_STAYS, STR("(not every directory could be looked at)"));
}
