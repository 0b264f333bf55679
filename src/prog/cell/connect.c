/* connect.c - connect(), done by the keeper.
 *
 * A unix socket of the cell may reach servers of the cell, and what policy names, alone: a tmux, an
 * agent with keys or a container engine outside would do what the cell may not. Which server a name
 * leads to is asked before (servers.h), and looked at once more afterwards. The same is true of
 * ports where the network is the machine's.
 *
 * Connecting may take long, and the keeper has others to answer: each is a thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/auto.h"
#include "cell/answer.h"
#include "cell/granted.h"
#include "cell/lookups.h"
#include "cell/loopback.h"
#include "cell/meant.h"
#include "cell/servers.h"

#define THREADS_MAX   256
#define THREAD_STACK  65536
#define PORT_OF_NAMES 53
#define ADDRESS_MAX   sizeof(struct sockaddr_storage)

struct connecting {
    struct answers *answers;
    struct seccomp_notif call;
    int socket;
    union address to;
    socklen_t length;
    size_t slot;  /* of the list below */
    bool granted; /* to a program outside, which policy lets it reach */
};

/* The calls that threads are at work on, by their numbers; 0: a free slot. */
static _Atomic uint64_t flying[THREADS_MAX];

/* ---- unix sockets ---- */

static bool is_shared(const struct connecting *c)
{
    return c->answers->plan->tier == TIER_LANDLOCK;
}

static const struct servers_own *own_of(const struct connecting *c)
{
    return is_shared(c) ? &c->answers->own : NULL;
}

/* Without namespaces the keeper itself is whom servers of the cell listen as. */
static bool is_inside(const struct answers *a, pid_t process)
{
    char path[64];
    struct stat st;

    if (a->plan->tier == TIER_LANDLOCK)
        return process == getpid();
    (void)snprintf(path, sizeof(path), "/proc/%d/ns/user", process);
    return process > 0 && stat(path, &st) == 0 && st.st_ino == a->users;
}

static bool is_socket(int name)
{
    struct stat st;

    return fstat(name, &st) == 0 && S_ISSOCK(st.st_mode);
}

static int connect_file(const struct connecting *c, int file)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};

    (void)snprintf(to.sun_path, sizeof(to.sun_path), "/proc/self/fd/%d", file);
    return connect(c->socket, (struct sockaddr *)&to, sizeof(to));
}

static int connect_by_name(struct connecting *c)
{
    char path[sizeof(c->to.named.sun_path) + 1] = {0};

    memcpy(path, c->to.named.sun_path, c->length - ADDRESS_FAMILY);
    AUTO_CLOSE int name = meant_open(&c->call, AT_FDCWD, path, 0);
    const int missing = errno;
    AUTO_CLOSE int granted = granted_open(c->answers->plan, path, name);
    c->granted = granted >= 0;
    if (c->granted)
        return connect_file(c, granted);
    errno = missing;
    if (name < 0)
        return -1;
    if (!servers_have(c->answers->servers, own_of(c), name)) {
        errno = is_socket(name) ? EACCES : ECONNREFUSED;
        return -1;
    }
    return connect_file(c, name);
}

static void report_name(const struct connecting *c, bool named)
{
    const char *path = c->to.named.sun_path;

    report_refusal(c->answers->report, REFUSED_CONNECT,
                   named ? (struct str){path, strnlen(path, c->length - ADDRESS_FAMILY)}
                         : STR("an abstract socket"));
}

