/* fetches.h - commands that do no more than WebFetch does: get what is behind a URL, and show it.
 *
 * An allow rule on a domain covers them, too. So a command is one only if its row names every
 * option that is used, if all its words are known, and if nothing can lead it to another host:
 * redirects that it would follow, proxies, a password or a setting of its own. */
#ifndef FACTS_FETCHES_H
#define FACTS_FETCHES_H

#include "facts/facts.h"

/* Sets subject.fetches. */
void fetches_find(struct facts *f);

#endif
