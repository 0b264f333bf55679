/* environment.h - variables that change what programs do. */
#ifndef FACTS_ENVIRONMENT_H
#define FACTS_ENVIRONMENT_H

#include <stdbool.h>

#include "base/str.h"

/* Setting it can make a program run code, read other files or talk to another server. `value` may
 * be NULL: unknown. */
bool environment_is_dangerous(struct str name, const struct str *value);

/* Safe even for the project's own code, which may use any variable in any way (make, MSBuild and
 * tox do): a single word that is neither a path nor an option, or an address on this machine. */
bool environment_is_safe_for_code(struct str name, struct str value);

#endif
