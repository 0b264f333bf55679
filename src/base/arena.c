#include "base/arena.h"

#include <stdint.h>

#define BLOCK_SIZE ((size_t)16 * 1024)
#define ALIGNMENT  (sizeof(max_align_t))

struct arena_block {
    struct arena_block *before;
    size_t size, filled; /* of data[] */
    bool lent;           /* arena_init_in(): not ours to free */
    max_align_t data[];
};

void arena_init(struct arena *a, size_t limit)
{
    *a = (struct arena){.limit = limit};
}

/* The one block takes up the limit: there is never another. */
void arena_init_in(struct arena *a, void *memory, size_t size)
{
    struct arena_block *b = memory;

    *b = (struct arena_block){.size = size - sizeof(*b), .lent = true};
    *a = (struct arena){.block = b, .used = size, .limit = size};
}

size_t arena_filled(const struct arena *a)
{
    return sizeof(*a->block) + a->block->filled;
}

void arena_release(struct arena *a)
{
    struct arena_block *b = a->block;

    while (b) {
        struct arena_block *before = b->before;
        if (!b->lent)
            free(b);
        b = before;
    }
    *a = (struct arena){.limit = a->limit};
}

void arena_reset(struct arena *a)
{
    struct arena_block *keep = a->block;

    for (struct arena_block *b = keep; b; b = b->before)
        if (b->size > keep->size)
            keep = b;
    for (struct arena_block *b = a->block, *before; b; b = before) {
        before = b->before;
        if (b != keep)
            free(b);
    }
    if (keep) {
        keep->before = NULL;
        keep->filled = 0;
    }
    a->block = keep;
    a->used = keep ? keep->size : 0;
    a->allocations = 0;
    a->exhausted = false;
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

static _Noreturn void leave(struct arena *a)
{
    a->exhausted = true;
    if (!a->door)
        abort(); /* a programmer's error: there is no verdict to give here */
    longjmp(*a->door, 1);
}

static struct arena_block *grow(struct arena *a, size_t need)
{
    size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;

    if (size > a->limit - a->used)
        size = need;
    if (size > a->limit - a->used)
        leave(a);

    struct arena_block *b = malloc(sizeof(*b) + size);
    if (!b)
        leave(a);
    *b = (struct arena_block){.before = a->block, .size = size};
    a->block = b;
    a->used += size;
    return b;
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
    struct arena_block *b = a->block;

    if (++a->allocations == a->fail_at)
        leave(a);
    if (size && count > (SIZE_MAX - ALIGNMENT) / size)
        leave(a);

    size_t need = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!b || need > b->size - b->filled)
        b = grow(a, need);

    void *p = (char *)b->data + b->filled;
    b->filled += need;
    memset(p, 0, need);
    return p;
}

char *arena_copy(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_alloc(a, len + 1, 1);

    if (len)
        memcpy(copy, s, len);
    return copy;
}
