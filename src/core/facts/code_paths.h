/* code_paths.h - inline code that changes files under names which it puts together itself.
 *
 * python3 -c, node -e, perl -e, awk: the code is in the words or the input of the command, and no
 * reader has accepted it. A name that it computes cannot be searched for our places, so it may be
 * one of them. This looks for the functions that change files or start programs by their names: it
 * finds what plainly is there and proves nothing. */
#ifndef FACTS_CODE_PATHS_H
#define FACTS_CODE_PATHS_H

#include "facts/facts.h"

/* What the code may change, in words; NULL: nothing that this knows. `a` is the action that runs
 * it. */
const char *code_paths(const struct facts *f, const struct action *a, struct str code);

#endif
