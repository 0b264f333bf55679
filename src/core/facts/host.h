/* host.h - host names as clients read them. Browsers and the like read %65 as e, a wide or circled
 * letter as the letter, a soft hyphen as nothing, and 0x7f.1 as 127.0.0.1; a rule on a domain sees
 * the name as written. */
#ifndef FACTS_HOST_H
#define FACTS_HOST_H

#include "base/str.h"

/* True if the client connects to exactly this name, byte by byte. In lower case. */
bool host_is_plain(struct str host);

/* This machine, by one of the names that clients read in one way. */
bool host_is_loopback(struct str host);

#endif
