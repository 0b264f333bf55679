#include "proxy/serve.h"

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
#include "proxy/relay.h"
#include "proxy/request.h"

#define CONNECTIONS_MAX 128
#define THREAD_STACK    ((size_t)256 * 1024)
#define GREETING_MS     15000 /* for a client to say what it wants */
#define DIAL_MS         20000

static const char *const reasons[] = {
    [PROXY_UNREADABLE] = "it is no request that the sandbox understands",
    [PROXY_NOT_LISTED] = "not in sandbox.network.hosts",
    [PROXY_UNRESOLVED] = "the name has no address",
    [PROXY_ADDRESS_REFUSED] = "the name leads to an address that is refused",
    [PROXY_UNREACHABLE] = "the host does not answer",
    [PROXY_OTHER_NAME] = "TLS names another server",
    [PROXY_CONNECTED] = "connected",
};

const char *proxy_reason(enum proxy_verdict verdict)
{
    return reasons[verdict];
}

struct client {
    const struct proxy *proxy;
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

static bool read_wish(struct client *c)
{
    if (!hear(c))
        return false;
    c->socks = c->bytes[0] == 5;
    return c->socks ? read_socks(c) : read_http(c);
}

/* ---- whether it may ---- */

static bool is_listed(const struct client *c)
{
    for (size_t i = 0; i < c->proxy->host_count; i++)
        if (host_covers(&c->proxy->hosts[i], &c->note.to))
            return true;
    return false;
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

static enum proxy_verdict judge(struct client *c)
{
    if (!read_wish(c))
        return PROXY_UNREADABLE;
    return is_listed(c) ? dial(c) : PROXY_NOT_LISTED;
}

/* ---- the answer ---- */

static void refuse(struct client *c)
{
    static const char codes[] = {
        [PROXY_UNREADABLE] = 1,      [PROXY_NOT_LISTED] = 2,  [PROXY_UNRESOLVED] = 4,
        [PROXY_ADDRESS_REFUSED] = 2, [PROXY_UNREACHABLE] = 5, [PROXY_OTHER_NAME] = 2};
    char text[512];
    int n;

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
    struct relay r = {.client = c->socket,
                      .server = c->server,
                      .name = c->note.to.is_address ? "" : c->note.to.name,
                      .tunnel = c->socks || c->http.tunnel};

    if (!greet(c))
        return;
    r.first = heard(c);
    if (!relay_run(&r))
        c->note.verdict = PROXY_OTHER_NAME;
    c->note.sent = r.sent;
    c->note.received = r.received;
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

static bool start(const struct proxy *proxy, int socket)
{
    struct client *c = malloc(sizeof(*c));
    pthread_attr_t attributes;
    pthread_t thread;

    if (!c)
        return false;
    *c = (struct client){.proxy = proxy, .socket = socket, .server = -1};
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

_Noreturn void proxy_run(const struct proxy *proxy)
{
    for (;;) {
        struct pollfd events[] = {{proxy->listener, POLLIN, 0}, {proxy->notes, POLLIN, 0}};
        if (poll(events, COUNT(events), -1) < 0 && errno != EINTR)
            _exit(1);
        if (events[1].revents) /* the keeper has ended: it sends nothing */
            _exit(0);
        if (!events[0].revents)
            continue;
        int socket = accept4(proxy->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket >= 0 && (atomic_load(&connections) >= CONNECTIONS_MAX || !start(proxy, socket)))
            close(socket);
    }
}
