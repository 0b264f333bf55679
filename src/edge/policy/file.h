/* file.h - reads one file that verdicts will depend on, if nobody else could have written it.
 *
 * The agent that is judged may write where these files lie, so everything is
 * checked on the descriptor that is then read, not on the name. */
#ifndef POLICY_FILE_H
#define POLICY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "document/text.h"

/* Who may have written the file. Nobody else may be able to write it, in any case. */
enum file_guard {
    FILE_MANAGED, /* root or we; no group at all may write it */
    FILE_PERSON,  /* root or we; our private group may write it (see file_group_is_private) */
    FILE_PROJECT, /* anybody: what it loosens counts only when its content is trusted. No link may
                     lead outside */
};

struct file_text {
    bool found;
    char *text; /* malloc'ed and NUL-terminated; NULL when nothing was read */
    size_t len;
};

/* A missing file is no failure: found is false. A link that leads nowhere is one. `inside` is the
 * directory that a FILE_PROJECT file must lie in, whatever links say; others ignore it. At most
 * POLICY_TEXT_MAX bytes are read. STATUS_IO, STATUS_UNSAFE, STATUS_LIMIT and STATUS_NOMEM; *out
 * then holds nothing to free. */
enum status file_read(const char *path, enum file_guard guard, const char *inside,
                      struct file_text *out, struct error *err);

/* Debian gives every user a group of the same number with nobody else in it, and a umask that lets
 * the group write: then the group's bit gives rights to nobody. Groups of the system (below 1000)
 * never count as private. */
bool file_group_is_private(uid_t owner, gid_t group);

#endif
