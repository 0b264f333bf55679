/* session_memory.h - the contents of session files, for as long as the files do not change.
 *
 * A service sees the same sessions again and again, and most calls do not change them. Others may,
 * at any time: a hook, another service, a person who removes the file. So the file is checked
 * (lstat) before each use, and what was read of it counts while nothing about it has changed.
 * Writers replace it, which changes its inode, and its ctime, which no program can set. A file that
 * changed a moment ago could change again within the same tick of that clock: it is not remembered
 * yet. Nor is one on a file system whose times another machine sets. */
#ifndef ENGINE_SESSION_MEMORY_H
#define ENGINE_SESSION_MEMORY_H

#include "ask/session_file.h"

#define SESSION_MEMORY_SLOTS 256u /* a power of two; two sessions of one slot take turns */
#define SESSION_MEMORY_BYTES                                                                       \
    ((size_t)8192) /* of one session's texts; a larger one is read each time */
#define SESSION_MEMORY_RESTED                                                                      \
    ((int64_t)1000) /* milliseconds for which a file must not have changed */

struct session_memory;

/* NULL: no memory. now: milliseconds; tests set the clock. */
struct session_memory *session_memory_new(int64_t (*now)(void));
void session_memory_free(struct session_memory *m);

/* session_meet(), from memory if that is current. m NULL: there is none. */
enum status session_memory_meet(struct session_memory *m, struct arena *a,
                                const struct session_id *id, struct session *out,
                                struct error *err);

#endif
