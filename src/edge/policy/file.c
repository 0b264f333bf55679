#include "policy/file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

#define FIRST_USER_GROUP 1000

bool file_group_is_private(uid_t owner, gid_t group)
{
    char group_room[4096], owner_room[4096];
    struct group g, *found_group = NULL;
    struct passwd p, *found_owner = NULL;

    if (group < FIRST_USER_GROUP || group != owner)
        return false;
    if (getgrgid_r(group, &g, group_room, sizeof(group_room), &found_group) || !found_group)
        return false;
    if (getpwuid_r(owner, &p, owner_room, sizeof(owner_room), &found_owner) || !found_owner)
        return false;
    return p.pw_gid == group && strcmp(g.gr_name, p.pw_name) == 0 && (!g.gr_mem || !g.gr_mem[0]);
}

static bool group_may_write(const struct stat *st, enum file_guard guard)
{
    if (!(st->st_mode & S_IWGRP))
        return false;
    return guard == FILE_MANAGED || !file_group_is_private(st->st_uid, st->st_gid);
}

static enum status check_file(const char *path, const struct stat *st, enum file_guard guard,
                              struct error *err)
{
    if (!S_ISREG(st->st_mode))
        return fail(err, STATUS_UNSAFE, "%s is not a regular file", path);
    if ((st->st_mode & S_IWOTH) || group_may_write(st, guard))
        return fail(err, STATUS_UNSAFE, "others can write %s; fix it with: chmod go-w", path);
    if (guard != FILE_PROJECT && st->st_uid != 0 && st->st_uid != geteuid())
        return fail(err, STATUS_UNSAFE, "%s belongs to another user", path);
    if (st->st_size > (off_t)POLICY_TEXT_MAX)
        return fail(err, STATUS_LIMIT, "%s is larger than %zu bytes", path, POLICY_TEXT_MAX);
    return STATUS_OK;
}

/* A user who can write the directory can replace this file; the sticky bit prevents that for
 * others. */
static enum status check_directory(const char *path, struct error *err)
{
    char directory[PATH_MAX];
    struct stat st;
    const char *slash = strrchr(path, '/');
    size_t len = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);

    memcpy(directory, slash ? path : ".", slash ? len : 1);
    directory[slash ? len : 1] = '\0';
    if (stat(directory, &st) < 0)
        return fail(err, STATUS_IO, "cannot check %s: %s", directory, strerror(errno));
    if ((st.st_mode & S_IWOTH) && !(st.st_mode & S_ISVTX))
        return fail(err, STATUS_UNSAFE, "other users can replace files in %s", directory);
    return STATUS_OK;
}

static bool is_inside(const char *path, const char *directory)
{
    char resolved[PATH_MAX];
    size_t len;

    if (!realpath(directory, resolved))
        return false;
    len = strlen(resolved);
    return strcmp(resolved, "/") == 0 || (strncmp(path, resolved, len) == 0 && path[len] == '/');
}

/* Follows links. A user's settings are often links into a directory of dotfiles: then the target
 * and both directories are checked. */
static enum status resolve(const char *path, enum file_guard guard, const char *inside,
                           char out[PATH_MAX], bool *found, struct error *err)
{
    struct stat st;

    *found = false;
    if (strlen(path) >= PATH_MAX)
        return fail(err, STATUS_LIMIT, "a path has more than %d bytes", PATH_MAX);
    if (!realpath(path, out)) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        if (absent && lstat(path, &st) == 0)
            return fail(err, STATUS_IO, "%s is a dangling link", path);
        if (!absent)
            return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
        return STATUS_OK;
    }
    *found = true;
    if (guard == FILE_PROJECT && !is_inside(out, inside))
        return fail(err, STATUS_UNSAFE, "%s is a link that leaves the project", path);
    enum status status = check_directory(path, err);
    return status ? status : check_directory(out, err);
}

static enum status read_bytes(int fd, const char *path, char *text, size_t size, struct error *err)
{
    size_t len = 0;

    /* One byte more than expected, so that a growing file is noticed. */
    while (len < size + 1) {
        ssize_t n = read(fd, text + len, size + 1 - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, STATUS_IO, "cannot read %s: %s", path, strerror(errno));
        if (n == 0)
            break;
        len += (size_t)n;
    }
    if (len != size)
        return fail(err, STATUS_IO, "%s changed while it was read", path);
    text[len] = '\0';
    return STATUS_OK;
}

static enum status read_all(int fd, const char *path, size_t size, struct file_text *out,
                            struct error *err)
{
    char *text = malloc(size + 2);

    if (!text)
        return fail(err, STATUS_NOMEM, "no memory to read %s", path);
    enum status status = read_bytes(fd, path, text, size, err);
    if (status) {
        free(text);
        return status;
    }
    *out = (struct file_text){.found = true, .text = text, .len = size};
    return STATUS_OK;
}

enum status file_read(const char *path, enum file_guard guard, const char *inside,
                      struct file_text *out, struct error *err)
{
    char resolved[PATH_MAX];
    struct stat st;
    bool found;

    *out = (struct file_text){0};
    enum status status = resolve(path, guard, inside, resolved, &found, err);
    if (status || !found)
        return status;

    /* O_NONBLOCK: a pipe instead of a file must not make us wait for its writer. */
    AUTO_CLOSE int fd = open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    if (fstat(fd, &st) < 0)
        return fail(err, STATUS_IO, "cannot check %s: %s", path, strerror(errno));
    status = check_file(path, &st, guard, err);
    return status ? status : read_all(fd, path, (size_t)st.st_size, out, err);
}
