/* banned_core.h - what the core may not call: it reads nothing, writes nothing, allocates from an
 * arena and has no exit but arena_leave().
 *
 * The build includes this file before the sources of src/core. It does not poison the names, as
 * banned.h does: `read`, `write`, `time` and `open` are good names for a field or an enumerator,
 * and only a call is wrong. tools/check-purity has the final say, with a list of what is allowed;
 * this list reports the mistake earlier and closer to the line. */
#ifndef BASE_BANNED_CORE_H
#define BASE_BANNED_CORE_H

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name cannot be parenthesised */
#define BANNED(function, why)                                                                      \
    extern __typeof__(function) function __attribute__((unavailable("the core " why)));
/* NOLINTEND(bugprone-macro-parentheses) */

BANNED(getenv, "reads no environment")
BANNED(secure_getenv, "reads no environment")
BANNED(setenv, "has no environment")
BANNED(putenv, "has no environment")

BANNED(time, "has no clock")
BANNED(clock_gettime, "has no clock")
BANNED(clock, "has no clock")
BANNED(sleep, "has no clock")

BANNED(open, "opens no files")
BANNED(openat, "opens no files")
BANNED(creat, "opens no files")
BANNED(fopen, "opens no files")
BANNED(fdopen, "opens no files")
BANNED(read, "reads nothing")
BANNED(write, "writes nothing")
BANNED(fread, "reads nothing")
BANNED(fwrite, "writes nothing")
BANNED(printf, "writes nothing")
BANNED(fprintf, "writes nothing")
BANNED(puts, "writes nothing")
BANNED(fputs, "writes nothing")
BANNED(perror, "writes nothing")
BANNED(unlink, "writes nothing")
BANNED(rename, "writes nothing")

BANNED(stat, "does not look at files")
BANNED(lstat, "does not look at files")
BANNED(fstat, "does not look at files")
BANNED(access, "does not look at files")
BANNED(readlink, "does not look at files")
BANNED(realpath, "does not look at files")
BANNED(getcwd, "does not know where it runs")
BANNED(getuid, "does not know its user or process")
BANNED(getpid, "does not know its user or process")

BANNED(socket, "does not use the network")
BANNED(connect, "does not use the network")
BANNED(fork, "starts nothing")
BANNED(execve, "starts nothing")
BANNED(execvp, "starts nothing")
BANNED(kill, "stops nothing")

BANNED(malloc, "keeps its memory in an arena")
BANNED(calloc, "keeps its memory in an arena")
BANNED(realloc, "keeps its memory in an arena")
BANNED(free, "keeps its memory in an arena")
BANNED(strdup, "keeps its memory in an arena")
BANNED(strndup, "keeps its memory in an arena")
BANNED(longjmp, "leaves by the arena's door alone")
BANNED(exit, "leaves by the arena's door alone")
BANNED(abort, "leaves by the arena's door alone")

#undef BANNED

#endif
