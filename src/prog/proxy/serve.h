/* serve.h - the one way out of a cell: a process outside of it that accepts on a socket which was
 * made inside, and connects to the hosts of the plan and to nothing else.
 *
 * A name is resolved once, here, and the address that was looked at is the one that is dialled. It
 * ends when its keeper does. Each connection is a thread: a slow one holds nobody up. */
#ifndef PROXY_SERVE_H
#define PROXY_SERVE_H

#include "proxy/address.h"
#include "proxy/hosts.h"

#define PROXY_PORT 3128

struct proxy {
    const struct host *hosts;
    size_t host_count;
    const struct range *refused; /* addresses, besides those that are always refused */
    size_t refused_count;
    int listener;
    int notes; /* to the keeper: one struct proxy_note a message; its end is ours */
};

enum proxy_verdict {
    PROXY_UNREADABLE = 0,
    PROXY_NOT_LISTED,
    PROXY_UNRESOLVED,
    PROXY_ADDRESS_REFUSED,
    PROXY_UNREACHABLE,
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
