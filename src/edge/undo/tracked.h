/* tracked.h - files of the work tree that need no link in the trash, because git has them.
 *
 * A link changes the time of the last change, by which git's index knows that a file is what it
 * was: the next command of git would read, or write, every file that was saved. So a file is left
 * alone if the index has seen it as it is, and git's objects have what it contains; a bit says so.
 * All others are saved as ever. When the call has ended, a file with a bit that is no longer what
 * the index said of it has been changed by the call, and undo makes it again from its object.
 *
 * Next to the journal of such a call are the index as it was, the bits, and the index as the call
 * left it: a file that this one describes as it is needs no line either. */
#ifndef UNDO_TRACKED_H
#define UNDO_TRACKED_H

#include "undo/git_index.h"
#include "undo/git_objects.h"
#include "undo/save.h"

/* ---- before the call ---- */

struct tracked {
    const char *project;
    struct git_index index;
    struct git_objects objects;
    uint8_t *bits;     /* malloc'ed: one for each entry of the index */
    uint8_t *known;    /* malloc'ed: those that need no second look (known.h) */
    int64_t at;        /* milliseconds: when it was opened */
    size_t count;      /* of those that are set */
    uint32_t modes[2]; /* that the files have which run, [1], and the others; 0: not known yet */
};

/* False: it cannot be used, and everything is linked. tracked_close() in either case. */
bool tracked_open(struct tracked *t, const struct undo_store *s);
void tracked_close(struct tracked *t);

/* Does this file of the work tree need no saving? Its bit is set then. */
bool tracked_has(struct tracked *t, const struct beneath *at, struct str path,
                 const struct undo_state *seen);

/* Writes what is known, and the line about it. */
enum status tracked_save(struct undo_entry *e, const struct tracked *t, struct error *err);

/* ---- when it has ended ---- */

/* What such an entry has; zeroed: nothing. */
struct tracked_kept {
    struct git_index before, after;
    uint8_t *bits; /* malloc'ed */
};

/* STATUS_UNSAFE: it is not what the journal says. tracked_forget() in either case. */
enum status tracked_recall(struct tracked_kept *k, int directory, const struct undo_log *log,
                           struct error *err);
void tracked_forget(struct tracked_kept *k);

/* Had it a bit? */
bool tracked_had(const struct tracked_kept *k, struct str path);

/* Lines about the files that are neither as they were nor as the new index says, and that one.
 * Where git was alone, only those are looked at of which the index says something else. */
enum status tracked_end(struct undo_entry *e, const struct undo_log *log, struct tracked_kept *k,
                        struct error *err);

/* ---- reading it again ---- */

/* Adds what the lines would have said of the files that the call has changed: how they were, before
 * all others, since what is in a directory comes back after it, and how they were left. */
enum status tracked_expand(struct arena *a, int directory, struct undo_log *log, struct error *err);

#endif
