/* cell_ends.h - what cells tell when they end: their exit code, what was refused, and with whom
 * they talked. warder-cell cannot write the record, so it leaves a file beside the tokens
 * (ask/cells.h), and the next event of the user's agents takes it from there. */
#ifndef ASK_CELL_ENDS_H
#define ASK_CELL_ENDS_H

#include "base/str.h"

#define CELL_ENDS_PLACE ".local/state/warder/cells" /* below the home of the user database */
#define CELL_END_SUFFIX ".end"

/* Who takes them: each line of such a file; false: it could not be taken, and the file stays. */
struct cell_ends {
    bool (*take)(void *context, struct str line);
    void *context;
};

/* The name of such a file? */
bool cell_ends_is(const char *name);

/* Gives each line of the file to the taker, and removes it once all of it was taken. */
void cell_ends_take(int directory, const char *name, const struct cell_ends *ends);

#endif
