/* str.h - string views: a pointer and a length into memory owned elsewhere.
 *
 * A view may contain any byte, NUL too. It is not NUL-terminated unless the function that made it
 * says so. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct str {
    const char *s;
    size_t len;
};

#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf: "%.*s" with STR_ARG(view). */
#define STR_ARG(v)   (int)(v).len, (v).s
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Marks one part of a word that is not known before run time; the same as a literal and as a view.
 * No rule has it as a literal: only a wildcard matches it. */
#define WORD_UNKNOWN      '\x01'
#define WORD_UNKNOWN_TEXT "\x01"
#define WORD_UNKNOWN_STR  STR(WORD_UNKNOWN_TEXT)

static inline struct str str_from(const char *s)
{
    return (struct str){s, s ? strlen(s) : 0};
}

/* Inline, so that the compiler knows the length of a literal at the call. */
static inline bool str_eq(struct str a, struct str b)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): len > 0 implies s */
    return a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0);
}
static inline bool str_is(struct str a, const char *b)
{
    /* For searches in tables of names: the first byte rejects most rows. */
    if (a.len == 0 || a.s[0] != b[0])
        return a.len == 0 && b[0] == '\0';
    return a.len == strlen(b) && memcmp(a.s, b, a.len) == 0;
}
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_compare(struct str a, struct str b);    /* by bytes, as memcmp */
static inline bool str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.s, prefix.s, prefix.len) == 0);
}
static inline bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || memcmp(s.s + s.len - suffix.len, suffix.s, suffix.len) == 0);
}

#define STR_NONE ((size_t)-1)
static inline size_t str_index(struct str s, char c) /* STR_NONE when it is not there */
{
    const char *at = s.len ? memchr(s.s, c, s.len) : NULL;

    return at ? (size_t)(at - s.s) : STR_NONE;
}
static inline size_t str_last_index(struct str s, char c) /* STR_NONE when it is not there */
{
    const char *at = s.len ? memrchr(s.s, c, s.len) : NULL;

    return at ? (size_t)(at - s.s) : STR_NONE;
}
static inline int str_byte(struct str s, size_t at) /* -1: it ends before that */
{
    return at < s.len ? (unsigned char)s.s[at] : -1;
}
static inline bool str_has(struct str s, char c)
{
    return s.len && memchr(s.s, c, s.len);
}
/* How many bytes come before the first one that is in `stops`; a NUL byte is one of them. */
size_t str_until(struct str s, const char *stops);
bool str_contains(struct str s, struct str part);
bool str_contains_nocase(struct str s, struct str part);

/* From byte `from` up to, not including, byte `to`; both are cut to the length. */
static inline struct str str_slice(struct str s, size_t from, size_t to)
{
    if (to > s.len)
        to = s.len;
    if (from > to)
        from = to;
    return s.s ? (struct str){s.s + from, to - from} : (struct str){0};
}
static inline struct str str_from_byte(struct str s, size_t from)
{
    return str_slice(s, from, s.len);
}
struct str str_trim(struct str s); /* blanks, tabs, newlines at both ends */

/* Splits at the first `c`: *head before it, *tail after it. False, with all of it in *head, if
 * there is none. */
static inline bool str_cut(struct str s, char c, struct str *head, struct str *tail)
{
    size_t at = str_index(s, c);

    *head = at == STR_NONE ? s : (struct str){s.s, at};
    *tail = at == STR_NONE ? (struct str){0} : (struct str){s.s + at + 1, s.len - at - 1};
    return at != STR_NONE;
}
/* Is `word` one of the blank-separated words of `list`? False for an empty word. */
bool str_has_word(struct str list, struct str word);
/* Takes the next of these words off the front of *list; false, and an empty *word, after the last.
 */
static inline bool str_next_word(struct str *list, struct str *word)
{
    const char *at = list->s, *end = list->s + list->len;

    while (at < end && *at == ' ')
        at++;
    word->s = at;
    while (at < end && *at != ' ')
        at++;
    word->len = (size_t)(at - word->s);
    *list = (struct str){at, (size_t)(end - at)};
    return word->len > 0;
}

/* Is `s` one of the texts in the array? */
bool str_in(struct str s, const char *const *list, size_t count);
#define STR_IN(s, array) str_in((s), (array), COUNT(array))

struct str str_copy(struct arena *a, struct str s);               /* NUL-terminated */
struct str str_lower(struct arena *a, struct str s);              /* ASCII only; NUL-terminated */
struct str str_join(struct arena *a, struct str x, struct str y); /* NUL-terminated */
__attribute__((format(printf, 2, 3))) struct str str_format(struct arena *a, const char *format,
                                                            ...);

/* The same with a door of their own. When the arena is full the text is empty and its s is NULL. */
struct str str_try_copy(struct arena *a, struct str s);
__attribute__((format(printf, 2, 3))) struct str str_try_format(struct arena *a, const char *format,
                                                                ...);

/* Writes two lower-case digits per byte; returns the end. */
char *str_hex(char *out, const uint8_t *bytes, size_t count);

/* For tables. Not collision-resistant: an attacker who makes texts collide only slows down their
 * own call. */
uint32_t str_hash(struct str s);

#define STR_NUMBER_MAX 20 /* digits of the longest number */
/* In decimal, right-aligned in `room`. */
struct str str_number(uint64_t n, char room[STR_NUMBER_MAX]);

/* A list of strings (see list.h). */
struct strs {
    struct str *items;
    size_t count, room;
};

bool strs_has(const struct strs *list, struct str s);
static inline struct strs strs_in(struct arena *a, size_t room) /* empty, with this much room */
{
    return (struct strs){.items = arena_room(a, room, sizeof(struct str)), .room = room};
}

/* A string that grows in an arena. */
struct buf {
    struct arena *arena;
    char *s;
    size_t len, room;
};

static inline struct buf buf_in(struct arena *a)
{
    return (struct buf){.arena = a};
}
void buf_grow(struct buf *b, size_t more);

/* Makes room for `more` bytes and a NUL. */
static inline void buf_need(struct buf *b, size_t more)
{
    if (b->len + more >= b->room)
        buf_grow(b, more);
}
static inline void buf_byte(struct buf *b, char c)
{
    buf_need(b, 1);
    b->s[b->len++] = c;
    b->s[b->len] = '\0';
}
static inline void buf_add(struct buf *b, struct str s)
{
    buf_need(b, s.len);
    if (s.len)
        memcpy(b->s + b->len, s.s, s.len);
    b->len += s.len;
    b->s[b->len] = '\0';
}
void buf_text(struct buf *b, const char *s);
void buf_number(struct buf *b, int64_t n);
__attribute__((format(printf, 2, 3))) void buf_format(struct buf *b, const char *format, ...);
/* As one word of a POSIX shell, always in quotes, so that even `if` is a program name. */
void buf_quoted(struct buf *b, struct str word);
/* The same, without quotes if it clearly needs none. Reserved words are not quoted. */
void buf_shell_word(struct buf *b, struct str word);
struct str buf_str(struct buf *b); /* the contents; NUL-terminated, valid until the next add */

/* Opens a door on the arena and calls write(). *out is what it wrote; false, and an empty *out,
 * when the arena is full. */
bool buf_try(struct arena *a, void (*write)(struct buf *out, const void *about), const void *about,
             struct str *out);

#endif
