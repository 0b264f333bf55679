/* remote.h - a decision that a running service makes.
 *
 * The service knows the rules that were added while it runs and the people who answer; what it says
 * is final, and it has recorded it. Where nobody serves, the decision is made here, unless policy
 * says that the service is required. Once something of a call has left, nobody else decides it: a
 * failure from then on is a deny, not a second opinion. */
#ifndef ENGINE_REMOTE_H
#define ENGINE_REMOTE_H

#include "ask/race.h"
#include "ask/service.h"
#include "engine/engine.h"
#include "engine/record.h"

#define REMOTE_ID_MAX 64

struct remote {
    /* Filled by whoever asks. */
    warder_decision *decision;
    const char *client; /* NULL: not said */
    bool review;        /* reviewers are asked where policy asks */
    bool runs_hooks; /* hooks of agents' files are run here, and the service runs none of those */
    int64_t deadline;

    struct service_line line;
    struct str call;               /* what was sent, without its end */
    char review_id[REMOTE_ID_MAX]; /* of a review that waits; "": there is none */
    bool settled;   /* the review has ended, and the decision has the id of its record */
    enum ended how; /* ... like this */
};

enum remote_end {
    REMOTE_ALONE = 0, /* nobody serves: it is decided here */
    REMOTE_DONE, /* the decision says what the service said; or it denies, because something went
                    wrong */
    REMOTE_ASKS, /* it asks. With a review_id the race may have the review as an asker */
};

bool remote_required(const warder_decision *d);

/* Puts d->last to the service. remote_close() in every case. Not below an arena_try(). */
enum remote_end remote_ask(struct remote *r);
void remote_close(struct remote *r);

extern const struct asker_kind review_asker; /* self: a struct remote whose review waits */

#endif
