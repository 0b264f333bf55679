/* show.h - text that somebody else chose, so that a terminal shows it and does not obey it. */
#ifndef BASE_SHOW_H
#define BASE_SHOW_H

#include "base/str.h"

/* Control and invisible characters become escapes, a line break too: what is written is one line.
 */
void show_text(struct buf *b, struct str text);

/* The same for one code point, which takes the next bytes of `text`; returns how many, at least 1.
 * Not for its end. */
size_t show_next(struct buf *b, struct str text);

#endif
