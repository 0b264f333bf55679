/* cell_network.h - the part of a plan that is about the world outside: hosts, ports, and the caches
 * of package managers. */
#ifndef ENGINE_CELL_NETWORK_H
#define ENGINE_CELL_NETWORK_H

#include "engine/cell.h"

/* The hosts of the policy, and those of the order's registries. */
struct strs cell_hosts(struct arena *a, const struct cell_order *o);

/* Files of the workspace that hold secrets, for a cell that can talk to somebody. False: there is
 * too much to look at. */
bool cell_secrets(struct arena *a, const struct strs *roots, struct strs *out);

/* The caches of the order's kits. Those that can be written as they are go to `write`, the
 * variables that name others to `set`. */
struct cell_cache {
    struct str place; /* where programs look for it; empty: a variable names the store */
    struct str store;
};
struct cell_caches LIST_OF(struct cell_cache);
struct cell_caches cell_caches(struct arena *a, const struct cell_order *o, struct strs *write,
                               struct strs *set);

/* A directory for temporary files that is the project's own, named by TMPDIR. */
void cell_own_temporary(struct arena *a, const struct cell_order *o, struct cell_caches *out,
                        struct strs *set);

/* Members of the plan, and the variables that lead programs to the proxy. */
void cell_network_write(struct arena *a, struct json_writer *w, const struct cell_order *o,
                        const struct strs *hosts, const struct cell_caches *caches);
void cell_network_set(struct json_writer *w);

#endif
