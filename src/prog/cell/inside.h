/* inside.h - the first process of the cell: builds it from inside, starts the command, and reaps.
 */
#ifndef CELL_INSIDE_H
#define CELL_INSIDE_H

#include <sys/types.h>

#include "cell/plan.h"

struct inside {
    const struct plan *plan;
    char **environment;
    int channel; /* to the keeper */
    uid_t user;
    gid_t group;
};

/* Never returns. The process is the first one of its namespaces. */
_Noreturn void inside_run(const struct inside *in);

#endif