static int connect_unix(struct connecting *c)
{
    const bool named = c->length > ADDRESS_FAMILY && c->to.named.sun_path[0];
    struct ucred peer = {0};
    socklen_t size = sizeof(peer);

    if (c->to.any.sa_family != AF_UNIX || c->length > sizeof(c->to.named))
        return -EINVAL;
    if (!named && is_shared(c)) { /* whose it is could change after it was looked at */
        report_name(c, named);
        return -EACCES;
    }
    if ((named ? connect_by_name(c) : connect(c->socket, &c->to.any, c->length)) != 0) {
        int failed = errno;
        if (failed == EACCES)
            report_name(c, named);
        return -failed;
    }
    if (c->granted)
        return 0;
    if (getsockopt(c->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
        is_inside(c->answers, peer.pid))
        return 0;
    (void)shutdown(c->socket, SHUT_RDWR);
    report_name(c, named);
    return -EACCES;
}

/* ---- the network of the cell ---- */

static void report_address(struct connecting *c)
{
    const bool six = c->to.any.sa_family == AF_INET6;
    const uint16_t port = ntohs(six ? c->to.six.sin6_port : c->to.four.sin_port);
    const void *address =
        six ? (const void *)&c->to.six.sin6_addr : (const void *)&c->to.four.sin_addr;
    char host[INET6_ADDRSTRLEN] = "a host", text[INET6_ADDRSTRLEN + 16];

    if (six || c->to.any.sa_family == AF_INET)
        (void)inet_ntop(c->to.any.sa_family, address, host, sizeof(host));
    (void)snprintf(text, sizeof(text), "%s%s%s:%u", six ? "[" : "", host, six ? "]" : "", port);
    if (port != PORT_OF_NAMES || !lookups_know(c->answers->report))
        report_refusal(c->answers->report, REFUSED_CONNECT, str_from(text));
}

/* On the loopback that is known at once, also of a socket that does not wait for it. */
static bool was_refused(const struct connecting *c, int failed)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof(info);

    return failed == ECONNREFUSED ||
           (failed == EINPROGRESS &&
            getsockopt(c->socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
            info.tcpi_state == TCP_CLOSE);
}

/* A server of the machine's own loopback, which the cell's own has not: a test that needs a
 * database would only say that nobody listens. */
static bool is_meant_outside(const struct connecting *c, int failed)
{
    return !is_shared(c) && loopback_is(&c->to) && was_refused(c, failed) &&
           servers_outside(loopback_port(&c->to));
}

static int connect_address(struct connecting *c)
{
    if (connect(c->socket, &c->to.any, c->length) == 0)
        return 0;
    int failed = errno;
    if (failed == ENETUNREACH || failed == EHOSTUNREACH || is_meant_outside(c, failed))
        report_address(c);
    return -failed;
}

static bool is_own_port(const struct connecting *c)
{
    return servers_have_port(c->answers->servers, own_of(c), loopback_port(&c->to));
}

/* Somebody outside may come to a port when the server that had it is gone, so it is asked once more
 * afterwards. */
static int connect_shared(struct connecting *c)
{
    if (c->to.any.sa_family == AF_UNSPEC)
        return connect_address(c);
    if (!loopback_is_whole(&c->to, c->length))
        return -EINVAL;
    if (loopback_is_every(&c->to))
        loopback_set(&c->to, c->to.any.sa_family == AF_INET6);
    if (!loopback_is(&c->to)) {
        report_address(c);
        return -ENETUNREACH;
    }
    if (!is_own_port(c)) {
        report_address(c);
        return -ECONNREFUSED;
    }
    const int result = connect_address(c);
    if ((result == 0 || result == -EINPROGRESS) && !is_own_port(c)) {
        (void)shutdown(c->socket, SHUT_RDWR);
        return -ECONNREFUSED;
    }
    return result;
}

static int do_connect(struct connecting *c)
{
    int family = 0;
    socklen_t size = sizeof(family);

    if (getsockopt(c->socket, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0)
        return -errno;
    if (family == AF_UNIX)
        return connect_unix(c);
    return is_shared(c) && family != AF_NETLINK ? connect_shared(c) : connect_address(c);
}

static bool is_lookup(const struct connecting *c)
{
    char path[sizeof(c->to.named.sun_path) + 1] = {0};

    if (c->to.any.sa_family != AF_UNIX || c->length <= ADDRESS_FAMILY ||
        c->length > sizeof(c->to.named))
        return false;
    memcpy(path, c->to.named.sun_path, c->length - ADDRESS_FAMILY);
    return lookups_are_heard(c->answers, path);
}

static void *run(void *arg)
{
    struct connecting *c = arg;

    if (is_lookup(c))
        lookups_hear(c->answers, &c->call, (int)c->call.data.args[0]);
    else
        answer_send(c->answers, c->call.id, do_connect(c));
    atomic_store(&flying[c->slot], 0);
    close(c->socket);
    free(c);
    return NULL;
}

/* ---- the call ---- */

static int prepare(struct answers *a, const struct seccomp_notif *call, struct connecting *c)
{
    const uint64_t length = call->data.args[2] & UINT32_MAX;

    c->answers = a;
    c->call = *call;
    if (length > ADDRESS_MAX || length < sizeof(sa_family_t))
        return -EINVAL;
    c->length = (socklen_t)length;
    if (!answer_read(a, call, call->data.args[1], &c->to, length))
        return -EFAULT;
    c->socket = answer_take(call, (int)call->data.args[0]);
    return c->socket < 0 ? -errno : 0;
}

static bool take_slot(struct connecting *c)
{
    for (c->slot = 0; c->slot < THREADS_MAX; c->slot++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&flying[c->slot], &none, c->call.id))
            return true;
    }
    return false;
}

static int start_thread(struct connecting *c)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int failed = pthread_attr_init(&attributes);

    if (failed)
        return failed;
    (void)pthread_attr_setstacksize(&attributes, THREAD_STACK);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    failed = pthread_create(&thread, &attributes, run, c);
    (void)pthread_attr_destroy(&attributes);
    return failed;
}

static int start(struct connecting *c)
{
    if (!take_slot(c))
        return -EAGAIN;
    int failed = start_thread(c);
    if (failed)
        atomic_store(&flying[c->slot], 0);
    return -failed;
}

void connect_abandon(struct answers *a)
{
    for (size_t i = 0; i < THREADS_MAX; i++) {
        uint64_t id = atomic_exchange(&flying[i], 0);
        if (id)
            answer_send(a, id, -EAGAIN);
    }
}

void connect_answer(struct answers *a, const struct seccomp_notif *call)
{
    struct connecting *c = calloc(1, sizeof(*c));
    int result = c ? prepare(a, call, c) : -ENOMEM;

    if (result == 0)
        result = start(c);
    else if (c)
        c->socket = -1;
    if (result == 0)
        return;
    if (c && c->socket >= 0)
        close(c->socket);
    free(c);
    answer_send(a, call->id, result);
}
