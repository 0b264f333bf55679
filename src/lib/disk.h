/* disk.h - what one decision has seen of the disk.
 *
 * A decision asks for the same directories again and again. Each name is looked
 * up once and the answer kept until the decision is made, so all layers see the
 * same disk. The next decision looks anew: links and files may have changed. */
#ifndef LIB_DISK_H
#define LIB_DISK_H

#include <stdint.h>

#include "base/arena.h"
#include "base/world.h"

enum disk_seen {
    DISK_UNKNOWN = 0, /* cannot be told */
    DISK_ABSENT,
    DISK_LINK,
    DISK_DIRECTORY,
    DISK_REGULAR,
    DISK_OTHER,
};

struct disk_entry;

#define DISK_BUCKETS 64

struct disk {
    struct arena *arena; /* NULL: nothing is kept */
    struct disk_entry *buckets[DISK_BUCKETS];
};

/* Forgets everything. What is kept lies in the arena. */
void disk_begin(struct disk *d, struct arena *a);

/* What stands at this path, a link at its end not followed. NULL disk: nothing is
 * kept. */
enum disk_seen disk_look(struct disk *d, const char *path, size_t len);

/* An answer of another kind that was kept under this name; NULL: none was. */
const char *disk_recall(const struct disk *d, char kind, const char *name);
const char *disk_keep(struct disk *d, char kind, const char *name, const char *answer);

#endif
