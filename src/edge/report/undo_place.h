/* undo_place.h - how much is saved for undo in a project, and where. */
#ifndef REPORT_UNDO_PLACE_H
#define REPORT_UNDO_PLACE_H

#include "base/str.h"
#include "undo/store.h"

struct undo_place {
    size_t calls; /* 0: nothing is saved here */
    uint64_t bytes;
    char directory[PATH_MAX];
};

/* Of an open store: looks at every saved file. */
void undo_place_measure(const struct undo_store *s, struct undo_place *out);
/* Of the project that `near` is in. */
void undo_place_find(const char *state_dir, struct str near, struct undo_place *out);
/* "3 calls, 12 MB" */
void undo_place_write(struct buf *b, const struct undo_place *p);

#endif
