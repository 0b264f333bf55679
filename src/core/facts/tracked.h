/* tracked.h - what git tracks, by its index. */
#ifndef FACTS_TRACKED_H
#define FACTS_TRACKED_H

#include "facts/facts.h"

/* A larger index is not read: then everything counts as tracked. */
#define TRACKED_INDEX_MAX ((size_t)1024 * 1024)

/* May the repository of this work tree track the file, or something in the directory? True also
 * where that is not known. */
bool tracked_in(const struct facts *f, struct str tree, struct str path, bool directory);

#endif
