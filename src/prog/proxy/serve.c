#include "proxy/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "proxy/lookup.h"
#include "proxy/names.h"
#include "proxy/relay.h"
#include "proxy/request.h"

#define CONNECTIONS_MAX 128
#define THREAD_STACK    ((size_t)256 * 1024)
#define GREETING_MS     15000 /* for a client to say what it wants */
#define DIAL_MS         20000
#define PORT_TLS        443
#define END_MS          500
#define END_STEP_MS     2
#define REST_PIECES     16 /* of what a client sent and nobody reads */

static const char *const reasons[] = {
    [PROXY_UNREADABLE] = "it is no request that the sandbox understands",
    [PROXY_NOT_LISTED] = "not in sandbox.network.hosts",
    [PROXY_UNRESOLVED] = "the name has no address",
    [PROXY_ADDRESS_REFUSED] = "the name leads to an address that is refused",
    [PROXY_UNREACHABLE] = "the host does not answer",
    [PROXY_NO_LOOKUP] = "not in sandbox.network.hosts",
    [PROXY_OTHER_NAME] = "TLS names another server",
    [PROXY_CONNECTED] = "connected",
};

const char *proxy_reason(enum proxy_verdict verdict)
{
    return reasons[verdict];
}

struct client {
    const struct proxy *proxy;
    const struct proxy_socket *came; /* by this one */
    int socket, server;
    bool socks;
    char bytes[REQUEST_MAX];
    size_t len; /* of what it said and is not read yet */
    struct http_request http;
    struct proxy_note note;
    int64_t deadline;
};

static atomic_int connections;

/* ---- what it wants ---- */

/* False: it said nothing more in time. */
static bool hear(struct client *c)
{
    const int64_t left = c->deadline - relay_now();
    struct pollfd event = {c->socket, POLLIN, 0};

    if (left <= 0 || c->len == sizeof(c->bytes) || poll(&event, 1, (int)left) != 1)
        return false;
    ssize_t got = recv(c->socket, c->bytes + c->len, sizeof(c->bytes) - c->len, 0);
    if (got > 0)
        c->len += (size_t)got;
    return got > 0;
}

static struct str heard(const struct client *c)
{
    return (struct str){c->bytes, c->len};
}

static void drop(struct client *c, size_t used)
{
    memmove(c->bytes, c->bytes + used, c->len - used);
    c->len -= used;
}

static bool say(struct client *c, struct str text)
{
    return relay_send(c->socket, text);
}

static bool read_http(struct client *c)
{
    enum reading reading;

    while ((reading = http_read(heard(c), &c->http)) == READ_MORE)
        if (!hear(c))
            return false;
    c->note.to = c->http.to;
    return reading == READ_DONE;
}

static bool read_methods(struct client *c)
{
    enum reading reading;
    size_t used = 0;
    bool without_login = false;

    while ((reading = socks_read_methods(heard(c), &used, &without_login)) == READ_MORE)
        if (!hear(c))
            return false;
    if (reading != READ_DONE || !without_login) {
        (void)say(c, STR("\x05\xff"));
        return false;
    }
    drop(c, used);
    return say(c, STR("\x05\x00"));
}

static bool read_socks(struct client *c)
{
    enum reading reading;
    size_t used = 0;

    if (!read_methods(c))
        return false;
    while ((reading = socks_read_request(heard(c), &used, &c->note.to)) == READ_MORE)
        if (!hear(c))
            return false;
    if (reading == READ_DONE)
        drop(c, used);
    return reading == READ_DONE;
}

/* The address that it connected to is one of ours, or one that the plan lists. */
static bool read_address(struct client *c)
{
    struct sockaddr_in to;
    socklen_t size = sizeof(to);
    char text[INET_ADDRSTRLEN];

    if (getsockname(c->socket, (struct sockaddr *)&to, &size) != 0 || to.sin_family != AF_INET)
        return false;
    const char *name = names_of(ntohl(to.sin_addr.s_addr));
    if (!name)
        name = inet_ntop(AF_INET, &to.sin_addr, text, sizeof(text));
    return name && destination_read(str_from(name), c->came->port, false, &c->note.to);
}

static bool read_wish(struct client *c)
{
    if (c->came->kind == PROXY_CAUGHT)
        return read_address(c);
    if (!hear(c))
        return false;
    c->socks = c->bytes[0] == 5;
    return c->socks ? read_socks(c) : read_http(c);
}

/* ---- whether it may ---- */

static bool is_covered(const struct host *hosts, size_t count, const struct destination *to)
{
    for (size_t i = 0; i < count; i++)
        if (host_covers(&hosts[i], to))
            return true;
    return false;
}

static bool is_listed(const struct proxy *p, const struct destination *to)
{
    return is_covered(p->hosts, p->host_count, to) &&
           !is_covered(p->refused_hosts, p->refused_host_count, to);
}

static bool same_address(const struct sockaddr *a, const struct sockaddr *b)
{
    if (a->sa_family != b->sa_family)
        return false;
    if (a->sa_family == AF_INET)
        return memcmp(&((const struct sockaddr_in *)(const void *)a)->sin_addr,
                      &((const struct sockaddr_in *)(const void *)b)->sin_addr, 4) == 0;
    return memcmp(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr,
                  &((const struct sockaddr_in6 *)(const void *)b)->sin6_addr, 16) == 0;
}

