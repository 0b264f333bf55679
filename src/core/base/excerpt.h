/* excerpt.h - the line of a text that a message is about, with a mark below the place. */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

#include <stdint.h>

#include "base/str.h"

struct excerpt {
    struct str line; /* or the part around the place, if the line is long */
    size_t column;   /* in `line`, in bytes */
};

/* Both count from 1, the column in bytes. At the end of the text if the place is behind it. */
size_t text_offset(struct str text, uint32_t line, uint32_t column);

/* The line of byte `at`. Points into the text. */
struct excerpt excerpt_at(struct str text, size_t at);

#define EXCERPT_INDENT 4 /* below a message on its own line */

/* Two lines, each indented: the line, and a mark below `len` bytes of it (at least one). Control
 * characters are shown as escapes. */
void excerpt_show(struct buf *b, size_t indent, const struct excerpt *e, size_t len);

#endif
