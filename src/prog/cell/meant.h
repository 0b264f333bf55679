/* meant.h - the file that a caller means, held by a descriptor: what is looked at is what is used,
 * whatever becomes of its name or of the caller's memory. */
#ifndef CELL_MEANT_H
#define CELL_MEANT_H

#include <limits.h>

#include "cell/answer.h"

/* O_PATH; -1: errno. `directory` is a descriptor of the caller, or AT_FDCWD. Without a text it is
 * the descriptor itself. `flags`: O_NOFOLLOW, O_DIRECTORY. */
int meant_open(const struct seccomp_notif *call, int directory, const char *text, int flags);

/* Where it is; false: at no place of the disk. */
bool meant_path(int fd, char out[PATH_MAX]);

/* May the cell write it? If not, that is reported. */
bool meant_is_writable(const struct answers *a, int fd);

#endif
