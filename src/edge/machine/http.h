/* http.h - one question to an HTTP/1.1 server: a connection, a request, a whole answer.
 *
 * Plain HTTP, for servers on this machine and for notices that hold no secret; no redirects, no
 * cookies, no proxies, nothing kept open. Blocks until the answer is whole, the deadline is over,
 * or a limit is reached. What a server says beyond the limits, or in a way that could be read in
 * two ways, is an error and no answer. */
#ifndef MACHINE_HTTP_H
#define MACHINE_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#define HTTP_HOST_MAX   255
#define HTTP_PATH_MAX   8192
#define HTTP_HEAD_MAX   ((size_t)32 * 1024) /* of the answer's status line and headers */
#define HTTP_BODY_MAX   ((size_t)32 * 1024 * 1024)
#define HTTP_SECRET_MAX 512 /* bytes of a bearer token */

/* "http://HOST[:PORT][/PATH]"; of an IPv6 address the brackets are gone. */
struct http_url {
    char host[HTTP_HOST_MAX + 1];
    char port[6];
    char path[HTTP_PATH_MAX + 1]; /* begins with a slash */
};

/* STATUS_SYNTAX for what is no such URL: user info, fragments, blanks and control characters too.
 */
enum status http_url_parse(struct str text, struct http_url *out, struct error *err);

/* 127.0.0.0/8, ::1 or the name localhost: who sends a token there tells it to nobody else. */
bool http_is_loopback(const struct http_url *url);

struct http_request {
    const struct http_url *to;
    const char *method;
    struct str path;      /* behind the URL's own path, with its query; empty: nothing */
    struct str token;     /* sent as a bearer's; empty: none */
    struct str body;      /* JSON; empty: none */
    uint32_t deadline_ms; /* for all of it */
};

struct http_answer {
    unsigned status;
    char *body; /* malloc'ed, NUL-terminated; the caller frees it, also after a failure */
    size_t len;
};

/* STATUS_IO: nobody there, or no whole answer in time. STATUS_SYNTAX, STATUS_LIMIT: an answer that
 * is none. */
enum status http_ask(const struct http_request *request, struct http_answer *out,
                     struct error *err);

/* As one piece of a path or a query: what is not a letter, digit or one of -._~ becomes %XX. */
void buf_url_word(struct buf *b, struct str word);

#endif
