#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/json.h"
#include "serve/say.h"
#include "serve/server.h"
#include "serve/systemd.h"

#define BACKLOG        1024
#define ACCEPTS_MAX    64  /* in one go, so that existing connections are served too */
#define ACCEPT_PAUSE_S 0.2 /* when there are no descriptors left */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

static bool is_loopback(const union address *a)
{
    return a->any.sa_family == AF_INET ? ntohl(a->v4.sin_addr.s_addr) >> 24 == 127
                                       : IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

/* "127.0.0.1:8420", "[::1]:0", "localhost:80": an address and a port, never a name for a
 * resolver. */
static bool read_address(const char *text, union address *out, socklen_t *len)
{
    const char *colon = strrchr(text, ':');
    size_t host_len = colon ? (size_t)(colon - text) : 0;
    char host[64], *end;
    unsigned long port;

    if (!colon || host_len == 0 || host_len >= sizeof host || colon[1] < '0' || colon[1] > '9')
        return false;
    port = strtoul(colon + 1, &end, 10);
    if (*end || port > 65535)
        return false;
    memcpy(host, text, host_len);
    host[host_len] = '\0';
    *out = (union address){0};
    if (host[0] == '[' && host[host_len - 1] == ']') {
        host[host_len - 1] = '\0';
        out->v6 =
            (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
        *len = sizeof out->v6;
        return inet_pton(AF_INET6, host + 1, &out->v6.sin6_addr) == 1;
    }
    out->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    *len = sizeof out->v4;
    return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host,
                     &out->v4.sin_addr) == 1;
}

static bool open_tcp(struct listening *l, const char *text)
{
    const int on = 1;
    union address address = {0};
    socklen_t len = 0;

    if (!read_address(text, &address, &len)) {
        serve_say("--listen %s: expected an address and a port, as in 127.0.0.1:8420 or [::1]:0",
                  text);
        return false;
    }
    l->tcp = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (l->tcp < 0 || setsockopt(l->tcp, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        bind(l->tcp, &address.any, len) < 0 || listen(l->tcp, BACKLOG) < 0) {
        serve_say("cannot listen on %s: %s", text, strerror(errno));
        return false;
    }
    return true;
}

/* What the socket is bound to, whether by us or by systemd. */
static bool inspect_tcp(struct listening *l, bool tls)
{
    union address address = {0};
    socklen_t len = sizeof address;
    char text[INET6_ADDRSTRLEN];
    bool v6;

    if (getsockname(l->tcp, &address.any, &len) < 0) {
        serve_say("cannot find the address of the socket: %s", strerror(errno));
        return false;
    }
    v6 = address.any.sa_family == AF_INET6;
    l->port = ntohs(v6 ? address.v6.sin6_port : address.v4.sin_port);
    inet_ntop(address.any.sa_family,
              v6 ? (void *)&address.v6.sin6_addr : (void *)&address.v4.sin_addr, text, sizeof text);
    snprintf(l->address, sizeof l->address, v6 ? "[%s]" : "%s", text);
    if (!tls && !is_loopback(&address)) {
        serve_say("%s is not a loopback address, so tokens would cross the network unencrypted: "
                  "give --tls-cert and "
                  "--tls-key, or listen on 127.0.0.1",
                  l->address);
        return false;
    }
    return true;
}

static void take_activated(void *context, int fd)
{
    struct listening *l = context;
    union address address = {0};
    socklen_t len = sizeof address;
    int *slot;

    if (getsockname(fd, &address.any, &len) < 0)
        return;
    slot = address.any.sa_family == AF_UNIX ? &l->unix_socket : &l->tcp;
    if (*slot >= 0) {
        serve_say("systemd passed two sockets of the same kind; the second one is ignored");
        close(fd);
        return;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    *slot = fd;
}

#define DEFAULT_LISTEN "127.0.0.1:8420"

bool listen_open(struct listening *l, const struct serve_options *options)
{
    bool activated;

    systemd_sockets(take_activated, l);
    activated = l->tcp >= 0 || l->unix_socket >= 0;
    if (l->tcp < 0 && (options->listen || !activated) &&
        !open_tcp(l, options->listen ? options->listen : DEFAULT_LISTEN))
        return false;
    if (l->tcp >= 0 && !inspect_tcp(l, options->tls_cert != NULL))
        return false;
    if (l->unix_socket >= 0 || (activated && !options->socket))
        return true;
    l->unix_socket = socket_open(&l->file, options);
    return l->unix_socket >= 0;
}

struct announcement {
    const struct listening *listening;
    const char *scheme;
};

static void write_announcement(struct json_writer *w, const void *about)
{
    const struct announcement *a = about;
    const struct listening *l = a->listening;

    json_begin_object(w);
    if (l->tcp >= 0)
        json_text_member(w, "listen",
                         str_format(w->out->arena, "%s://%s:%u", a->scheme, l->address, l->port));
    json_text_member_if(w, "socket", str_from(l->file.path));
    json_end_object(w);
}

static void announce_json(const struct announcement *a)
{
    struct arena arena;
    struct str text;

    arena_init(&arena, (size_t)1 << 20);
    if (json_try(&arena, write_announcement, a, &text))
        puts(text.s);
    arena_release(&arena);
}

void listen_announce(const struct listening *l, const struct serve_options *options)
{
    const struct announcement a = {l, options->tls_cert ? "https" : "http"};

    if (options->json)
        announce_json(&a);
    if (!options->json && l->tcp >= 0)
        printf("listening on %s://%s:%u\n", a.scheme, l->address, l->port);
    if (!options->json && l->unix_socket >= 0)
        printf("listening on unix:%s\n", l->file.path[0] ? l->file.path : " a socket from systemd");
    (void)fflush(stdout);
}

static void on_pause_end(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct acceptor *a = timer->data;

    (void)events;
    ev_io_start(loop, &a->io);
}

static void on_connection(struct ev_loop *loop, ev_io *io, int events)
{
    struct acceptor *a = io->data;

    (void)events;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        int fd = accept4(io->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0 && server_admits(a->server, a->kind)) {
            a->accepted(a->server, fd);
        } else if (fd >= 0) {
            close(fd);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            ev_io_stop(loop, io);
            ev_timer_set(&a->pause, ACCEPT_PAUSE_S, 0.);
            ev_timer_start(loop, &a->pause);
            return;
        } else if (errno != ECONNABORTED && errno != EINTR) {
            return;
        }
    }
}

static void start(struct acceptor *a, struct server *server, int fd, enum connection_kind kind,
                  void (*accepted)(struct server *, int))
{
    a->server = server;
    a->kind = kind;
    a->accepted = accepted;
    ev_io_init(&a->io, on_connection, fd, EV_READ);
    ev_timer_init(&a->pause, on_pause_end, ACCEPT_PAUSE_S, 0.);
    a->io.data = a->pause.data = a;
    if (fd >= 0)
        ev_io_start(server->loop, &a->io);
}

void listen_start(struct listening *l, struct server *server)
{
    start(&l->acceptors[0], server, l->tcp, CONNECTION_TCP, peer_accepted);
    start(&l->acceptors[1], server, l->unix_socket, CONNECTION_UNIX, lines_accepted);
}

static void stop(struct acceptor *a)
{
    if (!a->server)
        return;
    ev_io_stop(a->server->loop, &a->io);
    ev_timer_stop(a->server->loop, &a->pause);
}

void listen_close(struct listening *l)
{
    stop(&l->acceptors[0]);
    stop(&l->acceptors[1]);
    if (l->tcp >= 0)
        close(l->tcp);
    if (l->unix_socket >= 0)
        close(l->unix_socket);
    socket_remove(&l->file);
    l->tcp = l->unix_socket = -1;
}
