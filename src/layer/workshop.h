/* workshop.h - the project's own repository and programs. */
#ifndef LAYER_WORKSHOP_H
#define LAYER_WORKSHOP_H

#include "layer/facts.h"

/* The name means the program that the table knows: it is not one that lies in the workspace, where the agent writes. */
bool workshop_has_program(const struct facts *f, const struct action *a);

/* The action works in the session's own repository, not in a nested or bare one with a configuration of its own. */
bool workshop_is_own_repository(const struct facts *f, const struct action *a);

/* The directory lies in the session's own repository. */
bool workshop_is_own_directory(const struct facts *f, struct str directory);

/* The repository of another directory, outside of the workspace, runs nothing of its own when git only looks at it. */
bool workshop_is_plain(const struct facts *f, struct str directory);

/* Nothing in this call writes what makes a directory a repository, or its configuration. */
bool workshop_leaves_repositories(const struct facts *f);

/* Is it the program that the table speaks of, and for git also the repository of the session? */
bool workshop_is_genuine(const struct facts *f, const struct action *a);

/* Does it run in the workspace, and read and write nothing elsewhere? */
bool workshop_is_project_code(const struct facts *f, const struct action *a);

/* In a directory of the workspace that holds other people's code, or what is left lying around: not the project's own.
 */
bool workshop_is_foreign(const struct facts *f, struct str path);

#endif
