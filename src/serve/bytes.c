#include "serve/bytes.h"

#include <stdlib.h>

#define ROOM_FIRST 2048

bool bytes_add(struct bytes *b, struct str s)
{
    if (s.len == 0)
        return true;
    if (b->len + s.len > b->room) {
        size_t room = b->room ? b->room : ROOM_FIRST;
        while (room < b->len + s.len)
            room *= 2;
        char *larger = realloc(b->s, room);
        if (!larger)
            return false;
        b->s = larger;
        b->room = room;
    }
    memcpy(b->s + b->len, s.s, s.len);
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
