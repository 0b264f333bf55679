/* change.h - a change to a file: planned first, shown, and then done as it was shown. */
#ifndef CONNECT_CHANGE_H
#define CONNECT_CHANGE_H

#include <sys/types.h>

#include "connect/place.h"

#define CHANGE_MEMORY_MAX ((size_t)64 * 1024 * 1024)

struct warder_change {
    struct arena arena;
    struct place place;
    char *text; /* the file's, malloc'ed; NULL: there is none */
    struct str old, new, diff;
    bool remove, found;
    char backup[3 * PATH_MAX];
    mode_t mode;      /* of the file */
    const char *note; /* NULL: none */
};

/* NULL: there is no memory. */
warder_change *change_new(void);

/* Reads the file at `place` into the change. */
enum status change_read(warder_change *c, struct error *err);

#endif
