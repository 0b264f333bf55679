/* matches.h - the files that a shell pattern matches now. */
#ifndef FACTS_MATCHES_H
#define FACTS_MATCHES_H

#include "facts/facts.h"

#define MATCHES_MAX          256   /* files, and directories on the way */
#define MATCHES_NAMES_MAX    65536 /* bytes of names in one directory */
#define MATCHES_LISTINGS_MAX 256   /* directories, over all patterns of a call */

/* `pattern` is absolute. False if the matches are unknown: the world cannot list, a wildcard other
 * than *, ? and, for directories, two stars, an unreadable directory, a limit reached. May name
 * files that do not exist, but leaves out none that do. */
bool matches_find(struct facts *f, struct str pattern, struct strs *files);

#define MATCHES_TREE_MAX 4096 /* names below a directory, over all of it */

/* What find finds below a directory, hidden files included: every path whose name matches. False as
 * above, and if xargs or read would change a name. Links are listed, not followed. */
bool matches_below(struct facts *f, struct str directory, struct str name, struct strs *files);

#endif
