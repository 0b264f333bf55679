/* project.h - the project's own repository and programs. */
#ifndef FACTS_PROJECT_H
#define FACTS_PROJECT_H

#include "facts/facts.h"

/* The name means the program that the table knows: it is not one that lies in the workspace, where
 * the agent writes. */
bool project_has_program(const struct facts *f, const struct action *a);

/* The action works in the session's own repository, not in a nested or bare one with a
 * configuration of its own. */
bool project_is_own_repository(const struct facts *f, const struct action *a);

/* The directory lies in the session's own repository. */
bool project_is_own_directory(const struct facts *f, struct str directory);

/* The repository of another directory, outside of the workspace, runs nothing of its own when git
 * only looks at it. */
bool project_is_plain(const struct facts *f, struct str directory);

/* Nothing in this call writes what makes a directory a repository, or its configuration. */
bool project_leaves_repositories(const struct facts *f);

/* Is it the program that the table speaks of, and for git also the repository of the session? */
bool project_is_genuine(const struct facts *f, const struct action *a);

/* Does it run in the workspace, and read and write nothing elsewhere? */
bool project_is_own_code(const struct facts *f, const struct action *a);

/* In a directory of the workspace that holds other people's code, or what is left lying around: not
 * the project's own.
 */
bool project_is_foreign(const struct facts *f, struct str path);

/* Reads what may be read, writes only in the workspace, deletes nothing; with `reads_too` nothing
 * outside is read. */
bool project_stays_inside(const struct facts *f, const struct action *a, bool reads_too);

/* It runs the project's own code, as policy lets it: what the layer project-code clears. */
bool project_runs_code(const struct facts *f, const struct action *a);

#endif
