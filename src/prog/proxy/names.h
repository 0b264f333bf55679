/* names.h - the addresses that allowed names have in a cell, for programs that know no proxy.
 *
 * Each name that may be reached gets one of 198.18.0.0/15, which the network of the cell takes for
 * its own: a connection to it arrives at the proxy, and its address says which name was meant. No
 * name is looked up for that, so a question carries nothing out of the cell. */
#ifndef PROXY_NAMES_H
#define PROXY_NAMES_H

#include <netinet/in.h>

#include "base/hosts.h"

#define NAMES_NETWORK 0xc6120000u /* 198.18.0.0/15, in the order of this machine */
#define NAMES_BITS    15
#define NAMES_MAX     4096 /* that get an address */

/* The address of the name, which is given to it now if it has none; 0: there are too many. By one
 * thread alone. */
uint32_t names_address(const char *name);

/* The name that has this address; NULL: none. By any thread. */
const char *names_of(uint32_t address);

#endif
