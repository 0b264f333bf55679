/* glob_parts.h - the internals of a compiled glob, for base/glob*.c only.
 *
 * Braces are expanded first; each resulting pattern is a branch, and a branch is a flat list of
 * tokens. Under GLOB_PATH and GLOB_PREFIX both text and branch are treated as if they ended in one
 * more '/', the virtual slash: then every component ends in a slash, and "any number of components"
 * is a token like the others (TOKEN_TREE) instead of three special cases for the start, the middle
 * and the end.
 *
 * INVARIANT: TOKEN_TREE is at the start of a branch, after a slash, or after another TOKEN_TREE.
 * INVARIANT: under GLOB_PATH no token but TOKEN_TREE and a literal takes '/'. */
#ifndef BASE_GLOB_PARTS_H
#define BASE_GLOB_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/glob.h"
#include "base/list.h"

enum token_kind {
    TOKEN_LITERAL,
    TOKEN_ANY,
    TOKEN_CLASS,
    TOKEN_STAR, /* a run within a component */
    TOKEN_SPAN, /* a run of anything */
    TOKEN_TREE, /* a run of components, each with its trailing slash */
};

struct range {
    uint32_t low, high;
};

struct glob_class {
    bool negated;
    struct range *items;
    size_t count, room;
};

struct token {
    enum token_kind kind;
    uint32_t symbol; /* of TOKEN_LITERAL; folded under GLOB_NOCASE */
    const struct glob_class *set;
};

struct branch {
    struct token *tokens;
    size_t count;
};

struct glob {
    unsigned flags;
    bool ends_in_slash; /* text and branches get the virtual slash */
    struct branch *branches;
    size_t count;
};

/* A symbol is what '?' matches: a code point, or SYMBOL_BYTE plus a byte that is not UTF-8. */
#define SYMBOL_BYTE 0x110000u

/* Reads the symbol at *at, which is less than text.len, and moves *at past it. */
uint32_t symbol_read_long(struct str text, size_t *at); /* for bytes beyond ASCII */
static inline uint32_t symbol_read(struct str text, size_t *at)
{
    unsigned char byte = (unsigned char)text.s[*at];

    return byte < 0x80 ? (++*at, byte) : symbol_read_long(text, at);
}

static inline uint32_t symbol_fold(uint32_t symbol)
{
    return symbol >= 'A' && symbol <= 'Z' ? symbol - 'A' + 'a' : symbol;
}

static inline bool token_repeats(const struct token *t)
{
    return t->kind == TOKEN_STAR || t->kind == TOKEN_SPAN || t->kind == TOKEN_TREE;
}

/* Does one step of the token match this symbol? Under GLOB_NOCASE the symbol is already folded. */
bool token_takes(const struct glob *g, const struct token *t, uint32_t symbol);

/* Reads the class whose '[' is at *at and moves *at past it. If the class is not closed, *out is
 * NULL and *at stays. */
enum status class_read(struct arena *a, struct str pattern, size_t *at, struct glob_class **out,
                       struct error *err);
bool class_has(const struct glob_class *c, uint32_t symbol);

enum class_state {
    CLASS_CLOSED,
    CLASS_UNCLOSED, /* so the '[' is literal */
    CLASS_TOO_LONG,
    CLASS_FOREIGN, /* has an unknown name in it, closed or not */
};

/* No '[' at or after this byte starts a class: there is no ']' left. Searching for the ']' from
 * every '[' of a long text would take quadratic time. */
static inline size_t class_limit(struct str pattern, unsigned flags)
{
    size_t last = flags & GLOB_NO_CLASSES ? STR_NONE : str_last_index(pattern, ']');

    return last == STR_NONE ? 0 : last;
}

/* Does the '[' at `at` start a class? If so, *end is after its ']'. */
enum class_state class_find(struct str pattern, size_t at, size_t *end);

enum brace_state { BRACE_NONE, BRACE_FOUND, BRACE_TOO_DEEP };

/* The '}' of the group at `open`. */
enum brace_state brace_close(struct str text, size_t open, size_t *close);
/* The next comma from `from` on that belongs to the group which ends at `close`, or `close`. */
size_t brace_comma(struct str text, size_t from, size_t close);

/* Finds the first group of braces at or after *open that is not inside a class, and sets *open and
 * *close. Stops at a class that class_read() will refuse. */
enum brace_state brace_find(struct str pattern, unsigned flags, size_t *open, size_t *close);

/* All patterns that the braces expand to. */
enum status glob_brace_expand(struct arena *a, struct str pattern, unsigned flags, struct strs *out,
                              struct error *err);

#endif
