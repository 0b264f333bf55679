/* project.h - the project's own repository and programs. */
#ifndef FACTS_PROJECT_H
#define FACTS_PROJECT_H

#include "facts/facts.h"

/* The name means the program in the table, not a file in the workspace, where the agent writes. */
bool project_has_program(const struct facts *f, const struct action *a);

/* The action works in the session's own repository, not in a nested or bare one with its own
 * configuration. */
bool project_is_own_repository(const struct facts *f, const struct action *a);

/* The directory is in the session's own repository. */
bool project_is_own_directory(const struct facts *f, struct str directory);

/* The repository of another directory, outside of the workspace, runs nothing when git only reads
 * it. */
bool project_is_plain(const struct facts *f, struct str directory);

/* Nothing in this call turns a directory into a repository, or writes its configuration. */
bool project_leaves_repositories(const struct facts *f);

/* Is it the program in the table, and for git also the session's repository? */
bool project_is_genuine(const struct facts *f, const struct action *a);

/* Does it run in the workspace, and read and write nothing elsewhere? */
bool project_is_own_code(const struct facts *f, const struct action *a);

/* In a directory of the workspace with other people's code or generated files: not the project's
 * own. */
bool project_is_foreign(const struct facts *f, struct str path);

/* Reads only what may be read, writes only in the workspace, deletes nothing; with `reads_too` it
 * reads nothing outside either. */
bool project_stays_inside(const struct facts *f, const struct action *a, bool reads_too);

/* It runs the project's own code, and policy allows that: what the layer project-code clears. */
bool project_runs_code(const struct facts *f, const struct action *a);

#endif
