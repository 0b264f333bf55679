/* own_reach.h - commands that change the files which another command finds: find -exec, xargs. */
#ifndef FACTS_OWN_REACH_H
#define FACTS_OWN_REACH_H

#include "facts/facts.h"
#include "shell/shell.h"

/* The name of a place in the workspace that verdicts depend on and that could be among the files
 * that this wrapped action changes; NULL: none. `a` comes from `from`. */
const char *own_reach(const struct facts *f, const struct shell_action *from,
                      const struct action *a);

#endif
