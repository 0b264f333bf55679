/* session_builds.h - programs that earlier calls of the session built from the project's own
 * packages.
 *
 * `go build -o x ./cmd/x`, and later `./x list`: that is `go run ./cmd/x list`, which runs the
 * project's code, as long as x is what the compiler wrote. The session keeps what calls built that
 * were allowed as the project's code, and
 *
 *  - a call that may change such a file, by its name, by a directory above it or in a way that
 * nobody sees, makes the session forget it before the call is answered, whether it is allowed or
 * asked about. Project code may not be what it was, either, but that could do itself whatever the
 * file could;
 *  - the file must have changed since the build was answered: where the build failed, an older one
 * may lie there. And not much later than a build takes: a call that was judged before may still
 * have waited for a person;
 *  - from its first run on it must be the same file, by device, inode and ctime, which no program
 * can set;
 *  - it must be a program that a compiler wrote (world.compiled), no script.
 *
 * What is left: a call that was judged before the build, and runs while it does, may write over
 * what it made. In the default mode a person has agreed to that; in acceptEdits it gains nothing,
 * since what is built may be edited, too. */
#ifndef FACTS_SESSION_BUILDS_H
#define FACTS_SESSION_BUILDS_H

#include "facts/facts.h"
#include "shell/shell.h"

#define SESSION_BUILD_MS_MAX                                                                       \
    ((int64_t)30 * 60 * 1000) /* milliseconds from the answer to the end of a build */

/* Fills `made` of the actions that start a program by its path; those that were built become the
 * project's code. */
void session_builds_find(struct facts *f, const struct shell_actions *all);

/* When scripts are known, too: what another part of the call may change is BUILT_CHANGED; and what
 * the call builds. */
void session_builds_settle(struct facts *f, const struct shell_actions *all);

#endif
