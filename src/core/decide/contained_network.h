/* contained_network.h - what of the world outside a call gets in its cell: the hosts that policy
 * names for every cell, and the kits of the programs that it runs (programs/kits.h). */
#ifndef DECIDE_CONTAINED_NETWORK_H
#define DECIDE_CONTAINED_NETWORK_H

#include "facts/facts.h"
#include "programs/kits.h"

/* The kit of the action's program, if policy gives it and the cell can reach its hosts; else NULL.
 */
const struct kit *action_kit(const struct facts *f, const struct action *a);

/* Does it reach the registry of its program? */
bool action_has_registry(const struct facts *f, const struct action *a);

/* Does that answer a question about it? Only where a person names the kit: the scripts of packages
 * reach the registry, too, and may publish what they read. */
bool action_is_lifted_by_registry(const struct facts *f, const struct action *a);

/* The action beside it because of which it does not reach the registry that it needs; the count:
 * there is none. */
size_t action_shut_out_by(const struct facts *f, const struct action *a);

/* Can the action reach the host in a cell of its call? */
bool action_reaches(const struct facts *f, const struct action *a, struct str host);

/* The names of the kits of the call's programs, each once: their caches are there in the cell. */
struct strs contained_kits(const struct facts *f);

/* Of those, the ones whose registry it reaches: only what installs or fetches packages does. Tests
 * and builds have no network, and so they may see the secrets of the workspace. */
struct strs contained_registries(const struct facts *f);

#endif
