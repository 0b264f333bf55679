/* banned.h - functions that may not be used in this project.
 *
 * The build puts this file in front of every one of our own sources, so that a
 * use is a compile error here and not a remark in a review. System headers that
 * declare these names are included first: their declarations must not trip. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No bounds. */
#pragma GCC poison strcpy strcat sprintf vsprintf gets strncpy strncat
/* Hidden state, or errors that cannot be seen. */
#pragma GCC poison strtok atoi atol atoll atof
/* A shell between us and the program, or a name somebody else may own. */
#pragma GCC poison system popen mktemp tmpnam tempnam

#endif
