/* list.h - arrays that grow in an arena.
 *
 *     struct rules LIST_OF(struct rule);      defines struct rules { items, count, room }
 *     LIST_PUSH(arena, &rules, rule);
 *     for (size_t i = 0; i < rules.count; i++) use(&rules.items[i]);
 *
 * Growing moves the items: keep indexes, not pointers, while a list still grows. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stddef.h>

#include "base/arena.h"

/* clang-format off */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a type cannot be parenthesised */
#define LIST_OF(type) { type *items; size_t count, room; }
/* clang-format on */

#define LIST_ROOM 4 /* initial room; most lists never need more */

void *list_grow(struct arena *a, void *items, size_t count, size_t *room, size_t size);
/* Returns `items`, or a larger copy if the list is full. */
static inline void *list_room(struct arena *a, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    if (*room)
        return list_grow(a, items, count, room, size);
    *room = LIST_ROOM;
    return arena_room(a, LIST_ROOM, size);
}

#define LIST_PUSH(arena, list, ...)                                                                \
    ((list)->items =                                                                               \
         list_room((arena), (list)->items, (list)->count, &(list)->room, sizeof(*(list)->items)),  \
     (list)->items[(list)->count++] = (__VA_ARGS__))

#endif
