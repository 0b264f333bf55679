/* disk_memory.h - what the disk said to earlier decisions, for as long as it would say the same.
 *
 * The agent changes links between two checks, so an answer is kept only while the
 * kernel would have told us of a change:
 *
 * 1. Watch first, then look. What stands at a path is kept when every directory
 *    above it, from the root down, was watched (inotify) before its name was
 *    looked up in it. What could change the answer happens in one of those.
 * 2. A decision begins by asking for news, with one poll(). If there is any, or
 *    too much, or an error, everything is forgotten.
 * 3. Mounts change what a path means, and those who watch directories hear
 *    nothing: /proc/self/mountinfo tells.
 * 4. Only file systems of this machine count. Of what others do on a server, in
 *    FUSE or below an overlay nobody hears.
 * 5. Contents of files are never kept: a file that is mapped changes silently.
 *    Rights are kept of files that are watched themselves, since they may have
 *    another name elsewhere.
 * 6. The child of a fork() has its parent's descriptors, and would take the news
 *    away from it. It finds its memory empty and opens descriptors of its own.
 *
 * One thread at a time uses a memory, as the decision that it belongs to. What a
 * process sees that changes its own user, root directory or mount namespace
 * afterwards is not what it saw before: it frees its decisions then. */
#ifndef MACHINE_DISK_MEMORY_H
#define MACHINE_DISK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum disk_seen {
    DISK_UNKNOWN = 0, /* cannot be told */
    DISK_ABSENT,
    DISK_LINK,
    DISK_DIRECTORY,
    DISK_REGULAR,
    DISK_OTHER,
};

/* Beyond one of these it forgets everything and begins anew. */
#define DISK_WATCHES_MAX 512
#define DISK_ENTRIES_MAX 16384
#define DISK_TEXT_MAX    ((size_t)1024 * 1024) /* bytes of names and answers */

struct disk_memory;

/* NULL when the system does not offer what it takes. */
struct disk_memory *disk_memory_new(void);
void disk_memory_free(struct disk_memory *m);

/* A decision begins. After news it learns nothing for one decision: where something changes all the
 * time, watching costs more than it saves. */
void disk_memory_begin(struct disk_memory *m);

/* What stands at an absolute path, a link at its end not followed. DISK_UNKNOWN: it is not known,
 * and it cannot be learned in a way that changes would be heard of. */
enum disk_seen disk_memory_look(struct disk_memory *m, uint32_t hash, struct str path);

/* What is kept under a name: where the link at a path leads ('/'), or an answer of another kind.
 * NULL: nothing is. */
const char *disk_memory_recall(const struct disk_memory *m, char kind, uint32_t hash,
                               struct str name);

/* False when it has no room, or is not learning. */
bool disk_memory_keep(struct disk_memory *m, char kind, uint32_t hash, struct str name,
                      struct str answer);

/* From now on it hears of changes of the rights of the file at this path, to which no link leads.
 */
bool disk_memory_watch(struct disk_memory *m, const char *path);

/* ---- what both kinds of keeping need ---- */

enum disk_seen disk_ask(const char *path); /* the kernel */

#endif
