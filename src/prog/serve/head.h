/* head.h - the head of a request: its line and its headers, read strictly.
 *
 * Two programs that read one request differently are a way in: a proxy or a
 * library that sees its end elsewhere can be made to smuggle a second one. So
 * this takes HTTP/1.1 as RFC 9112 spells it and refuses what others mend: bare
 * line feeds, folded lines, blanks around names, headers of ours that stand
 * twice, paths that are not written plainly. */
#ifndef SERVE_HEAD_H
#define SERVE_HEAD_H

#include <stdbool.h>

#include "serve/routes.h"

enum http_status {
    HTTP_OK = 200,
    HTTP_CREATED = 201,
    HTTP_BAD_REQUEST = 400,
    HTTP_UNAUTHORIZED = 401,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_METHOD_NOT_ALLOWED = 405,
    HTTP_CONFLICT = 409,
    HTTP_LENGTH_REQUIRED = 411,
    HTTP_TOO_LARGE = 413,
    HTTP_UNSUPPORTED_TYPE = 415,
    HTTP_EXPECTATION_FAILED = 417,
    HTTP_MISDIRECTED = 421,
    HTTP_UPGRADE_REQUIRED = 426,
    HTTP_TOO_MANY = 429,
    HTTP_HEADERS_TOO_LARGE = 431,
    HTTP_INTERNAL = 500,
    HTTP_UNAVAILABLE = 503,
    HTTP_VERSION = 505,
};

/* The headers that are looked at; others are read over. */
enum header {
    HEADER_HOST = 0,
    HEADER_ORIGIN,
    HEADER_AUTHORIZATION,
    HEADER_CONNECTION,
    HEADER_CONTENT_LENGTH,
    HEADER_CONTENT_TYPE,
    HEADER_EXPECT,
    HEADER_FETCH_SITE,
    HEADER_TRANSFER_ENCODING,
    HEADER_UPGRADE,
    HEADER_SOCKET_KEY,
    HEADER_SOCKET_PROTOCOL,
    HEADER_SOCKET_VERSION,
    HEADER_COUNT,
};

struct head {
    enum method method;
    struct str path;
    struct str query;                 /* behind the "?", as written */
    struct str headers[HEADER_COUNT]; /* s NULL: not there */
};

/* How many bytes the head has with its empty line; 0: it is not whole yet. */
size_t head_length(struct str bytes);

/* Everything points into `bytes`, which is a whole head. 0, or the status that it is refused with.
 */
unsigned head_read(struct str bytes, struct head *out, const char **detail);

/* The parameters, decoded. False: one is not spelled right, is too long, or there are too many. */
bool head_query(struct str text, struct query *out);

/* Whether a list as in "Connection: keep-alive, Upgrade" has this word. */
bool head_lists(struct str list, struct str word);

#endif
