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

/* What became of a call that only runs in the sandbox. */
enum live_cell {
    LIVE_CELL_UNUSED = 0, /* policy uses no sandbox, or no call came */
    LIVE_CELL_NONE,       /* it was not to run in one */
    LIVE_CELL_IGNORED,    /* the agent did not run what it was answered */
    LIVE_CELL_RAN,
};

struct live {
    enum live_end end;
    enum live_cell cell;
    char tier[16];   /* of the cell */
    int64_t seconds; /* how long it ran */
    struct str said; /* the last line of it, or of us */
};

struct live_order {
    const struct client *client;
    const char *home;         /* of the record, as evidence_of_run() */
    const char *sandbox_home; /* where tokens are; NULL: no call runs in a sandbox */
    uint32_t seconds;
};

/* False: no memory. Not below an arena_try(). */
bool live_run(struct arena *a, const struct live_order *order, struct live *out);

#endif
