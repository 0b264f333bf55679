/* inline.h - shared by the readers of inline code in any language: the files that a text opens, and
 * the numbers in string escapes. */
#ifndef PROGRAMS_READERS_INLINE_H
#define PROGRAMS_READERS_INLINE_H

#include "programs/reading.h"

/* How a path is accessed. */
struct touch {
    unsigned access;
    bool names; /* only listed or tested */
    bool deep;  /* with everything below */
};

/* Records the path, opened by the text in this word. A leading tilde and "-" are plain names there;
 * the empty path, and one with a NUL, are unknown. */
void inline_add(struct reading *r, size_t word, struct str path, struct touch how, bool known);
void inline_add_unknown(struct reading *r, size_t word, struct touch how);
void inline_add_text(struct reading *r, size_t word, struct str path, struct touch how);

int inline_hex(struct str digits); /* -1 if one of them is not a digit */

#endif
