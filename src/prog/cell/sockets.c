/* sockets.c - sockets of a cell on the network of the machine: its servers are on the loopback
 * alone, and nobody but them can be reached (connect.c).
 *
 * The keeper binds and listens itself, on its own descriptor of the socket and a copy of the
 * address. What it listens on has a number that the kernel never gives to another socket, and only
 * these are the cell's own servers (servers.h). */
#include <errno.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/auto.h"
#include "cell/behalf.h"
#include "cell/landlock.h"
#include "cell/loopback.h"
#include "cell/meant.h"
#include "cell/names.h"
#include "cell/servers.h"

/* Registers alone: the kernel then makes what was judged. */
int behalf_socket(struct answers *a, const struct seccomp_notif *call)
{
    const uint32_t family = (uint32_t)call->data.args[0], type = (uint32_t)call->data.args[1],
                   protocol = (uint32_t)call->data.args[2];

    (void)a;
    if (family == AF_NETLINK) /* libc asks for the addresses of the machine */
        return protocol == NETLINK_ROUTE ? ANSWER_GO_ON : -EACCES;
    return (type & 0xf) == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP) ? ANSWER_GO_ON
                                                                                     : -EACCES;
}

/* ---- bind ---- */

static int bind_address(int fd, union address *to, socklen_t length)
{
    int only_six = 0;
    socklen_t size = sizeof(only_six);

    if (!loopback_is_whole(to, length))
        return -EINVAL;
    if (loopback_is_every(to)) {
        if (to->any.sa_family == AF_INET6)
            (void)getsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_six, &size);
        loopback_set(to, only_six);
    }
    if (!loopback_is(to))
        return -EADDRNOTAVAIL;
    return bind(fd, &to->any, length) == 0 ? 0 : -errno;
}

static mode_t mask_of(const struct seccomp_notif *call)
{
    char path[64], line[256];
    unsigned mask = 077;

    (void)snprintf(path, sizeof(path), "/proc/%u/status", call->pid);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof(line), status))
        if (strncmp(line, "Umask:", 6) == 0)
            mask = (unsigned)strtoul(line + 6, NULL, 8);
    if (status)
        (void)fclose(status);
    return (mode_t)mask;
}

/* In the directory that is held: the name is made there, wherever that is. */
static int bind_below(const struct seccomp_notif *call, int fd, int directory, const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int failed;

    if (snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d/%s", directory, name) >=
        (int)sizeof(to.sun_path))
        return -ENAMETOOLONG;
    const mode_t old = umask(mask_of(call));
    failed = bind(fd, (struct sockaddr *)&to, sizeof(to)) == 0 ? 0 : errno;
    (void)umask(old);
    return -failed;
}

static bool may_make(struct answers *a, int directory, const char *name)
{
    char path[PATH_MAX], place[PATH_MAX];

    if (!meant_path(directory, place) ||
        snprintf(path, sizeof(path), "%s/%s", place, name) >= (int)sizeof(path) ||
        !meant_is_writable(a, directory))
        return false;
    if (plan_can_write(a->plan, str_from(path)) || strncmp(path, "/dev/shm/", 9) == 0) {
        if (names_match_path(a->plan, str_from(path)) < NAMES_BELOW)
            return true;
        report_refusal(a->report, REFUSED_NAME, str_from(path));
    }
    return false;
}

/* A name that is in no directory can be had by anyone on the machine. */
static int bind_unix(struct answers *a, const struct seccomp_notif *call, int fd,
                     const union address *to, socklen_t length)
{
    char text[sizeof(to->named.sun_path) + 1] = "";
    const size_t named = length > ADDRESS_FAMILY ? length - ADDRESS_FAMILY : 0;

    if (named > sizeof(to->named.sun_path) || to->any.sa_family != AF_UNIX)
        return -EINVAL;
    if (named == 0) /* the kernel chooses one that nobody knows */
        return bind(fd, &to->any, ADDRESS_FAMILY) == 0 ? 0 : -errno;
    if (!to->named.sun_path[0])
        return -EACCES;
    memcpy(text, to->named.sun_path, named);
    char *slash = strrchr(text, '/');
    const char *name = slash ? slash + 1 : text;
    if (!name[0] || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return -EADDRINUSE;
    if (slash)
        *slash = '\0';
    AUTO_CLOSE int directory = meant_open(call, AT_FDCWD,
                                          !slash    ? "."
                                          : text[0] ? text
                                                    : "/",
                                          O_DIRECTORY);
    if (directory < 0)
        return -errno;
    if (!may_make(a, directory, name))
        return -EACCES;
    /* The kernel gives a socket the name as it stands in the call, and programs ask for it. Where
     * Landlock refuses TCP, the call may do no harm whatever becomes of its memory and of the
     * number of the descriptor: files are Landlock's as well. */
    return a->landlock >= LANDLOCK_TCP ? ANSWER_GO_ON : bind_below(call, fd, directory, name);
}

static int family_of(int fd)
{
    int family = -1;
    socklen_t size = sizeof(family);

    return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 ? family : -1;
}

int behalf_bind(struct answers *a, const struct seccomp_notif *call)
{
    const uint64_t length = call->data.args[2] & UINT32_MAX;
    union address to = {0};

    if (length > sizeof(to) || length < sizeof(sa_family_t))
        return -EINVAL;
    if (!answer_read(a, call, call->data.args[1], &to, length))
        return -EFAULT;
    AUTO_CLOSE int fd = answer_take(call, (int)call->data.args[0]);
    if (fd < 0)
        return -errno;
    switch (family_of(fd)) {
    case AF_UNIX:
        return bind_unix(a, call, fd, &to, (socklen_t)length);
    case AF_INET:
    case AF_INET6:
        return bind_address(fd, &to, (socklen_t)length);
    case AF_NETLINK:
        return bind(fd, &to.any, (socklen_t)length) == 0 ? 0 : -errno;
    default:
        return -EACCES;
    }
}

/* ---- listen ---- */

static bool is_on_loopback(int fd)
{
    union address at = {0};
    socklen_t size = sizeof(at);

    return getsockname(fd, &at.any, &size) == 0 && loopback_is(&at);
}

/* One without an address would be on all of them. */
static int place_on_loopback(int fd)
{
    union address at = {0};
    socklen_t size = sizeof(at);

    if (getsockname(fd, &at.any, &size) != 0)
        return -errno;
    if (loopback_is_every(&at) && loopback_port(&at) == 0)
        return bind_address(fd, &at, size);
    return loopback_is(&at) ? 0 : -EACCES;
}

int behalf_listen(struct answers *a, const struct seccomp_notif *call)
{
    AUTO_CLOSE int fd = answer_take(call, (int)call->data.args[0]);
    uint64_t number = 0;
    socklen_t size = sizeof(number);

    if (fd < 0)
        return -errno;
    const int family = family_of(fd);
    const bool shared = family == AF_INET || family == AF_INET6;
    if (!shared && family != AF_UNIX)
        return -EACCES;
    int failed = shared ? place_on_loopback(fd) : 0;
    if (failed)
        return failed;
    if (getsockopt(fd, SOL_SOCKET, SO_COOKIE, &number, &size) != 0 || !servers_add(&a->own, number))
        return -ENOBUFS;
    if (listen(fd, (int)call->data.args[1]) != 0)
        return -errno;
    if (shared && !is_on_loopback(fd)) {
        (void)shutdown(fd, SHUT_RDWR);
        return -EACCES;
    }
    return 0;
}
