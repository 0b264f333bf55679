/* age.h - when something on the disk last changed, by the time that no program can set. */
#ifndef MACHINE_AGE_H
#define MACHINE_AGE_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel stamps files with a clock that ticks a few times a second, so a file may seem a little
 * older than it is.
 */
#define AGE_MARGIN 2 /* seconds */

/* A regular file, or with `link` a symbolic link, on a disk of this machine, that has not changed
 * since AGE_MARGIN before `since` (seconds). The path must have no links but at its end. False when
 * it cannot be told. */
bool age_is_old(const char *path, bool link, int64_t since);

/* The time now by the clock that files are stamped with, in milliseconds. */
int64_t age_now(void);

#endif
