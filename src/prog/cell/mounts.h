/* mounts.h - the file system as the cell sees it: everything read-only but what the plan lets be
 * written, protected places inside that, hidden ones without contents, and a /dev, /dev/shm and
 * /proc of its own.
 *
 * Runs in the cell's own mount namespace, before the command is there. Places are opened once,
 * without following links, and mounted by descriptor: a name that was swapped in the meantime is
 * an error, not another place. */
#ifndef CELL_MOUNTS_H
#define CELL_MOUNTS_H

#include "base/error.h"
#include "cell/plan.h"

enum status mounts_make(const struct plan *plan, struct error *err);

/* The parts of it. */
enum status mounts_protect(const struct plan *plan, struct error *err);
enum status mounts_devices(const struct plan *plan, struct error *err); /* and what is hidden */
enum status mounts_proc(struct error *err);

/* A copy of the mount at `path` below `dir`, attached nowhere, with these attributes; -1: errno. */
int mounts_copy(int dir, const char *path, unsigned attributes);

#endif
