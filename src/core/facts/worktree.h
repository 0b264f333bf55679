/* worktree.h - directories that git made for the repository of the workspace. */
#ifndef FACTS_WORKTREE_H
#define FACTS_WORKTREE_H

#include "facts/facts.h"

/* git, run in this directory, finds the repository of the workspace: its configuration and hooks
 * are the same. */
bool worktree_is_same_repository(const struct facts *f, struct str directory);

/* The path lies in a linked worktree (`git worktree add`) of the workspace's repository. A person
 * agreed to make it for the work on this project, so it is as good as the workspace. Not so the
 * main worktree seen from a linked one, or the rest of a worktree of which the workspace is a part:
 * that is more than the session was given. */
bool worktree_is_linked(const struct facts *f, struct str path);

/* ... and it is the worktree itself. */
bool worktree_is_root(const struct facts *f, struct str path);

#endif
