/* lookup.h - questions for the address of a name (RFC 1035), as programs ask that know no proxy.
 *
 * Pure: bytes in, meaning out. */
#ifndef PROXY_LOOKUP_H
#define PROXY_LOOKUP_H

#include "base/destination.h"

#define LOOKUP_MAX 512u /* bytes of a message */

struct lookup {
    uint16_t id;
    char name[DESTINATION_NAME_MAX + 1]; /* as destination.h spells it */
    bool four;                           /* an address of IPv4 is wanted */
    size_t question;                     /* bytes of the head and the question */
};

/* False: it is not one question that can be answered. */
bool lookup_read(struct str message, struct lookup *out);

enum lookup_answer {
    LOOKUP_REFUSED, /* the name must not be asked for */
    LOOKUP_EMPTY,   /* it has no address of this kind */
    LOOKUP_FOUND,   /* `address`, in the order of the network */
};

/* The answer to the message that `out` begins with; its bytes. */
size_t lookup_print(const struct lookup *asked, enum lookup_answer answer, uint32_t address,
                    char out[LOOKUP_MAX]);

#endif
