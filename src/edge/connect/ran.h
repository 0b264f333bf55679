/* ran.h - a call that ran after Warder had left the question to the client's own prompt: a person
 * has said yes.
 *
 * The client tells it by an event of its own (PostToolUse and its like). That event could be made
 * up, so it is believed of nothing but a question of ours that is still open, about the same input
 * and from the process that asked (ask/asked.h), and in a mode in which a person is asked. */
#ifndef CONNECT_RAN_H
#define CONNECT_RAN_H

#include "connect/event.h"

/* After the decision was recorded, before it is answered: keeps the question if the client will ask
 * it, and otherwise makes sure that none of the same call is open. What cannot be kept is asked
 * again, no more. */
void ran_expect(const struct event *e, warder_decision *d);

/* The service has answered an event of this client: see above. */
void ran_expect_nothing(const warder_options *options, const struct client *client,
                        struct str text);

#endif
