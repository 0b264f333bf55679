/* inflate.h - reads zlib streams (RFC 1950 and 1951), without a library: git keeps its objects so.
 *
 * In memory alone, and never beyond the two rooms, whatever the stream says. */
#ifndef BASE_INFLATE_H
#define BASE_INFLATE_H

#include "base/str.h"

enum inflate_end {
    INFLATE_WRONG = 0, /* it is no zlib stream, ends too soon, or its sum does not match */
    INFLATE_FULL,      /* the room is full, and more would come: only its beginning was wanted */
    INFLATE_WHOLE,     /* all of it, and the sum at its end is right */
};

/* *len: bytes in `out`; *used: bytes of `in`, if it is whole. Either may be NULL. */
enum inflate_end inflate(struct str in, char *out, size_t room, size_t *len, size_t *used);

#endif
