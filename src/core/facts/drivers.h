/* drivers.h - files of the workspace that git runs, because its settings name them: core.hooksPath,
 * filters, diff and merge drivers. An edit of one is more than an edit: the next git commit, which
 * is cleared for changing the repository only, would run it. */
#ifndef FACTS_DRIVERS_H
#define FACTS_DRIVERS_H

#include "facts/facts.h"

/* The path is one of them, or below or above one. True if the settings cannot be read. */
bool path_is_driver(const struct facts *f, const struct subject_path *path);

/* Does the workspace hold any? */
bool drivers_in_workspace(const struct facts *f);

#endif
