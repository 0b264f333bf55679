/* request.h - what a client of the proxy says first: HTTP/1 (CONNECT, or a whole URL) or SOCKS 5.
 *
 * Pure: bytes in, meaning out. Strict, since two readings of one request are an attack: what is not
 * written exactly as the standards say is refused. */
#ifndef PROXY_REQUEST_H
#define PROXY_REQUEST_H

#include "base/destination.h"

#define REQUEST_MAX 16384u /* bytes of a head */

enum reading { READ_BAD = 0, READ_MORE, READ_DONE };

struct http_request {
    struct destination to;
    bool tunnel;       /* CONNECT */
    size_t head;       /* bytes, with the empty line */
    struct str method; /* otherwise: what the server is asked */
    struct str path;   /* may be empty */
    struct str fields; /* the lines after the first one */
};

enum reading http_read(struct str bytes, struct http_request *out);

/* The head for the server: the path alone, the host that is really dialled, one request per
 * connection. The bytes that it takes; 0: there is no room. */
size_t http_print(const struct http_request *request, char *out, size_t room);

/* *used: bytes of the message. */
enum reading socks_read_methods(struct str bytes, size_t *used, bool *without_login);
enum reading socks_read_request(struct str bytes, size_t *used, struct destination *out);

#endif
