/* banned.h - functions that may not be used in this project.
 *
 * The build puts this file in front of every one of our own sources, so that a
 * use is a compile error here and not a remark in a review. System headers that
 * declare these names are included first: their declarations must not trip. */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WARDER_SODIUM /* CMakeLists.txt says which files use it */
#include <sodium.h>
#endif
#ifdef WARDER_OPENSSL
#include <openssl/evp.h>
#include <openssl/ssl.h>
#endif

/* No bounds. */
#pragma GCC poison strcpy strcat sprintf vsprintf gets strncpy strncat stpcpy stpncpy
/* The stack as an answer to a length that somebody else chose. */
#undef alloca
#undef strdupa
#undef strndupa
#pragma GCC poison alloca strdupa strndupa
/* Hidden state, or errors that cannot be seen. */
#pragma GCC poison strtok atoi atol atoll atof sscanf fscanf scanf vsscanf
#pragma GCC poison asctime ctime gmtime localtime asctime_r ctime_r
/* Guessable: what must not be guessed comes from the kernel. */
#pragma GCC poison rand srand rand_r random srandom drand48 lrand48
/* A shell between us and the program, a child that shares our memory, or a name somebody else may
 * own. */
#pragma GCC poison system popen vfork mktemp tmpnam tempnam

#endif
