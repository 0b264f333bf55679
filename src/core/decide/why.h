/* why.h - why an action was not cleared, in a few words. */
#ifndef DECIDE_WHY_H
#define DECIDE_WHY_H

#include "facts/facts.h"

/* "curl talks to the network: evil.example". Names the first thing that stands in the way; it
 * decides nothing. */
struct str why_open(const struct facts *f, size_t action);

#endif
