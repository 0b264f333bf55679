/* call_value.h - the call of an embedder that writes no JSON, as the value that its JSON would be.
 */
#ifndef ENGINE_CALL_VALUE_H
#define ENGINE_CALL_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"
#include "warder.h"

/* Nothing in *out points into `call`. Below an arena_try(). STATUS_SYNTAX: the call is not valid;
 * STATUS_USAGE: it says two things at once. */
enum status call_value(struct arena *a, const warder_call *call, struct value *out,
                       struct error *err);

#endif
