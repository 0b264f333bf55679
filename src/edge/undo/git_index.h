/* git_index.h - what git's index says of the files of a work tree: gitformat-index(5), versions 2
 * to 4.
 *
 * An index is the word of whoever could write into .git. What it says counts only where the file
 * itself, and git's objects, agree. */
#ifndef UNDO_GIT_INDEX_H
#define UNDO_GIT_INDEX_H

#include "undo/undo.h"

#define GIT_ID_BYTES   20
#define GIT_INDEX_NAME "index"
#define GIT_INDEX_MAX  ((size_t)64 << 20) /* bytes of one that is read */

struct git_entry {
    struct str path; /* in the index's memory; ends in NUL */
    const uint8_t *id;
    uint64_t size;
    int64_t modified, changed; /* nanoseconds */
    uint32_t inode, user, group;
    bool runs;  /* mode 755, else 644 */
    bool plain; /* a regular file that is merged, and was not only announced */
};
struct git_entries LIST_OF(struct git_entry);

struct git_index {
    struct git_entries entries; /* by path */
    int64_t written;            /* when the file was, in nanoseconds */
    char *file;                 /* malloc'ed, */
    struct str text;            /* ... and what it says */
    struct arena arena;
    uint32_t *by_inode; /* malloc'ed: numbers of entries, each one more than it is; 0: free */
    size_t inodes;      /* places of it, a power of two */
};

/* False: there is none, or it is of a kind that is not known: split, sparse, SHA-256. Call
 * git_index_release() in either case. */
bool git_index_read(struct git_index *x, int directory, const char *name);
void git_index_release(struct git_index *x);

const struct git_entry *git_index_find(const struct git_index *x, struct str path);

/* For many files: after git_index_by_inode(), one that git has seen with this inode at this path.
 */
bool git_index_by_inode(struct git_index *x);
const struct git_entry *git_index_find_seen(const struct git_index *x, uint64_t inode,
                                            struct str path);

/* Is the file the one that git has seen? Nobody can set the time of the last change. */
bool git_entry_is(const struct git_entry *e, const struct undo_state *seen);
bool git_entry_same(const struct git_entry *a, const struct git_entry *b);

#endif
