/* environment.h - variables that change what programs do. */
#ifndef FACTS_ENVIRONMENT_H
#define FACTS_ENVIRONMENT_H

#include <stdbool.h>

#include "base/str.h"
#include "facts/facts.h"

/* What is known of the variable, by the table and by the person's policy: enum variable_use.
 * Of a family of which some steer, one that the person names may only get a value that would be
 * safe under a name that nobody knows: a word, and no file. */
unsigned environment_uses(const struct facts *f, struct str name, unsigned by_table);

/* Setting it can make a program run code, read other files or talk to another server. `value` may
 * be NULL: unknown. */
bool environment_is_dangerous(const struct action *assignment, const struct str *value);

/* Safe even for the project's own code, which may use any variable in any way (make, MSBuild and
 * tox do): a single word that is neither a path nor an option, or an address on this machine. */
bool environment_is_safe_for_code(const struct action *assignment, struct str value);

/* Does a program that the call starts see what the assignment sets? A variable of the shell alone
 * is seen only if the call exports it; one in front of a command always is. */
bool environment_reaches_programs(const struct facts *f, const struct action *assignment);

/* Programs read variables with capital letters; the few that have none are in the table. */
bool environment_has_capital(struct str name);

/* Safe for every program, also one that nobody knows to use a variable of this name. Any name may
 * be one that says where a program finds its settings, its libraries or its modules, so unless the
 * table knows the name the value must be one that can say no such thing: a single word, or an
 * address on this machine, of which no part is the name of a file. */
bool environment_is_safe_for_all(const struct facts *f, const struct action *assignment);

#endif
