/* file.h - reads one file that verdicts will depend on, if no other user could have written it.
 *
 * The agent may be able to write in these directories, so everything is checked on the descriptor
 * that is then read, not on the name. */
#ifndef POLICY_FILE_H
#define POLICY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "document/text.h"

/* The possible owners of the file. In any case no other user may be able to write it. */
enum file_guard {
    FILE_MANAGED, /* root or we; no group may write it */
    FILE_PERSON,  /* root or we; our private group may write it (see file_group_is_private) */
    FILE_PROJECT, /* any user: what it loosens counts only if its content is trusted. No link may
                     lead outside */
};

struct file_text {
    bool found;
    char *text; /* malloc'ed and NUL-terminated; NULL if nothing was read */
    size_t len;
};

/* A missing file is not a failure: found is false. A dangling link is one. `inside` is the
 * directory that a FILE_PROJECT file must really be in; others ignore it. At most POLICY_TEXT_MAX
 * bytes are read. STATUS_IO, STATUS_UNSAFE, STATUS_LIMIT and STATUS_NOMEM; *out then has nothing to
 * free. */
enum status file_read(const char *path, enum file_guard guard, const char *inside,
                      struct file_text *out, struct error *err);

/* Debian gives every user a group of the same number without other members, and a umask that lets
 * the group write: then the group bit gives no one else access. System groups (below 1000) never
 * count as private. */
bool file_group_is_private(uid_t owner, gid_t group);

#endif
