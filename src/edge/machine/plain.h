/* plain.h - paths that no symbolic link is part of: the kernel says so at once, in place of an
 * answer for each directory on the way.
 *
 * A kernel before 5.6, and some containers, do not: then nothing is plain, and the callers ask part
 * by part. */
#ifndef MACHINE_PLAIN_H
#define MACHINE_PLAIN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of the directory that the path is in, if it is absolute and written without ".", ".."
 * and doubled slashes; else 0. *count: how many directories that are. */
size_t plain_directory(const char *path, size_t *count);

/* Is there something, and no link on the way to it or at its end? */
bool plain_is(const char *path);
bool plain_is_directory(const char *path);

/* As realpath(3). `out` may not be `path`. */
bool plain_real_path(const char *path, char out[PATH_MAX]);

#endif
