/* utf8.h - code points, strictly, and the ones that deceive a reader.
 *
 * Strict means RFC 3629: no overlong forms, no surrogates, nothing above
 * U+10FFFF. A second spelling of a byte is a way around a rule. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Stands for bytes that are no code point, where one must be named. */
#define UTF8_INVALID UINT32_MAX

/* Decodes the code point at byte `at`. Returns how many bytes it takes; 0, and *cp = UTF8_INVALID,
 * when `at` is the end or what stands there is not UTF-8. */
size_t utf8_next(struct str s, size_t at, uint32_t *cp);

bool utf8_valid(struct str s);
struct str
utf8_cut(struct str s,
         size_t most); /* at most so many bytes of it, and no half of a character at the end */
size_t
utf8_invalid_at(struct str s); /* the first byte that is not UTF-8; STR_NONE when there is none */

/* Writes 1 to 4 bytes. What is no code point (a surrogate, or too large) becomes U+FFFD. */
size_t utf8_encode(uint32_t cp, char out[4]);
void utf8_put(struct buf *b, uint32_t cp);

/* Finds the first code point that a reader cannot see, takes for something else, or that reorders
 * the text around it. Bytes that are not UTF-8 count too: *cp is UTF8_INVALID. False when the whole
 * text is what it looks like. */
bool utf8_suspicious(struct str s, size_t *at, uint32_t *cp);

/* "bidirectional control", "zero-width character", ...; NULL when there is nothing suspicious about
 * it. */
const char *utf8_suspicious_name(uint32_t cp);

/* The table behind these two, ascending, for the test of its order. */
struct utf8_range {
    uint32_t first, last;
    const char *name;
};
const struct utf8_range *utf8_suspicious_ranges(size_t *count);

#endif
