/* banned.h - functions that may not be used in this project.
 *
 * The build includes this file before each of our sources, so that a use is a compile error and not
 * a review comment. System headers that declare these names come first: their declarations must
 * still compile. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WARDER_SODIUM /* set by CMakeLists.txt for the files that use it */
#include <sodium.h>
#endif
#ifdef WARDER_OPENSSL
#include <openssl/evp.h>
#include <openssl/ssl.h>
#endif

/* Unbounded writes. */
#pragma GCC poison strcpy strcat sprintf vsprintf gets strncpy strncat stpcpy stpncpy
/* Stack allocation by a length that an attacker may choose. */
#undef alloca
#undef strdupa
#undef strndupa
#pragma GCC poison alloca strdupa strndupa
/* Hidden state, or errors that cannot be detected. */
#pragma GCC poison strtok atoi atol atoll atof sscanf fscanf scanf vsscanf
#pragma GCC poison asctime ctime gmtime localtime asctime_r ctime_r
/* Predictable: randomness comes from the kernel. */
#pragma GCC poison rand srand rand_r random srandom drand48 lrand48
/* They run a shell, share our memory with a child, or create a file name that an attacker can
 * guess. */
#pragma GCC poison system popen vfork mktemp tmpnam tempnam

#endif
