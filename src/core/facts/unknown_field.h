/* unknown_field.h - input fields of a known tool that its row does not list.
 *
 * Agents add fields with every version, and most of them change nothing that a verdict is about. A
 * field is passed over only if neither its name nor its value could make the call another one. */
#ifndef FACTS_UNKNOWN_FIELD_H
#define FACTS_UNKNOWN_FIELD_H

#include "facts/facts.h"

/* The first one whose value could be a command, a path or a right; NULL: there is none. */
const struct member *unknown_field(const struct facts *f);

#endif
