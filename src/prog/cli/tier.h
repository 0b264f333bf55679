/* tier.h - what kind of cell this machine can build, as `warder-cell --check` finds by building
 * one, and where that is kept for hooks. */
#ifndef CLI_TIER_H
#define CLI_TIER_H

#include "cli/command.h"

struct tier {
    struct str name; /* "namespaces", "landlock" or "none" */
    struct str why;  /* ... and no better one */
};

/* Finds it, and keeps it in the user's home. False after a complaint. */
bool tier_find(struct cli *cli, struct tier *out);

#endif
