/* journal_read.h - reading a journal from its oldest record, while others append to it.
 *
 * Reads the whole lines; it takes no lock, because a complete line does not change any more. */
#ifndef RECORD_JOURNAL_READ_H
#define RECORD_JOURNAL_READ_H

#include "record/journal.h"

struct journal_reader {
    int directory, segment;
    uint64_t first; /* of the current segment; 0: none yet */
    uint64_t line;  /* number of the line in it, from 1 */
    char *text;     /* malloc'ed */
    size_t from, len, room;
    bool too_long; /* the current line is longer than any record */
};

/* One line, not checked yet: see chain_read(). */
struct journal_line {
    struct str text;  /* without its newline; valid until the next call */
    uint64_t segment; /* the number in its file's name */
    uint64_t line;
    bool first;    /* of its segment */
    bool torn;     /* it has no newline: a write in progress, or one that was cut off */
    bool too_long; /* longer than any record; `text` is not all of it */
};

/* Starts at the segment of record `from`, or at the oldest one. A journal that does not exist is
 * empty. */
enum status journal_reader_open(struct journal_reader *r, const char *dir, uint64_t from,
                                struct error *err);
void journal_reader_close(struct journal_reader *r);

/* The next line. *got is false at the end; a later call finds what was appended meanwhile. A line
 * without its newline is returned only if `torn` is set, and only once. */
enum status journal_next(struct journal_reader *r, bool torn, struct journal_line *out, bool *got,
                         struct error *err);

#endif
