#include "policy/state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/brief.h"
#include "machine/clock.h"
#include "machine/own.h"

#define LOCK_PAUSE_MS 2

/* ---- directories ---- */

static enum status check(const struct stat *st, const char *name, struct error *err)
{
    if (st->st_uid != geteuid())
        return fail(err, STATUS_UNSAFE, "%s belongs to another user", name);
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return fail(err, STATUS_UNSAFE, "others can write %s; fix it with: chmod go-w", name);
    return STATUS_OK;
}

static enum status open_directory(int at, const char *path, int links, int *out, struct error *err)
{
    struct stat st;

    *out = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | links);
    if (*out < 0 && errno == ENOENT)
        return STATUS_OK;
    if (*out < 0 || fstat(*out, &st) < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    return check(&st, path, err);
}

/* A process that answers one event opens and checks it once. What it keeps is the directory itself:
 * the record does not follow a link to it (machine/own.h), so one that is a link is not kept. */
static enum status open_outer(const char *path, int *out, struct error *err)
{
    if ((*out = brief_directory(path)) >= 0)
        return STATUS_OK;
    if (brief_is()) {
        enum status status = open_directory(AT_FDCWD, path, O_NOFOLLOW, out, NULL);
        if (status == STATUS_OK && *out >= 0)
            brief_keep_directory(path, *out);
        if (status == STATUS_OK)
            return status;
        auto_close(out);
    }
    return open_directory(AT_FDCWD, path, 0, out, err);
}

enum status state_find(const char *state_dir, const char *below, int *directory, struct error *err)
{
    AUTO_CLOSE int outer = -1;
    enum status status;

    *directory = -1;
    if (!state_dir || !state_dir[0])
        return fail(err, STATUS_USAGE, "there is no state directory");
    if (below && brief_look_from(state_dir) >= 0)
        return open_directory(brief_look_from(state_dir), below, O_NOFOLLOW, directory, err);
    status = open_outer(state_dir, &outer, err);
    if (status || outer < 0)
        return status;
    if (below)
        return open_directory(outer, below, O_NOFOLLOW, directory, err);
    *directory = outer;
    outer = -1;
    return STATUS_OK;
}

enum status state_open(const char *state_dir, const char *below, int *directory, struct error *err)
{
    AUTO_CLOSE int outer = -1;
    enum status status;

    *directory = -1;
    if (!state_dir || !state_dir[0])
        return fail(err, STATUS_USAGE, "there is no state directory");
    /* Usually it is there; what is wrong with it is said below. */
    if (state_find(state_dir, below, directory, NULL) == STATUS_OK && *directory >= 0)
        return STATUS_OK;
    auto_close(directory);
    *directory = -1;
    if ((status = own_make_directory(state_dir, err)) ||
        (status = state_find(state_dir, NULL, &outer, err)))
        return status;
    if (below && mkdirat(outer, below, S_IRWXU) < 0 && errno != EEXIST)
        return fail(err, STATUS_IO, "cannot make %s/%s: %s", state_dir, below, strerror(errno));
    status = state_find(state_dir, below, directory, err);
    if (!status && *directory < 0)
        status = fail(err, STATUS_IO, "%s is gone", state_dir);
    return status;
}

/* ---- locks ---- */

enum status state_lock(int directory, const char *name, int *lock, struct error *err)
{
    return state_lock_within(directory, name, STATE_LOCK_MS, lock, err);
}

enum status state_lock_within(int directory, const char *name, unsigned ms, int *lock,
                              struct error *err)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
    int64_t until = clock_ms() + ms;

    *lock = openat(directory, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                   S_IRUSR | S_IWUSR);
    if (*lock < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", name, strerror(errno));
    while (flock(*lock, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock %s: %s", name, strerror(errno));
        if (clock_ms() >= until)
            return fail(err, STATUS_IO, "another process holds %s", name);
        nanosleep(&pause, NULL);
    }
    return STATUS_OK;
}

/* ---- files ---- */

static enum status read_bytes(int fd, const char *name, char *text, size_t size, struct error *err)
{
    size_t len = 0;

    while (len < size) {
        ssize_t n = read(fd, text + len, size - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(err, STATUS_IO, "cannot read %s: %s", name,
                        n ? strerror(errno) : "it became shorter");
        len += (size_t)n;
    }
    return STATUS_OK;
}

static enum status look_at(int fd, const char *name, size_t most, struct stat *st,
                           struct error *err)
{
    if (fstat(fd, st) < 0)
        return fail(err, STATUS_IO, "cannot check %s: %s", name, strerror(errno));
    if (!S_ISREG(st->st_mode))
        return fail(err, STATUS_UNSAFE, "%s is not a regular file", name);
    if (st->st_size < 0 || (size_t)st->st_size > most)
        return fail(err, STATUS_LIMIT, "%s is larger than %zu bytes", name, most);
    return check(st, name, err);
}

enum status state_read(int directory, const char *name, size_t most, char **text, size_t *len,
                       struct error *err)
{
    struct stat st;
    AUTO_CLOSE int fd =
        openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    *text = NULL;
    *len = 0;
    if (fd < 0 && errno == ENOENT)
        return STATUS_OK;
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", name, strerror(errno));
    enum status status = look_at(fd, name, most, &st, err);
    if (status)
        return status;
    char *bytes = malloc((size_t)st.st_size + 1);
    if (!bytes)
        return fail(err, STATUS_NOMEM, "no memory to read %s", name);
    if ((status = read_bytes(fd, name, bytes, (size_t)st.st_size, err))) {
        free(bytes);
        return status;
    }
    bytes[st.st_size] = '\0';
    *text = bytes;
    *len = (size_t)st.st_size;
    return STATUS_OK;
}

static enum status replace(int directory, const char *name, struct str text, bool sync,
                           struct error *err)
{
    char other[NAME_MAX + 1];
    int n = snprintf(other, sizeof(other), "%s.new", name);

    if (n < 0 || (size_t)n >= sizeof(other))
        return fail(err, STATUS_LIMIT, "the name %s is too long", name);
    (void)unlinkat(directory, other, 0); /* of a dead writer; the lock excludes living ones */
    AUTO_CLOSE int fd = openat(
        directory, other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot write %s: %s", other, strerror(errno));
    enum status status = own_write(fd, other, text, err);
    if (!status && ((sync && fsync(fd) < 0) || renameat(directory, other, directory, name) < 0 ||
                    (sync && fsync(directory) < 0)))
        status = fail(err, STATUS_IO, "cannot replace %s: %s", name, strerror(errno));
    if (status)
        (void)unlinkat(directory, other, 0);
    return status;
}

enum status state_replace(int directory, const char *name, struct str text, struct error *err)
{
    return replace(directory, name, text, true, err);
}

enum status state_replace_unsynced(int directory, const char *name, struct str text,
                                   struct error *err)
{
    return replace(directory, name, text, false, err);
}
