/* why.h - why a call was not cleared, in a few words. */
#ifndef DECIDE_WHY_H
#define DECIDE_WHY_H

#include "facts/facts.h"

/* "sends a request to example.com"; "curl: reads .env (an environment file)" where the call has
 * several parts. About the first one that no layer cleared: its first obstacle. It decides nothing.
 */
struct str why_action(const struct facts *f, size_t action); /* the same of one part */
struct str why_open(const struct facts *f, const char *const *cleared_by);

#endif
