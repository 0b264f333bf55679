/* glob.h - one wildcard matcher, several flavours.
 *
 * The attacker chooses the text, sometimes the pattern: matching takes at most
 * (pattern bytes) x (text bytes) steps, without recursion and without memory,
 * and is cut before that grows large (glob_match_or()).
 *
 *     *      any run; with GLOB_PATH within one path component
 *     **     with GLOB_PATH, as a whole component: any number of components,
 *            none too: a/[**]/b (without the brackets) matches a/b, and a
 *            trailing one matches its directory too. Elsewhere the same as *
 *     ?      one UTF-8 code point; a byte that is no UTF-8 counts as one
 *     [a-z]  one code point of a class; [!x] and [^x] negate, a ']' that comes
 *            first is a member, [:alpha:] and its like mean ASCII. An unclosed
 *            '[' is literal
 *     {a,b}  with GLOB_BRACES: the pattern is matched once with each. Replaced as
 *            text, before anything else is read, the first group first, except
 *            that a group does not begin within a class. {a} is a. What is
 *            unclosed is literal
 *     \x     x itself. A backslash at the end is literal
 *
 * With GLOB_PATH a pattern and a text are compared component by component, and
 * neither '?' nor a class matches '/'; a component may be empty, so that * / x
 * matches /x. Without it every wildcard matches '/' too, as in fnmatch(3) without
 * flags and in Python's fnmatch. */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

enum glob_flags {
    GLOB_PATH = 1,       /* '*', '?' and classes stay within a path component, '**' crosses them */
    GLOB_NOCASE = 2,     /* ASCII letters match in both cases */
    GLOB_BRACES = 4,     /* {a,b} are alternatives; without it braces are literal */
    GLOB_NO_CLASSES = 8, /* '[' is literal */
    GLOB_NO_QUESTION = 16, /* '?' is literal */
    GLOB_PREFIX = 32, /* what matches a directory matches all below it, as if a slash and '**' could
                       * follow; slashes at the pattern's end say nothing; an empty pattern matches
                       * the empty text only */
};

#define GLOB_MAX_PATTERN  8192    /* bytes */
#define GLOB_MAX_BRANCHES 256     /* patterns after the braces were replaced */
#define GLOB_MAX_CLASS    256     /* members, ranges and names between two brackets */
#define GLOB_MAX_NESTING  16      /* braces within braces, closed or not */
#define GLOB_MAX_EXPANDED 65536   /* bytes written while replacing braces */
#define GLOB_MAX_PRODUCT  4194304 /* steps of glob_intersects() */

struct glob;

/* STATUS_LIMIT beyond the limits above. STATUS_SYNTAX for a class with a name that does not exist,
 * and for [=x=] and
 * [.x.], which match in a shell what we could not name: nobody may take such a pattern for a
 * literal. */
enum status glob_compile(struct arena *a, struct str pattern, unsigned flags, struct glob **out,
                         struct error *err);

bool glob_match(const struct glob *g, struct str text);

/* A match takes at most so many steps for each byte of text and pattern; what would take more is
 * cut, and `when_cut` is the answer: true where a match denies, false where it allows. glob_match()
 * says false. */
#define GLOB_STEPS_PER_BYTE 64
#define GLOB_STEPS_FREE     65536 /* short inputs are never cut */
bool glob_match_or(const struct glob *g, struct str text, bool when_cut);

/* The same for a pattern that need not be compiled, which is known to be sound. *sure: whether this
 * is the answer. */
bool glob_plain(struct str pattern, unsigned flags, struct str text, bool *sure);

/* Compiles and matches. False when the pattern does not compile, so this is for patterns that are
 * known to. */
bool glob_is_match(struct arena *a, struct str pattern, unsigned flags, struct str text);

/* Could some text match both? Never false when one could; true beyond GLOB_MAX_PRODUCT. */
bool glob_intersects(const struct glob *a, const struct glob *b);

/* What every match begins with, in lower case under GLOB_NOCASE. Lives as long as the glob. */
struct str glob_literal_prefix(struct arena *a, const struct glob *g);

#define GLOB_MAX_PIECE 64 /* bytes; a longer run comes in several */

/* A run of ASCII bytes that stands in every text that a branch of the glob matches; in lower case,
 * and the text's letters may have either. */
struct glob_piece {
    char text[GLOB_MAX_PIECE];
    size_t len;
    bool at_start;     /* the text begins with it */
    bool at_component; /* under GLOB_PATH: a path component begins with it */
    bool at_end;       /* the text ends with it */
    bool at_last;      /* under GLOB_PATH or GLOB_PREFIX: a slash comes behind it, or the end */
};

/* A glob matches what one of its branches matches: there is one for each alternative in braces. */
size_t glob_branches(const struct glob *g);
/* The next piece of a branch; *at is where to go on and begins at 0. False when there is none. */
bool glob_piece(const struct glob *g, size_t branch, size_t *at, struct glob_piece *out);

/* Whether the pattern has a wildcard, class or group in it. One that has none matches exactly one
 * text (or its GLOB_PREFIX and GLOB_NOCASE kin): itself without its backslashes. Linear in a
 * pattern of any length. */
bool glob_has_magic(struct str pattern, unsigned flags);

/* A pattern that matches `text` itself, in every flavour. */
struct str glob_escape(struct arena *a, struct str text);

#endif
