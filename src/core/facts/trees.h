/* trees.h - whole directories: what a program reads or writes below one that no word names. */
#ifndef FACTS_TREES_H
#define FACTS_TREES_H

#include "facts/facts.h"

/* Names that are looked at for one call, over all of its directories. */
#define TREES_ENTRIES_MAX 65536

/* Why reading or writing everything below the path needs care, as the end of a sentence ("an
 * environment file: /p/.env"), or NULL: a secret whose contents it prints, or a link that it
 * follows to a secret, or that it writes through to a place outside the workspace or a protected
 * one. A tree that is too large to look at counts as one that has such a thing. */
const char *tree_doubt(const struct facts *f, const struct action *a,
                       const struct subject_path *path);

/* A secret below the directory that git does not ignore, and so adds with everything else; NULL:
 * none. `all`: what git ignores now counts, too. */
const char *tree_unignored_secret(const struct facts *f, struct str directory, bool all);

#endif
