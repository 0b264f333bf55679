/* session_later.h - session files that were replaced and are not on the disk yet.
 *
 * The loop of a service must not wait for the disk: it notes the names here, and the writer's
 * thread syncs the files before any answer leaves that depends on them. */
#ifndef ASK_SESSION_LATER_H
#define ASK_SESSION_LATER_H

#include "ask/session_file.h"

struct session_later {
    char (*names)[SESSION_NAME_MAX];
    size_t count, capacity;
};

bool session_later_add(struct session_later *later, const char *name); /* false: no memory */
/* Also where it fails, none is left to sync. */
enum status session_later_sync(struct session_later *later, const char *state_dir,
                               struct error *err);
void session_later_release(struct session_later *later);

#endif
