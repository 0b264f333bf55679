/* cell_prove.h - a hook has it found out what sandbox this machine can build.
 *
 * What `warder sandbox check` finds counts for one start of the machine and one build, and nobody
 * would type that after each of them. So the first hook that misses it starts the check: in the
 * background, and with nothing of its own environment, which is the project's. Its call does not
 * wait, and is judged as one without a sandbox, as are all others until the check is done.
 *
 * What was found is forgotten where a cell could then not be built (cell/own.h), and that may have
 * been for want of a descriptor: the check is started again, but not at every call. */
#ifndef ASK_CELL_PROVE_H
#define ASK_CELL_PROVE_H

#include "base/str.h"

/* Of a process that answers one event; for others it does nothing. `home`: that of the user
 * database. `self`: this program, beside which the one lies that does it. Whoever makes the file
 * with the name of this start and this build starts the check, and nobody else for
 * CELL_TRY_SECONDS: where it fails, a person need not wait for that. */
#define CELL_TRIED       "cell-tried-" /* ... in ~/.cache/warder; then BOOT-BUILD */
#define CELL_TRY_SECONDS 600
void cell_prove(const char *home, struct str self);

#endif
