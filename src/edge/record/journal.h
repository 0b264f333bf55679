/* journal.h - the record itself: append-only files that many processes write.
 *
 *     DIR/journal/00000000000000000001.jsonl   segments, by the number of their first record
 *     DIR/journal/lock                         its holder may append
 *     DIR/journal/torn-N-...                   the unfinished end of a write, cut off by a crash
 *
 * An append is one write of whole lines (chain.h), then, depending on the options, one sync. When
 * it returns STATUS_OK the records survive the death of this process (JOURNAL_CRASH) or even a
 * power cut (JOURNAL_ALWAYS); after a failure no record of the batch is there, or that is unknown
 * and no caller was told yes.
 *
 * INVARIANTS
 *
 *  1. Only the last segment is writable, and only under the lock. A segment is made read-only
 *     before the next one is created, so that a process that still has it open notices.
 *
 *  2. A segment ends with a newline, or its writer died. The next writer copies what follows the
 *     last newline to a file, cuts it off, and records that.
 *
 *  3. A whole line that does not match its hash is not the result of a crash. Nothing is appended
 *     after it until a person has checked it (journal_repair()).
 *
 *  4. Before old segments are removed, a record says up to which number, and which hash the rest
 *     follows.
 *
 * Needs only base, chain and stamp: no database, no library. A journal belongs to one thread at a
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
#define JOURNAL_RETENTION_MIN  30                      /* days; less is refused */
#define JOURNAL_BYTES_MIN      ((uint64_t)1024 * 1024) /* of retention_bytes */
#define JOURNAL_SEGMENTS_LEAST 8                       /* that retention_bytes are divided into */
#define JOURNAL_BATCH_MAX      4096
#define JOURNAL_NAME_SIZE      32
#define JOURNAL_LOCK_MS                                                                            \
    5000 /* how long to wait for the lock: a process that holds it for longer has stopped */

enum journal_sync { JOURNAL_CRASH = 0, JOURNAL_ALWAYS };

/* Zero: the default. */
struct journal_options {
    enum journal_sync sync;
    size_t segment_bytes;
    unsigned retention_days;
    uint64_t retention_bytes; /* of all segments; beyond it the oldest are removed even if they are
                                 younger. 0: no limit. It also makes segments smaller */
    unsigned retention_least_s; /* but none whose records are not this old */
    int64_t (*now)(void);       /* tests set the clock */
};

struct journal {
    int directory, lock, segment; /* descriptors; -1: none */
    struct journal_options options;
    uint64_t first;         /* the number in the segment's name */
    off_t size;             /* of the segment, when it was last read */
    struct chain_head head; /* of its last record */
    bool fresh;      /* size and head are those of the file unless another process has appended */
    bool sealed;     /* the segment is sealed */
    size_t repaired; /* bytes moved aside since it was opened */
};

/* Creates what is missing below `dir`. Refused if it, the journal or a segment is a link, belongs
 * to another user, or others can write it. Call journal_close() in every case. */
enum status journal_open(struct journal *j, const char *dir, const struct journal_options *options,
                         struct error *err);
/* The same below an open directory that was checked; it is needed only during the call. */
enum status journal_open_at(struct journal *j, int parent, const struct journal_options *options,
                            struct error *err);
void journal_close(struct journal *j);

/* Appends records: members of a JSON object without braces, the first of them "kind", no newline.
 * One write, at most one sync. *first is the number of the first one. */
enum status journal_append(struct journal *j, const struct str *bodies, size_t count,
                           uint64_t *first, struct error *err);

/* Moves a last record aside that does not match its hash, so that appending can continue, and
 * records that. *moved: bytes; 0 if nothing was damaged. */
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
