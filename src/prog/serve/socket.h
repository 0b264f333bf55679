/* socket.h - the file of the unix socket, where hooks and libraries look for a service. */
#ifndef SERVE_SOCKET_H
#define SERVE_SOCKET_H

#include <limits.h>

struct serve_options;

struct socket_file {
    int directory; /* -1: the socket is not ours to remove */
    char path[PATH_MAX];
    const char *name; /* its last component */
};

/* Listens on the given socket, else on warder.sock next to the given data, in
 * $XDG_RUNTIME_DIR/warder, or next to the default data. -1 after printing what is wrong. */
int socket_open(struct socket_file *file, const struct serve_options *options);
void socket_remove(struct socket_file *file);

#endif
