/* landlock.h - the kernel's second wall around what the cell may write. */
#ifndef CELL_LANDLOCK_H
#define CELL_LANDLOCK_H

#include <stdint.h>

#include "base/error.h"
#include "cell/plan.h"

/* What the versions bring: 2 renames between directories, without which git cannot work. */
#define LANDLOCK_NEEDED   2
#define LANDLOCK_TRUNCATE 3 /* files are not emptied where they cannot be written */
#define LANDLOCK_TCP      4 /* no TCP but what the keeper does */
#define LANDLOCK_SIGNALS  6 /* no signals to processes outside */

/* 0: the kernel has none; -1: it does not say. */
int landlock_version(void);

/* For this process and its children, for good: no_new_privs must be set. Writing is refused outside
 * the plan's directories.
 *
 * In a cell of namespaces it is the second wall: reading is left to the mounts, and where the
 * kernel has no Landlock it is STATUS_OK without effect. In a cell without them it is the wall:
 * what is hidden cannot be opened, and where it cannot be built nothing is. */
enum status landlock_apply(const struct plan *plan, int version, struct error *err);

/* Part of it: rights to read everything but what the plan hides. */
enum status landlock_reads(int rules, const struct plan *plan, struct error *err);
enum status landlock_add(int rules, int fd, const char *path, uint64_t rights, struct error *err);

#endif
