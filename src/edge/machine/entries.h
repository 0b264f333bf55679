/* entries.h - the names in an open directory, as the kernel returns them: without the memory and
 * the system calls that a stream of opendir() costs. */
#ifndef MACHINE_ENTRIES_H
#define MACHINE_ENTRIES_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENTRIES_BYTES 2048 /* at a time */

struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t len; /* of all of it */
    uint8_t kind; /* DT_DIR and the like; DT_UNKNOWN: not every file system says it */
    char name[];
};

struct entries {
    int directory;
    bool failed; /* it could not be read to its end */
    size_t at, len;
    _Alignas(struct entry) char bytes[ENTRIES_BYTES];
};

/* The caller closes the directory, which is at its beginning. */
static inline void entries_of(struct entries *e, int directory)
{
    e->directory = directory; /* the bytes stay as they are: most of them are never used */
    e->failed = directory < 0;
    e->at = e->len = 0;
}

/* The next one but "." and ".."; NULL: there are no more. Valid until the next call. */
const struct entry *entries_next(struct entries *e);

#endif
