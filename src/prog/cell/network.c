#include "cell/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/inside.h"
#include "cell/kernel.h"
#include "cell/landlock.h"
#include "cell/route.h"
#include "proxy/names.h"
#include "proxy/serve.h"

#define BACKLOG     64
#define PORT_NAMES  53
#define PORTS_MAX   (PROXY_SOCKETS_MAX - 8)
#define HIGH_NUMBER 512  /* more than a keeper has open */
#define END_MS      1000 /* for the network to end */
#define KIND_SHIFT  16   /* of a message's value: what the socket is for, and its port */

static bool is_used(const struct plan *plan)
{
    return plan->host_count > 0 || plan->loopback_count > 0;
}

/* ---- inside: the sockets ---- */

struct handing {
    const struct plan *plan;
    int channel;
    uint16_t caught[PORTS_MAX];
    size_t caught_count;
};

static bool send_socket(const struct handing *h, enum proxy_kind kind, uint16_t port, int fd)
{
    const struct message message = {.kind = MESSAGE_SOCKET,
                                    .value = (int)kind << KIND_SHIFT | port};

    return channel_send(h->channel, &message, fd);
}

/* -1: errno. `shared`: others may have opened the same. */
static int open_socket(int type, uint32_t address, uint16_t port, bool shared)
{
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)};
    const int yes = 1;
    int fd = socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return -1;
    if ((!shared || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes)) == 0) &&
        bind(fd, (const void *)&at, sizeof(at)) == 0 &&
        (type != SOCK_STREAM || listen(fd, BACKLOG) == 0))
        return fd;
    int failed = errno;
    close(fd);
    errno = failed;
    return -1;
}

static bool hand(const struct handing *h, enum proxy_kind kind, int type, uint32_t address,
                 uint16_t port)
{
    AUTO_CLOSE int fd = open_socket(type, address, port, false);

    return fd >= 0 && send_socket(h, kind, port, fd);
}

/* A port of this machine. If somebody has it in the network of the session, that one is meant. */
static bool hand_loopback(const struct handing *h)
{
    for (size_t i = 0; i < h->plan->loopback_count; i++)
        for (uint32_t port = h->plan->loopback[i].first; port <= h->plan->loopback[i].last;
             port++) {
            AUTO_CLOSE int fd = open_socket(SOCK_STREAM, INADDR_LOOPBACK, (uint16_t)port, true);
            if (fd < 0 && errno == EADDRINUSE)
                continue;
            if (fd < 0 || !send_socket(h, PROXY_HANDED, (uint16_t)port, fd))
                return false;
        }
    return true;
}

/* Programs that know no proxy connect to an address of ours, on a port that the plan lists. */
static bool catch_port(struct handing *h, uint16_t port)
{
    for (size_t i = 0; i < h->caught_count; i++)
        if (h->caught[i] == port)
            return true;
    if (h->caught_count == PORTS_MAX || port == PROXY_PORT)
        return true; /* the proxy has it nevertheless */
    h->caught[h->caught_count++] = port;
    return hand(h, PROXY_CAUGHT, SOCK_STREAM, INADDR_ANY, port);
}

static bool catch_host(struct handing *h, const struct host *host)
{
    struct in_addr address;

    /* what the kernel does not take for its own is still reached by the proxy */
    if (host->to.is_address && inet_pton(AF_INET, host->to.name, &address) == 1)
        (void)route_to_self(ntohl(address.s_addr), 32);
    return host->to.port ? catch_port(h, host->to.port) : catch_port(h, 80) && catch_port(h, 443);
}

static bool hand_hosts(struct handing *h)
{
    if (!hand(h, PROXY_ASKED, SOCK_STREAM, INADDR_LOOPBACK, PROXY_PORT) ||
        !hand(h, PROXY_LOOKUP, SOCK_DGRAM, INADDR_LOOPBACK, PORT_NAMES) ||
        !route_to_self(NAMES_NETWORK, NAMES_BITS))
        return false;
    for (size_t i = 0; i < h->plan->host_count; i++)
        if (!catch_host(h, &h->plan->hosts[i]))
            return false;
    return true;
}

enum status network_hand_out(const struct plan *plan, int channel, struct error *err)
{
    struct handing h = {.plan = plan, .channel = channel};

    if (!is_used(plan))
        return STATUS_OK;
    if ((plan->host_count && !hand_hosts(&h)) || !hand_loopback(&h) ||
        !channel_send(channel, &(struct message){.kind = MESSAGE_NETWORK}, -1))
        return fail(err, STATUS_IO, "cannot hand out the network: %s", strerror(errno));
    return STATUS_OK;
}

/* ---- the processes ---- */

/* They read what the cell says, so they have no more power than they need: they can write no file.
 */
static bool confine(void)
{
    const struct rlimit no_core = {0, 0};
    const struct plan nothing = {0};
    struct error err;

    return setrlimit(RLIMIT_CORE, &no_core) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
           landlock_apply(&nothing, landlock_version(), &err) == STATUS_OK;
}

/* Leaves the standard streams to others: whoever reads them waits for the last one that has them.
 */
static bool leave_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int i = 0; i < 3; i++)
        if (null < 0 || dup2(null, i) < 0)
            return false;
    return true;
}

/* Keeps `fd` alone, as a number that is returned. */
static int leave_others(int fd)
{
    const int kept = 3;

    if (!leave_streams() || (fd != kept && dup3(fd, kept, O_CLOEXEC) != kept))
        return -1;
    return syscall(SYS_close_range, kept + 1, ~0u, 0) == 0 ? kept : -1;
}

