/* address.h - the addresses that no name may lead to: this machine, its links, and the services
 * that hand out credentials to whoever is on the right machine. */
#ifndef PROXY_ADDRESS_H
#define PROXY_ADDRESS_H

#include <netinet/in.h>

#include "base/range.h"

/* Also what it cannot read is refused. `more`: ranges of the policy. */
bool address_is_refused(const struct sockaddr *address, const struct range *more, size_t count);

#endif
