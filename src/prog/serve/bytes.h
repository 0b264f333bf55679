/* bytes.h - a growing buffer: bytes received and not read yet, or bytes to send. */
#ifndef SERVE_BYTES_H
#define SERVE_BYTES_H

#include <stdbool.h>

#include "base/str.h"

/* Zeroed memory is an empty buffer. */
struct bytes {
    char *s; /* malloc'ed */
    size_t len, room;
};

/* Room for at least this many bytes after the present ones; the caller adds what it fills to `len`.
 * NULL if out of memory. */
char *bytes_more(struct bytes *b, size_t least);
bool bytes_add(struct bytes *b, struct str s);  /* false if out of memory */
void bytes_drop(struct bytes *b, size_t count); /* the first ones */
void bytes_release(struct bytes *b);

static inline struct str bytes_str(const struct bytes *b)
{
    return (struct str){b->len ? b->s : "", b->len};
}

#endif
