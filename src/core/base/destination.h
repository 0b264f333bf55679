/* destination.h - where a program in a cell wants to go: a name or an address, and a port.
 *
 * There is one spelling of each: names are in lower case and without a last dot, addresses are as
 * inet_ntop() prints them. What could be read in two ways (0x7f.1, 2130706433, user@host, letters
 * outside of ASCII) is no destination. */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include "base/str.h"

#define DESTINATION_NAME_MAX 253

struct destination {
    char name[DESTINATION_NAME_MAX + 1];
    bool is_address; /* the name is one */
    uint16_t port;
};

/* False: it is none. An address of IPv6 has brackets if `bracketed`, and none otherwise. */
bool destination_read(struct str host, uint32_t port, bool bracketed, struct destination *out);

/* HOST:PORT, or HOST alone with that port; 0: the port must be there. */
bool destination_parse(struct str text, uint16_t port, struct destination *out);

bool port_parse(struct str text, uint16_t *out); /* 1 to 65535, digits alone */

#endif
