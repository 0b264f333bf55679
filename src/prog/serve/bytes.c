#include "serve/bytes.h"

#include <stdlib.h>

#define ROOM_FIRST 2048

char *bytes_more(struct bytes *b, size_t least)
{
    size_t room = b->room ? b->room : ROOM_FIRST;

    if (b->room - b->len >= least && b->s)
        return b->s + b->len;
    while (room < b->len + least)
        room *= 2;
    char *larger = realloc(b->s, room);
    if (!larger)
        return NULL;
    b->s = larger;
    b->room = room;
    return b->s + b->len;
}

bool bytes_add(struct bytes *b, struct str s)
{
    char *to = s.len ? bytes_more(b, s.len) : NULL;

    if (!to)
        return s.len == 0;
    memcpy(to, s.s, s.len);
    b->len += s.len;
    return true;
}

void bytes_drop(struct bytes *b, size_t count)
{
    if (count && count < b->len)
        memmove(b->s, b->s + count, b->len - count);
    b->len -= count;
}

void bytes_release(struct bytes *b)
{
    free(b->s);
    *b = (struct bytes){0};
}
