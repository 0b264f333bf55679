/* arena.h - memory that dies together, and the one exit door.
 *
 * Everything a decision (or the reading of a policy) builds lives in one arena,
 * so nothing built there is ever freed by hand and a half-built tree needs no
 * cleanup.
 *
 * An arena has a ceiling. Reaching it is an ordinary answer ("too big to
 * judge"), not a crash: arena_alloc() leaves through the door that arena_try()
 * opened, and arena_try() returns false. Leaving that way is safe only because
 * code that holds an arena holds nothing else: no descriptor, no lock, no
 * malloc. Why not abort: an agent's hook that dies may be read by its host as
 * "no objection". */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena_block;

#define ARENA_ALIGNMENT (_Alignof(max_align_t))

struct arena {
    char *at, *end;            /* what is free in the block; the end is aligned */
    struct arena_block *block; /* the one being filled; older ones hang behind it */
    size_t used, limit;        /* bytes taken from malloc; how many may be */
    size_t allocations;        /* how often arena_alloc() was called */
    size_t fail_at;            /* torture switch: the allocation of this number fails; 0 is never */
    bool exhausted; /* it ran out since the last reset, also when some inner door caught that */
    jmp_buf *door;
};

void arena_init(struct arena *a, size_t limit);
/* All of it in `size` bytes that the caller has, zeroed and aligned as malloc() would: an image is
 * made of them. */
void arena_init_in(struct arena *a, void *memory, size_t size);
size_t
arena_filled(const struct arena *a); /* how many of those bytes, from the first, are in use */
void arena_release(struct arena *a); /* zeroed memory is fine */

/* Forgets the contents and keeps the memory for the next use, up to a megabyte. */
void arena_reset(struct arena *a);

/* Calls fn(arg). False when the arena ran out on the way; what fn had built is
 * then still in the arena, unfinished, and must not be used. */
bool arena_try(struct arena *a, void (*fn)(void *), void *arg);

/* Leaves through the door, as if memory had run out. */
__attribute__((cold)) _Noreturn void arena_leave(struct arena *a);

/* For the functions below: takes what no longer fits from another block, or leaves. */
__attribute__((cold)) void *arena_take_more(struct arena *a, size_t need);

/* What is skipped always fits: the end is aligned. One byte stays free, so that an arena without a
 * block has no room for nothing either. */
static inline void *arena_take(struct arena *a, size_t need, size_t alignment)
{
    size_t skipped = -(uintptr_t)a->at & (alignment - 1), left = (size_t)(a->end - a->at);

    if (++a->allocations == a->fail_at || need >= left - skipped)
        return arena_take_more(a, need);
    char *from = a->at + skipped;
    a->at = from + need;
    return from;
}

/* All of these never return NULL. They must be called below an arena_try() of this arena. What this
 * memory holds is not known: for who fills all of it himself. */
static inline void *arena_room(struct arena *a, size_t count, size_t size)
{
    size_t need;

    if (__builtin_mul_overflow(count, size, &need))
        arena_leave(a);
    return arena_take(a, need, ARENA_ALIGNMENT);
}

/* The same, zeroed. */
static inline void *arena_alloc(struct arena *a, size_t count, size_t size)
{
    return memset(arena_room(a, count, size), 0, count * size);
}

static inline char *arena_bytes(struct arena *a, size_t len) /* not aligned */
{
    return arena_take(a, len, 1);
}

char *arena_copy(struct arena *a, const char *s, size_t len); /* adds a NUL */

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

#endif
