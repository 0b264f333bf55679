/* utf8.h - strict UTF-8 decoding, and the code points that deceive a reader.
 *
 * Strict means RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. A second
 * spelling of a character is a way around a rule. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* In place of a code point: the bytes are not UTF-8. */
#define UTF8_INVALID UINT32_MAX

/* Decodes the code point at byte `at`. Returns its length in bytes; 0, with *cp = UTF8_INVALID, at
 * the end of the text or if the bytes are not UTF-8. */
size_t utf8_next(struct str s, size_t at, uint32_t *cp);

bool utf8_valid(struct str s);
/* At most `most` bytes, without half a character at the end. */
struct str utf8_cut(struct str s, size_t most);
size_t utf8_invalid_at(struct str s); /* the first byte that is not UTF-8, or STR_NONE */

/* Writes 1 to 4 bytes. A surrogate, or a value that is too large, becomes U+FFFD. */
size_t utf8_encode(uint32_t cp, char out[4]);
void utf8_put(struct buf *b, uint32_t cp);

/* Finds the first code point that is invisible, looks like another one or reorders the text around
 * it. Bytes that are not UTF-8 count too: *cp is UTF8_INVALID. False if the text is what it looks
 * like. */
bool utf8_suspicious(struct str s, size_t *at, uint32_t *cp);

/* "bidirectional control", "zero-width character", ...; NULL if it is not suspicious. */
const char *utf8_suspicious_name(uint32_t cp);

/* A Cyrillic or Greek letter that is drawn as a Latin one. */
bool utf8_looks_latin(uint32_t cp);

/* The table of the two functions above, so that a test can check its order. */
struct utf8_range {
    uint32_t first, last;
    const char *name;
};
/* All of them, for tests. */
const struct utf8_range *utf8_suspicious_ranges(size_t *count);

#endif
