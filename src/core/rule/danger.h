/* danger.h - programs whose first word says nothing about what they will do. */
#ifndef RULE_DANGER_H
#define RULE_DANGER_H

#include "base/str.h"

/* What a wildcard after the program's name would let through, as the end of a sentence ("runs any
 * other command"); NULL when there is nothing to warn of. The caller has the table of programs. */
typedef const char *danger_of(struct str program);

/* The effect (effect.h) that people mean who forbid the program, as a word; NULL: none. */
typedef const char *meant_of(struct str program);

#endif
