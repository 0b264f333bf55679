#include "base/utf8.h"

#include "base/block.h"

#define REPLACEMENT   0xfffdu
#define HIGHEST       0x10ffffu
#define SURROGATE_MIN 0xd800u
#define SURROGATE_MAX 0xdfffu

static unsigned char byte_at(struct str s, size_t at)
{
    return (unsigned char)s.s[at];
}

/* How many bytes follow `lead`, and the smallest code point that needs that many. 0 if `lead`
 * cannot start a sequence. */
static size_t followers(unsigned char lead, uint32_t *smallest)
{
    if (lead >= 0xc2 && lead <= 0xdf)
        return *smallest = 0x80, 1;
    if (lead >= 0xe0 && lead <= 0xef)
        return *smallest = 0x800, 2;
    if (lead >= 0xf0 && lead <= 0xf4)
        return *smallest = 0x10000, 3;
    return 0;
}

static bool is_scalar(uint32_t cp)
{
    return cp <= HIGHEST && !(cp >= SURROGATE_MIN && cp <= SURROGATE_MAX);
}

size_t utf8_next(struct str s, size_t at, uint32_t *cp)
{
    uint32_t smallest = 0;

    *cp = UTF8_INVALID;
    if (at >= s.len)
        return 0;

    unsigned char lead = byte_at(s, at);
    if (lead < 0x80)
        return *cp = lead, 1;

    size_t more = followers(lead, &smallest);
    if (more == 0 || more >= s.len - at)
        return 0;

    uint32_t value = lead & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        unsigned char c = byte_at(s, at + i);
        if ((c & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (c & 0x3f);
    }
    if (value < smallest || !is_scalar(value))
        return 0;
    *cp = value;
    return more + 1;
}

/* Fast path: most text is ASCII. Skips to the first byte that is not, or to a rest shorter than a
 * block. */
static size_t skip_ascii(struct str s, size_t at)
{
    for (uint64_t others; s.len - at >= BLOCK; at += BLOCK)
        if ((others = block_bits(block_at(s.s + at))))
            return at + (size_t)__builtin_ctzll(others);
    if (s.len < BLOCK)
        return at;
    /* The last block overlaps bytes that are checked already. */
    return block_bits(block_at(s.s + s.len - BLOCK)) ? at : s.len;
}

struct str utf8_cut(struct str s, size_t most)
{
    size_t len = most;

    if (s.len <= most)
        return s;
    while (len > 0 && ((unsigned char)s.s[len] & 0xc0) == 0x80)
        len--;
    return str_slice(s, 0, len);
}

size_t utf8_invalid_at(struct str s)
{
    uint32_t cp;

    for (size_t at = 0, len; at < s.len; at += len) {
        at = skip_ascii(s, at);
        if (at == s.len)
            break;
        len = utf8_next(s, at, &cp);
        if (len == 0)
            return at;
    }
    return STR_NONE;
}

bool utf8_valid(struct str s)
{
    return utf8_invalid_at(s) == STR_NONE;
}

static char follower(uint32_t cp, unsigned shift)
{
    return (char)(0x80 | ((cp >> shift) & 0x3f));
}

size_t utf8_encode(uint32_t cp, char out[4])
{
    size_t n = 0;

    if (!is_scalar(cp))
        cp = REPLACEMENT;
    if (cp < 0x80) {
        out[n++] = (char)cp;
    } else if (cp < 0x800) {
        out[n++] = (char)(0xc0 | cp >> 6);
        out[n++] = follower(cp, 0);
    } else if (cp < 0x10000) {
        out[n++] = (char)(0xe0 | cp >> 12);
        out[n++] = follower(cp, 6);
        out[n++] = follower(cp, 0);
    } else {
        out[n++] = (char)(0xf0 | cp >> 18);
        out[n++] = follower(cp, 12);
        out[n++] = follower(cp, 6);
        out[n++] = follower(cp, 0);
    }
    return n;
}

void utf8_put(struct buf *b, uint32_t cp)
{
    char bytes[4];

    buf_add(b, (struct str){bytes, utf8_encode(cp, bytes)});
}

/* Ascending and without overlap (a test checks it). Based on Unicode's
 * Default_Ignorable_Code_Point, plus controls, spaces other than U+0020, and glyphs that are drawn
 * empty. Joiners are listed although emoji use them: in a command or a path they are invisible. */
static const struct utf8_range ranges[] = {
    {0x0000, 0x0008, "control character"},
    {0x000b, 0x001f, "control character"},
    {0x007f, 0x009f, "control character"},
    {0x00a0, 0x00a0, "unusual space"},
    {0x00ad, 0x00ad, "zero-width character"}, /* soft hyphen */
    {0x034f, 0x034f, "zero-width character"}, /* combining grapheme joiner */
    {0x061c, 0x061c, "bidirectional control"},
    {0x115f, 0x1160, "zero-width character"}, /* Hangul fillers */
    {0x1680, 0x1680, "unusual space"},
    {0x17b4, 0x17b5, "zero-width character"}, /* Khmer inherent vowels */
    {0x180b, 0x180f, "zero-width character"}, /* Mongolian selectors and vowel separator */
    {0x2000, 0x200a, "unusual space"},
    {0x200b, 0x200d, "zero-width character"},
    {0x200e, 0x200f, "bidirectional control"},
    {0x2028, 0x2029, "line separator"},
    {0x202a, 0x202e, "bidirectional control"},
    {0x202f, 0x202f, "unusual space"},
    {0x205f, 0x205f, "unusual space"},
    {0x2060, 0x2065, "zero-width character"},
    {0x2066, 0x2069, "bidirectional control"},
    {0x206a, 0x206f, "invisible character"}, /* deprecated format controls */
    {0x2800, 0x2800, "unusual space"},       /* a braille cell without dots */
    {0x3000, 0x3000, "unusual space"},
    {0x3164, 0x3164, "zero-width character"}, /* Hangul filler */
    {0xfe00, 0xfe0f, "variation selector"},
    {0xfeff, 0xfeff, "zero-width character"}, /* byte order mark */
    {0xffa0, 0xffa0, "zero-width character"}, /* halfwidth Hangul filler */
    {0xfff0, 0xfff8, "invisible character"},
    {0xfff9, 0xfffb, "annotation control"},
    {0x1bca0, 0x1bca3, "invisible character"}, /* shorthand format controls */
    {0x1d159, 0x1d159, "invisible character"}, /* musical null notehead */
    {0x1d173, 0x1d17a, "invisible character"}, /* musical beams, ties, slurs, phrases */
    {0xe0000, 0xe007f, "tag character"},
    {0xe0080, 0xe00ff, "invisible character"},
    {0xe0100, 0xe01ef, "variation selector"},
    {0xe01f0, 0xe0fff, "invisible character"},
    {UTF8_INVALID, UTF8_INVALID, "invalid UTF-8"},
};

const struct utf8_range *utf8_suspicious_ranges(size_t *count)
{
    *count = COUNT(ranges);
    return ranges;
}

const char *utf8_suspicious_name(uint32_t cp)
{
    size_t low = 0, high = COUNT(ranges);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cp > ranges[middle].last)
            low = middle + 1;
        else if (cp < ranges[middle].first)
            high = middle;
        else
            return ranges[middle].name;
    }
    return NULL;
}

