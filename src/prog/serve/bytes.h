/* bytes.h - bytes that come and go: what has arrived and is not looked at yet, what is to be sent.
 */
#ifndef SERVE_BYTES_H
#define SERVE_BYTES_H

#include <stdbool.h>

#include "base/str.h"

/* Zeroed memory is an empty one. */
struct bytes {
    char *s; /* malloc'ed */
    size_t len, room;
};

/* Room for at least so many bytes behind those that are there; whoever fills it adds to `len`.
 * NULL: no memory. */
char *bytes_more(struct bytes *b, size_t least);
bool bytes_add(struct bytes *b, struct str s);  /* false: no memory */
void bytes_drop(struct bytes *b, size_t count); /* the first ones */
void bytes_release(struct bytes *b);

static inline struct str bytes_str(const struct bytes *b)
{
    return (struct str){b->len ? b->s : "", b->len};
}

#endif
