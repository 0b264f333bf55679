/* cell_ends.h - what cells tell when they end: their exit code, what was refused, and with whom
 * they talked. warder-cell cannot write the record, so it leaves a file beside the tokens
 * (ask/cells.h), and the next event of the user's agents takes it from there. */
#ifndef ASK_CELL_ENDS_H
#define ASK_CELL_ENDS_H

#include "base/str.h"

#define CELL_ENDS_PLACE ".local/state/warder/cells"
#define CELL_END_SUFFIX ".end"

/* Gives each line of each such file to `take`, which says whether it has it, and removes the file
 * once all of it was taken. `home`: of the user database. */
void cell_ends_take(const char *home, bool (*take)(void *context, struct str line), void *context);

#endif
