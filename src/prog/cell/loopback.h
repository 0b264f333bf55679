/* loopback.h - addresses of the machine's own loopback network. */
#ifndef CELL_LOOPBACK_H
#define CELL_LOOPBACK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#define ADDRESS_FAMILY offsetof(struct sockaddr_un, sun_path) /* bytes before a name */

union address {
    struct sockaddr any;
    struct sockaddr_un named;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_storage room;
};

/* An address of the internet, with all that belongs to one of its family. */
bool loopback_is_whole(const union address *a, socklen_t length);

bool loopback_is(const union address *a);
bool loopback_is_every(const union address *a); /* 0.0.0.0 or :: */
in_port_t loopback_port(const union address *a);

/* Instead of all addresses. A socket for both versions gets that of version 4, which more clients
 * use; one for version 6 alone the other. */
void loopback_set(union address *a, bool only_six);

#endif
