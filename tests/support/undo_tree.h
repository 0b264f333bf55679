/* undo_tree.h - a small workspace that random programs change, and what can be compared of it. */
#ifndef TESTS_SUPPORT_UNDO_TREE_H
#define TESTS_SUPPORT_UNDO_TREE_H

#include "support/dice.h"
#include "undo/restore.h"

struct undo_tree {
    char root[200], work[256], state[256];
    bool git; /* undo_tree_show() shows what git keeps beside its objects, too */
};

/* Below `parent`, a directory on the file system that is to be tried. */
void undo_tree_make(struct undo_tree *t, const char *parent);
/* Puts the state on another file system, `other`; false if that is the same. */
bool undo_tree_part(struct undo_tree *t, const char *other);
void undo_tree_clear(struct undo_tree *t); /* the workspace and all entries */
void undo_tree_remove(struct undo_tree *t);

/* Files, links, hard links, directories, holes, attributes, names that are not UTF-8. */
void undo_tree_fill(const struct undo_tree *t, struct dice *dice);

/* One line per path: kind, mode, times, content, target, attributes, and which other path is the
 * same file. malloc'ed. */
char *undo_tree_show(const struct undo_tree *t);

/* Saves what one random operation is about to change, and does it. */
void undo_tree_change(const struct undo_tree *t, struct undo_entry *e, struct dice *dice);

/* The same steps as one call: a new entry, `count` changes, its end. */
void undo_tree_call(const struct undo_tree *t, struct dice *dice, size_t count,
                    char id[UNDO_ID_SIZE]);

/* Makes it a repository of two commits, with changes of every kind since. */
void undo_tree_repository(struct undo_tree *t, struct dice *dice);
/* Saves all that one random command of git may change, and runs it. */
void undo_tree_git(const struct undo_tree *t, struct dice *dice, char id[UNDO_ID_SIZE]);

/* Undoes one entry; the test fails if that fails or meets a conflict. */
void undo_tree_undo(const struct undo_tree *t, const char *id, char own[UNDO_ID_SIZE]);

/* The file systems that tests run on: malloc'ed names, NULL after the last. */
#define UNDO_TREE_PLACES 3
size_t undo_tree_places(const char *out[UNDO_TREE_PLACES]);

#endif
