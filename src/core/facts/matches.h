/* matches.h - the files that a shell pattern stands for right now. */
#ifndef FACTS_MATCHES_H
#define FACTS_MATCHES_H

#include "facts/facts.h"

#define MATCHES_MAX          256   /* files, and directories on the way to them */
#define MATCHES_NAMES_MAX    65536 /* bytes of names in one directory */
#define MATCHES_LISTINGS_MAX 256   /* directories, over all patterns of a call */

/* `pattern` is absolute. False when it cannot be told: no world that lists, a wildcard other than
 * *, ? and, for directories, two stars, a directory that cannot be read, beyond the limits. Files
 * may be named that do not exist; none that exist are left out. */
bool matches_find(struct facts *f, struct str pattern, struct strs *files);

#define MATCHES_TREE_MAX 4096 /* names below a directory, over all of it */

/* What find finds below a directory, hidden ones too: every path whose name fits. False as above,
 * and when a name has something in it that xargs or read would not leave alone. Links are not
 * followed, so they are in the list. */
bool matches_below(struct facts *f, struct str directory, struct str name, struct strs *files);

#endif
