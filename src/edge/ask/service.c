#include "ask/service.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/clock.h"

#define READ_BYTES 4096

/* ---- who is there ---- */

static bool is_ours(uid_t owner)
{
    return owner == 0 || owner == geteuid();
}

static enum status check_directory(int at, const char *path, struct error *err)
{
    struct stat st;

    if (fstatat(at, path, &st, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) < 0)
        return fail(err, STATUS_IO, "cannot check its directory: %s", strerror(errno));
    if (!S_ISDIR(st.st_mode) || !is_ours(st.st_uid) || (st.st_mode & (S_IWGRP | S_IWOTH)))
        return fail(err, STATUS_UNSAFE, "others can write its directory");
    return STATUS_OK;
}

/* A socket address has room for about a hundred bytes; a longer path is reached through a
 * descriptor. */
static enum status find_address(const char *directory, const char *path, int *at,
                                struct sockaddr_un *out, struct error *err)
{
    if (strlen(path) < sizeof(out->sun_path)) {
        memcpy(out->sun_path, path, strlen(path) + 1);
        return check_directory(AT_FDCWD, directory, err);
    }
    *at = openat(AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (*at < 0)
        return fail(err, STATUS_IO, "cannot open its directory: %s", strerror(errno));
    snprintf(out->sun_path, sizeof(out->sun_path), "/proc/self/fd/%d/" SERVICE_SOCKET, *at);
    return check_directory(*at, "", err);
}

/* The check that counts: it cannot be fooled by a file that is replaced between two checks. */
static enum status check_peer(struct service_line *line, struct error *err)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (getsockopt(line->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || size != sizeof(peer))
        return fail(err, STATUS_UNSAFE, "cannot tell who serves the socket");
    if (!is_ours(peer.uid))
        return fail(err, STATUS_UNSAFE, "the socket belongs to user %ld", (long)peer.uid);
    line->own = peer.uid == geteuid();
    return STATUS_OK;
}

/* Most machines run no service: one system call is enough to find that out. */
static bool is_nobody_there(const char *path)
{
    struct stat st;

    return fstatat(AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

enum status service_open(struct service_line *line, const char *directory, struct error *err)
{
    static const char name[] = "/" SERVICE_SOCKET;
    AUTO_CLOSE int at = -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char path[PATH_MAX];
    size_t len = strlen(directory);
    enum status status;

    *line = (struct service_line){.fd = -1};
    if (len + sizeof(name) > sizeof(path))
        return fail(err, STATUS_IO, "the path of its socket is too long");
    memcpy(mempcpy(path, directory, len), name, sizeof(name));
    if (is_nobody_there(path))
        return fail(err, STATUS_IO, "there is no " SERVICE_SOCKET " in its place");
    if ((status = find_address(directory, path, &at, &address, err)) != STATUS_OK)
        return status;
    line->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (line->fd < 0)
        return fail(err, STATUS_IO, "cannot make a socket: %s", strerror(errno));
    if (connect(line->fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
        return fail(err, STATUS_IO, "no answer on %s/" SERVICE_SOCKET ": %s", directory,
                    strerror(errno));
    return check_peer(line, err);
}

void service_close(struct service_line *line)
{
    if (line->fd >= 0)
        close(line->fd);
    free(line->text);
    *line = (struct service_line){.fd = -1};
}

/* ---- talking ---- */

static enum status wait_for(struct service_line *line, short what, int64_t deadline,
                            struct error *err)
{
    for (;;) {
        struct pollfd p = {.fd = line->fd, .events = what};
        int64_t left = deadline - clock_ms();
        if (left <= 0)
            return fail(err, STATUS_IO, "the service did not answer in time");
        int ready = poll(&p, 1, left > INT_MAX ? INT_MAX : (int)left);
        if (ready > 0)
            return STATUS_OK;
        if (ready < 0 && errno != EINTR)
            return fail(err, STATUS_IO, "cannot wait for the service: %s", strerror(errno));
    }
}

enum status service_send(struct service_line *line, struct str call, int64_t deadline,
                         struct error *err)
{
    enum status status;

    line->len = 0;
    while (call.len) {
        ssize_t n = send(line->fd, call.s, call.len, MSG_NOSIGNAL);
        if (n > 0) {
            line->sent = true;
            call = str_from_byte(call, (size_t)n);
        } else if (n < 0 && errno == EAGAIN) {
            if ((status = wait_for(line, POLLOUT, deadline, err)) != STATUS_OK)
                return status;
        } else if (n < 0 && errno != EINTR) {
            return fail(err, STATUS_IO, "the service did not accept the call: %s", strerror(errno));
        }
    }
    return STATUS_OK;
}

static enum status make_room(struct service_line *line, struct error *err)
{
    size_t room = line->room ? line->room * 2 : READ_BYTES;
    char *grown;

    if (line->len < line->room)
        return STATUS_OK;
    if (line->len > SERVICE_LINE_MAX)
        return fail(err, STATUS_LIMIT, "the service's answer is too long");
    if (!(grown = realloc(line->text, room)))
        return fail(err, STATUS_NOMEM, "out of memory");
    line->text = grown;
    line->room = room;
    return STATUS_OK;
}

/* One question is open at a time: bytes after the line feed would answer a question that was not
 * asked. */
static enum status take_line(const struct service_line *line, size_t from, struct str *out,
                             struct error *err)
{
    const char *end = memchr(line->text + from, '\n', line->len - from);

    if (!end)
        return STATUS_OK;
    if (end + 1 != line->text + line->len)
        return fail(err, STATUS_SYNTAX, "the service sent more than one line");
    *out = (struct str){line->text, (size_t)(end - line->text)};
    return out->len ? STATUS_OK : fail(err, STATUS_SYNTAX, "the service's answer is empty");
}

enum status service_read(struct service_line *line, struct str *out, struct error *err)
{
    enum status status;

    *out = (struct str){0};
    for (;;) {
        if ((status = make_room(line, err)) != STATUS_OK)
            return status;
        ssize_t n = recv(line->fd, line->text + line->len, line->room - line->len, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return STATUS_OK;
        if (n < 0)
            return fail(err, STATUS_IO, "the connection to the service broke: %s", strerror(errno));
        if (n == 0)
            return fail(err, STATUS_IO, "the service closed the connection before it answered");
        line->len += (size_t)n;
        if ((status = take_line(line, line->len - (size_t)n, out, err)) != STATUS_OK || out->len)
            return status;
    }
}

enum status service_receive(struct service_line *line, int64_t deadline, struct str *out,
                            struct error *err)
{
    enum status status;

    do {
        if ((status = wait_for(line, POLLIN, deadline, err)) == STATUS_OK)
            status = service_read(line, out, err);
    } while (status == STATUS_OK && out->len == 0);
    return status;
}
