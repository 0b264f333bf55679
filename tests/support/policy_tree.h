/* policy_tree.h - a fake machine made of temporary files, and a rulebook as text.
 *
 * Paths in cases start with etc/, home/, project/ or state/, which are directories of the tree. */
#ifndef TESTS_SUPPORT_POLICY_TREE_H
#define TESTS_SUPPORT_POLICY_TREE_H

#include <sys/types.h>

#include "policy/load.h"

#define TREE_PATH_MAX 1024

struct tree {
    char root[256];
    char home[300], project[300], state[300];
};

struct tree_file {
    const char *path;
    const char *text;
    mode_t mode; /* 0: 0644 */
};

void tree_make(struct tree *t);
void tree_remove(struct tree *t);
void tree_write(const struct tree *t, const char *path, const char *text, mode_t mode);
void tree_write_bytes(const struct tree *t, const char *path, const char *text, size_t len,
                      mode_t mode);
void tree_link(const struct tree *t, const char *path,
               const char *target); /* "@/" before the target: in the tree */
const char *tree_path(const struct tree *t, const char *path); /* one of a few static buffers */

/* A request that finds everything in the tree, in the order of the default profile. */
struct policy_request tree_request(const struct tree *t);

/* The contents of the rulebook, one line each, in its own order. Paths start with "@/" in place of
 * the tree.
 *
 *     deny user Bash(rm:*)
 *     mode plan user
 *     fatal @/home/.claude/settings.json:2:5 */
void tree_dump(const struct tree *t, const struct rulebook *b, char *out, size_t room);

#endif