/* False: it was no socket, or there is no room. */
static bool add_socket(struct proxy *p, const struct message *message, int fd)
{
    if (fd < 0 || p->socket_count == PROXY_SOCKETS_MAX)
        return false;
    p->sockets[p->socket_count++] =
        (struct proxy_socket){.kind = (enum proxy_kind)(message->value >> KIND_SHIFT),
                              .port = (uint16_t)(message->value & UINT16_MAX),
                              .fd = fd};
    return true;
}

static _Noreturn void work(const struct plan *plan, int notes)
{
    struct proxy proxy = {.hosts = plan->hosts,
                          .host_count = plan->host_count,
                          .refused_hosts = plan->refused,
                          .refused_host_count = plan->refused_count,
                          .refused = plan->ranges,
                          .refused_count = plan->range_count};
    struct message message;
    int fd;

    proxy.notes = leave_others(notes);
    if (proxy.notes < 0 || !confine())
        _exit(1);
    while ((message = channel_receive(proxy.notes, &fd)).kind == MESSAGE_SOCKET)
        if (!add_socket(&proxy, &message, fd))
            _exit(1);
    if (message.kind != MESSAGE_NETWORK)
        _exit(1);
    proxy_run(&proxy);
}

static enum status begin(pid_t *child, int ends[2], struct error *err)
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(err, STATUS_IO, "cannot start the network: %s", strerror(errno));
    *child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (*child == 0)
        return STATUS_OK;
    close(ends[1]);
    if (*child < 0) {
        close(ends[0]);
        return fail(err, STATUS_IO, "cannot start the network: %s", strerror(errno));
    }
    return STATUS_OK;
}

enum status network_start(const struct plan *plan, int *notes, struct error *err)
{
    int ends[2];
    pid_t child;

    *notes = -1;
    if (!is_used(plan))
        return STATUS_OK;
    enum status status = begin(&child, ends, err);
    if (status != STATUS_OK)
        return status;
    if (child == 0)
        work(plan, ends[1]);
    *notes = ends[0];
    return STATUS_OK;
}

/* ---- what is published ---- */

/* A port that somebody has already, also another cell of the session, stays theirs. */
static void open_published(const struct plan *plan, struct proxy *p)
{
    for (size_t i = 0; i < plan->publish_count; i++)
        for (uint32_t port = plan->publish[i].first;
             port <= plan->publish[i].last && p->socket_count < PROXY_SOCKETS_MAX; port++) {
            int fd = open_socket(SOCK_STREAM, INADDR_LOOPBACK, (uint16_t)port, false);
            if (fd >= 0)
                p->sockets[p->socket_count++] =
                    (struct proxy_socket){PROXY_HANDED, (uint16_t)port, fd};
        }
}

/* Moves what is needed to high numbers, and closes the rest. */
static bool keep_published(struct proxy *p)
{
    p->notes = fcntl(p->notes, F_DUPFD_CLOEXEC, HIGH_NUMBER);
    for (size_t i = 0; i < p->socket_count; i++)
        if ((p->sockets[i].fd = fcntl(p->sockets[i].fd, F_DUPFD_CLOEXEC, HIGH_NUMBER)) < 0)
            return false;
    return p->notes >= 0 && leave_streams() && syscall(SYS_close_range, 3, HIGH_NUMBER - 1, 0) == 0;
}

static _Noreturn void publish(struct proxy *p, int user, int net)
{
    struct error err;

    if (setns(user, CLONE_NEWUSER) != 0 || setns(net, CLONE_NEWNET) != 0 || !keep_published(p) ||
        inside_drop_capabilities(TIER_NAMESPACES, &err) != STATUS_OK || !confine())
        _exit(1);
    proxy_run(p);
}

enum status network_publish(const struct plan *plan, int user, int net, int *notes,
                            struct error *err)
{
    struct proxy proxy = {0};
    enum status status = STATUS_OK;
    int ends[2];
    pid_t child;

    *notes = -1;
    open_published(plan, &proxy);
    if (proxy.socket_count) {
        status = begin(&child, ends, err);
        if (status == STATUS_OK && child == 0) {
            close(ends[0]);
            proxy.notes = ends[1];
            publish(&proxy, user, net);
        }
        if (status == STATUS_OK)
            *notes = ends[0];
    }
    for (size_t i = 0; i < proxy.socket_count; i++)
        close(proxy.sockets[i].fd);
    return status;
}

bool network_give(int notes, const struct message *message, int fd)
{
    return channel_send(notes, message, fd);
}

/* ---- what they tell ---- */

static void take(struct report *report, const struct proxy_note *note)
{
    char text[REPORT_TEXT];

    if (note->verdict == PROXY_CONNECTED) {
        report_connection(report, note);
        return;
    }
    int n = note->to.name[0] ? snprintf(text, sizeof(text), "%s:%u (%s)", note->to.name,
                                        note->to.port, proxy_reason(note->verdict))
                             : snprintf(text, sizeof(text), "the proxy of the sandbox (%s)",
                                        proxy_reason(note->verdict));
    report_refusal(report, REFUSED_CONNECT, (struct str){text, n > 0 ? (size_t)n : 0});
}

bool network_hear(int notes, struct report *report)
{
    struct proxy_note note;
    ssize_t n;

    while ((n = recv(notes, &note, sizeof(note), MSG_DONTWAIT)) == (ssize_t)sizeof(note))
        if (note.verdict <= PROXY_CONNECTED)
            take(report, &note);
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

void network_end(int notes, struct report *report)
{
    struct pollfd told = {notes, POLLIN, 0};

    (void)shutdown(notes, SHUT_WR);
    while (network_hear(notes, report))
        if (poll(&told, 1, END_MS) <= 0)
            return;
}
