/* index_key.h - the bytes that a rule needs to stand in a text. For rule/index*.c only. */
#ifndef RULE_INDEX_KEY_H
#define RULE_INDEX_KEY_H

#include <endian.h>

#include "rule/index.h"

/* Keys have one of these lengths. The longer ones tell apart rules that share all their short runs.
 */
enum { KEY_SHORT = 4, KEY_LONG = 8 };
/* What a text, or a component of a path, begins with has keys of its own, from KEY_SHORT bytes on:
 * where all rules say how these begin, no text is read to its end. */
enum { KEY_START_MAX = 32 };

/* A text is thought to have a blank before and behind it, and each blank is a ' ': so the key of
 * "ls *" is " ls ". */
static inline char key_byte(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '\t' || c == '\n' ? ' ' : c;
}

/* Names of tools and fields are looked up by themselves: the tool "shell" says nothing of
 * "shellcheck". */
enum key_space { KEY_IN_TEXT = 0, KEY_IN_NAME = 16 };

/* The last eight bytes of a text that is read byte by byte; the last one is the highest. */
static inline uint64_t key_window(uint64_t window, char c)
{
    return window >> 8 | (uint64_t)(unsigned char)c << 56;
}

/* Made for every byte of a text: one product spreads four bytes well enough. Eight take two. */
static inline uint32_t key_short(uint64_t window, enum key_space space)
{
    return (uint32_t)(((window >> 32) + KEY_SHORT + space) * 0x9E3779B97F4A7C15u >> 32);
}

static inline uint32_t key_long(uint64_t window, enum key_space space)
{
    uint64_t h = (window + KEY_LONG + space) * 0x9E3779B97F4A7C15u;

    h ^= h >> 29;
    return (uint32_t)((h * 0xBF58476D1CE4E5B9u) >> 32);
}

/* Of the first bytes, one after the other: behind the blank before a text, or the slash before a
 * component. */
static inline uint64_t key_begin(char first)
{
    return (uint64_t)(unsigned char)first * 0x9E3779B97F4A7C15u;
}

static inline uint64_t key_go_on(uint64_t hash, char c)
{
    return (hash ^ hash >> 32 ^ (unsigned char)c) * 0x9E3779B97F4A7C15u;
}

static inline uint32_t key_start(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

/* Of the first KEY_SHORT bytes, of which the others behind the first may be in either case: what is
 * looked up first, and mostly the only thing. The first byte is the lowest. */
static inline uint32_t key_gate(uint32_t bytes)
{
    return (uint32_t)(((bytes & 0xdfdfdfff) + (uint64_t)1) * 0x9E3779B97F4A7C15u >> 32);
}

static inline uint32_t key_bytes(char first, char second, char third, char fourth)
{
    return (uint32_t)(unsigned char)first | (uint32_t)(unsigned char)second << 8 |
           (uint32_t)(unsigned char)third << 16 | (uint32_t)(unsigned char)fourth << 24;
}

/* Of four bytes that stand together. */
static inline uint32_t key_bytes_at(const char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof(word));
    return le32toh(word);
}

#define WAY_KEYS_MAX 512 /* of one way to match; those of a longer pattern are left out */
#define RULE_WAYS    128 /* a rule that has more is found always */

enum key_kind { KEY_IS_SHORT = 0, KEY_IS_LONG, KEY_IS_START };

struct key {
    uint32_t hash;
    uint32_t gate; /* of the key that is met first: itself, the short one at the end of a long one,
                      the first start */
    enum key_kind kind;
    uint32_t len; /* of its bytes */
};

/* One way to match: any one of its keys will do, because all of them stand in every text that it
 * matches. */
struct way {
    struct key keys[WAY_KEYS_MAX];
    size_t count;
    enum key_space space;
    bool in_path; /* they stand in paths and hosts only */
};

/* Calls `take` for each way in which the rule can match. False when it can match without any known
 * bytes: what was taken until then counts for nothing. */
bool rule_ways(struct arena *scratch, const struct rule *r,
               void (*take)(void *context, const struct way *w), void *context);

#endif
