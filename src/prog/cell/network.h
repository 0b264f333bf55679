/* network.h - the ways between a cell and the network.
 *
 * A socket belongs to the network in which it was made. So those that programs of the cell connect
 * to are made inside, where nothing else is, and handed out to a process that accepts on them
 * outside (proxy/serve.h); ports that are published are accepted on outside, by a process that has
 * gone inside. Both are there before the command is, and end with the last keeper. */
#ifndef CELL_NETWORK_H
#define CELL_NETWORK_H

#include "cell/channel.h"
#include "cell/report.h"

/* The files that the cell sees instead of the machine's when names are looked up in it. */
#define NETWORK_NAMES_FILE "/etc/resolv.conf"
#define NETWORK_NAMES_TEXT "nameserver 127.0.0.1\n"

/* Inside: the sockets, to the keeper, and where they can be reached. */
enum status network_hand_out(const struct plan *plan, int channel, struct error *err);

/* Outside: starts the process. *notes is -1 if the plan has no use for it. */
enum status network_start(const struct plan *plan, int *notes, struct error *err);
bool network_give(int notes, const struct message *message, int fd);
/* The one inside, in these namespaces. */
enum status network_publish(const struct plan *plan, int user, int net, int *notes,
                            struct error *err);
/* What it has told so far, without waiting. False: it is gone. */
bool network_hear(int notes, struct report *report);

/* The same when nobody is left in the cell, until the process has told of every connection and
 * ended. */
void network_end(int notes, struct report *report);

#endif
