/* http.h - a minimal HTTP/1.1 client: one connection, one request, one complete answer.
 *
 * Plain HTTP, for servers on this machine and for notices without secrets; no redirects, cookies,
 * proxies or kept connections. Blocks until the answer is complete, the deadline passes or a limit
 * is reached. An answer beyond the limits, or one that could be read in two ways, is an error. */
#ifndef MACHINE_HTTP_H
#define MACHINE_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#define HTTP_HOST_MAX   255
#define HTTP_PATH_MAX   8192
#define HTTP_HEAD_MAX   ((size_t)32 * 1024) /* bytes of status line and headers */
#define HTTP_BODY_MAX   ((size_t)32 * 1024 * 1024)
#define HTTP_SECRET_MAX 512 /* bytes of a bearer token */

/* "http://HOST[:PORT][/PATH]"; an IPv6 address is stored without its brackets. */
struct http_url {
    char host[HTTP_HOST_MAX + 1];
    char port[6];
    char path[HTTP_PATH_MAX + 1]; /* starts with a slash */
};

/* STATUS_SYNTAX for anything else, also for user info, fragments, blanks and control characters. */
enum status http_url_parse(struct str text, struct http_url *out, struct error *err);

/* 127.0.0.0/8, ::1 or the name localhost: a token sent there does not leave this machine. */
bool http_is_loopback(const struct http_url *url);

struct http_request {
    const struct http_url *to;
    const char *method;
    struct str path;      /* appended to the URL's own path, with its query; may be empty */
    struct str token;     /* bearer token; empty: none */
    struct str body;      /* JSON; empty: none */
    uint32_t deadline_ms; /* for the whole exchange */
};

struct http_answer {
    unsigned status;
    char *body; /* malloc'ed, NUL-terminated; the caller frees it, even after an error */
    size_t len;
};

/* STATUS_IO: cannot connect, or no complete answer in time. STATUS_SYNTAX, STATUS_LIMIT: not a
 * valid answer. */
enum status http_ask(const struct http_request *request, struct http_answer *out,
                     struct error *err);

/* Appends one component of a path or query: everything except letters, digits and -._~ becomes
 * %XX. */
void buf_url_word(struct buf *b, struct str word);

#endif
