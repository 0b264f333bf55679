/* worktree.h - directories that git made for the repository of the workspace. */
#ifndef FACTS_WORKTREE_H
#define FACTS_WORKTREE_H

#include "facts/facts.h"

/* True if git, run in this directory, finds the repository of the workspace: same configuration and
 * hooks. */
bool worktree_is_same_repository(const struct facts *f, struct str directory);

/* True if the path is in a linked worktree (`git worktree add`) of the workspace's repository. A
 * person agreed to create it for the work on this project, so it counts as workspace. Not so the
 * main worktree seen from a linked one, or the rest of a worktree of which the workspace is a part:
 * that is more than the session was given. */
bool worktree_is_linked(const struct facts *f, struct str path);

/* ... and is the root of that worktree. */
bool worktree_is_root(const struct facts *f, struct str path);

#endif
