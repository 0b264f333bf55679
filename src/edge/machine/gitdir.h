/* gitdir.h - which repository git finds from a directory, and whether its configuration could run
 * anything. */
#ifndef MACHINE_GITDIR_H
#define MACHINE_GITDIR_H

#include <stdbool.h>

#include "base/world.h"

#define GITDIR_ENTRIES_MAX 100000 /* a larger index is not plain */
#define GITDIR_NAME_MAX    64 /* of a section or key, with its NUL; a longer one is not plain \ */

/* `own` is the git directory of this worktree, `common` that of the repository; they differ only in
 * linked worktrees. False if there is none, or it is not known (a bare repository, a submodule).
 * *read: the answer depends on the contents of files. */
bool gitdir_find(const struct world *w, const char *directory, char own[WORLD_PATH_MAX],
                 char common[WORLD_PATH_MAX], bool *read);

/* Can git read this repository without running anything from it? True if every setting is harmless,
 * no hook runs when the index is refreshed, and there is no submodule, which would have its own
 * settings. */
bool gitdir_is_plain(const struct world *w, const char *directory);

/* One line of settings: does it only say how something is written or shown, or where it is fetched
 * from? `section` is empty before the first line, and goes from line to line. The line loses its
 * newline. */
bool gitdir_line_is_plain(char *line, char section[GITDIR_NAME_MAX]);

#endif
