#include "cell/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/own.h"

#define SESSION_FILE ".local/state/warder/cells/network-"
#define LIST_MAX     8192
#define TRIES        20 /* to open a list that others remove */

/* One line of the list. */
struct entry {
    int process, user, net; /* descriptors of the process */
    uint64_t number;        /* of the network's namespace */
};

static bool read_entry(const char *line, struct entry *out)
{
    char *end;

    out->process = (int)strtol(line, &end, 10);
    out->user = (int)strtol(end, &end, 10);
    out->net = (int)strtol(end, &end, 10);
    out->number = strtoull(end, &end, 10);
    return out->process > 0 && out->user > 2 && out->net > 2 && out->number && !*end;
}

static int open_theirs(const struct entry *e, int fd)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", e->process, fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static bool is_namespace(int fd, dev_t device, uint64_t number)
{
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == device &&
           (!number || (uint64_t)st.st_ino == number);
}

/* Both descriptors, if that process is still the one that wrote the line. */
static bool open_entry(const struct entry *e, int *user, int *net)
{
    struct stat own;

    *user = open_theirs(e, e->user);
    *net = open_theirs(e, e->net);
    if (stat("/proc/self/ns/net", &own) == 0 && is_namespace(*user, own.st_dev, 0) &&
        is_namespace(*net, own.st_dev, e->number))
        return true;
    if (*user >= 0)
        close(*user);
    if (*net >= 0)
        close(*net);
    *user = *net = -1;
    return false;
}

static bool is_alive(const struct entry *e)
{
    int user, net;

    if (!open_entry(e, &user, &net))
        return false;
    close(user);
    close(net);
    return true;
}

/* ---- the list ---- */

static bool list_path(const char *name, char out[OWN_PATH_MAX])
{
    char below[128];

    (void)snprintf(below, sizeof(below), SESSION_FILE "%s", name);
    return own_path(below, out, NULL) == STATUS_OK;
}

static bool read_list(int file, char text[LIST_MAX])
{
    ssize_t got = pread(file, text, LIST_MAX - 1, 0);

    text[got > 0 ? got : 0] = '\0';
    return got >= 0;
}

/* Locked; -1: errno. One that was removed before it could be locked is nobody's. */
static int open_list(const char *name)
{
    char path[OWN_PATH_MAX];
    struct stat st;

    for (int i = 0; i < TRIES && list_path(name, path); i++) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX) == 0 && fstat(fd, &st) == 0 && st.st_nlink == 1 &&
            st.st_uid == geteuid())
            return fd;
        close(fd);
    }
    errno = EBUSY;
    return -1;
}

/* What is left of the list without `process` and those that are gone; then `more`. */
static bool write_list(int file, pid_t process, const char *more, bool *empty)
{
    char old[LIST_MAX], new[LIST_MAX + 128];
    size_t len = 0;
    char *rest = old;

    if (!read_list(file, old))
        return false;
    for (char *line; (line = strsep(&rest, "\n"));) {
        struct entry e;
        if (read_entry(line, &e) && e.process != process && is_alive(&e))
            len += (size_t)snprintf(new + len, sizeof(new) - len, "%s\n", line);
    }
    len += (size_t)snprintf(new + len, sizeof(new) - len, "%s", more);
    *empty = len == 0;
    return len < LIST_MAX && pwrite(file, new, len, 0) == (ssize_t)len &&
           ftruncate(file, (off_t)len) == 0;
}

static bool add_self(struct session *s, pid_t instead_of)
{
    char line[128];
    struct stat st;
    bool empty;

    if (fstat(s->net, &st) != 0)
        return false;
    (void)snprintf(line, sizeof(line), "%d %d %d %" PRIu64 "\n", (int)getpid(), s->user, s->net,
                   (uint64_t)st.st_ino);
    return write_list(s->file, instead_of, line, &empty);
}

/* ---- joining and leaving ---- */

enum status session_enter(const struct plan *plan, struct session *s, struct error *err)
{
    char text[LIST_MAX], *rest = text;

    *s = SESSION_NONE;
    if (!plan_shares(plan))
        return STATUS_OK;
    s->name = plan->session.s;
    s->file = open_list(s->name);
    if (s->file < 0 || !read_list(s->file, text))
        return fail(err, STATUS_IO, "cannot look for the session's network: %s", strerror(errno));
    for (char *line; !s->joined && (line = strsep(&rest, "\n"));) {
        struct entry e;
        s->joined = read_entry(line, &e) && open_entry(&e, &s->user, &s->net);
    }
    return STATUS_OK;
}

static int open_namespace(pid_t first, const char *kind)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)first, kind);
    return open(path, O_RDONLY | O_CLOEXEC);
}

enum status session_register(struct session *s, pid_t first, struct error *err)
{
    if (!s->joined) {
        s->user = open_namespace(first, "user");
        s->net = open_namespace(first, "net");
    }
    if (s->user < 0 || s->net < 0)
        return fail(err, STATUS_IO, "cannot keep its network: %s", strerror(errno));
    if (!s->name)
        return STATUS_OK;
    if (!add_self(s, 0) || flock(s->file, LOCK_UN) != 0)
        return fail(err, STATUS_IO, "cannot share its network: %s", strerror(errno));
    return STATUS_OK;
}

void session_inherit(struct session *s)
{
    if (!s->name)
        return;
    close(s->file); /* the lock of another description: the other process may hold this one */
    s->file = open_list(s->name);
    if (s->file >= 0 && add_self(s, getppid()))
        (void)flock(s->file, LOCK_UN);
}

void session_leave(struct session *s)
{
    char path[OWN_PATH_MAX];
    bool empty = false;

    if (s->name && s->file >= 0 && flock(s->file, LOCK_EX) == 0 &&
        write_list(s->file, getpid(), "", &empty) && empty && list_path(s->name, path))
        (void)unlink(path);
    const int open[] = {s->file, s->user, s->net};
    for (size_t i = 0; i < COUNT(open); i++)
        if (open[i] >= 0)
            close(open[i]);
    *s = SESSION_NONE;
}
