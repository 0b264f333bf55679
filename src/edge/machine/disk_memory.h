/* disk_memory.h - remembers what the disk looked like across decisions, as long as it has not
 * changed.
 *
 * The agent may change links between two checks, so an answer is kept only while the kernel would
 * notify us of a change:
 *
 * 1. Watch first, then look. What is at a path is kept only if every directory above it, from the
 *    root down, was watched (inotify) before its name was looked up in it. Whatever could change
 *    the answer happens in one of those.
 * 2. A decision starts by asking for events, with one epoll_wait(). If an event matters, or there
 *    are too many, or on an error, everything is forgotten.
 * 3. Mounts change what a path means, and watches on directories do not report them:
 *    /proc/self/mountinfo does.
 * 4. Only local file systems count. Changes on a server, in FUSE or below an overlay are not
 *    reported.
 * 5. Contents of files are never kept: a mapped file changes without an event. Permissions are kept
 *    for files that are watched themselves, because they may have another link elsewhere.
 * 6. The child of a fork() shares its parent's descriptors and would steal its events. It finds its
 *    memory empty and opens its own descriptors.
 *
 * One thread at a time uses a memory, like the decision that it belongs to. A process that changes
 * its user, root directory or mount namespace sees a different disk: it must free its decisions. */
#ifndef MACHINE_DISK_MEMORY_H
#define MACHINE_DISK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum disk_seen {
    DISK_UNKNOWN = 0, /* not known */
    DISK_ABSENT,
    DISK_LINK,
    DISK_DIRECTORY,
    DISK_REGULAR,
    DISK_OTHER,
};

/* Beyond any of these it forgets everything and starts over. */
#define DISK_WATCHES_MAX 512
#define DISK_ENTRIES_MAX 16384
#define DISK_TEXT_MAX    ((size_t)1024 * 1024) /* bytes of names and answers */

struct disk_memory;

/* NULL if the system lacks what it needs. */
#define DISK_MEMORIES_MAX                                                                          \
    8 /* of one process: each takes an inotify instance, and all programs of a user share 128 */

struct disk_memory *disk_memory_new(void);
void disk_memory_free(struct disk_memory *m);

/* Called at the start of a decision. After a change it learns nothing for one decision: where
 * things change all the time, watching costs more than it saves. */
void disk_memory_begin(struct disk_memory *m);

/* What is at an absolute path; a link at its end is not followed. DISK_UNKNOWN: not remembered, and
 * it cannot be watched. */
enum disk_seen disk_memory_look(struct disk_memory *m, uint32_t hash, struct str path);

/* What is kept under a name: where the link at a path leads ('/'), or an answer of another kind; or
 * NULL. */
const char *disk_memory_recall(const struct disk_memory *m, char kind, uint32_t hash,
                               struct str name);

/* False if it is full or not learning. */
bool disk_memory_keep(struct disk_memory *m, char kind, uint32_t hash, struct str name,
                      struct str answer);

/* Watches the permissions of the file at this path, which must not contain links. */
bool disk_memory_watch(struct disk_memory *m, const char *path);

/* ---- shared with disk.c ---- */

enum disk_seen disk_ask(const char *path); /* asks the kernel */

#endif
