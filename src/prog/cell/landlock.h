/* landlock.h - the kernel's second wall around what the cell may write. */
#ifndef CELL_LANDLOCK_H
#define CELL_LANDLOCK_H

#include "base/error.h"
#include "cell/plan.h"

/* For this process and its children, for good: no_new_privs must be set. Reading is left to the
 * mounts; writing is refused outside the plan's directories even where a mount would let it
 * through. STATUS_OK without effect where the kernel has no Landlock: the mounts are the wall. */
enum status landlock_apply(const struct plan *plan, struct error *err);

#endif
