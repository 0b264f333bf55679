/* keeper.h - the process outside of the cell: makes it, answers for it, forwards signals, and says
 * how it ended. */
#ifndef CELL_KEEPER_H
#define CELL_KEEPER_H

#include "cell/plan.h"

/* The exit code of the command. When the cell could not be built, err says why, and nothing was
 * run; STATUS_IO: because of the machine, not of the plan. */
int keeper_run(const struct plan *plan, char **environment, struct error *err);

#endif
