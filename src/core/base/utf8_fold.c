#include "base/utf8_fold.h"

#include "base/ascii.h"
#include "base/block.h"
#include "base/list.h"
#include "base/utf8.h"
#include "base/utf8_tables.h"

/* Marks are sorted in groups of at most this many, so that sorting stays linear. No real word has
 * half as many in a row. */
#define MARKS_MAX 30

/* Bytes that are not UTF-8 are kept as pseudo code points above the last one. */
#define RAW_BYTE 0x110000u

/* Hangul is composed by arithmetic: a leading consonant, a vowel, and perhaps a trailing consonant.
 */
enum { HANGUL = 0xac00, LEADING = 0x1100, VOWEL = 0x1161, TRAILING = 0x11a7 };
enum { LEADINGS = 19, VOWELS = 21, TRAILINGS = 28 };

struct point {
    uint32_t cp;
    uint8_t class;
};
struct points LIST_OF(struct point);

static uint8_t class_of(uint32_t cp)
{
    size_t low = 0, high = UTF8_MARKS;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (utf8_marks[middle].last < cp)
            low = middle + 1;
        else
            high = middle;
    }
    return low < UTF8_MARKS && utf8_marks[low].first <= cp ? utf8_marks[low].class : 0;
}

static uint32_t fold_case(uint32_t cp)
{
    size_t low = 0, high = UTF8_FOLD_RUNS;

    if (cp < 0x80)
        return (unsigned char)ascii_lower((char)cp);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (utf8_fold_runs[middle].last < cp)
            low = middle + 1;
        else
            high = middle;
    }
    const struct utf8_fold_run *run = &utf8_fold_runs[low];
    if (low == UTF8_FOLD_RUNS || run->first > cp || (cp - run->first) % run->step)
        return cp;
    return (uint32_t)((int32_t)cp + run->distance);
}

static const struct utf8_pair *find_pair(uint32_t cp)
{
    size_t low = 0, high = UTF8_PAIRS;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (utf8_pairs[middle].whole < cp)
            low = middle + 1;
        else
            high = middle;
    }
    return low < UTF8_PAIRS && utf8_pairs[low].whole == cp ? &utf8_pairs[low] : NULL;
}

/* Canonical ordering: a mark moves before marks of a higher class. */
static void add_point(struct arena *a, struct points *out, uint32_t cp)
{
    struct point p = {cp, class_of(cp)};
    size_t i = out->count;

    LIST_PUSH(a, out, p);
    for (; p.class && i > 0 && i + MARKS_MAX > out->count && out->items[i - 1].class > p.class; i--)
        out->items[i] = out->items[i - 1];
    out->items[i] = p;
}

/* Decomposes and folds. The lower case of a capital may decompose again; this recurses a few
 * levels. */
static void decompose(struct arena *a, struct points *out, uint32_t cp)
{
    const struct utf8_pair *pair = find_pair(cp);

    if (pair) {
        decompose(a, out, pair->first);
        if (pair->second)
            decompose(a, out, pair->second);
    } else if (fold_case(cp) != cp) {
        decompose(a, out, fold_case(cp));
    } else {
        add_point(a, out, cp);
    }
}

static uint32_t compose_hangul(uint32_t first, uint32_t second)
{
    if (first >= LEADING && first < LEADING + LEADINGS && second >= VOWEL &&
        second < VOWEL + VOWELS)
        return HANGUL + ((first - LEADING) * VOWELS + second - VOWEL) * TRAILINGS;
    if (first >= HANGUL && first < HANGUL + LEADINGS * VOWELS * TRAILINGS &&
        (first - HANGUL) % TRAILINGS == 0 && second > TRAILING && second < TRAILING + TRAILINGS)
        return first + second - TRAILING;
    return 0;
}

/* The composition of the two; 0 if they do not compose. */
static uint32_t compose_two(uint32_t first, uint32_t second)
{
    size_t low = 0, high = UTF8_COMPOSED;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct utf8_pair *p = &utf8_pairs[utf8_composed[middle]];
        if (p->first < first || (p->first == first && p->second < second))
            low = middle + 1;
        else
            high = middle;
    }
    const struct utf8_pair *p = low < UTF8_COMPOSED ? &utf8_pairs[utf8_composed[low]] : NULL;
    return p && p->first == first && p->second == second ? p->whole : compose_hangul(first, second);
}

/* Each mark composes with the last letter before it, unless a mark of the same class is in
 * between. */
static void compose(struct points *points)
{
    size_t kept = 0, letter = STR_NONE;

    for (size_t i = 0; i < points->count; i++) {
        struct point p = points->items[i];
        bool free =
            letter != STR_NONE && (kept == letter + 1 || points->items[kept - 1].class < p.class);
        uint32_t whole = free ? compose_two(points->items[letter].cp, p.cp) : 0;
        if (whole) {
            points->items[letter].cp = whole;
            continue;
        }
        if (p.class == 0)
            letter = kept;
        points->items[kept++] = p;
    }
    points->count = kept;
}

/* The slow path, for a text that is not pure ASCII. */
__attribute__((noinline)) static struct str fold_slowly(struct arena *a, struct str s)
{
    struct points points = {0};
    struct buf b = buf_in(a);
    uint32_t cp;

    for (size_t i = 0, len; i < s.len; i += len) {
        len = utf8_next(s, i, &cp);
        if (len == 0) {
            len = 1;
            add_point(a, &points, RAW_BYTE + (unsigned char)s.s[i]);
        } else {
            decompose(a, &points, cp);
        }
    }
    compose(&points);
    for (size_t i = 0; i < points.count; i++)
        if (points.items[i].cp >= RAW_BYTE)
            buf_byte(&b, (char)(points.items[i].cp - RAW_BYTE));
        else
            utf8_put(&b, points.items[i].cp);
    return buf_str(&b);
}

static bool is_ascii(struct str s)
{
    unsigned char any = 0;

    if (s.len < BLOCK) {
        for (size_t i = 0; i < s.len; i++)
            any |= (unsigned char)s.s[i];
        return any < 0x80;
    }
    for (size_t at = 0; at + BLOCK <= s.len; at += BLOCK)
        if (block_bits(block_at(s.s + at)))
            return false;
    return block_bits(block_at(s.s + s.len - BLOCK)) == 0; /* overlaps the last one */
}

struct str utf8_fold(struct arena *a, struct str s)
{
    return is_ascii(s) ? s : fold_slowly(a, s);
}
