/* inside.h - the first process of the cell: builds it from inside, starts the command, and reaps.
 */
#ifndef CELL_INSIDE_H
#define CELL_INSIDE_H

#include <sys/types.h>

#include "cell/plan.h"
#include "cell/protect.h"

struct inside {
    const struct plan *plan;
    char **environment;
    int channel;             /* to the keeper */
    bool joined;             /* user and network are those of another cell */
    int landlock;            /* the version that the kernel has */
    struct protect *protect; /* to be mended, if the keeper cannot */
    uid_t user;
    gid_t group;
};

/* Of this process, for good. Who has none in a cell without namespaces keeps the set of those that
 * could be gained: it is no use without new privileges, and only capabilities can change it. */
enum status inside_drop_capabilities(enum tier tier, struct error *err);

/* Never returns. The process is the first one of its namespaces, or, without them, the one that all
 * others of the cell come from. */
_Noreturn void inside_run(const struct inside *in);

#endif
