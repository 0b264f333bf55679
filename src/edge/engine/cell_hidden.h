/* cell_hidden.h - the places of this machine that no cell shows, by the tables: secrets, and what
 * programs keep in the home without anybody knowing it.
 *
 * Finding them takes longer than judging the call, and they rarely change. So a hook remembers
 * them, with every directory that it looked at. What is remembered counts for one start of the
 * machine, one build and one home, while none of these directories has changed since, or still has
 * the same names in it; a link is followed anew each time. Anything else is found again. */
#ifndef ENGINE_CELL_HIDDEN_H
#define ENGINE_CELL_HIDDEN_H

#include <stdint.h>

#include "base/str.h"

#define CELL_MEMORY_MAX ((size_t)256 * 1024)

struct cell_memory {
    struct str boot, build;
    int64_t now;    /* seconds */
    struct str old; /* as it was stored; empty: nothing was */
    struct str new; /* to be stored; empty: the old one still counts, or it cannot be */
};

/* Adds them to `out`. `memory`: NULL: they are found, and not remembered. What comes and goes in
 * /tmp is not among them: cell_hidden_passing(). */
void cell_hidden_find(struct arena *a, struct str home, struct cell_memory *memory,
                      struct strs *out);
void cell_hidden_passing(struct arena *a, struct strs *out);

#endif
