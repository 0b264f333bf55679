/* event_put.h - puts an event to a running service as it came, before anything is judged here.
 *
 * The service reads the policy files of its own user, and this process is that user's: what the
 * service decides and records is what would be decided here. Where a person or a hook has to be
 * asked, where policy forbids that the service decides, and in every unusual case, it answers that
 * it has decided nothing; then the event goes the whole way (connect/hook.c), on which the service
 * is asked again about the call. */
#ifndef CONNECT_EVENT_PUT_H
#define CONNECT_EVENT_PUT_H

#include "connect/event.h"
#include "warder_service.h"

enum event_end {
    EVENT_UNDECIDED = 0, /* no service runs, or it leaves the event to the process */
    EVENT_ANSWERED,      /* out says what the service said */
    EVENT_LOST, /* it was sent, and no readable answer came: the call must be blocked, and err says
                   why */
};

struct event_putting {
    const warder_options *options;
    const struct client *client; /* NULL: not known before the event is read; then it is not put */
    struct str text;
    struct arena *arena; /* of what is kept */
    struct event_place *from;
    uint32_t deadline_ms;
    struct client_answer *out;
    bool *nobody; /* set: no service answers at any of its places */
};

/* Not below an arena_try(). */
enum event_end event_put(const struct event_putting *p, struct error *err);

/* The project is where the session began, in whichever directory the agent is now: the client's own
 * variable names it. NULL: the directory of the process. */
const char *event_project(const warder_options *options, const struct client *client);

#endif
