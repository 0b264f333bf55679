/* range.h - ranges of internet addresses: 10.0.0.0/8, fd00::/8, or one address. */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include "base/str.h"

struct range {
    uint8_t bytes[16]; /* of IPv4: the first four */
    bool six;
    uint8_t bits;
};

bool range_parse(struct str text, struct range *out);

/* `bytes`: four or sixteen, in the order of the network. */
bool range_has(const struct range *r, const uint8_t *bytes, bool six);

#endif
