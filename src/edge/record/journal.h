/* journal.h - the record itself: append-only files that many processes write.
 *
 *     DIR/journal/00000000000000000001.jsonl     segments, named by the number of their first
 * record DIR/journal/lock                           who holds it may append DIR/journal/torn-N-...
 * the unfinished end of a write that a crash cut off
 *
 * An append is one write of whole lines (chain.h), then, if so wished, one sync.
 * When it returns STATUS_OK the records survive the death of this process
 * (JOURNAL_CRASH) or a power cut too (JOURNAL_ALWAYS); on any failure nothing
 * of the batch is there, or it is unknown and nobody was told yes.
 *
 * INVARIANTS
 * 1. Only the last segment is writable, and only under the lock. A segment is made read-only before
 * the next one is made, so that a process that still has it open sees that it is over.
 * 2. A segment ends with a newline, or its writer died. The next writer moves what stands behind
 * the last newline aside, cuts it off, and says so in a record.
 * 3. A whole line that is not what its hash says is no work of a crash. Nothing is appended behind
 * it until a person has looked (journal_repair()).
 * 4. Before old segments go, a record says up to which number, and which hash the rest follows.
 *
 * Needs base, chain and stamp alone: no database, no library. A journal belongs to one thread at a
 * time. */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "record/chain.h"

#define JOURNAL_SEGMENT_BYTES  ((size_t)16 * 1024 * 1024)
#define JOURNAL_RETENTION_DAYS 90
#define JOURNAL_RETENTION_MIN  30 /* days; less is refused */
#define JOURNAL_BATCH_MAX      4096
#define JOURNAL_NAME_SIZE      32
#define JOURNAL_LOCK_MS                                                                            \
    5000 /* how long others may hold the lock: whoever does for longer has come to a stop */

enum journal_sync { JOURNAL_CRASH = 0, JOURNAL_ALWAYS };

/* Zero is the default of each. */
struct journal_options {
    enum journal_sync sync;
    size_t segment_bytes;
    unsigned retention_days;
    int64_t (*now)(void); /* tests set the clock */
};

struct journal {
    int directory, lock, segment; /* descriptors; -1: none */
    struct journal_options options;
    uint64_t first;         /* number that the segment is named by */
    off_t size;             /* of the segment, when it was looked at last */
    struct chain_head head; /* of its last record */
    bool fresh;      /* size and head are those of the file unless somebody else has appended */
    bool sealed;     /* nothing may be appended to the segment */
    size_t repaired; /* bytes that were moved aside since it was opened */
};

/* Makes what is missing below `dir`. Refused when it, the journal or a segment is a link, belongs
 * to somebody else, or others can write it. journal_close() in every case. */
enum status journal_open(struct journal *j, const char *dir, const struct journal_options *options,
                         struct error *err);
/* The same below a directory that is open, and was checked; it is not needed any longer than this.
 */
enum status journal_open_at(struct journal *j, int parent, const struct journal_options *options,
                            struct error *err);
void journal_close(struct journal *j);

/* Appends records: members of a JSON object without braces, the first of them "kind", no newline.
 * One write, at most one sync. *first is the number of the first one. */
enum status journal_append(struct journal *j, const struct str *bodies, size_t count,
                           uint64_t *first, struct error *err);

/* Sets a last record aside that is not what its hash says, so that the journal can go on. A record
 * says so. *moved: bytes; 0 when nothing was damaged. */
enum status journal_repair(struct journal *j, size_t *moved, struct error *err);

/* ---- shared with the reader ---- */

struct segments {
    uint64_t *first; /* ascending; malloc'ed */
    size_t count;
};
enum status segments_list(int directory, struct segments *out, struct error *err);
void segments_release(struct segments *s);
void segment_name(uint64_t first, char out[JOURNAL_NAME_SIZE]);
enum status segment_open(int directory, uint64_t first, int flags, int *out, struct error *err);
enum status segment_look(int directory, uint64_t first, int flags, int *out, struct stat *st,
                         struct error *err);

#endif
