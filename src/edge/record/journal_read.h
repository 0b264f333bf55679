/* journal_read.h - reading a journal from its oldest record, while others append to it.
 *
 * Reads what whole lines there are; it takes no lock, because a line that is
 * there does not change any more. */
#ifndef RECORD_JOURNAL_READ_H
#define RECORD_JOURNAL_READ_H

#include "record/journal.h"

struct journal_reader {
    int directory, segment;
    uint64_t first; /* of the segment at hand; 0: none yet */
    uint64_t line;  /* number of the line in it, from 1 */
    char *text;     /* malloc'ed */
    size_t from, len, room;
    bool too_long; /* the line at hand is longer than any record */
};

/* One line, which may be anything: chain_read() says what it is. */
struct journal_line {
    struct str text;  /* without its newline; valid until the next call */
    uint64_t segment; /* number that its file is named by */
    uint64_t line;
    bool first;    /* of its segment */
    bool torn;     /* it has no newline: a write that is under way, or was cut off */
    bool too_long; /* longer than any record; `text` is not all of it */
};

/* From the segment that holds record `from`, or from the oldest one. A journal that does not exist
 * is empty. */
enum status journal_reader_open(struct journal_reader *r, const char *dir, uint64_t from,
                                struct error *err);
void journal_reader_close(struct journal_reader *r);

/* The next line. *got is false at the end; asking again later finds what was appended meanwhile. A
 * line without its newline is given only when `torn` asks for it, and is given once. */
enum status journal_next(struct journal_reader *r, bool torn, struct journal_line *out, bool *got,
                         struct error *err);

#endif