/* An address of this machine; also where that cannot be found out. */
static bool is_own(const struct sockaddr *address)
{
    struct ifaddrs *all = NULL;
    bool own = getifaddrs(&all) != 0;

    for (const struct ifaddrs *i = all; i && !own; i = i->ifa_next)
        own = i->ifa_addr &&
              (i->ifa_addr->sa_family == AF_INET || i->ifa_addr->sa_family == AF_INET6) &&
              same_address(i->ifa_addr, address);
    freeifaddrs(all);
    return own;
}

/* One address that is refused speaks against the whole name: it was made to lead there. */
static bool are_allowed(const struct client *c, const struct addrinfo *found)
{
    for (; found; found = found->ai_next)
        if (address_is_refused(found->ai_addr, c->proxy->refused, c->proxy->refused_count) ||
            is_own(found->ai_addr))
            return false;
    return true;
}

static struct addrinfo *resolve(const struct destination *to)
{
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                                    .ai_flags =
                                        AI_NUMERICSERV | (to->is_address ? AI_NUMERICHOST : 0)};
    struct addrinfo *found = NULL;
    char port[8];

    (void)snprintf(port, sizeof(port), "%u", to->port);
    return getaddrinfo(to->name, port, &wanted, &found) == 0 ? found : NULL;
}

static enum proxy_verdict dial(struct client *c)
{
    struct addrinfo *found = resolve(&c->note.to);
    enum proxy_verdict verdict = PROXY_UNREACHABLE;

    if (!found)
        return PROXY_UNRESOLVED;
    if (!are_allowed(c, found))
        verdict = PROXY_ADDRESS_REFUSED;
    for (const struct addrinfo *i = found; i && verdict == PROXY_UNREACHABLE; i = i->ai_next) {
        c->server = relay_connect(i->ai_addr, i->ai_addrlen, DIAL_MS);
        if (c->server >= 0)
            verdict = PROXY_CONNECTED;
    }
    freeaddrinfo(found);
    return verdict;
}

/* Whatever listens there. */
static enum proxy_verdict hand_on(struct client *c)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(c->came->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    (void)destination_read(STR("localhost"), c->came->port, false, &c->note.to);
    c->server = relay_connect((const struct sockaddr *)&to, sizeof(to), DIAL_MS);
    return c->server < 0 ? PROXY_UNREACHABLE : PROXY_CONNECTED;
}

static enum proxy_verdict judge(struct client *c)
{
    if (c->came->kind == PROXY_HANDED)
        return hand_on(c);
    if (!read_wish(c))
        return PROXY_UNREADABLE;
    return is_listed(c->proxy, &c->note.to) ? dial(c) : PROXY_NOT_LISTED;
}

/* ---- the answer ---- */

static void refuse(struct client *c)
{
    static const char codes[] = {
        [PROXY_UNREADABLE] = 1,      [PROXY_NOT_LISTED] = 2,  [PROXY_UNRESOLVED] = 4,
        [PROXY_ADDRESS_REFUSED] = 2, [PROXY_UNREACHABLE] = 5, [PROXY_OTHER_NAME] = 2,
        [PROXY_NO_LOOKUP] = 2};
    char text[512];
    int n;

    if (c->came->kind != PROXY_ASKED)
        return; /* it would not understand */
    if (c->socks)
        n = snprintf(text, sizeof(text), "\x05%c%c\x01%c%c%c%c%c%c", codes[c->note.verdict], 0, 0,
                     0, 0, 0, 0, 0);
    else
        n = snprintf(text, sizeof(text),
                     "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
                     "warder: the sandbox refused this connection: %s\n",
                     c->note.verdict == PROXY_UNREADABLE ? "400 Bad Request" : "403 Forbidden",
                     reasons[c->note.verdict]);
    (void)say(c, (struct str){text, (size_t)n});
}

/* What goes to the server first, and to the client. */
static bool greet(struct client *c)
{
    char head[REQUEST_MAX + 1024];

    if (c->came->kind != PROXY_ASKED)
        return true;
    if (c->socks)
        return say(c, (struct str){"\x05\0\0\x01\0\0\0\0\0\0", 10});
    if (c->http.tunnel) {
        drop(c, c->http.head);
        return say(c, STR("HTTP/1.1 200 Connection established\r\n\r\n"));
    }
    size_t len = http_print(&c->http, head, sizeof(head));
    drop(c, c->http.head);
    return len && relay_send(c->server, (struct str){head, len});
}

static void serve(struct client *c)
{
    struct relay r = {
        .client = c->socket,
        .server = c->server,
        .name = c->note.to.is_address || c->came->kind == PROXY_HANDED ? "" : c->note.to.name,
        .tunnel = c->came->kind != PROXY_ASKED || c->socks || c->http.tunnel};

    if (!greet(c))
        return;
    r.first = heard(c);
    if (!relay_run(&r))
        c->note.verdict = PROXY_OTHER_NAME;
    c->note.sent = r.sent;
    c->note.received = r.received;
}

