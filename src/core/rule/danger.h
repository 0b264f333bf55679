/* danger.h - programs whose first word says nothing about what they will do. */
#ifndef RULE_DANGER_H
#define RULE_DANGER_H

#include "base/str.h"

/* What a wildcard behind the program's name would let through, as the end of a sentence ("runs any
 * code"); NULL for a program that is not in the table. Versions count: python3.11 is python. */
const char *danger_of(struct str program);

#endif
