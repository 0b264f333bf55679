/* own_reach.h - changes to files whose names are not known before the command runs.
 *
 * Such a name comes from a pattern (for f in *.c), from what another command of the call prints
 * (find -exec, xargs, $(git ls-files), while read), or from anywhere. */
#ifndef FACTS_OWN_REACH_H
#define FACTS_OWN_REACH_H

#include "facts/facts.h"
#include "shell/shell.h"

/* The name of a place that verdicts depend on and that could be among the files that this action
 * changes; NULL: none. */
const char *own_reach(struct facts *f, const struct shell_actions *all, size_t action);

/* What is reached where only run time says which file that is. */
extern const char own_reach_any[];

#endif
