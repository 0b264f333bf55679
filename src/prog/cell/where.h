/* where.h - which place a path of the caller means, as the kernel would find it from there. */
#ifndef CELL_WHERE_H
#define CELL_WHERE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* The root of the cell, to begin at; -1: errno. `process` is in it. */
int where_root(int process);

/* `path` is absolute, and means what it means for `caller`, a thread. The directory as the disk has
 * it, and the last name; with `follow` that is what a link of this name leads to, whether anything
 * is there or not. False: it cannot be known from here (a directory that is not there); *out is as
 * given then. */
bool where_is(int root, pid_t caller, const char *path, bool follow, char out[PATH_MAX]);

#endif
