/* listen.h - the two sockets for clients: TCP, on loopback unless there is TLS, and a unix socket
 * for our own user.
 *
 * systemd may have opened either and pass it in LISTEN_FDS. */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include <ev.h>
#include <stdbool.h>

#include "serve/socket.h"

struct serve_options;
struct server;

enum connection_kind { CONNECTION_TCP = 0, CONNECTION_UNIX };

/* Accepts connections, a few at a time. */
struct acceptor {
    struct server *server;
    enum connection_kind kind;
    ev_io io;
    ev_timer pause; /* while there are no descriptors left */
    void (*accepted)(struct server *server, int fd);
};

struct listening {
    int tcp, unix_socket; /* -1: none */
    unsigned port;
    char address[64]; /* "127.0.0.1", "[::1]" */
    struct socket_file file;
    struct acceptor acceptors[2];
};

/* False after printing what is wrong. Both sockets are -1 before. */
bool listen_open(struct listening *listening, const struct serve_options *options);
void listen_start(struct listening *listening, struct server *server);
/* "listening on http://127.0.0.1:8420", one line each or everything as JSON, flushed. */
void listen_announce(const struct listening *listening, const struct serve_options *options);
/* Accepts no more connections. */
void listen_close(struct listening *listening);

#endif
