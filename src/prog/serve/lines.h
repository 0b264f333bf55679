/* lines.h - the unix socket: one call per line, one verdict per line, in the order of the calls.
 *
 * The kernel names the peer (SO_PEERCRED): only our own user and root may connect, and they have
 * the role of a worker. */
#ifndef SERVE_LINES_H
#define SERVE_LINES_H

struct server;
struct line_client;

struct lines {
    struct line_client *first;
};

void lines_accepted(struct server *server, int fd);

/* Stops reading; what was read is still answered. */
void lines_stop(struct server *server);
/* Closes all connections. */
void lines_close(struct server *server);

#endif
