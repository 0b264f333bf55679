/* gitdir.h - which repository git finds from a directory, and what its configuration could make it
 * run. */
#ifndef MACHINE_GITDIR_H
#define MACHINE_GITDIR_H

#include <stdbool.h>

#include "base/world.h"

#define GITDIR_ENTRIES_MAX 100000 /* of an index that is read; a larger one is not plain */
#define GITDIR_NAME_MAX                                                                            \
    64 /* bytes of a section or key, with its NUL; a longer one is not plain                       \
        */

/* `own` is the git directory of this worktree, `common` that of the repository; they differ in
 * linked worktrees only. False when there is none, or it cannot be told: a bare one, a submodule.
 * *read: it depends on what stands in files.
 */
bool gitdir_find(const struct world *w, const char *directory, char own[WORLD_PATH_MAX],
                 char common[WORLD_PATH_MAX], bool *read);

/* Who only looks at this repository with git runs nothing of it: every setting is one that says how
 * something is written or shown, no hook runs when the index is refreshed, and there is no
 * submodule, which has settings of its own.
 */
bool gitdir_is_plain(const struct world *w, const char *directory);

#endif
