/* servers.h - the unix sockets on which somebody in the cell listens.
 *
 * Which server a name leads to must be known before anything is connected: the caller's other
 * threads have the socket, too, and could write to it in the moment before it is cut. The kernel
 * knows of each listening socket which file it is bound to (sock_diag(7)), and it lists only those
 * of one network namespace. */
#ifndef CELL_SERVERS_H
#define CELL_SERVERS_H

#include <stdbool.h>

/* To ask for the sockets of the network namespace that this process is in; -1: errno. */
int servers_open(void);

/* Does somebody there listen on the file that `name`, an O_PATH descriptor, is? */
bool servers_have(int servers, int name);

#endif
