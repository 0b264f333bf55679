/* tier.h - what kind of cell this machine can build, as `warder-cell --check` finds by building
 * one, and where that is kept for hooks. */
#ifndef CLI_TIER_H
#define CLI_TIER_H

#include "cli/command.h"

struct tier {
    struct str name; /* "namespaces", "landlock" or "none" */
    struct str why;  /* ... and no better one */
};

/* Finds it, and keeps it in the user's home. `asked`: a person has asked for just that, so what
 * agents have ignored before counts no more. Returns what went wrong; NULL: nothing. */
const char *tier_find(struct cli *cli, bool asked, struct tier *out);

/* Beside a command's own work, so nothing is said. Only in the home of the user database: cells
 * count in no other. */
void tier_refresh(struct cli *cli);

#endif
