/* serve.h - the one way out of a cell: a process outside of it that accepts on sockets which were
 * made inside, and connects to the hosts of the plan and to nothing else.
 *
 * Programs ask it as a proxy. Those that know none ask for the address of a name, get one that
 * leads here, and connect to that (names.h). Single ports can be handed on as they are, out of the
 * cell and into it.
 *
 * A name is resolved once, here, and the address that was looked at is the one that is dialled. It
 * ends when its keeper does. Each connection is a thread: a slow one holds nobody up. */
#ifndef PROXY_SERVE_H
#define PROXY_SERVE_H

#include "base/hosts.h"
#include "proxy/address.h"

#define PROXY_PORT 3128

#define PROXY_SOCKETS_MAX 256

enum proxy_kind {
    PROXY_ASKED,  /* clients say where they want to go */
    PROXY_CAUGHT, /* the address that they connected to says it, and `port` */
    PROXY_HANDED, /* they go to `port` on the loopback network of this process */
    PROXY_LOOKUP, /* datagrams that ask for names */
};

struct proxy_socket {
    enum proxy_kind kind;
    uint16_t port;
    int fd;
};

struct proxy {
    const struct host *hosts;
    size_t host_count;
    const struct host *refused_hosts; /* whatever the others say */
    size_t refused_host_count;
    const struct range *refused; /* addresses, besides those that are always refused */
    size_t refused_count;
    struct proxy_socket sockets[PROXY_SOCKETS_MAX];
    size_t socket_count;
    int notes; /* to the keeper: one struct proxy_note a message; its end is ours */
};

enum proxy_verdict {
    PROXY_UNREADABLE = 0,
    PROXY_NOT_LISTED,
    PROXY_UNRESOLVED,
    PROXY_ADDRESS_REFUSED,
    PROXY_UNREACHABLE,
    PROXY_NO_LOOKUP,  /* a name was asked for that is not listed */
    PROXY_OTHER_NAME, /* TLS names another server than the tunnel */
    PROXY_CONNECTED,
};

struct proxy_note {
    enum proxy_verdict verdict;
    struct destination to; /* empty: it could not be read */
    uint64_t sent, received;
    int64_t milliseconds;
};

/* Why nothing was connected, for a person. */
const char *proxy_reason(enum proxy_verdict verdict);

_Noreturn void proxy_run(const struct proxy *proxy);

#endif
