/* head.h - the head of a request: request line and headers, read strictly.
 *
 * Two programs that read one request differently are a way in: a proxy that sees its end elsewhere
 * can be made to smuggle a second request. So this takes HTTP/1.1 as RFC 9112 defines it and
 * refuses what other servers repair: bare line feeds, folded lines, blanks around names, duplicates
 * of the headers below, paths that are not plain. */
#ifndef SERVE_HEAD_H
#define SERVE_HEAD_H

#include <stdbool.h>

#include "serve/routes.h"

enum http_status {
    HTTP_OK = 200,
    HTTP_CREATED = 201,
    HTTP_NOT_MODIFIED = 304,
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

/* The headers that are used; others are skipped. */
enum header {
    HEADER_HOST = 0,
    HEADER_ORIGIN,
    HEADER_AUTHORIZATION,
    HEADER_CONNECTION,
    HEADER_CONTENT_LENGTH,
    HEADER_CONTENT_TYPE,
    HEADER_COOKIE,
    HEADER_EXPECT,
    HEADER_FETCH_MODE,
    HEADER_FETCH_SITE,
    HEADER_IF_NONE_MATCH,
    HEADER_TRANSFER_ENCODING,
    HEADER_UPGRADE,
    HEADER_REQUEST_ID,
    HEADER_SOCKET_KEY,
    HEADER_SOCKET_PROTOCOL,
    HEADER_SOCKET_VERSION,
    HEADER_COUNT,
};

struct head {
    enum method method; /* HEAD is read as GET ... */
    bool bodiless;      /* ... whose answer has no body */
    struct str path;
    struct str query;                 /* after the "?", as written */
    struct str headers[HEADER_COUNT]; /* s NULL: absent */
};

/* The length of the head with its empty line; 0 if it is incomplete. */
size_t head_length(struct str bytes);

/* `bytes` is a complete head, and everything in *out points into it. Returns 0, or the status to
 * refuse with. */
unsigned head_read(struct str bytes, struct head *out, const char **detail);

/* The parameters, decoded. False if one is malformed or too long, or there are too many. */
bool head_query(struct str text, struct query *out);

/* Whether a list such as "Connection: keep-alive, Upgrade" contains this word. */
bool head_lists(struct str list, struct str word);

#endif
