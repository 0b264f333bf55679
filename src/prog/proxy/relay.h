/* relay.h - bytes both ways between a client and a server, until one of them ends. */
#ifndef PROXY_RELAY_H
#define PROXY_RELAY_H

#include <sys/socket.h>

#include "base/str.h"

struct relay {
    int client, server;
    struct str first; /* what the client has said already */
    const char *name; /* that a first message of TLS must name; "": any */
    bool tunnel;      /* it may begin with such a message */
    uint64_t sent, received;
};

/* False: TLS names another server, and the server got nothing. */
bool relay_run(struct relay *r);

int64_t relay_now(void); /* milliseconds */
bool relay_send(int socket, struct str text);
int relay_connect(const struct sockaddr *address, socklen_t length, int milliseconds); /* -1 */

#endif
