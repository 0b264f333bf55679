/* session.h - the network that the cells of one session share: a server that one call has left
 * running is reached by the next one.
 *
 * A network lives as long as a process is in it. So nothing holds it but the cells themselves: each
 * keeper has its namespaces open, and says so in a file of the session. The next one opens them
 * through that process, if it still has them. A network that no cell is in is gone. */
#ifndef CELL_SESSION_H
#define CELL_SESSION_H

#include <sys/types.h>

#include "base/error.h"
#include "cell/plan.h"

struct session {
    const char *name; /* NULL: the cell has a network of its own */
    int file;         /* the list; locked until the cell is in it */
    int user, net;    /* namespaces; -1: they are to be made */
    bool joined;      /* they are those of another cell */
};

#define SESSION_NONE ((struct session){.file = -1, .user = -1, .net = -1})

/* Looks for the network of the plan's session. */
enum status session_enter(const struct plan *plan, struct session *s, struct error *err);

/* Opens the namespaces of `first` if they were made for it, and puts this process into the list. */
enum status session_register(struct session *s, pid_t first, struct error *err);

/* This process was forked by the one that is in the list, and takes its place. */
void session_inherit(struct session *s);

void session_leave(struct session *s);

#endif
