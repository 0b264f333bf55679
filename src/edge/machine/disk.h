/* disk.h - a cache of the disk for one decision.
 *
 * A decision asks for the same directories again and again. Each name is looked up once and the
 * answer kept until the decision is made, so all layers see the same disk. The next decision starts
 * empty, because links and files may have changed, unless it has a memory that would notice changes
 * (disk_memory.h). */
#ifndef MACHINE_DISK_H
#define MACHINE_DISK_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/world.h"
#include "machine/disk_memory.h"

struct disk_entry;

#define DISK_BUCKETS 64 /* a power of two */
#define DISK_GROWTH  8

struct disk {
    struct arena *arena;        /* NULL: no cache */
    struct disk_memory *memory; /* NULL: there is none */
    size_t unkept;              /* answers so far that the memory could not keep */
    size_t count;               /* of the entries */
    struct disk_entry *buckets[DISK_BUCKETS];
    struct disk_entry **more; /* in place of them, when there are many entries; NULL: not yet */
    size_t room;              /* buckets in it, a power of two */
    struct str plain;         /* see disk_plain(); empty: none is known */
    bool plain_asked;
};

/* Clears the cache, except what the memory may keep. Answers live in the arena and in the
 * memory. */
void disk_begin(struct disk *d, struct arena *a, struct disk_memory *memory);

/* What is at this NUL-terminated path of `len` bytes; a link at its end is not followed. NULL disk:
 * no cache. */
enum disk_seen disk_look(struct disk *d, const char *path, size_t len);

/* What is at it was seen by a caller who had to know more than disk_look() tells. */
void disk_saw(struct disk *d, const char *path, size_t len, const struct stat *st);

/* How much of this path is a directory with no link on the way to it: as many bytes, and they need
 * not be walked. 0: not known. One question to the kernel, in place of one for each directory; a
 * process that answers one event asks for the same few directories, so only the first of them is
 * kept. A memory watches each directory by itself, and gets no answer here. The path is shorter
 * than `room`, which is overwritten. */
size_t disk_plain(struct disk *d, const char *path, char room[WORLD_PATH_MAX]);

/* Where the link at this path leads. False when not known. */
bool disk_follow(struct disk *d, const char *path, char target[WORLD_PATH_MAX]);

/* The answer of another kind that was kept under this name, or NULL. */
const char *disk_recall(const struct disk *d, char kind, struct str name);

/* `unkept` is the value of disk.unkept before the first question that led to the answer. If it has
 * grown since, or is DISK_UNKEPT, the memory could not notice a change, so the answer is only kept
 * for this decision. */
#define DISK_UNKEPT ((size_t)-1)
const char *disk_keep(struct disk *d, char kind, struct str name, const char *answer,
                      size_t unkept);

/* Declares that an answer depends on the permissions of this file, so that the memory watches
 * them. */
void disk_ask_rights(struct disk *d, const char *path);

#endif
