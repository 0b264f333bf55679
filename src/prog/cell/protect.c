#include "cell/protect.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/auto.h"
#include "base/list.h"
#include "base/path.h"
#include "cell/baseline.h"
#include "cell/kernel.h"
#include "cell/trash.h"

#define PROTECT_MEMORY  80000000 /* bytes that can be remembered */
#define PROTECT_ENTRIES 20000u
#define NO_LINKS        (RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)

/* ---- what is seen ---- */

static bool is_part_of(const struct plan *plan, struct str last)
{
    for (size_t i = 0; i < plan->protect.count; i++)
        if (str_eq_nocase(path_base(plan->protect.items[i]), last))
            return true;
    return false;
}

bool protect_is_meant(const struct plan *plan, bool known, const char *text, enum change change)
{
    struct str path = str_from(text);

    if (!known)
        return is_part_of(plan, path_base(path));
    for (size_t i = 0; i < plan->protect.count; i++) {
        struct str kept = plan->protect.items[i];
        if (path_is_inside(path, kept)) /* that a directory is there already, the kernel says */
            return change != CHANGE_MAKE || access(text, F_OK) != 0;
        if ((change == CHANGE_ANY || change == CHANGE_PUT) && path_is_inside(kept, path))
            return true;
    }
    return false;
}

/* ---- what is remembered ---- */

struct entry {
    struct str path; /* absolute */
    struct stat st;
    struct str content; /* of a file, or where a link leads */
    bool whole;         /* nothing new may be in this directory */
};
struct entries LIST_OF(struct entry);

struct protect {
    const struct plan *plan;
    struct arena arena;
    struct entries entries; /* directories before what is in them */
    struct baseline baseline;
    struct error *err;
    enum status status;
    int fd; /* that is open while the arena may run out */
    DIR *listed;
};

static void close_all(struct protect *p)
{
    if (p->fd >= 0)
        close(p->fd);
    if (p->listed)
        (void)closedir(p->listed);
    p->fd = -1;
    p->listed = NULL;
}

/* It was there when the plan was made. What is gone could come back, and would not be protected. */
static void cannot(struct protect *p, struct str path)
{
    const int error = errno;
    const bool changed = error == ENOENT || error == ENOTDIR || error == ELOOP;

    p->status = fail(p->err, changed ? STATUS_USAGE : STATUS_IO, "cannot protect %s: %s", path.s,
                     strerror(error));
}

