/* keeper.h - the process outside of the cell: makes it, answers for it, forwards signals, and says
 * how it ended. */
#ifndef CELL_KEEPER_H
#define CELL_KEEPER_H

#include "cell/plan.h"

/* The exit code of the command; EXIT_NOT_CONTAINED, and a line on standard error, when the cell
 * could not be built: nothing was run then. */
int keeper_run(const struct plan *plan, char **environment);

#endif
