/* index_key.h - keys: short runs of bytes that a text must contain for a rule to match. For
 * rule/index*.c only. */
#ifndef RULE_INDEX_KEY_H
#define RULE_INDEX_KEY_H

#include <endian.h>

#include "rule/index.h"

/* Keys have one of these lengths. Long ones distinguish rules that share all their short runs. */
enum { KEY_SHORT = 4, KEY_LONG = 8 };
/* The start of a text or of a path component has its own keys, of KEY_SHORT to KEY_START_MAX bytes.
 * If all rules have such keys, no text has to be read to its end. */
enum { KEY_START_MAX = 32 };

/* Texts are read as if they had a blank before and after them, and any white space is a ' ': so the
 * key of "ls *" is " ls ". */
static inline char key_byte(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '\t' || c == '\n' ? ' ' : c;
}

/* Names of tools and fields have their own key space: the tool "shell" is unrelated to
 * "shellcheck". */
enum key_space { KEY_IN_TEXT = 0, KEY_IN_NAME = 16 };

/* The last eight bytes read, the newest in the highest byte. */
static inline uint64_t key_window(uint64_t window, char c)
{
    return window >> 8 | (uint64_t)(unsigned char)c << 56;
}

/* Computed for every byte of a text, so cheap: one multiplication hashes four bytes well enough.
 * Eight bytes need two. */
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

/* A rolling hash of the first bytes: the blank before a text, or the slash before a component, and
 * what follows. */
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

/* The filter hash of the first KEY_SHORT bytes (first byte lowest), ignoring case after the first.
 * It is looked up first and usually rejects the text at once. */
static inline uint32_t key_filter(uint32_t bytes)
{
    return (uint32_t)(((bytes & 0xdfdfdfff) + (uint64_t)1) * 0x9E3779B97F4A7C15u >> 32);
}

static inline uint32_t key_bytes(char first, char second, char third, char fourth)
{
    return (uint32_t)(unsigned char)first | (uint32_t)(unsigned char)second << 8 |
           (uint32_t)(unsigned char)third << 16 | (uint32_t)(unsigned char)fourth << 24;
}

/* The same, loaded from memory. */
static inline uint32_t key_bytes_at(const char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof(word));
    return le32toh(word);
}

#define WAY_KEYS_MAX 512 /* per way; further keys of a long pattern are dropped */
#define RULE_WAYS    128 /* a rule with more ways is always returned */

enum key_kind { KEY_IS_SHORT = 0, KEY_IS_LONG, KEY_IS_START };

struct key {
    uint32_t hash;
    /* filter entry that is tested first: the key itself; for a long key, the short one at its end;
     * for a start, its first bytes */
    uint32_t filter;
    enum key_kind kind;
    uint32_t len; /* in bytes */
};

/* One way in which a rule can match. Every text that it matches contains all of these keys, so
 * indexing any one of them is enough. */
struct way {
    struct key keys[WAY_KEYS_MAX];
    size_t count;
    enum key_space space;
    bool in_path; /* they occur only in paths and hosts */
};

/* Calls `take` for each way in which the rule can match. False if it can match without any known
 * bytes: the ways reported so far must then be discarded. */
bool rule_ways(struct arena *scratch, const struct rule *r,
               void (*take)(void *context, const struct way *w), void *context);

#endif
