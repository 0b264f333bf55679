/* links.h - what a call reaches through links that it makes itself. */
#ifndef FACTS_LINKS_H
#define FACTS_LINKS_H

#include "facts/facts.h"

/* Call when all actions are known: paths that may go through such a link become unknown. */
void links_doubt(struct facts *f);

#endif
