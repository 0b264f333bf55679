/* trash.h - where a cell's leftovers go: to a place that no program looks at. Nothing is deleted.
 */
#ifndef CELL_TRASH_H
#define CELL_TRASH_H

#include <stdbool.h>

#include "base/str.h"

/* To the trash, or, on another disk, to a name beside it that means nothing. No link is followed.
 */
bool trash_move(struct str path);

#endif
