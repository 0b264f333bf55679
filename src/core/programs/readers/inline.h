/* inline.h - what the readers of inline code share, whatever its language: the files that a text
 * opens, and numbers in the escapes of its strings. */
#ifndef PROGRAMS_READERS_INLINE_H
#define PROGRAMS_READERS_INLINE_H

#include "programs/reading.h"

/* What happens to a path. */
struct touch {
    unsigned access;
    bool names; /* it is only listed, or asked about */
    bool deep;  /* with everything below */
};

/* Of the text that is this word. A tilde in front of a path is a tilde there, and "-" a name; the
 * empty path, and one with a NUL in it, nobody knows. */
void inline_add(struct reading *r, size_t word, struct str path, struct touch how, bool known);
void inline_add_unknown(struct reading *r, size_t word, struct touch how);
void inline_add_text(struct reading *r, size_t word, struct str path, struct touch how);

int inline_hex(struct str digits); /* -1: there are others among them */

#endif