bool utf8_suspicious(struct str s, size_t *at, uint32_t *cp)
{
    for (size_t i = 0, len; i < s.len; i += len) {
        len = utf8_next(s, i, cp);
        if (*cp >= 0x20 && *cp < 0x7f)
            continue;
        if (utf8_suspicious_name(*cp)) {
            *at = i;
            return true;
        }
    }
    return false;
}

/* After the table of confusable characters of Unicode Technical Standard 39, the letters of two
 * scripts. In order. */
static const uint16_t latin_looks[] = {
    0x0391, 0x0392, 0x0395, 0x0396, 0x0397, 0x0399, 0x039a, 0x039c, 0x039d, 0x039f, 0x03a1,
    0x03a4, 0x03a5, 0x03a7, 0x03b1, 0x03b9, 0x03bd, 0x03bf, 0x03c1, 0x03c5, 0x03f2, 0x03f3,
    0x0405, 0x0406, 0x0408, 0x0410, 0x0412, 0x0415, 0x041a, 0x041c, 0x041d, 0x041e, 0x0420,
    0x0421, 0x0422, 0x0425, 0x0430, 0x0435, 0x043e, 0x0440, 0x0441, 0x0443, 0x0445, 0x0455,
    0x0456, 0x0458, 0x04ae, 0x04af, 0x04bb, 0x04c0, 0x04cf, 0x0501, 0x051b, 0x051d,
};

bool utf8_looks_latin(uint32_t cp)
{
    size_t from = 0, to = COUNT(latin_looks);

    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (latin_looks[middle] < cp)
            from = middle + 1;
        else
            to = middle;
    }
    return from < COUNT(latin_looks) && latin_looks[from] == cp;
}
