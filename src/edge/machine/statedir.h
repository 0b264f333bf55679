/* statedir.h - the default directory for this user's state. */
#ifndef MACHINE_STATEDIR_H
#define MACHINE_STATEDIR_H

#include "base/error.h"

#define STATEDIR_MAX 4096

/* $XDG_STATE_HOME/warder, or ~/.local/state/warder. If `home` is given, the environment is
 * ignored. */
enum status statedir_find(const char *home, char out[STATEDIR_MAX], struct error *err);

#endif
