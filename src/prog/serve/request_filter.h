/* request_filter.h - accepts requests that are meant for this server and come from a program, not
 * from a web page.
 *
 * A browser sends requests to 127.0.0.1 for any page that asks it to. But a page cannot forge Host
 * and Origin: Origin gives away a page of another site, and Host a name that was rebound to our
 * address. */
#ifndef SERVE_REQUEST_FILTER_H
#define SERVE_REQUEST_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define FILTER_NAMES_MAX 16u

struct request_filter {
    struct filter_host {
        char name[280]; /* "127.0.0.1:8420" */
        bool tls;
    } hosts[FILTER_NAMES_MAX];
    size_t count;
    bool tls; /* of our own */
};

/* The names that a client may use, with our port. Loopback names are always included. */
void filter_init(struct request_filter *filter, unsigned port, bool tls);
bool filter_add(struct request_filter *filter, const char *name,
                unsigned port); /* false: too long, or too many */

/* "https://box.example.net": where a proxy in front of us is reached. False: it is no such URL. */
bool filter_add_url(struct request_filter *filter, const char *url);

bool filter_host(const struct request_filter *filter, struct str host);
/* It is reached through TLS, ours or that of the proxy. */
bool filter_is_secure(const struct request_filter *filter, struct str host);
/* "http://127.0.0.1:8420", as a page of our own would send it. */
bool filter_origin(const struct request_filter *filter, struct str origin);
/* Sec-Fetch-Site, in which a browser says where the request comes from. */
bool filter_site(struct str site);

bool filter_is_json(struct str content_type);

/* The value of a cookie; empty: there is none of this name, or more than one. */
struct str filter_cookie(struct str cookies, struct str name);

/* The token of "Bearer TOKEN"; empty for anything else. */
struct str filter_bearer(struct str authorization);
/* The token in a list of subprotocols with "bearer.TOKEN": a browser can send no header with a
 * WebSocket. */
struct str filter_protocol_token(struct str protocols);

#endif
