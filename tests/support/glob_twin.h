/* glob_twin.h - the slow, obvious glob matcher that base/glob is measured by.
 *
 * Written from the description in base/glob.h alone: it tries every way a run can
 * go, and shares no code with the fast one. Exponential: short inputs only. */
#ifndef TESTS_SUPPORT_GLOB_TWIN_H
#define TESTS_SUPPORT_GLOB_TWIN_H

#include <stdbool.h>

#include "base/glob.h"

#define TWIN_MAX 64 /* bytes of a pattern or a text; longer ones do not match */

bool twin_match(struct str pattern, unsigned flags, struct str text);

#endif
