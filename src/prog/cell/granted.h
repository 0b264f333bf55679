/* granted.h - sockets of programs outside that policy lets a cell reach.
 *
 * They are looked for where the keeper is, so it does not matter what the cell sees at their
 * places. A cell that can write there could put another name: no link to a socket elsewhere, which
 * mounts and Landlock refuse, and no symbolic link, which is not followed; only a socket of its
 * own. */
#ifndef CELL_GRANTED_H
#define CELL_GRANTED_H

#include "cell/plan.h"

/* Opens the one that a program means by `path`, as it stands in its call, or by `name`, the file
 * that this is in the cell (-1: none there). -1: it is none of them. */
int granted_open(const struct plan *plan, const char *path, int name);

#endif
