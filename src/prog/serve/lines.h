/* lines.h - the unix socket: one call a line, one verdict a line, in the order of the calls.
 *
 * Who may come is told by the kernel (SO_PEERCRED): our own user and root.
 * They have the role of a worker and no other. */
#ifndef SERVE_LINES_H
#define SERVE_LINES_H

struct server;
struct line_client;

struct lines {
    struct line_client *first;
};

void lines_accepted(struct server *server, int fd);

/* No more is read; what was read is answered. */
void lines_stop(struct server *server);
/* All connections end here. */
void lines_close(struct server *server);

#endif
