/* network.h - the way out of a cell that may talk to hosts.
 *
 * A socket belongs to the network in which it was made. So the one that programs connect to is made
 * inside, where nothing else is, and handed out to a process that accepts on it outside
 * (proxy/serve.h). That process is there before the cell is, and ends with the last keeper. */
#ifndef CELL_NETWORK_H
#define CELL_NETWORK_H

#include "cell/report.h"

/* Inside: the socket, to the keeper. */
enum status network_hand_out(const struct plan *plan, int channel, struct error *err);

/* Outside: starts the process. *notes is -1 if the plan names no hosts. */
enum status network_start(const struct plan *plan, int *notes, struct error *err);
bool network_give(int notes, int listener);
/* What it has told so far, without waiting. False: it is gone. */
bool network_hear(int notes, struct report *report);

#endif
