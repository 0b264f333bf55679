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
    bool joined; /* user and network are those of another cell */
    uid_t user;
    gid_t group;
};

/* Of this process, for good. */
enum status inside_drop_capabilities(struct error *err);

/* Never returns. The process is the first one of its namespaces. */
_Noreturn void inside_run(const struct inside *in);

#endif
