/* arena.h - memory that is freed all at once, and the one emergency exit ("the door").
 *
 * Everything that a decision (or a policy reader) builds lives in one arena: nothing is freed by
 * hand, and a half-built tree needs no cleanup.
 *
 * An arena has a ceiling. Reaching it is an ordinary result ("too big to judge"), not a crash:
 * arena_alloc() jumps back to the innermost arena_try(), which returns false. That is safe only
 * because code that allocates from an arena owns nothing else: no descriptor, no lock, no malloc().
 * Why not abort(): a client may take a hook that dies for "no objection". */
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
    char *at, *end;            /* the free part of the block; both are aligned */
    struct arena_block *block; /* the one being filled; it links to the older ones */
    size_t used, limit;        /* bytes taken from malloc(), and the ceiling */
    size_t fail_at;            /* see arena_fail_at() */
    size_t allocations;        /* so far; only counted where fail_at is not 0 */
    char *counted_end;         /* the end of the block where they are: `end` is `at` then */
    bool exhausted; /* it ran out since the last reset, even if an inner arena_try() caught it */
    volatile bool taking; /* malloc() is running for it: a signal handler wants to know */
    jmp_buf *door;
};

void arena_init(struct arena *a, size_t limit);
/* An arena inside the caller's `size` bytes, which are zeroed and aligned as by malloc(): a policy
 * image is built this way. */
void arena_init_in(struct arena *a, void *memory, size_t size);
size_t arena_filled(const struct arena *a); /* how many of those bytes are in use */
void arena_release(struct arena *a);        /* zeroed memory is fine */

/* Forgets the contents without freeing them: a fault may have damaged them, and others may still
 * point at them. It is exhausted then. `door` is the one that was open before the fault. */
void arena_give_up(struct arena *a, jmp_buf *door);

/* For tests: the allocation with this number fails; 0: none does. */
void arena_fail_at(struct arena *a, size_t number);
#define ARENA_COUNTS SIZE_MAX /* none fails, and they are counted */

/* Discards the contents but keeps up to a megabyte for the next use. */
void arena_reset(struct arena *a);

/* Calls fn(arg). False if the arena ran out on the way; what fn built so far is then unfinished and
 * must not be used. */
bool arena_try(struct arena *a, void (*fn)(void *), void *arg);

/* Jumps back to arena_try(), as if memory had run out. */
__attribute__((cold)) _Noreturn void arena_leave(struct arena *a);

/* The slow path of the functions below: takes a new block, or leaves. */
__attribute__((cold)) void *arena_take_more(struct arena *a, size_t need);

/* There are some fifty of these in a check, so it is one comparison: texts are aligned, too, and an
 * arena that counts has no free part. Rounding up cannot go past the end, which is aligned itself.
 * `>=` leaves one byte unused, so that an arena without a block takes the slow path even for 0
 * bytes. */
static inline void *arena_take(struct arena *a, size_t need)
{
    char *from = a->at;

    if (need >= (size_t)(a->end - from))
        return arena_take_more(a, need);
    a->at = from + (need + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    return from;
}

/* None of these return NULL. They must run inside an arena_try() of this arena. The memory of this
 * one is not initialised: the caller fills all of it. */
static inline void *arena_room(struct arena *a, size_t count, size_t size)
{
    size_t need;

    if (__builtin_mul_overflow(count, size, &need))
        arena_leave(a);
    return arena_take(a, need);
}

/* As above, but zeroed. */
static inline void *arena_alloc(struct arena *a, size_t count, size_t size)
{
    return memset(arena_room(a, count, size), 0, count * size);
}

static inline char *arena_bytes(struct arena *a, size_t len)
{
    return arena_take(a, len);
}

char *arena_copy(struct arena *a, const char *s, size_t len); /* adds a NUL */

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n), sizeof(type)))

#endif
