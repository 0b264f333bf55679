/* passwd.h - the home directory of a user, from the user database.
 *
 * $HOME is not it: a project that sets variables could name a home with a policy of its own. The
 * file is read here, because the C library would load other libraries to do so. */
#ifndef MACHINE_PASSWD_H
#define MACHINE_PASSWD_H

#include <sys/types.h>

#include "base/error.h"

#define PASSWD_FILE     "/etc/passwd"
#define PASSWD_LINE_MAX 4096 /* bytes; a longer line is skipped */

/* The home of `user`, by the first entry that has this number, as an absolute path with its NUL.
 * STATUS_USAGE: there is no such entry, or its home is not an absolute path. */
enum status passwd_home(const char *file, uid_t user, char out[PASSWD_LINE_MAX], struct error *err);

#endif
