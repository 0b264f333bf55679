/* scratch.h - repositories in temporary places, which people and agents make to try something. */
#ifndef FACTS_SCRATCH_H
#define FACTS_SCRATCH_H

#include "facts/facts.h"

/* git works in a repository that this very call makes in a temporary place, where there was nothing
 * before. */
bool scratch_is_new(const struct facts *f, const struct action *a);

/* git changes a repository in a temporary place: a new one, or one of which nothing runs, and that
 * can be undone. */
bool scratch_may_change(const struct facts *f, const struct action *a);

/* The directory is not there, lies right in a temporary place, and this call makes it. Nothing in
 * the call could put something there that existed before: who removes it loses nothing. */
bool scratch_is_absent(const struct facts *f, const struct subject_path *p);

#endif
