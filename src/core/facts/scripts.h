/* scripts.h - the project's own scripts: files that are older than the session.
 *
 * Such a file is the project's code, like what `make` runs. A file that was written or changed
 * since may be anything: the agent may have written it. The ctime of the file, its link and the
 * links in its path tell when it last changed; programs cannot set it (world.unchanged).
 *
 * The times of directories do not count. A directory changes with every file that is created in it,
 * so after one edit in scripts/ nothing there could be run. They would reveal that a whole
 * directory with old files was moved: within the workspace that is still the project's code, and
 * moving one in from outside is never done without asking (decide/layer_edits.c). */
#ifndef FACTS_SCRIPTS_H
#define FACTS_SCRIPTS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Fills `script` of the actions that run one. All actions must have been explained. */
void scripts_find(struct facts *f, const struct shell_actions *all);

#endif
