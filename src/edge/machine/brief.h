/* brief.h - a process that lives for one event.
 *
 * It looks at the same directory of state several times, and at the user database; what it has
 * opened and checked once it keeps. That is cheaper, and stricter: a descriptor stays what was
 * checked, whoever swaps the name afterwards. A process that lives longer looks again each time,
 * because a person may have changed what is there. */
#ifndef MACHINE_BRIEF_H
#define MACHINE_BRIEF_H

#include <stdbool.h>

/* This process has one thread and answers one event. */
void brief_begin(void);
bool brief_is(void);
/* A child that outlives the event, and has closed what the process had open, keeps nothing of it.
 */
void brief_end(void);

/* The directory that was kept under this path, as a descriptor of the caller's own; -1: none. */
int brief_directory(const char *path);
/* The same to look from, not to close: most want one thing below it. */
int brief_look_from(const char *path);
/* Keeps the first one: a directory that was opened without following a link, and checked. */
void brief_keep_directory(const char *path, int directory);

/* Was this kept as the home that the user database names? */
bool brief_has_home(const char *home);
void brief_keep_home(const char *home);

#endif
