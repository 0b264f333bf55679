/* environment.h - variables that change what programs do. */
#ifndef FACTS_ENVIRONMENT_H
#define FACTS_ENVIRONMENT_H

#include <stdbool.h>

#include "base/str.h"

/* Setting it can make a program run code, read other files or talk to somebody else. `value` may be
 * NULL: not known. */
bool environment_is_dangerous(struct str name, const struct str *value);

/* Even a project's own code may get it, which can make of any variable what it likes (make, MSBuild
 * and tox do): a word that is neither a path nor an option nor more than one word, or a place on
 * this machine. */
bool environment_is_for_anybody(struct str name, struct str value);

#endif
