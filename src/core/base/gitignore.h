/* gitignore.h - path rules in the manner of gitignore(5).
 *
 * A rule is matched against a path relative to the rule's directory (no leading
 * slash, cleaned as by path_clean()):
 *   - without a '/', other than at its end, it matches at any depth;
 *   - with one at its beginning or within, it is anchored at the directory;
 *   - '**' as a whole component crosses directories; x/[**] (without the
 *     brackets) is all below x, but not x;
 *   - what matches a directory matches everything below it;
 *   - a '/' at its end means a directory; since nobody looks at the disk here, a
 *     file of that name matches too.
 * The directory of the rule itself, the empty path, is matched by no rule.
 *
 * Other than in git: '?' is a code point and not a byte; an unclosed '[' is
 * literal, where git's pattern never matches; a leading '#' and blanks at the end
 * are literal, a rule being no line of a file. What git reads and then never
 * matches, or matches the other way round, is refused, because such a rule must
 * not load: a leading '!', a backslash at the end, "//", "." and "..". */
#ifndef BASE_GITIGNORE_H
#define BASE_GITIGNORE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/str.h"

struct gitignore;

/* `flags` is 0 or GLOB_NOCASE. Fails as glob_compile() does, and with STATUS_SYNTAX for a pattern
 * that is refused (see above) or names nothing ("", "/"). */
enum status gitignore_compile(struct arena *a, struct str pattern, unsigned flags,
                              struct gitignore **out, struct error *err);

/* The same for a rule that is matched against absolute paths: `base` is the rule's directory,
 * cleaned. */
enum status gitignore_compile_below(struct arena *a, struct str base, struct str pattern,
                                    unsigned flags, struct gitignore **out, struct error *err);

bool gitignore_match(const struct gitignore *g, struct str path);
bool gitignore_match_or(const struct gitignore *g, struct str path,
                        bool when_cut); /* see glob_match_or() */

/* The rule as a glob, for glob_intersects(). */
const struct glob *gitignore_glob(const struct gitignore *g);

#endif
