/* twin.h - the same key twice in one object.
 *
 * Readers differ in which of the two counts, so an object with twins means one
 * thing to us and may mean another to the program that runs the call. */
#ifndef BASE_TWIN_H
#define BASE_TWIN_H

#include "base/arena.h"
#include "base/value.h"

/* The first member, in the order of the text, whose key stood there before; *before is then the
 * first of the two. NULL when all keys differ. Takes n log n comparisons whatever the keys are. */
const struct member *value_find_twin(struct arena *a, const struct value *object,
                                     const struct member **before);

#endif
