/* staged.h - git prints what was added to its index: files that it did not track before, too. */
#ifndef FACTS_STAGED_H
#define FACTS_STAGED_H

#include "facts/facts.h"

/* Gives every action of git that may print a file which was, or is, only just added a secret that it
 * may print, as a path that it reads. All actions must be known. */
void staged_find(struct facts *f);

#endif
