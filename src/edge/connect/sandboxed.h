/* sandboxed.h - what the sandbox of this machine means for the calls of agents: for `warder
 * install` and `warder doctor`, in one line. */
#ifndef CONNECT_SANDBOXED_H
#define CONNECT_SANDBOXED_H

#include "client/client.h"
#include "connect/place.h"
#include "engine/report.h"

struct sandboxed {
    enum {
        SANDBOXED_NOT_HERE = 0, /* the home is not that of the user database: cells do not count */
        SANDBOXED_OFF,          /* policy does not use it */
        SANDBOXED_UNTRIED,      /* nobody knows what this machine can build */
        SANDBOXED_TRIED,
    } state;
    enum cell_tier tier;
    bool lifts; /* questions that nobody can answer */
    bool code;  /* the project's own code runs there */
};

/* By the policy of the engine. */
void sandboxed_find(const warder_engine *engine, const struct held *held, struct sandboxed *out);

/* Has an agent that runs what it is answered done otherwise, since a person has asked for the
 * check? */
bool sandboxed_ignored(const warder_engine *engine, const struct client *client);

/* One line, and the member "sandbox" of an object. */
void sandboxed_tell(struct report *r, const struct sandboxed *s);

#endif
