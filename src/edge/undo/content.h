/* content.h - the content and the attributes of files: copied into the trash, and back in place. */
#ifndef UNDO_CONTENT_H
#define UNDO_CONTENT_H

#include "undo/beneath.h"

/* Opens a file whose kind was seen before; -1 unless it is still this regular file. */
int content_open(int directory, const char *name, uint64_t inode, int flags);

/* Makes `to` what `from` is, holes included: as a clone where the file system can. */
bool content_copy(int from, int to);
bool content_clone(int from, int to); /* only that: it needs no room */
bool content_equal(int a, int b);
/* All of it, malloc'ed; false: more than `most` bytes. */
bool content_read(int fd, size_t most, char **text, size_t *len);

/* Extended attributes that a user may set: user.* and access control lists. Allocates in the arena,
 * behind a door of its own. False: unreadable, too large, or no memory. */
bool attrs_read(struct arena *a, int fd, struct strs *pairs);
/* Has a file any of them? What cannot be looked at may. `path` leads to the same, for kernels that
 * need it. */
bool attrs_has(int directory, const char *name, const char *path);
bool attrs_equal(const struct strs *a, const struct strs *b);
/* As many as can be set; false if one could not. */
bool attrs_write(int fd, const struct strs *now, const struct strs *wanted);

/* Mode, owner and time of what is at a path. The owner is left alone where it is right already. */
bool marks_write(int directory, const char *name, const struct undo_state *now,
                 const struct undo_state *wanted);
/* May this process give it the owner and the group that it had? */
bool marks_may(const struct undo_state *wanted);
void mtime_write(int directory, const char *name, int64_t mtime);
/* What was renamed has its time again: XFS changes that of a directory which gets another parent.
 */
void mtime_moved(const struct beneath *b, const struct undo_state *was);

#endif
