/* bounds.h - what a call says about its caller, compared with what the caller may say. */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H

#include "engine/engine.h"

/* Completes the call where its caller has no choice, and marks what is only claimed. False: it
 * claims what it may not, and *why says what. Below an arena_try(). */
bool bounds_keep(struct arena *a, const struct caller_bounds *bounds, struct call *c,
                 struct str *why);

#endif
