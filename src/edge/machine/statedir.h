/* statedir.h - where this person's state lies when nobody names a place. */
#ifndef MACHINE_STATEDIR_H
#define MACHINE_STATEDIR_H

#include "base/error.h"

#define STATEDIR_MAX 4096

/* $XDG_STATE_HOME/warder, or ~/.local/state/warder. A home that is named brings its own places: the
 * environment does not count then. */
enum status statedir_find(const char *home, char out[STATEDIR_MAX], struct error *err);

#endif
