/* age.h - when a file last changed, by ctime, which no program can set. */
#ifndef MACHINE_AGE_H
#define MACHINE_AGE_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel stamps files with a coarse clock, so a file may seem slightly older than it is. */
#define AGE_MARGIN 2 /* seconds */

/* Is it a regular file (with `link`: a symbolic link) on a local disk that has not changed since
 * AGE_MARGIN before `since` (seconds)? The path must not contain links except at its end. False
 * when not known. */
bool age_is_old(const char *path, bool link, int64_t since);

/* The current time by the clock that stamps files, in milliseconds. */
int64_t age_now(void);

#endif
