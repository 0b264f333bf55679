/* remotes.h - passwords and tokens that git keeps in its settings. */
#ifndef FACTS_REMOTES_H
#define FACTS_REMOTES_H

#include "facts/facts.h"

/* Is it a file with settings of git that holds one? */
bool remotes_in_file(const struct facts *f, struct str path);

/* Does the action print addresses of remotes, and do the settings that git reads in `directory`
 * hold one? */
bool remotes_are_printed(const struct facts *f, const struct action *a, struct str directory);

#endif
