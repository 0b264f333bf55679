/* landlock_reads.c - what can be read in a cell without namespaces.
 *
 * A rule of Landlock is about everything below a place, and none takes away what another gives. So
 * the way down to each hidden place is walked, and everything beside it gets a rule. What comes
 * into being there later can be read by nobody in the cell. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/path.h"
#include "cell/kernel.h"
#include "cell/landlock.h"

#define READS                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

struct reads {
    int rules;
    char **hidden; /* as the disk has them */
    size_t count;
    struct error *err;
};

/* Not what is there for everyone: its parts have rules of their own. */
static bool is_special(const char *path)
{
    return strcmp(path, "/dev") == 0 || strcmp(path, "/proc") == 0;
}

static bool is_hidden(const struct reads *r, const char *path)
{
    for (size_t i = 0; i < r->count; i++)
        if (path_is_inside(str_from(path), str_from(r->hidden[i])))
            return true;
    return false;
}

static bool leads_to_hidden(const struct reads *r, const char *path)
{
    for (size_t i = 0; i < r->count; i++)
        if (path_is_inside(str_from(r->hidden[i]), str_from(path)))
            return true;
    return false;
}

static enum status walk(const struct reads *r, int directory, const char *path);

/* It is gone, or the user may not see it anyway: no rule. */
static bool is_out_of_reach(int error)
{
    return error == ENOENT || error == EACCES;
}

/* A link is read where it leads to, and a pipe has somebody else at its other end. */
static enum status look_at(const struct reads *r, int directory, const char *name, const char *path)
{
    AUTO_CLOSE int fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0 && is_out_of_reach(errno))
        return STATUS_OK;
    if (fd < 0 || fstat(fd, &st) != 0)
        return fail(r->err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return STATUS_OK;
    return leads_to_hidden(r, path) ? walk(r, fd, path)
                                    : landlock_add(r->rules, fd, path, READS, r->err);
}

static DIR *list(int directory)
{
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = fd < 0 ? NULL : fdopendir(fd);

    if (!open && fd >= 0)
        close(fd);
    return open;
}

static enum status walk(const struct reads *r, int directory, const char *path)
{
    DIR *open = list(directory);
    enum status status = STATUS_OK;
    struct dirent *entry;

    if (!open && !is_out_of_reach(errno))
        return fail(r->err, STATUS_IO, "cannot list /%s: %s", path, strerror(errno));
    while (open && status == STATUS_OK && (entry = readdir(open))) {
        char below[PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >= (int)sizeof(below) ||
            is_special(below) || is_hidden(r, below))
            continue;
        status = look_at(r, directory, entry->d_name, below);
    }
    if (open)
        (void)closedir(open);
    return status;
}

/* ---- what is hidden ---- */

/* Only sockets, which the keeper guards. */
static bool has_only_sockets(int fd)
{
    DIR *open = list(fd);
    bool only = open != NULL;
    struct dirent *entry;

    while (open && only && (entry = readdir(open)))
        only = entry->d_type == DT_SOCK || strcmp(entry->d_name, ".") == 0 ||
               strcmp(entry->d_name, "..") == 0;
    if (open)
        (void)closedir(open);
    return only;
}

/* What lies where the cell can write can be read there: no rule takes that away. */
static bool can_be_hidden(const struct plan *plan, const char *path)
{
    struct stat st;

    for (size_t i = 0; i < plan->write.count; i++) {
        if (!path_is_inside(str_from(path), plan->write.items[i]))
            continue;
        AUTO_CLOSE int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && (fstat(fd, &st) != 0 ||
                        !(S_ISSOCK(st.st_mode) || (S_ISDIR(st.st_mode) && has_only_sockets(fd)))))
            return false;
    }
    return true;
}

static enum status find_hidden(struct reads *r, const struct plan *plan)
{
    for (size_t i = 0; i < plan->hide.count; i++) {
        char *real = realpath(plan->hide.items[i].s, NULL);
        if (!real) /* if it comes later, it is not to be seen either */
            real = strdup(plan->hide.items[i].s);
        if (!real)
            return fail(r->err, STATUS_NOMEM, "no memory");
        r->hidden[r->count++] = real;
        if (!can_be_hidden(plan, real))
            return fail(r->err, STATUS_USAGE,
                        "cannot hide %s without namespaces: it lies where the sandbox can write",
                        real);
    }
    return STATUS_OK;
}

enum status landlock_reads(int rules, const struct plan *plan, struct error *err)
{
    struct reads r = {
        .rules = rules, .hidden = calloc(plan->hide.count + 1, sizeof(char *)), .err = err};
    AUTO_CLOSE int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    enum status status = STATUS_OK;

    if (!r.hidden || root < 0)
        status = fail(err, STATUS_IO, "cannot open /: %s", strerror(errno));
    if (status == STATUS_OK)
        status = find_hidden(&r, plan);
    if (status == STATUS_OK)
        status = walk(&r, root, "");
    for (size_t i = 0; i < r.count; i++)
        free(r.hidden[i]);
    free(r.hidden);
    return status;
}
