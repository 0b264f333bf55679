#include "base/arena.h"

#include <stdint.h>

#define FIRST_SIZE                                                                                 \
    ((size_t)4 *                                                                                   \
     1024) /* many a use needs no more, and memory that is touched for the first time is slow */
#define BLOCK_SIZE ((size_t)16 * 1024)
#define KEEP_MAX                                                                                   \
    ((size_t)1024 *                                                                                \
     1024) /* a reset keeps no more than this: one huge call must not stay for ever */

struct arena_block {
    struct arena_block *before;
    size_t size; /* of data[] */
    bool lent;   /* arena_init_in(): not ours to free */
    max_align_t data[];
};

void arena_init(struct arena *a, size_t limit)
{
    *a = (struct arena){.limit = limit};
}

static void fill(struct arena *a, struct arena_block *b)
{
    a->block = b;
    a->at = (char *)b->data;
    a->end = a->at + b->size / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

/* The one block takes up the limit: there is never another. */
void arena_init_in(struct arena *a, void *memory, size_t size)
{
    struct arena_block *b = memory;

    *b = (struct arena_block){.size = size - sizeof(*b), .lent = true};
    *a = (struct arena){.used = size, .limit = size};
    fill(a, b);
}

size_t arena_filled(const struct arena *a)
{
    return (size_t)(a->at - (char *)a->block);
}

void arena_release(struct arena *a)
{
    struct arena_block *b;

    while ((b = a->block)) {
        a->block = b->before;
        if (!b->lent)
            free(b);
    }
    *a = (struct arena){.limit = a->limit};
}

/* What was needed once will be needed again: it becomes one block, so that the next use takes no
 * memory at all. */
static struct arena_block *merge(struct arena *a)
{
    size_t size = a->used;

    if (!a->block || !a->block->before)
        return a->block;
    arena_release(a);
    struct arena_block *b = malloc(sizeof(*b) + size);
    if (b)
        *b = (struct arena_block){.size = size};
    return b;
}

void arena_reset(struct arena *a)
{
    struct arena_block *b = a->block;

    if (a->used > KEEP_MAX || !b || b->before) {
        struct arena kept = {.limit = a->limit, .fail_at = a->fail_at, .door = a->door};
        b = NULL;
        if (a->used > KEEP_MAX)
            arena_release(a);
        else
            b = merge(a);
        *a = kept;
    }
    a->allocations = 0;
    a->exhausted = false;
    if (b) {
        a->used = b->size;
        fill(a, b);
    }
}

bool arena_try(struct arena *a, void (*fn)(void *), void *arg)
{
    jmp_buf door;
    jmp_buf *outer = a->door; /* doors nest: a reader may be tried inside a larger try */

    a->door = &door;
    if (setjmp(door)) {
        a->door = outer;
        return false;
    }
    fn(arg);
    a->door = outer;
    return true;
}

_Noreturn void arena_leave(struct arena *a)
{
    a->exhausted = true;
    if (!a->door)
        abort(); /* a programmer's error: there is no verdict to give here */
    longjmp(*a->door, 1);
}

void *arena_take_more(struct arena *a, size_t need)
{
    size_t size = a->used < FIRST_SIZE ? FIRST_SIZE : a->used > BLOCK_SIZE ? BLOCK_SIZE : a->used;

    if (a->allocations == a->fail_at || need > SIZE_MAX - ARENA_ALIGNMENT)
        arena_leave(a);
    need = (need + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    if (size < need || size > a->limit - a->used)
        size = need;
    if (size > a->limit - a->used)
        arena_leave(a);

    struct arena_block *b = malloc(sizeof(*b) + size);
    if (!b)
        arena_leave(a);
    *b = (struct arena_block){.before = a->block, .size = size};
    a->used += size;
    fill(a, b);
    a->at += need;
    return b->data;
}

char *arena_copy(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_bytes(a, len + 1);

    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}
