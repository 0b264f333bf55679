/* figures.h - what the network around the service counts, for Prometheus. */
#ifndef SERVE_FIGURES_H
#define SERVE_FIGURES_H

#include <stdint.h>

#include "serve/bytes.h"
#include "serve/routes.h"

#define FIGURES_ROUTES_MAX   32u /* rows of the table of routes */
#define FIGURES_STATUSES_MAX 24u

struct server;

struct figures {
    /* By the row of the route; the last one is for requests that have none. */
    uint64_t requests[FIGURES_ROUTES_MAX + 1][FIGURES_STATUSES_MAX];
};

/* One more answer. `route`: NULL: none. */
void figures_count(struct figures *figures, const struct route *route, unsigned status);
/* Adds all of them. False: no memory. */
bool figures_write(const struct server *server, struct bytes *out);

#endif
