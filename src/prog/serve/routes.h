/* routes.h - the table of the HTTP API: method, path, roles, size limit, handler.
 *
 * docs/openapi.yaml describes the same routes; a test compares the two. */
#ifndef SERVE_ROUTES_H
#define SERVE_ROUTES_H

#include <stdbool.h>

#include "base/str.h"
#include "serve/limits.h"
#include "warder_service.h"

struct peer;

enum method { METHOD_OTHER = 0, METHOD_GET, METHOD_POST, METHOD_PUT, METHOD_DELETE };

/* The roles that may use a route. Which objects a caller may see is up to the service. */
enum {
    FOR_WORKER = 1u << WARDER_WORKER,
    FOR_VIEWER = 1u << WARDER_VIEWER,
    FOR_OPERATOR = 1u << WARDER_OPERATOR,
    FOR_ALL = FOR_WORKER | FOR_VIEWER | FOR_OPERATOR,
    FOR_ANYBODY = 1u << 8, /* also without a token */
};

struct parameter {
    struct str name, value; /* the value is NUL-terminated */
};

struct query {
    size_t count;
    struct parameter items[QUERY_MAX];
    char text[QUERY_MAX][QUERY_VALUE_MAX];
};

struct request {
    const struct route *route;
    const struct route *asked; /* the same, also where it is refused; for the figures */
    bool judges; /* it is about a call: what fails denies it, even before the route is known */
    warder_caller caller;
    char id[SEGMENT_MAX + 1];  /* the last segment if the path ends in {id}; else "" */
    char host[HOST_MAX];       /* the name that the client used: one of ours */
    char known[ETAG_MAX];      /* If-None-Match; "": none */
    bool by_cookie;            /* of a browser's session */
    bool secure;               /* the client came through TLS, ours or a proxy's */
    char tag[REQUEST_ID_MAX];  /* X-Request-ID, which the answer repeats; "": none */
    const struct query *query; /* of a GET */
    struct str body;           /* of a POST or PUT */
    size_t uncommitted;        /* what was staged before this request */
};

struct route {
    enum method method;
    const char *path; /* its last segment may be {id} */
    unsigned roles;
    size_t body_max;   /* 0: it has no body */
    const char *query; /* names of known parameters, with a blank after each */
    const char *summary;
    void (*handle)(struct peer *peer, const struct request *request);
    bool upgrades; /* it may become a WebSocket */
    bool judges;   /* a failure denies the call, and the answer says so */
    bool page;     /* a file of the console: links of other sites may lead to it */
};

/* Ends with a row without a path. */
extern const struct route routes[];

struct match {
    const struct route *route; /* NULL: no such path, or not with this method */
    unsigned methods;          /* the methods of this path, as bits; 0: no such path */
    unsigned roles;            /* of all its methods together */
    bool judges;               /* a method of this path judges calls */
    struct str id;
};

/* Compares whole segments, byte by byte. */
struct match route_find(enum method method, struct str path);

const char *method_name(enum method method);

/* NULL if it is absent. */
const char *query_get(const struct query *query, const char *name);
/* False if it is present and not a number up to `max`; *out is unchanged if it is absent. */
bool query_number(const struct query *query, const char *name, uint64_t max, uint64_t *out);

/* The number of things that an answer may have: absent, or from 1 to `max`. */
bool query_limit(const struct query *query, uint64_t max, uint64_t *out);

/* Prints the table as JSON, for the test. */
void routes_print(void);

#endif
