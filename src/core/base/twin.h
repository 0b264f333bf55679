/* twin.h - finds duplicate keys in an object.
 *
 * Readers disagree about which of two equal keys counts, so such an object might mean one thing to
 * us and another to the program that runs the call. */
#ifndef BASE_TWIN_H
#define BASE_TWIN_H

#include "base/arena.h"
#include "base/value.h"

/* The first member, in the order of the text, that repeats an earlier key; *before is that earlier
 * member. NULL if all keys differ. At most n log n comparisons, whatever the keys are. */
const struct member *value_find_twin(struct arena *a, const struct value *object,
                                     const struct member **before);

#endif
