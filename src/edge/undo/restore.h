/* restore.h - gives back what a call destroyed.
 *
 * undo_look() finds out what would change and what stands in the way, and changes nothing.
 * undo_apply() changes it, and writes a journal of that. If it fails, it takes back what it did; if
 * it is killed, undo_recover() does, the next time. */
#ifndef UNDO_RESTORE_H
#define UNDO_RESTORE_H

#include "undo/save.h"

struct undo_wish {
    const struct strs *paths; /* only these, and what is below them; NULL: all. They end in NUL */
    bool force;               /* also what was changed since, */
    bool keep_theirs;         /* or without that */
};

enum undo_change_kind {
    UNDO_RETURNS = 0, /* it is gone, and comes back */
    UNDO_CHANGES,     /* it gets back what it was: content, kind, mode, owner or times */
    UNDO_GOES,        /* the call has made it, and it goes away */
    UNDO_MOVES,       /* it gets its old name back */
};

struct undo_change {
    enum undo_change_kind kind;
    struct str path, from;      /* from: where it is now, with UNDO_MOVES */
    struct undo_state was, now; /* was: what it becomes */
    int64_t link, copy;         /* slots of what it becomes, */
    const uint8_t *blob;        /* or how git names it */
};
struct undo_changes LIST_OF(struct undo_change);

struct undo_conflict {
    struct str path;
    const char *why;
    bool hard; /* force does not help */
};
struct undo_conflicts LIST_OF(struct undo_conflict);

struct undo_plan {
    char id[UNDO_ID_SIZE];
    struct undo_log log;
    struct undo_changes changes;
    struct undo_conflicts conflicts; /* those that are in the way, */
    struct undo_conflicts kept;      /* those that the wish keeps as they are, */
    struct undo_conflicts lost;      /* and what was not saved */
    struct strs links; /* seen in the place of directories: put aside where the wish forces it */
};

/* Everything in *out lives in the arena. STATUS_UNSAFE: the journal, or the workspace, is not what
 * it was. */
enum status undo_look(struct arena *a, const struct undo_store *s, const char *id,
                      const struct undo_wish *wish, struct undo_plan *out, struct error *err);

/* STATUS_USAGE while there are conflicts. `own` is the id of the new entry; empty if there was
 * nothing to do. */
enum status undo_apply(const struct undo_store *s, const struct undo_plan *plan,
                       const struct undo_wish *wish, char own[UNDO_ID_SIZE], struct error *err);

/* Takes back undos that did not come to their end. *count of them; NULL is fine. */
enum status undo_recover(const struct undo_store *s, size_t *count, struct error *err);

/* Writes the end of every call whose end nobody saw. */
enum status undo_close_open(const struct undo_store *s, struct error *err);

/* The same for a few recent ones, in a process that must not read them all. `use`: only the call
 * with this id, which is over. Empty: those that began before this time, in milliseconds; of later
 * ones, which may be running, only what was moved away and not deleted comes back. */
#define UNDO_RECENT     8
#define UNDO_CLOSED_MAX ((uint64_t)2 << 20) /* bytes of a journal that is closed beside a call */
enum status undo_close_recent(const struct undo_store *s, struct str use, int64_t before,
                              struct error *err);

/* Is this operation one of those that are wished for? */
bool undo_is_wished(const struct undo_wish *wish, const struct undo_op *op);

#endif
