/* whole.h - everything of a repository that a git command may change: what git keeps beside its
 * objects, and the work tree.
 *
 * Which files `git reset --hard` or `git clean` will touch, git alone knows, and it is not run. So
 * all of them are saved, as links or as what git has itself (tracked.h); and when the call has
 * ended, what is there and in no line of the journal was made by it. Objects are not saved: these
 * commands remove none. */
#ifndef UNDO_WHOLE_H
#define UNDO_WHOLE_H

#include "undo/end.h"
#include "undo/tracked.h"

/* Calls visit() for each name to save: ".git/refs", "src". False ends it. */
typedef bool whole_visit(void *context, struct str path, enum undo_fate fate);
bool undo_whole_each(int workspace, enum undo_whole what, whole_visit *visit, void *context);

/* Saves it. As undo_save_tree(). */
enum status undo_save_whole(struct undo_entry *e, enum undo_whole what, struct error *err);

/* Adds what is there and in no line: `sorted` are the paths of the journal, and what is added is
 * marked as found. Directories to which nothing was added are not listed. False: one cannot be. */
bool undo_whole_find_new(struct arena *a, int workspace, const struct undo_log *log,
                         const struct tracked_kept *tracked, struct undo_touches *sorted);

#endif
