#include "base/arena.h"

#include <stdint.h>

/* Small at first: many arenas never need more, and touching fresh memory is slow. */
#define FIRST_SIZE ((size_t)4 * 1024)
#define BLOCK_SIZE ((size_t)16 * 1024)
/* A reset keeps at most this much: one huge call must not hold its memory forever. */
#define KEEP_MAX ((size_t)1024 * 1024)

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

static size_t rounded_up(size_t need)
{
    return (need + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

/* Leaves nothing free for arena_take(): each allocation comes to arena_take_more(), which counts
 * it. */
static void close_counted(struct arena *a)
{
    a->counted_end = a->end;
    a->end = a->at;
}

void arena_fail_at(struct arena *a, size_t number)
{
    if (a->fail_at)
        a->end = a->counted_end;
    a->fail_at = number;
    if (number)
        close_counted(a);
}

static void fill(struct arena *a, struct arena_block *b)
{
    a->block = b;
    a->at = (char *)b->data;
    a->end = a->at + b->size / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

/* The one block uses up the limit, so no other block is ever taken. */
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

void arena_give_up(struct arena *a, jmp_buf *door)
{
    *a = (struct arena){.limit = a->limit, .fail_at = a->fail_at, .exhausted = true, .door = door};
}

/* What was needed once will be needed again: replace the blocks by one of their total size, so that
 * the next use calls malloc() not even once. */
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
    if (a->fail_at)
        close_counted(a);
}

bool arena_try(struct arena *a, void (*fn)(void *), void *arg)
{
    jmp_buf door;
    jmp_buf *outer = a->door; /* tries nest: a reader may run its own inside a larger one */

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
        abort(); /* a bug: no arena_try() is active, so there is no verdict to fall back to */
    longjmp(*a->door, 1);
}

static void *take_block(struct arena *a, size_t need)
{
    size_t size = a->used < FIRST_SIZE ? FIRST_SIZE : a->used > BLOCK_SIZE ? BLOCK_SIZE : a->used;

    if (need > SIZE_MAX - ARENA_ALIGNMENT)
        arena_leave(a);
    need = rounded_up(need);
    if (size < need || size > a->limit - a->used)
        size = need;
    if (size > a->limit - a->used)
        arena_leave(a);

    a->taking = true;
    struct arena_block *b = malloc(sizeof(*b) + size);
    a->taking = false;
    if (!b)
        arena_leave(a);
    *b = (struct arena_block){.before = a->block, .size = size};
    a->used += size;
    fill(a, b);
    a->at += need;
    return b->data;
}

static void *take_counted(struct arena *a, size_t need)
{
    void *from = a->at;

    if (++a->allocations == a->fail_at)
        arena_leave(a);
    if (need < (size_t)(a->counted_end - a->at)) {
        a->end = a->at += rounded_up(need);
    } else {
        from = take_block(a, need);
        close_counted(a);
    }
    return from;
}

void *arena_take_more(struct arena *a, size_t need)
{
    return a->fail_at ? take_counted(a, need) : take_block(a, need);
}

char *arena_copy(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_bytes(a, len + 1);

    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}
