/* own.h - directories and files that only we may write.
 *
 * What the verdict or its record depends on must not be changeable by somebody
 * else. Checked on the descriptor, not on the path: a name can be pointed
 * elsewhere between two look-ups. */
#ifndef MACHINE_OWN_H
#define MACHINE_OWN_H

#include <sys/stat.h>

#include "base/error.h"
#include "base/str.h"

/* Like mkdir -p, with new directories that are ours alone. */
enum status own_make_directory(const char *path, struct error *err);

/* Opens a directory that is no symbolic link, belongs to us and that nobody else can write. *out is
 * -1 on failure; with STATUS_IO errno says why. */
enum status own_open_directory(const char *path, int *out, struct error *err);
enum status own_open_directory_at(int parent, const char *name, int *out, struct error *err);

/* The same for a directory that is made, with its parents, when it is not there. */
enum status own_need_directory(const char *path, int *out, struct error *err);
enum status own_need_directory_at(int parent, const char *name, int *out,
                                  struct error *err); /* parent is there */

/* STATUS_UNSAFE unless the open file is regular, has this one name, belongs to us, and nobody else
 * can write it. */
enum status own_check_file(int fd, const char *name, struct error *err);
enum status own_look_at_file(int fd, const char *name, struct stat *out,
                             struct error *err); /* and says what it saw */

/* All of it, whatever signals come. errno is that of the write on failure. */
enum status own_write(int fd, const char *name, struct str bytes, struct error *err);

#endif
