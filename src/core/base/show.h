/* show.h - makes untrusted text safe to print: a terminal shows it and does not obey it. */
#ifndef BASE_SHOW_H
#define BASE_SHOW_H

#include "base/str.h"

/* Control and invisible characters become escapes. So do line breaks: the output is one line. */
void show_text(struct buf *b, struct str text);

/* The same for the first code point of `text`, which must not be empty. Returns how many bytes it
 * took, at least 1. */
size_t show_next(struct buf *b, struct str text);

#endif
