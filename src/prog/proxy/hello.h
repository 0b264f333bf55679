/* hello.h - the name in the first message of TLS: the server that the client really means.
 *
 * A tunnel to an allowed host must not carry a session with another one that answers at the same
 * address. Pure. A name that is encrypted (ECH) is one that nobody can see: the outer one counts.
 */
#ifndef PROXY_HELLO_H
#define PROXY_HELLO_H

#include "proxy/request.h"

#define HELLO_MAX 16384u /* bytes of the message, which may come in many pieces */

enum hello {
    HELLO_BAD = 0,
    HELLO_MORE,
    HELLO_OTHER,   /* this is no TLS */
    HELLO_UNNAMED, /* it names no server */
    HELLO_NAMED,
};

enum hello hello_read(struct str bytes, struct str *name, char room[HELLO_MAX]);

#endif
