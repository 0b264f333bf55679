/* cell_prove.h - a hook has it found out what sandbox this machine can build.
 *
 * What `warder sandbox check` finds counts for one start of the machine and one build, and nobody
 * would type that after each of them. So the first hook that misses it starts the check: in the
 * background, once, and with nothing of its own environment, which is the project's. Its call does
 * not wait, and is judged as one without a sandbox, as are all others until the check is done. */
#ifndef ASK_CELL_PROVE_H
#define ASK_CELL_PROVE_H

#include "base/str.h"

/* Of a process that answers one event; for others it does nothing. `home`: that of the user
 * database. `self`: this program, beside which the one lies that does it. Whoever makes the file
 * with the name of this start and this build starts the check, and nobody after that: where it
 * fails, it is for a person to try again. */
#define CELL_TRIED "cell-tried-" /* ... in ~/.cache/warder; then BOOT-BUILD */
void cell_prove(const char *home, struct str self);

#endif
