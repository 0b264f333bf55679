/* why.h - why an action was not cleared, in a few words. */
#ifndef DECIDE_WHY_H
#define DECIDE_WHY_H

#include "facts/facts.h"

/* "curl https://x.example: talks to the network". Names the first obstacle; empty if there is
 * none. It decides nothing. */
struct str why_open(const struct facts *f, size_t action);

#endif
