/* mentions.h - names of Warder's own places in words that nothing explains. */
#ifndef FACTS_MENTIONS_H
#define FACTS_MENTIONS_H

#include "facts/facts.h"
#include "shell/shell.h"

#define MENTIONS_PATHS_MAX                                                                         \
    1024 /* parts of one action's words that are looked up on the disk; more of them ask */

/* Fills `mention` of every action whose effect on its words is not known (code, an unknown option,
 * an unknown program, the project's code) and whose words, input or variables name a place that
 * verdicts depend on. */
void mentions_find(struct facts *f, const struct shell_actions *all);

#endif
