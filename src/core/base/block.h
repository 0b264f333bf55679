/* block.h - the bytes of a text, sixteen at a time, and marks: one bit for each byte.
 *
 * Going from mark to mark takes a few instructions, where a call of memchr() for each of the short
 * components of a path takes ten times as many. */
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

/* Where the last block of a text begins; a text that is shorter than one is copied, and blanks put
 * behind it. */
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

/* Of each byte the highest bit. <emmintrin.h> has a name for it, and brings malloc(), which the
 * core must not see. */
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

/* Bit i: byte i of the text, of whose bytes the first MARKS count, is `c`. */
uint64_t str_marks(struct str s, char c);

/* The parts of a text between slashes, one after the other; those that are empty, too. */
struct parts {
    const char *at, *end; /* the part that comes next; behind the text: none does */
    const char *window;   /* whose slashes, as far as they are not used up, are in: */
    uint64_t slashes;
};

static inline struct parts parts_of(struct str s)
{
    return (struct parts){
        .at = s.s, .end = s.s + s.len, .window = s.s, .slashes = str_marks(s, '/')};
}

/* For parts_next(): has the text a slash behind the window? */
bool parts_go_on(struct parts *p);

/* False behind the last part. An empty text has one, which is empty. */
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