static bool read_file(struct protect *p, struct str path, size_t size, struct str *out)
{
    size_t used = 0;
    ssize_t got = 1;

    p->fd = kernel_openat2(AT_FDCWD, path.s, O_RDONLY | O_NONBLOCK, NO_LINKS);
    if (p->fd < 0)
        return false;
    char *room = arena_alloc(&p->arena, size + 1, 1);
    while (got > 0 && used <= size) {
        got = read(p->fd, room + used, size + 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close_all(p);
    *out = (struct str){room, used};
    if (got == 0 && used != size)
        errno = EAGAIN; /* somebody writes it */
    return got == 0 && used == size;
}

static bool read_link(struct protect *p, struct str path, struct str *out)
{
    char room[PATH_MAX];
    ssize_t len = readlink(path.s, room, sizeof(room));

    if (len >= 0)
        *out = str_copy(&p->arena, (struct str){room, (size_t)len});
    return len >= 0;
}

static bool read_names(struct protect *p, struct str path, struct strs *out)
{
    struct dirent *entry;

    p->fd = kernel_openat2(AT_FDCWD, path.s, O_RDONLY | O_DIRECTORY, NO_LINKS);
    p->listed = p->fd < 0 ? NULL : fdopendir(p->fd);
    if (!p->listed) {
        close_all(p);
        return false;
    }
    p->fd = -1; /* it is the list's now */
    while ((entry = readdir(p->listed)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            LIST_PUSH(&p->arena, out, str_copy(&p->arena, str_from(entry->d_name)));
    close_all(p);
    return true;
}

static bool is_known(const struct protect *p, struct str path)
{
    for (size_t i = 0; i < p->entries.count; i++)
        if (str_eq(p->entries.items[i].path, path))
            return true;
    return false;
}

/* `whole`: with everything that is in it. */
static void remember(struct protect *p, struct str path, bool whole)
{
    struct entry e = {.path = path, .whole = whole};
    struct strs names = {0};

    if (p->status != STATUS_OK)
        return;
    if (p->entries.count == PROTECT_ENTRIES) {
        p->status = fail(p->err, STATUS_LIMIT, "more is protected than can be remembered");
        return;
    }
    if (lstat(path.s, &e.st) != 0 ||
        (S_ISREG(e.st.st_mode) && !read_file(p, path, (size_t)e.st.st_size, &e.content)) ||
        (S_ISLNK(e.st.st_mode) && !read_link(p, path, &e.content)) ||
        (S_ISDIR(e.st.st_mode) && whole && !read_names(p, path, &names))) {
        cannot(p, path);
        return;
    }
    LIST_PUSH(&p->arena, &p->entries, e);
    for (size_t i = 0; i < names.count; i++)
        remember(p, path_join(&p->arena, path, names.items[i]), true);
}

/* With the directories that lead to it from one that can be written. */
static void remember_way(struct protect *p, struct str path)
{
    const struct strs *write = &p->plan->write;
    struct str rest = {0};
    size_t root = 0;

    while (root < write->count && !path_relative(write->items[root], path, &rest))
        root++;
    if (root == write->count)
        return; /* it cannot be written */
    if (!rest.len) {
        p->status = fail(p->err, STATUS_USAGE, "%s is to be writable and protected", path.s);
        return;
    }
    for (size_t i = path.len - rest.len; i < path.len; i++) {
        struct str above = str_copy(&p->arena, str_slice(path, 0, i));
        if (path.s[i] == '/' && !is_known(p, above))
            remember(p, above, false);
    }
    remember(p, path, true);
}

struct places LIST_OF(struct baseline_place);

struct beginning {
    struct protect *protect;
    struct places places;
};

static void remember_all(void *arg)
{
    struct beginning *b = arg;
    struct protect *p = b->protect;

    for (size_t i = 0; i < p->plan->protect.count && p->status == STATUS_OK; i++)
        remember_way(p, p->plan->protect.items[i]);
    for (size_t i = 0; i < p->entries.count; i++)
        LIST_PUSH(&p->arena, &b->places,
                  (struct baseline_place){p->entries.items[i].path, p->entries.items[i].content});
}

static enum status begin(struct protect *p)
{
    struct beginning b = {.protect = p};

    p->status = baseline_lock(&p->baseline, p->err);
    if (p->status != STATUS_OK)
        return p->status;
    if (!arena_try(&p->arena, remember_all, &b))
        p->status = fail(p->err, STATUS_LIMIT, "more is protected than can be remembered");
    close_all(p);
    if (p->status == STATUS_OK)
        p->status = baseline_join(&p->baseline, b.places.items, b.places.count, p->err);
    baseline_unlock(&p->baseline);
    return p->status;
}

static void release(struct protect *p)
{
    baseline_leave(&p->baseline);
    arena_release(&p->arena);
    free(p);
}

enum status protect_begin(const struct plan *plan, struct protect **out, struct error *err)
{
    struct protect *p = plan->protect.count ? calloc(1, sizeof(*p)) : NULL;

    *out = NULL;
    if (!plan->protect.count)
        return STATUS_OK;
    if (!p)
        return fail(err, STATUS_NOMEM, "no memory");
    *p = (struct protect){.plan = plan, .err = err, .fd = -1, .baseline = BASELINE_NONE};
    arena_init(&p->arena, PROTECT_MEMORY);
    enum status status = begin(p);
    if (status == STATUS_OK)
        *out = p;
    else
        release(p);
    return status;
}

/* ---- putting it back ---- */

/* The directory that it is in. By now that is no link: what leads to it was mended before. */
static int open_above(const struct entry *e)
{
    char above[PATH_MAX];
    struct str dir = path_dir(e->path);

    if (snprintf(above, sizeof(above), "%.*s", (int)dir.len, dir.s) >= (int)sizeof(above))
        return -1;
    return kernel_openat2(AT_FDCWD, above, O_RDONLY | O_DIRECTORY, NO_LINKS);
}

static const char *name_of(const struct entry *e)
{
    return e->path.s + str_last_index(e->path, '/') + 1;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A directory that was moved is mostly still beside its old name. */
static bool move_back(int above, const struct entry *e)
{
    DIR *open = fdopendir(fcntl(above, F_DUPFD_CLOEXEC, 0));
    struct dirent *entry;
    struct stat st;
    bool done = false;

    while (open && !done && (entry = readdir(open)))
        done = fstatat(above, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
               is_same(&st, &e->st) && renameat(above, entry->d_name, above, name_of(e)) == 0;
    if (open)
        (void)closedir(open);
    return done;
}

static bool write_file(int above, const struct entry *e)
{
    const struct timespec times[2] = {e->st.st_atim, e->st.st_mtim};
    AUTO_CLOSE int fd =
        openat(above, name_of(e), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t done = 0;
    ssize_t put = fd < 0 ? -1 : 0;

    while (put >= 0 && done < e->content.len) {
        put = write(fd, e->content.s + done, e->content.len - done);
        done += put > 0 ? (size_t)put : 0;
    }
    return put >= 0 && fchmod(fd, e->st.st_mode & 07777) == 0 && futimens(fd, times) == 0;
}

static bool make_again(int above, const struct entry *e)
{
    char target[PATH_MAX];

    if (S_ISDIR(e->st.st_mode))
        return move_back(above, e) || mkdirat(above, name_of(e), e->st.st_mode & 07777) == 0;
    if (S_ISREG(e->st.st_mode))
        return write_file(above, e);
    if (!S_ISLNK(e->st.st_mode) ||
        snprintf(target, sizeof(target), "%.*s", STR_ARG(e->content)) >= (int)sizeof(target))
        return false; /* a device, a pipe: it cannot be made anew */
    return symlinkat(target, above, name_of(e)) == 0;
}

static bool has_content(int above, const struct entry *e)
{
    AUTO_CLOSE int fd = openat(above, name_of(e), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    AUTO_FREE char *room = malloc(e->content.len + 1);
    size_t used = 0;
    ssize_t got = fd < 0 || !room ? -1 : 1;

    while (got > 0 && used <= e->content.len) {
        got = read(fd, room + used, e->content.len + 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    return got == 0 && used == e->content.len && memcmp(room, e->content.s, used) == 0;
}

static bool is_as_it_was(int above, const struct entry *e, const struct stat *now)
{
    char target[PATH_MAX];

    if (now->st_mode != e->st.st_mode)
        return false;
    if (S_ISREG(now->st_mode))
        return has_content(above, e);
    if (!S_ISLNK(now->st_mode))
        return is_same(now, &e->st);
    ssize_t len = readlinkat(above, name_of(e), target, sizeof(target));
    return len >= 0 && str_eq((struct str){target, (size_t)len}, e->content);
}

/* The mode of a directory that is otherwise the same. */
static bool mend_mode(int above, const struct entry *e, const struct stat *now)
{
    return S_ISDIR(now->st_mode) && is_same(now, &e->st) &&
           fchmodat(above, name_of(e), e->st.st_mode & 07777, 0) == 0;
}

static bool mend(const struct entry *e, bool *changed)
{
    AUTO_CLOSE int above = open_above(e);
    struct stat now;

    *changed = true;
    if (above < 0)
        return false;
    const bool there = fstatat(above, name_of(e), &now, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && is_as_it_was(above, e, &now)) {
        *changed = false;
        return true;
    }
    return (there && mend_mode(above, e, &now)) ||
           ((!there || trash_move(e->path)) && make_again(above, e));
}

static void tell(struct report *report, bool mended, struct str path)
{
    if (report)
        report_refusal(report, mended ? REFUSED_MENDED : REFUSED_BROKEN, path);
}

struct ending {
    struct protect *protect;
    struct report *report;
};

static void remove_new(const struct ending *e, const struct entry *directory)
{
    struct protect *p = e->protect;
    struct strs names = {0};

    (void)read_names(p, directory->path, &names);
    for (size_t i = 0; i < names.count; i++) {
        struct str path = path_join(&p->arena, directory->path, names.items[i]);
        if (!is_known(p, path))
            tell(e->report, trash_move(path), path);
    }
}

static void mend_all(void *arg)
{
    const struct ending *e = arg;
    bool changed;

    for (size_t i = 0; i < e->protect->entries.count; i++) {
        const struct entry *entry = &e->protect->entries.items[i];
        bool mended = mend(entry, &changed);
        if (changed)
            tell(e->report, mended, entry->path);
        if (entry->whole && S_ISDIR(entry->st.st_mode))
            remove_new(e, entry);
    }
}

void protect_end(struct protect *p, struct report *report)
{
    struct ending e = {p, report};
    struct error err = {0};

    if (!p)
        return;
    /* without the lock, too: it is for those who begin */
    (void)baseline_lock(&p->baseline, &err);
    if (!arena_try(&p->arena, mend_all, &e))
        tell(report, false, STR("(not everything that is protected could be looked at)"));
    close_all(p);
    baseline_unlock(&p->baseline);
    release(p);
}
