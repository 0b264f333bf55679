/* ignored.h - does git ignore a file? */
#ifndef MACHINE_IGNORED_H
#define MACHINE_IGNORED_H

#include <stdbool.h>

#define IGNORED_BYTES_MAX 65536 /* of one .gitignore; a larger one is not read */

/* By the .gitignore files from the root of its repository down to its directory, and by
 * .git/info/exclude; the last rule that matches decides, as in gitignore(5). The path is absolute
 * and without links. False when not known. */
bool ignored_look(const char *path);

#endif
