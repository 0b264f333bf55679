/* probes.h - what `warder-cell --check` runs in a cell: each probe tries to get out. */
#ifndef CELL_PROBES_H
#define CELL_PROBES_H

#include <stddef.h>

#include "cell/plan.h"

#define PROBES_OPTION "--probe" /* then PLACE PROCESS PORT TIER */

/* What is in the place that is probed, below a directory that was made for it. */
#define PROBES_WORK      "work"               /* can be written */
#define PROBES_PROTECTED "work/kept/file"     /* protected in it */
#define PROBES_REFUSED   "refused"            /* a name that must not be made there */
#define PROBES_HIDDEN    "hidden"             /* a directory ... */
#define PROBES_SECRET    "hidden/secret"      /* ... and what is in it */
#define PROBES_OUTSIDE   "outside"            /* a file */
#define PROBES_VARIABLE  "WARDER_PROBE_TOKEN" /* that a plan removes */
#define PROBES_SOCKET    "socket"             /* a unix socket that somebody listens on */

enum {
    PROBES_HELD = 0,
    PROBES_BROKEN = 100
}; /* exit codes; between them: the probe that got out */

int probes_run(int count, char **words);

/* What the probe with this exit code tried. */
const char *probes_name(int code);

#endif
