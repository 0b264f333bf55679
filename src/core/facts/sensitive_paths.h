/* sensitive_paths.h - which paths need care: protected from writing, or secret; and whether a path
 * is in the workspace. */
#ifndef FACTS_SENSITIVE_PATHS_H
#define FACTS_SENSITIVE_PATHS_H

#include "facts/facts.h"
#include "facts/path_classes.h"

/* Cached: which row of each table covers a path of an action, and what path_secret() says. */
struct path_class_memory {
    bool known[PATH_CLASS_TABLES];
    const struct path_class *place[PATH_CLASS_TABLES];
    bool judged;
    const char *secret;
    bool walked; /* what trees.c found below it: */
    const char *tree;
};

#define SENSITIVE_GLOBS_MAX                                                                        \
    64 /* patterns with classes, braces or escapes that one decision compares exactly */

/* What the path is ("an SSH key"), or NULL. A pattern counts if it could match such a path. */
const char *path_protected(const struct facts *f, const struct subject_path *path);
/* It is, but tools of the project may check and format it: prettier AGENTS.md. */
bool path_may_be_formatted(const struct facts *f, const struct subject_path *path);
const char *path_own_state(const struct facts *f,
                           const struct subject_path *path); /* verdicts depend on this file */
/* Reading everything below it passes no secret with a fixed path, and no home. */
bool path_readable_below(const struct facts *f, const struct subject_path *path);
/* Listing everything below it enters no such directory; a single file (auth.json) only shows its
 * name. */
bool path_listable_below(const struct facts *f, const struct subject_path *path);
const char *path_secret(const struct facts *f, const struct subject_path *path);
/* The same, of what this access shows: of a file that is only listed no contents are read. What is
 * in a directory counts, its names too. */
const char *path_shows_secret(const struct facts *f, const struct subject_path *path);
/* As path_secret(), for rules of the published models: only by the table, not by what a name says
 * or where programs keep their own files. */
const char *path_listed_secret(const struct facts *f, const struct subject_path *path);

/* A secret that is there: no history has what writing to it loses. */
bool path_overwrites_secret(const struct facts *f, const struct subject_path *path);

/* Inside the workspace, an additional directory or a linked worktree of the workspace's repository
 * (worktree.h), and not through a link that leaves it. */
bool path_in_workspace(const struct facts *f, const struct subject_path *path);

/* Could an installed program be there? Not in a directory for temporary files, where an agent that
 * may edit also writes, and not just anywhere in the home. */
bool path_is_of_programs(const struct facts *f, struct str path);
/* Below a directory for temporary files, by its name. */
bool path_is_temporary(struct str path);
/* A file or directory below one for temporary files, and not through a link that leaves it; not
 * that directory itself, and not what other programs keep there (sockets, locks, sessions). */
bool path_in_temporary(const struct facts *f, const struct subject_path *path);

/* Outside of the workspace, and named or reached by a name such as mktemp makes: there the agent
 * writes without being asked, in another call, and while this one runs. In acceptEdits it may run
 * what it writes anyway. */
bool path_unwatched(const struct facts *f, struct str directory);

/* This path is used only if something fails that almost never does, and even then it is harmless:
 * nothing is deleted and no secret read. */
bool path_unlikely(const struct facts *f, const struct subject_path *path, bool recursive);

/* /, a home, or a directory above one: never a workspace, and never to be deleted. */
bool path_too_wide(struct str path, struct str home);

#endif
