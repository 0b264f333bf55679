/* disk.h - what one decision has seen of the disk.
 *
 * A decision asks for the same directories again and again. Each name is looked
 * up once and the answer kept until the decision is made, so all layers see the
 * same disk. The next decision looks anew, since links and files may have
 * changed; unless it has a memory that would know of that (disk_memory.h). */
#ifndef MACHINE_DISK_H
#define MACHINE_DISK_H

#include <stdint.h>

#include "base/arena.h"
#include "base/world.h"
#include "machine/disk_memory.h"

struct disk_entry;

#define DISK_BUCKETS 64

struct disk {
    struct arena *arena;        /* NULL: nothing is kept */
    struct disk_memory *memory; /* NULL: there is none */
    size_t unkept;              /* answers so far that the memory could not take */
    struct disk_entry *buckets[DISK_BUCKETS];
};

/* Forgets everything but what the memory may keep. What is kept lies in the arena and in the
 * memory. */
void disk_begin(struct disk *d, struct arena *a, struct disk_memory *memory);

/* What stands at this path of `len` bytes, which has its end; a link at its end is not followed.
 * NULL disk: nothing is kept. */
enum disk_seen disk_look(struct disk *d, const char *path, size_t len);

/* Where the link at this path leads. False when that cannot be told. */
bool disk_follow(struct disk *d, const char *path, char target[WORLD_PATH_MAX]);

/* An answer of another kind that was kept under this name; NULL: none was. */
const char *disk_recall(const struct disk *d, char kind, struct str name);

/* `unkept` is how many there were before the first question that the answer was made of: if there
 * are more by now, or if it is DISK_UNKEPT, it is for this decision only. */
#define DISK_UNKEPT ((size_t)-1)
const char *disk_keep(struct disk *d, char kind, struct str name, const char *answer,
                      size_t unkept);

/* Whether the file may be run is part of an answer that may be kept. */
void disk_ask_rights(struct disk *d, const char *path);

#endif
