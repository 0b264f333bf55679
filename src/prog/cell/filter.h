/* filter.h - the system calls of the cell: which are refused, and which the keeper is told of
 * first. It looks at registers alone: memory can change after it was looked at. */
#ifndef CELL_FILTER_H
#define CELL_FILTER_H

#include "base/error.h"
#include "cell/plan.h"

#define FILTER_MODE_BITS 06000u /* set-user-ID and set-group-ID: files of the cell get none */

/* For this process and its children, for good: no_new_privs must be set. *listener is the
 * descriptor on which the keeper hears of calls. `landlock`: the version that the kernel has
 * (landlock.h): the older it is, the more the keeper must answer in a cell without namespaces. */
enum status filter_apply(const struct plan *plan, int landlock, int *listener, struct error *err);

#endif
