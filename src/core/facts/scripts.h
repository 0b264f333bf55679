/* scripts.h - the project's own scripts: files that were there before the session began.
 *
 * What such a file does is the project's code, like what stands behind `make`. A file that was
 * written or changed since may be anything: the agent may have written it. When a file last
 * changed, its link, its directories' links and itself say by their ctime, which programs cannot
 * set (world.unchanged).
 *
 * The times of directories do not count. A directory changes with every file that is made in it, so
 * nothing in scripts/ could be run any more after one edit there. What they would tell is that a
 * whole directory was moved, with old files in it: out of another place of the workspace it is
 * still the project's, and from outside nobody moves one in without being asked
 * (decide/layer_edits.c). */
#ifndef FACTS_SCRIPTS_H
#define FACTS_SCRIPTS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Fills `script` of the actions that run one. All actions must have been explained. */
void scripts_find(struct facts *f, const struct shell_actions *all);

#endif
