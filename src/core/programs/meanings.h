/* meanings.h - words that are written in several ways and mean one thing: signals, modes of files.
 */
#ifndef PROGRAMS_MEANINGS_H
#define PROGRAMS_MEANINGS_H

#include <stdbool.h>

#include "base/str.h"

/* The number of a signal: 9, KILL, SIGKILL, in any case; -1: it is none. */
int signal_number(struct str text);

/* Does a mode of chmod give every bit that the other one names: a+rwx and 0777 for 777? `wanted` is
 * octal; false if it is not. */
bool mode_gives(struct str mode, struct str wanted);

#endif
