/* digest.h - what is in a file: as a SHA-256, and as it is. */
#ifndef MACHINE_DIGEST_H
#define MACHINE_DIGEST_H

#include "base/world.h"

#define DIGEST_BYTES_MAX ((size_t)4 * 1024 * 1024) /* of a file; a larger one has no digest */

/* world.digest */
bool digest_file(const char *path, char out[WORLD_DIGEST]);
/* world.text */
bool digest_read(const char *path, char *out, size_t size, size_t *len);

#endif
