/* matches.h - the files that a shell pattern stands for right now. */
#ifndef DECIDE_MATCHES_H
#define DECIDE_MATCHES_H

#include "layer/facts.h"

#define MATCHES_MAX          256   /* files, and directories on the way to them */
#define MATCHES_NAMES_MAX    65536 /* bytes of names in one directory */
#define MATCHES_LISTINGS_MAX 256   /* directories, over all patterns of a call */

/* `pattern` is absolute. False when it cannot be told: no world that lists, a wildcard other than * and ?, a directory
 * that cannot be read, beyond the limits. Files may be named that do not exist; none that exist are left out. */
bool matches_find(struct facts *f, struct str pattern, struct strs *files);

#endif
