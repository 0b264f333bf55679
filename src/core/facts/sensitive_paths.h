/* sensitive_paths.h - which places on the disk need care: tables of what is protected
 * from writing and what is secret, and whether a path lies in the workspace. */
#ifndef FACTS_SENSITIVE_PATHS_H
#define FACTS_SENSITIVE_PATHS_H

#include "facts/facts.h"
#include "facts/path_classes.h"

/* Which row of each table a path of an action lies in, once it was looked up. */
struct path_class_memory {
    bool known[PATH_CLASS_TABLES];
    const struct path_class *place[PATH_CLASS_TABLES];
};

#define SENSITIVE_GLOBS_MAX                                                                        \
    64 /* patterns with classes, braces or escapes that one decision looks at exactly */

/* What the place is ("an SSH key"), or NULL when it is none. A path that is a
 * pattern is in a place when it could name something there. */
const char *path_protected(const struct facts *f, const struct subject_path *path);
const char *path_own_state(const struct facts *f,
                           const struct subject_path *path); /* what verdicts depend on */
/* Reading everything below it walks through no place of secrets with a fixed path, and no home. */
bool path_readable_below(const struct facts *f, const struct subject_path *path);
/* Listing everything below it walks through no such directory; a file by itself (auth.json) has but
 * a name. */
bool path_listable_below(const struct facts *f, const struct subject_path *path);
const char *path_secret(const struct facts *f, const struct subject_path *path);

/* Inside the workspace, an additional directory or a linked worktree of the workspace's repository
 * (worktree.h), and not through a link that leaves it. */
bool path_in_workspace(const struct facts *f, const struct subject_path *path);

/* A file or directory in a place for temporary ones, and not through a link that leaves it; not the
 * place itself, and not what other programs keep there (sockets, locks, sessions). */
bool path_in_temporary(const struct facts *f, const struct subject_path *path);

/* Outside of the workspace, and named or reached by a name as mktemp makes them: there the agent
 * writes without being asked, in another call, and while this one runs. In acceptEdits it may run
 * what it writes anyway. */
bool path_unwatched(const struct facts *f, struct str directory);

/* It is only meant where something failed that nearly never does, and then nobody minds: nothing is
 * deleted, and no secret read. */
bool path_unlikely(const struct facts *f, const struct subject_path *path, bool recursive);

/* /, a home, or a directory above one: never a workspace, and never to be deleted. */
bool path_too_wide(struct str path, struct str home);

#endif
