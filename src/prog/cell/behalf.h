/* behalf.h - what the keeper does itself for a cell without namespaces.
 *
 * Each returns 0, a negative error number, ANSWER_GO_ON or ANSWER_SENT. The keeper has no more
 * rights than the caller: the same user, and no capabilities. */
#ifndef CELL_BEHALF_H
#define CELL_BEHALF_H

#include "cell/answer.h"

/* Mode, owner, times and length of a file that the cell may write. */
int behalf_change(struct answers *a, const struct seccomp_notif *call);
/* The other end of a terminal that the caller has made. */
int behalf_terminal(struct answers *a, const struct seccomp_notif *call);

/* sockets.c: TCP on the machine's loopback, and names of unix sockets. */
int behalf_socket(struct answers *a, const struct seccomp_notif *call);
int behalf_bind(struct answers *a, const struct seccomp_notif *call);
int behalf_listen(struct answers *a, const struct seccomp_notif *call);

#endif
