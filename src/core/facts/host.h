/* host.h - names of hosts as clients read them. Browsers and their like take %65 for e, a wide or
 * circled letter for the letter, nothing for a soft hyphen, and 0x7f.1 for 127.0.0.1: a rule on a
 * domain sees the name that was written.
 */
#ifndef FACTS_HOST_H
#define FACTS_HOST_H

#include "base/str.h"

/* Is it the name that is asked for, byte by byte? In small letters. */
bool host_is_plain(struct str host);

#endif
