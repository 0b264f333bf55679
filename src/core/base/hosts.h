/* hosts.h - the hosts that a cell may talk to, as policy names them.
 *
 *     api.example.org          its ports 80 and 443
 *     *.example.org:8443       every name below it, not itself
 *     192.0.2.7:5432, [2001:db8::1]:443
 *
 * There is no entry for everything. */
#ifndef BASE_HOSTS_H
#define BASE_HOSTS_H

#include "base/destination.h"
#include "base/error.h"

struct host {
    struct destination to; /* port 0: 80 and 443 */
    bool below;            /* the names below it */
};

bool host_parse(struct str text, struct host *out);
bool host_covers(const struct host *host, const struct destination *to);

/* Ports, "5432" or "3000-3010". */
struct ports {
    uint16_t first, last;
};
bool ports_parse(struct str text, struct ports *out);

#endif
