/* lines.h - lines from a descriptor, of any length, in bounded memory. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stddef.h>

#include "base/str.h"

struct lines {
    int fd;
    size_t max;  /* bytes of a line that are kept */
    char *line;  /* malloc'ed */
    size_t room; /* of line */
    char *chunk; /* malloc'ed: what was read and not yet returned */
    size_t at, len;
};

enum lines_answer {
    LINES_END = 0,
    LINES_LINE,
    LINES_FAILED, /* errno says why */
};

/* A line that is longer than `max` comes with max + 1 bytes, and the rest of it is skipped: a
 * reader with the same limit will refuse it. */
void lines_init(struct lines *l, int fd, size_t max);
void lines_release(struct lines *l);

/* *out is the next line without its line feed, valid until the next call; a last line needs none.
 * Bytes may be anything, NUL too. */
enum lines_answer lines_next(struct lines *l, struct str *out);

#endif
