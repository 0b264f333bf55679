/* history.h - the entries of a project, and what became of them. */
#ifndef UNDO_HISTORY_H
#define UNDO_HISTORY_H

#include "undo/store.h"

enum undo_standing {
    UNDO_STANDS = 0, /* its changes are there */
    UNDO_RUNS,       /* its end was not seen yet */
    UNDO_UNDONE,     /* a later undo took them back */
    UNDO_TAKEN_BACK, /* an undo that did not come to its end */
    UNDO_DAMAGED,    /* its journal cannot be used */
};

struct undo_row {
    struct str id;
    struct undo_header header;
    enum undo_standing standing;
    size_t created, changed, deleted, left; /* paths; left: not saved */
};
struct undo_rows LIST_OF(struct undo_row);

/* Oldest first. */
enum status undo_history(struct arena *a, const struct undo_store *s, struct undo_rows *out,
                         struct error *err);

/* The part of an id that people type. */
struct str undo_id_brief(struct str id);
/* The row that an id, its brief form or the beginning of that means. STATUS_USAGE: none, or
 * several. */
enum status undo_find(const struct undo_rows *rows, struct str text, const struct undo_row **out,
                      struct error *err);

#endif
