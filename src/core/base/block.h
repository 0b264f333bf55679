/* block.h - scan a text sixteen bytes at a time into marks: one bit per byte.
 *
 * Path components are short: going from mark to mark takes a few instructions, a memchr() call per
 * component ten times as many. */
#ifndef BASE_BLOCK_H
#define BASE_BLOCK_H

#include <stdint.h>

#include "base/str.h"

enum { BLOCK = 16, MARKS = 64 };

typedef char block __attribute__((vector_size(BLOCK)));
typedef signed char signed_block __attribute__((vector_size(BLOCK)));

static inline block block_at(const char *bytes)
{
    block b;

    memcpy(&b, bytes, sizeof(b));
    return b;
}

/* The start of the last block of a text. A shorter text is copied to `room` and padded with
 * blanks. */
static inline const char *block_end(struct str s, char room[BLOCK])
{
    if (s.len >= BLOCK)
        return s.s + s.len - BLOCK;
    memset(room, ' ', BLOCK);
    memcpy(room, s.s, s.len);
    return room;
}

static inline block block_of(char c)
{
    return (block){c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c};
}

/* The highest bit of each byte. Not by way of <emmintrin.h>: it declares malloc(), which the core
 * must not see. */
static inline uint64_t block_bits(block b)
{
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_pmovmskb128(b);
#else
    uint64_t bits = 0;

    for (unsigned i = 0; i < BLOCK; i++)
        bits |= (uint64_t)((unsigned char)b[i] >> 7) << i;
    return bits;
#endif
}

/* Bit i: byte i is `c`. */
static inline uint64_t block_marks(block b, char c)
{
    return block_bits((block)(b == block_of(c)));
}

/* Bit i: byte i of the text is `c`. Covers the first MARKS bytes. */
uint64_t str_marks(struct str s, char c);

/* Iterates over the parts of a text between slashes, empty ones included. */
struct parts {
    const char *at, *end; /* start of the next part; past `end`: there is none */
    const char *window;   /* the MARKS bytes that `slashes` covers */
    uint64_t slashes;     /* those in the window that are still ahead */
};

static inline struct parts parts_of(struct str s)
{
    return (struct parts){
        .at = s.s, .end = s.s + s.len, .window = s.s, .slashes = str_marks(s, '/')};
}

/* For parts_next(): moves the window to the next slash; false if there is none. */
bool parts_go_on(struct parts *p);

/* False after the last part. An empty text has one empty part. */
static inline bool parts_next(struct parts *p, struct str *part)
{
    const char *from = p->at, *to = p->end;

    if (from > p->end)
        return false;
    if (p->slashes || parts_go_on(p)) {
        to = p->window + __builtin_ctzll(p->slashes);
        p->slashes &= p->slashes - 1;
    }
    *part = (struct str){from, (size_t)(to - from)};
    p->at = to + 1;
    return true;
}

#endif
