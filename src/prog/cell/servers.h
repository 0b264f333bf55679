/* servers.h - the sockets on which somebody in the cell listens.
 *
 * Which server a name or a port leads to must be known before anything is connected: the caller's
 * other threads have the socket, too, and could write to it in the moment before it is cut. The
 * kernel knows of each listening socket which file or port it is bound to (sock_diag(7)), and it
 * lists those of one network namespace. In a cell without namespaces that is the machine's, so only
 * those count that the keeper has put on a list. */
#ifndef CELL_SERVERS_H
#define CELL_SERVERS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVERS_MAX 65536

/* Numbers of sockets (SO_COOKIE), of which the kernel never uses one twice. */
struct servers_own {
    uint64_t *numbers;
    size_t count, room;
};

/* To ask for the sockets of the network namespace that this process is in; -1: errno. */
int servers_open(void);

/* False: there is no room. */
bool servers_add(struct servers_own *own, uint64_t number);

/* Does somebody there listen on the file that `name`, an O_PATH descriptor, is? With `own`: one of
 * these. */
bool servers_have(int servers, const struct servers_own *own, int name);

/* Does one of these listen on the port, and nobody else? */
bool servers_have_port(int servers, const struct servers_own *own, in_port_t port);

/* Does somebody on this machine listen on this port? That the cell does not reach them looks to it
 * like nobody; a person is told (connect.c). */
bool servers_outside(in_port_t port);

#endif