/* What has come and was not read would make the kernel reset the connection, and the answer could
 * be lost on its way. */
static void leave(const struct client *c)
{
    char rest[4096];

    shutdown(c->socket, SHUT_WR);
    for (size_t i = 0; i < REST_PIECES; i++)
        if (recv(c->socket, rest, sizeof(rest), MSG_DONTWAIT) <= 0)
            return;
}

static void *run(void *arg)
{
    struct client *c = arg;
    const int64_t began = relay_now();

    c->deadline = began + GREETING_MS;
    c->note.verdict = judge(c);
    if (c->note.verdict == PROXY_CONNECTED)
        serve(c);
    else
        refuse(c);
    if (c->note.verdict != PROXY_CONNECTED)
        leave(c);
    c->note.milliseconds = relay_now() - began;
    (void)send(c->proxy->notes, &c->note, sizeof(c->note), MSG_NOSIGNAL);
    if (c->server >= 0)
        close(c->server);
    close(c->socket);
    free(c);
    atomic_fetch_sub(&connections, 1);
    return NULL;
}

/* ---- the process ---- */

static bool start(const struct proxy *proxy, const struct proxy_socket *came, int socket)
{
    struct client *c = malloc(sizeof(*c));
    pthread_attr_t attributes;
    pthread_t thread;

    if (!c)
        return false;
    *c = (struct client){.proxy = proxy, .came = came, .socket = socket, .server = -1};
    if (pthread_attr_init(&attributes) != 0) {
        free(c);
        return false;
    }
    (void)pthread_attr_setstacksize(&attributes, THREAD_STACK);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    atomic_fetch_add(&connections, 1);
    const bool started = pthread_create(&thread, &attributes, run, c) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (!started) {
        atomic_fetch_sub(&connections, 1);
        free(c);
    }
    return started;
}

/* ---- names ---- */

/* Is the name one of a host that can be reached, on whichever port? */
static bool has_name(const struct proxy *p, const char *name)
{
    struct destination to;

    for (size_t i = 0; i < p->host_count; i++)
        if (destination_read(str_from(name), p->hosts[i].to.port ? p->hosts[i].to.port : PORT_TLS,
                             false, &to) &&
            host_covers(&p->hosts[i], &to) && is_listed(p, &to))
            return true;
    return false;
}

static void note_lookup(const struct proxy *p, const char *name)
{
    struct proxy_note note = {.verdict = PROXY_NO_LOOKUP};

    if (destination_read(str_from(name), PORT_TLS, false, &note.to))
        (void)send(p->notes, &note, sizeof(note), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void look_up(const struct proxy *p, int fd)
{
    char message[LOOKUP_MAX];
    struct sockaddr_storage from;
    socklen_t size = sizeof(from);
    struct lookup asked;
    enum lookup_answer answer = LOOKUP_EMPTY;
    uint32_t address = 0;
    ssize_t got =
        recvfrom(fd, message, sizeof(message), MSG_DONTWAIT, (struct sockaddr *)&from, &size);

    if (got <= 0 || !lookup_read((struct str){message, (size_t)got}, &asked))
        return;
    if (!has_name(p, asked.name)) {
        answer = LOOKUP_REFUSED;
        note_lookup(p, asked.name);
    } else if (asked.four && (address = names_address(asked.name))) {
        answer = LOOKUP_FOUND;
    }
    size_t len = lookup_print(&asked, answer, htonl(address), message);
    (void)sendto(fd, message, len, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&from, size);
}

/* ---- all of it ---- */

static void take(const struct proxy *p, const struct proxy_socket *at)
{
    if (at->kind == PROXY_LOOKUP) {
        look_up(p, at->fd);
        return;
    }
    int socket = accept4(at->fd, NULL, NULL, SOCK_CLOEXEC);
    if (socket >= 0 && (atomic_load(&connections) >= CONNECTIONS_MAX || !start(p, at, socket)))
        close(socket);
}

/* The clients are gone, and what is left of their connections ends by itself. What they did is
 * told. */
static _Noreturn void end(void)
{
    for (int ms = 0; ms < END_MS && atomic_load(&connections) > 0; ms += END_STEP_MS)
        (void)poll(NULL, 0, END_STEP_MS);
    _exit(0);
}

_Noreturn void proxy_run(const struct proxy *proxy)
{
    struct pollfd events[PROXY_SOCKETS_MAX + 1];
    const size_t count = proxy->socket_count;

    for (size_t i = 0; i < count; i++)
        events[i] = (struct pollfd){proxy->sockets[i].fd, POLLIN, 0};
    events[count] = (struct pollfd){proxy->notes, POLLIN, 0};
    for (;;) {
        if (poll(events, count + 1, -1) < 0) {
            if (errno != EINTR)
                _exit(1);
            continue;
        }
        if (events[count].revents) /* the keeper ends: it sends nothing else */
            end();
        for (size_t i = 0; i < count; i++)
            if (events[i].revents)
                take(proxy, &proxy->sockets[i]);
    }
}
