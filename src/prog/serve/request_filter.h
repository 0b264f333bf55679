/* request_filter.h - which requests are looked at: those that were meant for this server, by a
 * program and not by a web page.
 *
 * A browser will send requests to 127.0.0.1 for any page that asks it to. It
 * cannot lie about Host and Origin: a page of another site is told by its
 * Origin, a name that was rebound to our address by its Host. */
#ifndef SERVE_REQUEST_FILTER_H
#define SERVE_REQUEST_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define GATE_NAMES_MAX 16u

struct request_filter {
    char hosts[GATE_NAMES_MAX][280]; /* "127.0.0.1:8420" */
    size_t count;
    bool tls;
};

/* Names that it may be called by, with the port that it has. Loopback names are there from the
 * start. */
void filter_init(struct request_filter *gate, unsigned port, bool tls);
bool filter_add(struct request_filter *gate, const char *name,
                unsigned port); /* false: too long, or one too many */

bool filter_host(const struct request_filter *gate, struct str host);
/* "http://127.0.0.1:8420", as a page of our own would have it. */
bool filter_origin(const struct request_filter *gate, struct str origin);
/* Sec-Fetch-Site, where a browser says who asks. */
bool filter_site(struct str site);

bool filter_is_json(struct str content_type);

/* The token of "Bearer TOKEN"; empty when it is something else. */
struct str filter_bearer(struct str authorization);
/* The token of a list of subprotocols that has "bearer.TOKEN" in it: all that a browser can send
 * with a WebSocket. */
struct str filter_protocol_token(struct str protocols);

#endif
