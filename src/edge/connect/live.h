/* live.h - starts an agent with a harmless question, to see whether it really asks Warder.
 *
 * The agent runs as its person would start it, with their settings, their account and their model,
 * but in a directory of its own that is empty: nothing of a project is read, run or sent. The proof
 * is not what it says but what is on record: a call of this agent from that directory. */
#ifndef CONNECT_LIVE_H
#define CONNECT_LIVE_H

#include "client/register.h"

enum live_end {
    LIVE_UNUSED = 0, /* nobody wanted it, or there was nothing to be proved */
    LIVE_ASKED,      /* a call is on record */
    LIVE_SILENT,     /* it ended, and no call is */
    LIVE_FAILED,     /* likewise, with an exit code other than 0, or by a signal */
    LIVE_TIMEOUT,    /* likewise, and we ended it */
    LIVE_UNABLE,     /* it was not started, or the record cannot be read: `said` */
};

struct live {
    enum live_end end;
    int64_t seconds; /* how long it ran */
    struct str said; /* the last line of it, or of us */
};

/* False: no memory. Not below an arena_try(). */
bool live_run(struct arena *a, const struct client *client, const char *home, uint32_t seconds,
              struct live *out);

#endif
