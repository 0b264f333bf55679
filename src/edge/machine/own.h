/* own.h - directories and files that only we can write.
 *
 * No other user may be able to change what a verdict or its record depends on. Checked on the
 * descriptor, not the path: a name can point elsewhere at the next look-up. */
#ifndef MACHINE_OWN_H
#define MACHINE_OWN_H

#include <sys/stat.h>

#include "base/error.h"
#include "base/str.h"

/* Like mkdir -p; new directories get mode 700. */
enum status own_make_directory(const char *path, struct error *err);

/* Opens a directory that is not a symbolic link, belongs to us, and that no other user can write.
 * *out is -1 on failure; with STATUS_IO errno says why. */
enum status own_open_directory(const char *path, int *out, struct error *err);
enum status own_open_directory_at(int parent, const char *name, int *out, struct error *err);

/* The same, but creates the directory and its parents if needed. */
enum status own_need_directory(const char *path, int *out, struct error *err);
/* In a parent that exists. */
enum status own_need_directory_at(int parent, const char *name, int *out, struct error *err);

/* STATUS_UNSAFE unless the open file is regular, has a single link, belongs to us, and no other
 * user can write it. */
enum status own_check_file(int fd, const char *name, struct error *err);
/* The same, and returns the stat. */
enum status own_look_at_file(int fd, const char *name, struct stat *out, struct error *err);

/* Writes all of it, despite signals. On failure errno is that of the write. */
enum status own_write(int fd, const char *name, struct str bytes, struct error *err);

#endif
