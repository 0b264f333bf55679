/* glob_parts.h - the inside of a compiled glob, for base/glob*.c only.
 *
 * Braces are replaced first; each resulting pattern is a branch, and a branch is a
 * flat list of tokens. Under GLOB_PATH and GLOB_PREFIX text and branch are both
 * thought to end in one more '/': then every component ends in a slash, and "any
 * number of components" is a token like the others (TOKEN_TREE) instead of a case
 * for the beginning, one for the middle and one for the end.
 *
 * INVARIANT: TOKEN_TREE stands at the beginning of a branch, behind a slash, or
 * behind another TOKEN_TREE.
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
    TOKEN_TREE, /* a run of components, each with the slash behind it */
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
    bool ends_in_slash; /* the one that is thought to be there */
    struct branch *branches;
    size_t count;
};

/* A symbol is what '?' matches: a code point, or a byte that is no UTF-8, which is told apart from
 * every code point. */
#define SYMBOL_BYTE 0x110000u

/* The symbol at *at, which is below text.len and moves behind it. */
uint32_t symbol_read_long(struct str text, size_t *at); /* the same; for bytes beyond ASCII */
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

/* Whether the token takes this symbol, once. Under GLOB_NOCASE the symbol has been folded. */
bool token_takes(const struct glob *g, const struct token *t, uint32_t symbol);

/* Reads the class whose '[' is at *at and moves behind it. *out is NULL, and *at stays, when the
 * class is not closed.
 */
enum status class_read(struct arena *a, struct str pattern, size_t *at, struct glob_class **out,
                       struct error *err);
bool class_has(const struct glob_class *c, uint32_t symbol);

enum class_state {
    CLASS_CLOSED,
    CLASS_UNCLOSED, /* so the '[' is literal */
    CLASS_TOO_LONG,
    CLASS_FOREIGN, /* has a name in it that we do not know, closed or not */
};

/* Up to where a '[' can begin one: searching for its ']' from every '[' of a long text would take
 * quadratic time. */
static inline size_t class_limit(struct str pattern, unsigned flags)
{
    size_t last = flags & GLOB_NO_CLASSES ? STR_NONE : str_last_index(pattern, ']');

    return last == STR_NONE ? 0 : last;
}

/* Whether the '[' at `at` begins a class; *end is then behind its ']'. */
enum class_state class_find(struct str pattern, size_t at, size_t *end);

enum brace_state { BRACE_NONE, BRACE_FOUND, BRACE_TOO_DEEP };

/* The '}' of the group at `open`. */
enum brace_state brace_close(struct str text, size_t open, size_t *close);
/* The comma behind `from` that belongs to the group which ends at `close`, or `close`. */
size_t brace_comma(struct str text, size_t from, size_t close);

/* The first group of braces at or behind *open that is not within a class: where it begins and the
 * place of its '}'. There is none behind a class that class_read() will refuse. */
enum brace_state brace_find(struct str pattern, unsigned flags, size_t *open, size_t *close);

/* All that the pattern stands for once its braces are replaced. */
enum status glob_brace_expand(struct arena *a, struct str pattern, unsigned flags, struct strs *out,
                              struct error *err);

#endif
