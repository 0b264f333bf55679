/* lookups.h - which names of hosts a cell without any asks for.
 *
 * A name is looked up before anything is connected, and without a network nobody learns which one
 * it was: a person would be asked about the address of a name server. But libc first asks a cache
 * of names, by a socket that is hardly ever there. The keeper takes that call: it listens to the
 * first question and leaves, and libc goes on as without a cache. */
#ifndef CELL_LOOKUPS_H
#define CELL_LOOKUPS_H

#include "cell/answer.h"

/* Is it the socket of that cache, and would anybody want to know? */
bool lookups_are_heard(const struct answers *a, const char *path);

/* Was a name reported? Then the name server itself says nothing new. */
bool lookups_know(struct report *r);

/* Answers the call, a connect() of the descriptor `number`, and reports the name that follows. */
void lookups_hear(struct answers *a, const struct seccomp_notif *call, int number);

#endif
