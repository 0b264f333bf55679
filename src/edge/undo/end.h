/* end.h - how a call has left its paths, once it has ended. */
#ifndef UNDO_END_H
#define UNDO_END_H

#include "undo/save.h"

/* Writes how the paths of an entry are now, which is how its call has left them. */
enum status undo_entry_end(struct undo_entry *e, const struct undo_log *log, struct error *err);

/* The paths that the operations touch, each once, and those of them that are made by the call. */
struct undo_touched {
    struct str path;
    bool made;                  /* nothing was there */
    bool found;                 /* ... as the end of the call showed: no line is about it */
    const struct undo_op *only; /* the line about it, if there is one alone */
};
struct undo_touches LIST_OF(struct undo_touched);
bool undo_touched_paths(struct arena *a, const struct undo_log *log, struct undo_touches *out);

#endif
