/* scratch.h - repositories in temporary directories, created to try something. */
#ifndef FACTS_SCRATCH_H
#define FACTS_SCRATCH_H

#include "facts/facts.h"

/* git works in a repository that this call creates in a temporary directory, where there was
 * nothing before. */
bool scratch_is_new(const struct facts *f, const struct action *a);

/* git changes a repository in a temporary directory: a new one, or one in which nothing runs; and
 * the change can be undone. */
bool scratch_may_change(const struct facts *f, const struct action *a);

/* The directory does not exist, is directly in a temporary directory, and this call creates it.
 * Nothing in the call could move an existing file there, so removing it loses nothing. */
bool scratch_is_absent(const struct facts *f, const struct subject_path *p);

#endif
