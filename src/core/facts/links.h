/* links.h - what a call reaches through links that it makes itself. */
#ifndef FACTS_LINKS_H
#define FACTS_LINKS_H

#include "facts/facts.h"

/* When all actions are known: what may lie behind such a link becomes unknown. */
void links_doubt(struct facts *f);

#endif
