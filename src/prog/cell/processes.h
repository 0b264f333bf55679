/* processes.h - the processes of a cell that has no namespace for them: those below its first one.
 *
 * Whoever loses its parent becomes a child of the first process, so none of them can leave. */
#ifndef CELL_PROCESSES_H
#define CELL_PROCESSES_H

#include "cell/answer.h"

/* The process that a thread belongs to; -1: it is gone. */
pid_t processes_of(pid_t thread);

/* How a thread, and its process, are called in the cell. */
bool processes_inside(pid_t thread, pid_t *process, pid_t *own);

/* Ends every child of this process, and what then becomes its child, until none is left. Nobody in
 * the cell can start another one meanwhile: the keeper does not listen any more. */
void processes_end(void);

/* What the keeper says to calls on processes: 0, a negative error number, or ANSWER_GO_ON. Only the
 * registers of the call are looked at. */
int processes_set(struct answers *a, const struct seccomp_notif *call);    /* limits, priority */
int processes_signal(struct answers *a, const struct seccomp_notif *call); /* kill() and others */

#endif
