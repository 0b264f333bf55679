/* known.h - what the call before has found out about the files that git has.
 *
 * Extended attributes, and what a pack says of an object, are read for every file of the work tree
 * while somebody waits. A file that is as it was then, by the time that nobody can set, has no
 * others since. Beside the entries is the name of the one whose index and bits say it. */
#ifndef UNDO_KNOWN_H
#define UNDO_KNOWN_H

#include "undo/tracked.h"

struct undo_known {
    char id[UNDO_ID_SIZE];
    char digest[UNDO_SUMMED]; /* of its index and bits */
    int64_t at;               /* milliseconds: when looking began */
};

/* False: there is none. */
bool known_read(const struct undo_store *s, struct undo_known *out);
/* Where it cannot be written, everything is looked at again. */
void known_write(const struct undo_store *s, const struct undo_known *known);

/* Sets a bit for each entry of `x` that is what it was in `before`, with its bit there: files that
 * were changed long enough before `at`. */
void known_mark(const struct undo_known *known, const struct tracked_kept *before,
                const struct git_index *x, uint8_t *bits);

#endif
