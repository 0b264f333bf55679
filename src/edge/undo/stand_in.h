/* stand_in.h - a link at the place of a directory that is in the trash, and that leads to it there.
 *
 * The two change places in one step of the kernel: at every moment the directory is at its name, or
 * a link to it is. So whoever is killed here, and whether the call then runs or not, everything is
 * where it was for whoever opens it. `rm -r` removes a link without following it. */
#ifndef UNDO_STAND_IN_H
#define UNDO_STAND_IN_H

#include "undo/beneath.h"

/* The directory with this inode goes into the trash, as `slot`. False: nothing has changed. */
bool stand_in_put(const struct beneath *b, int trash, const char *slot, uint64_t inode);

/* Is the link there that stand_in_put() has made? */
bool stand_in_is(const struct beneath *b, int trash, const char *slot);

/* The directory comes back, and the link goes. False: nothing has changed. */
bool stand_in_end(const struct beneath *b, int trash, const char *slot);

#endif
