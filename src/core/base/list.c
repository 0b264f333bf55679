#include "base/list.h"

#include <string.h>

void *list_grow(struct arena *a, void *items, size_t count, size_t *room, size_t size)
{
    size_t larger = *room * 2;
    void *moved = arena_room(a, larger, size);
    if (count)
        memcpy(moved, items, count * size);
    *room = larger;
    return moved;
}
