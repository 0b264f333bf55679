/* journal.h - the journal of one call: lines of JSON, each with a sum over itself and all before.
 *
 * A last line that is not whole was being written when its process ended, and does not count. Any
 * other line that does not match its sum makes the journal unusable. */
#ifndef UNDO_JOURNAL_H
#define UNDO_JOURNAL_H

#include "base/error.h"
#include "base/json.h"
#include "undo/undo.h"

#define UNDO_JOURNAL_NAME "journal"
#define UNDO_SUM_SIZE     17

/* What a journal says. */
struct undo_log {
    struct undo_header header;
    struct undo_ops ops;
    struct undo_ends ends;
    struct undo_tracked tracked;
    bool ended;    /* how the call left its paths is known */
    bool rolling;  /* a rollback of it has begun, */
    size_t rolled; /* and these operations, counted from the first, are left */
    char sum[UNDO_SUM_SIZE];
    size_t len;    /* bytes of whole lines */
    int64_t slots; /* the first number that no line names */
};

/* STATUS_UNSAFE: it was edited, or is not one. STATUS_USAGE: there is none, or it has no whole
 * line: then nothing was saved yet, or everything is removed. `a` must be inside no door; what is
 * read stays in it. */
enum status undo_log_read(struct arena *a, int directory, struct undo_log *out, struct error *err);

/* Does its last line say that the call has ended? Without reading the others. *size: its bytes. */
bool undo_log_is_ended(int directory, uint64_t *size);

/* How the call left a path; NULL: the journal does not say. */
const struct undo_end *undo_log_end(const struct undo_log *log, struct str path);

/* Would the kernel's own times tell if the path of this line had been touched? Then it needs no end
 * if they do not. Where attributes and content were copied, these are compared. */
bool undo_may_be_idle(const struct undo_op *op);

/* For writing lines. */
struct undo_writer {
    int fd;
    char sum[UNDO_SUM_SIZE];
    struct arena scratch; /* for one line */
    bool gathers;         /* lines may wait: nothing is changed before undo_writer_flush() */
    char *waiting;        /* malloc'ed */
    size_t waits;
};

/* A new journal, or one that goes on after what was read (`after`). */
enum status undo_writer_open(struct undo_writer *w, int directory, const struct undo_log *after,
                             struct error *err);
/* Writes the lines that wait. */
enum status undo_writer_flush(struct undo_writer *w, struct error *err);
/* ... which is lost if it fails: flush first. */
void undo_writer_close(struct undo_writer *w);

enum status undo_write_header(struct undo_writer *w, const struct undo_header *h,
                              struct error *err);
enum status undo_write_op(struct undo_writer *w, const struct undo_op *op, struct error *err);
enum status undo_write_end(struct undo_writer *w, const struct undo_end *end, struct error *err);
/* What git has: before the call, and after it. */
enum status undo_write_tracked(struct undo_writer *w, const struct undo_tracked *t, bool after,
                               struct error *err);
enum status undo_write_ended(struct undo_writer *w, struct error *err);
/* What was set aside in this slot is back at its place. */
enum status undo_write_returned(struct undo_writer *w, int64_t slot, struct error *err);
enum status undo_write_rolled(struct undo_writer *w, size_t left, struct error *err);

#endif
