/* remote.h - a decision that a running service makes.
 *
 * The service knows the rules that were added while it runs and the people who answer; its word is
 * final, and it has recorded it. Where no service runs, the decision is made here, unless policy
 * requires the service. Once a byte of the call has been sent, nothing else decides it: a failure
 * from then on is a deny, not a second opinion. */
#ifndef ENGINE_REMOTE_H
#define ENGINE_REMOTE_H

#include "ask/race.h"
#include "ask/service.h"
#include "engine/engine.h"
#include "engine/record.h"

#define REMOTE_ID_MAX 64

struct remote {
    /* Filled by the caller. */
    warder_decision *decision;
    const char *client; /* NULL: not said */
    bool review;        /* reviewers are asked where policy asks */
    bool runs_hooks; /* hooks of agents' files are run here, and the service runs none of those */
    int64_t deadline;

    struct service_line line;
    struct str call;               /* what was sent, without its end */
    char review_id[REMOTE_ID_MAX]; /* of a pending review; "": there is none */
    bool settled;   /* the review has ended, and the decision has the id of its record */
    enum ended how; /* ... like this */
};

enum remote_end {
    REMOTE_ALONE = 0, /* no service runs: it is decided here */
    REMOTE_DONE,      /* the decision has the service's verdict, or denies because of a failure */
    REMOTE_ASKS,      /* it asks. With a review_id the race may have the review as an asker */
};

bool remote_required(const warder_decision *d);

/* Puts d->last to the service. remote_close() in every case. Not below an arena_try(). */
enum remote_end remote_ask(struct remote *r);
void remote_close(struct remote *r);

extern const struct asker_kind review_asker; /* self: a struct remote with a pending review */

#endif
