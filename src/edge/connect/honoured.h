/* honoured.h - did the client run what it was answered?
 *
 * A contained call is an allow of another command, `warder-cell TOKEN`. A client that runs its own
 * command on that answer runs it uncontained. Its next event finds the token unused: that is
 * recorded, and nothing is contained for this client any more until `warder sandbox check`. */
#ifndef CONNECT_HONOURED_H
#define CONNECT_HONOURED_H

#include "ask/cells.h"
#include "client/client.h"
#include "engine/record.h"

/* Also puts into the record how cells have ended (ask/cell_ends.h). `recorder`: NULL: it is noted,
 * but not in the record. */
void honoured_watch(struct arena *a, const char *home, const struct client_question *q,
                    enum cell_event event, struct recorder *recorder);

#endif
