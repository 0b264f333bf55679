/* bytes.c - the functions of libc that a decision spends most of its time in, sixteen bytes at a
 * time.
 *
 * musl's are written to be small: byte by byte, or by instructions that take
 * longer to start than most of our texts take to copy. Where a processor has no
 * such instructions (this file is for x86-64, where every one has them), musl's are
 * used. */
#ifdef __SSE2__

/* A loop that copies is memcpy() to the compiler: it would have memcpy() call itself. */
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STEP ((size_t)16)
#define PAGE ((size_t)4096)

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's own are reserved */

typedef uint64_t __attribute__((may_alias, aligned(1))) word8;
typedef uint32_t __attribute__((may_alias, aligned(1))) word4;
typedef __m128i_u step;

static inline __m128i load(const void *p)
{
    return _mm_loadu_si128((const step *)p);
}

static inline void store(void *p, __m128i bytes)
{
    _mm_storeu_si128((step *)p, bytes);
}

/* One bit for each byte that is the same. */
static inline unsigned same(__m128i a, __m128i b)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}

/* Does a step from here stay in its page? Then it may be read beyond the bytes, if there is one. To
 * the address sanitizer that is an error. */
static inline bool fits_page(const void *p)
{
#ifdef __SANITIZE_ADDRESS__
    (void)p;
    return false;
#endif
    return ((uintptr_t)p & (PAGE - 1)) <= PAGE - STEP;
}

/* The bits of the first n bytes, of less than a step. */
static inline unsigned first_bits(size_t n)
{
    return (1u << n) - 1;
}

/* Up to STEP - 1 bytes. From both ends, and all is read before anything is written: memmove() can
 * use it, too. */
static inline void copy_few(char *to, const char *from, size_t n)
{
    if (n >= 8) {
        uint64_t first = *(const word8 *)from, last = *(const word8 *)(from + n - 8);
        *(word8 *)to = first;
        *(word8 *)(to + n - 8) = last;
    } else if (n >= 4) {
        uint32_t first = *(const word4 *)from, last = *(const word4 *)(from + n - 4);
        *(word4 *)to = first;
        *(word4 *)(to + n - 4) = last;
    } else if (n > 0) {
        char first = from[0], middle = from[n / 2], last = from[n - 1];
        to[0] = first;
        to[n / 2] = middle;
        to[n - 1] = last;
    }
}

/* The last step overlaps the one before. It is read first, because the loop may overwrite it. */
static inline void copy_up(char *to, const char *from, size_t n)
{
    const __m128i last = load(from + n - STEP);
    char *end = to + n - STEP;

    for (; to < end; to += STEP, from += STEP)
        store(to, load(from));
    store(end, last);
}

static inline void copy_down(char *to, const char *from, size_t n)
{
    const __m128i first = load(from);
    size_t left = n;

    for (; left > STEP; left -= STEP)
        store(to + left - STEP, load(from + left - STEP));
    store(to, first);
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    if (n < STEP)
        copy_few(to, from, n);
    else
        copy_up(to, from, n);
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if (n < STEP)
        copy_few(to, from, n);
    else if ((uintptr_t)to - (uintptr_t)from >= n)
        copy_up(to, from, n);
    else
        copy_down(to, from, n);
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    const __m128i bytes = _mm_set1_epi8((char)byte);
    char *at = to, *end = at + n;

    if (n < STEP) {
        while (at < end)
            *at++ = (char)byte;
        return to;
    }
    for (; at < end - STEP; at += STEP)
        store(at, bytes);
    store(end - STEP, bytes);
    return to;
}

static inline int first_difference(const unsigned char *left, const unsigned char *right,
                                   unsigned differ)
{
    const int at = __builtin_ctz(differ);

    return left[at] - right[at];
}

__attribute__((no_sanitize_address)) int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *left = a, *right = b;

    for (; n >= STEP; left += STEP, right += STEP, n -= STEP) {
        unsigned differ = same(load(left), load(right)) ^ 0xffff;
        if (differ)
            return first_difference(left, right, differ);
    }
    if (n > 0 && fits_page(left) && fits_page(right)) {
        unsigned differ = (same(load(left), load(right)) ^ 0xffff) & first_bits(n);
        return differ ? first_difference(left, right, differ) : 0;
    }
    for (; n > 0; left++, right++, n--)
        if (*left != *right)
            return *left - *right;
    return 0;
}

/* Searches take a const pointer and return one that is not: C declares them so. */
static inline void *found_at(const char *place)
{
    return (void *)(uintptr_t)place; /* NOLINT(performance-no-int-to-ptr) */
}

__attribute__((no_sanitize_address)) void *memchr(const void *bytes, int byte, size_t n)
{
    const __m128i wanted = _mm_set1_epi8((char)byte);
    const char *at = bytes;

    for (; n >= STEP; at += STEP, n -= STEP) {
        unsigned found = same(load(at), wanted);
        if (found)
            return found_at(at + __builtin_ctz(found));
    }
    if (n > 0 && fits_page(at)) {
        unsigned found = same(load(at), wanted) & first_bits(n);
        return found ? found_at(at + __builtin_ctz(found)) : NULL;
    }
    for (; n > 0; at++, n--)
        if (*at == (char)byte)
            return found_at(at);
    return NULL;
}

void *memrchr(const void *bytes, int byte, size_t n)
{
    const __m128i wanted = _mm_set1_epi8((char)byte);
    const char *at = bytes;

    for (; n >= STEP; n -= STEP) {
        unsigned found = same(load(at + n - STEP), wanted);
        if (found)
            return found_at(at + n - STEP + (31 - __builtin_clz(found)));
    }
    while (n-- > 0)
        if (at[n] == (char)byte)
            return found_at(at + n);
    return NULL;
}

/* Reads aligned steps, the first from before the text: none of them reaches a page without text. */
__attribute__((no_sanitize_address)) size_t strlen(const char *text)
{
    const size_t before = (uintptr_t)text % STEP;
    const __m128i *at = (const __m128i *)(const void *)(text - before);
    unsigned found = same(_mm_load_si128(at), _mm_setzero_si128()) >> before << before;

    while (!found)
        found = same(_mm_load_si128(++at), _mm_setzero_si128());
    return (size_t)((const char *)at - text) + (size_t)__builtin_ctz(found);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

#endif
