/* cell_rules.h - a client's own rules, which do not see a command that runs in the sandbox.
 *
 * The client is answered with `warder-cell TOKEN`, and applies its deny and ask rules to that text.
 * So a call is contained only where it is known what these rules say of the old text: because they
 * are read as policy (Claude Code), or because there are none. For the other clients the row says
 * where such rules would be (client/client.h); whatever is found there counts as one. */
#ifndef ENGINE_CELL_RULES_H
#define ENGINE_CELL_RULES_H

#include "client/client.h"
#include "engine/engine.h"

/* False: it may have rules that are not known here. */
bool cell_rules_known(const warder_decision *d, const struct client *client);

#endif
