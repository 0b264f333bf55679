/* glob.h - one wildcard matcher in several flavours.
 *
 * An attacker chooses the text and sometimes the pattern: matching takes at most (pattern bytes) x
 * (text bytes) steps, without recursion or allocation, and stops before that grows large
 * (glob_match_or()).
 *
 *     *      any run; with GLOB_PATH within one path component
 *     **     with GLOB_PATH, as a whole component: any number of components,
 *            none too: a/[**]/b (without the brackets) matches a/b, and a
 *            trailing one matches its directory too. Elsewhere the same as *
 *     ?      one UTF-8 code point; a byte that is not UTF-8 counts as one
 *     [a-z]  one code point of a class; [!x] and [^x] negate, a ']' that comes
 *            first is a member, [:alpha:] and its like mean ASCII. An unclosed
 *            '[' is literal
 *     {a,b}  with GLOB_BRACES: the pattern is matched once with each. Replaced as
 *            text, before anything else is read, the first group first, except
 *            that a group does not begin within a class. {a} is a. What is
 *            unclosed is literal
 *     \x     x itself. A backslash at the end is literal
 *
 * With GLOB_PATH, pattern and text are compared component by component, and neither '?' nor a class
 * matches '/'. A component may be empty, so that * / x matches /x. Without GLOB_PATH every wildcard
 * matches '/' too, as in fnmatch(3) without flags and in Python's fnmatch. */
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
    /* a match of a directory matches all below it, as if a slash and '**' could follow; trailing
     * slashes of the pattern are ignored; an empty pattern matches only the empty text */
    GLOB_PREFIX = 32,
};

#define GLOB_MAX_PATTERN  8192    /* bytes */
#define GLOB_MAX_BRANCHES 256     /* patterns after the braces are expanded */
#define GLOB_MAX_CLASS    256     /* members, ranges and names between two brackets */
#define GLOB_MAX_NESTING  16      /* braces within braces, closed or not */
#define GLOB_MAX_EXPANDED 65536   /* bytes written while expanding braces */
#define GLOB_MAX_PRODUCT  4194304 /* steps of glob_intersects() */

struct glob;

/* STATUS_LIMIT beyond the limits above. STATUS_SYNTAX for an unknown class name, and for [=x=] and
 * [.x.]: a shell matches something there that we cannot compute, so they must not pass as
 * literals. */
enum status glob_compile(struct arena *a, struct str pattern, unsigned flags, struct glob **out,
                         struct error *err);

bool glob_match(const struct glob *g, struct str text);

/* The step limit of a match, per byte of text and pattern. Beyond it the match stops and returns
 * `when_cut`: true where a match denies, false where it allows. glob_match() returns false. */
#define GLOB_STEPS_PER_BYTE 64
#define GLOB_STEPS_FREE     65536 /* short inputs never reach the limit */
bool glob_match_or(const struct glob *g, struct str text, bool when_cut);

/* Matches a simple pattern without compiling it; the pattern must be one that compiles. If *sure is
 * false, the result means nothing: compile the pattern and use glob_match(). */
bool glob_plain(struct str pattern, unsigned flags, struct str text, bool *sure);

/* Compiles and matches. False if the pattern does not compile: only for patterns that are known
 * to. */
bool glob_is_match(struct arena *a, struct str pattern, unsigned flags, struct str text);

/* Can some text match both? False is certain; true may be wrong (always true beyond
 * GLOB_MAX_PRODUCT). */
bool glob_intersects(const struct glob *a, const struct glob *b);

/* The prefix that all matches share, in lower case under GLOB_NOCASE. */
struct str glob_literal_prefix(struct arena *a, const struct glob *g);

#define GLOB_MAX_PIECE 64 /* bytes; a longer run is split */

/* A run of ASCII bytes that every text matched by a branch contains. Lower case; the text may use
 * either case. */
struct glob_piece {
    char text[GLOB_MAX_PIECE];
    size_t len;
    bool at_start;     /* the text starts with it */
    bool at_component; /* under GLOB_PATH: a path component starts with it */
    bool at_end;       /* the text ends with it */
    /* under GLOB_PATH or GLOB_PREFIX: followed by a slash or the end of the text */
    bool at_last;
};

/* A glob has one branch per alternative in braces, and matches what any of them matches. */
size_t glob_branches(const struct glob *g);
/* The next piece of a branch. *at is the iterator, 0 at first. False when there is none. */
bool glob_piece(const struct glob *g, size_t branch, size_t *at, struct glob_piece *out);

/* Does the pattern contain a wildcard, class or group? Without one it matches exactly one text,
 * itself without backslashes (and what GLOB_PREFIX and GLOB_NOCASE add). Linear time, any
 * length. */
bool glob_has_magic(struct str pattern, unsigned flags);

/* A pattern that matches exactly `text`, in every flavour. */
struct str glob_escape(struct arena *a, struct str text);

#endif
