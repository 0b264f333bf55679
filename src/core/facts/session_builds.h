/* session_builds.h - programs that earlier calls of the session built from the project's own
 * packages.
 *
 * `go build -o x ./cmd/x` and later `./x list` is `go run ./cmd/x list`, which runs the project's
 * code, as long as x is what the compiler wrote. The session remembers what calls built that were
 * allowed as the project's code, under these conditions:
 *
 *  - A call that may change such a file, by its name, by a directory above it or unseen, makes the
 *    session forget it before the call is answered, whether it is allowed or asked about. Project
 *    code is exempt: it could do by itself whatever the file could.
 *  - The file must have been written since the build was answered, because a failed build leaves an
 *    older one; and have changed not much later than a build takes, because a call that was judged
 *    before may have waited for a person.
 *  - From its first run on it must be the same file, by device, inode and ctime, which no program
 *    can set.
 *  - It must be a program that a compiler wrote (world.compiled), not a script.
 *
 * What remains: a call that was judged before the build and runs during it may overwrite the
 * result. In the default mode a person has agreed to that call; in acceptEdits it gains nothing,
 * since the sources may be edited too. */
#ifndef FACTS_SESSION_BUILDS_H
#define FACTS_SESSION_BUILDS_H

#include "facts/facts.h"
#include "shell/shell.h"

#define SESSION_BUILD_MS_MAX                                                                       \
    ((int64_t)30 * 60 * 1000) /* milliseconds from the answer to the end of a build */

/* Fills `made` of the actions that start a program by its path; built ones become the project's
 * code. */
void session_builds_find(struct facts *f, const struct shell_actions *all);

/* Call when scripts are known too: a program that another part of the call may change is
 * BUILT_CHANGED; also records what the call builds. */
void session_builds_settle(struct facts *f, const struct shell_actions *all);

#endif
