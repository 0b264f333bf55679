/* beside.h - programs of Warder in the directory of this one. */
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* The same directory, and not the PATH: a program that was put there must not become the judge.
 * False: it cannot be said where this program is. */
bool beside_find(const char *name, char *out, size_t room);

#endif
