/* gitignore.h - path rules in the style of gitignore(5). A rule is matched against a path relative
 * to the rule's directory (no leading slash, cleaned as by path_clean()): - without a '/', except
 * at its end, it matches at any depth; - with one at its start or in the middle, it is anchored at
 * the directory; - '**' as a whole component crosses directories; x/[**] (without the brackets) is
 * everything below x, but not x; - a match of a directory matches everything below it; - a '/' at
 * its end means a directory; since the disk is not consulted, a file of that name matches too. The
 * directory of the rule itself, the empty path, is matched by no rule. Differences from git: '?' is
 * a code point, not a byte; an unclosed '[' is literal (git never matches it); a leading '#' and
 * trailing blanks are literal, because a rule is not a line of a file. Patterns that git accepts
 * but never matches, or negates, are refused: a leading '!', a trailing backslash, "//", "." and
 * "..". */
#ifndef BASE_GITIGNORE_H
#define BASE_GITIGNORE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/str.h"

struct gitignore;

/* `flags` is 0 or GLOB_NOCASE. Fails as glob_compile() does, and with STATUS_SYNTAX for a pattern
 * that is refused (see above) or empty ("", "/"). */
enum status gitignore_compile(struct arena *a, struct str pattern, unsigned flags,
                              struct gitignore **out, struct error *err);

/* As above, for a rule that is matched against absolute paths: `base` is the rule's directory,
 * cleaned. */
enum status gitignore_compile_below(struct arena *a, struct str base, struct str pattern,
                                    unsigned flags, struct gitignore **out, struct error *err);

bool gitignore_match_or(const struct gitignore *g, struct str path,
                        bool when_cut); /* see glob_match_or() */

/* The rule as a glob, for glob_intersects(). */
const struct glob *gitignore_glob(const struct gitignore *g);

#endif
