/* baseline.h - what the cells of a user that run now remember of the places that they protect
 * (protect.h says what for): one file each, in the state directory, which no cell can write. */
#ifndef CELL_BASELINE_H
#define CELL_BASELINE_H

#include "base/error.h"
#include "base/str.h"

struct baseline {
    int directory;
    int lock; /* held while something is remembered or put back */
    int file; /* locked as long as the cell runs */
    char name[32];
};
#define BASELINE_NONE ((struct baseline){.directory = -1, .lock = -1, .file = -1})

struct baseline_place {
    struct str path, content;
};

enum status baseline_lock(struct baseline *b, struct error *err);
void baseline_unlock(struct baseline *b);

/* With the lock. STATUS_USAGE: another cell remembers one of the places differently. */
enum status baseline_join(struct baseline *b, const struct baseline_place *places, size_t count,
                          struct error *err);
void baseline_leave(struct baseline *b);

#endif
