/* worktree.h - which repository a work tree belongs to, by the word of the repository itself.
 *
 * A `.git` file can claim any repository, and the one that wrote it may be a stranger. So a claim
 * counts only if the repository names this very work tree in turn, as git does for each linked one:
 * COMMON/worktrees/NAME/gitdir holds the path of its `.git` file. */
#ifndef MACHINE_WORKTREE_H
#define MACHINE_WORKTREE_H

#include <limits.h>
#include <stdbool.h>

struct worktree {
    char top[PATH_MAX];    /* of the work tree */
    char common[PATH_MAX]; /* the repository's directory, which all of its work trees share */
    bool linked;           /* top/.git is a file */
};

/* `directory` is resolved. False: in no work tree, or in one whose repository does not name it (a
 * link as `.git`, a submodule). */
bool worktree_find(const char *directory, struct worktree *out);

#endif
