/* glob_twin.h - a slow, obvious glob matcher, the reference for base/glob.
 *
 * Written from the description in base/glob.h alone: it tries every length of every run and shares
 * no code with the fast matcher. Exponential: short inputs only. */
#ifndef TESTS_SUPPORT_GLOB_TWIN_H
#define TESTS_SUPPORT_GLOB_TWIN_H

#include <stdbool.h>

#include "base/glob.h"

#define TWIN_MAX 64 /* bytes of a pattern or a text; longer ones do not match */

bool twin_match(struct str pattern, unsigned flags, struct str text);

#endif
