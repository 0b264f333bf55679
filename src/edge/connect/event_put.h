/* event_put.h - an event that is put to a running service as it came, before anything is judged
 * here.
 *
 * The service reads the policy files of its own user, and this is one of that user's processes:
 * what it decides and has recorded is what would be decided here. Where a person or a hook has to
 * be asked, where policy keeps to itself what is decided here, and where anything else is out of
 * the ordinary, it says that it has decided nothing, and the event goes the whole way
 * (connect/hook.c), on which the service is asked again. */
#ifndef CONNECT_EVENT_PUT_H
#define CONNECT_EVENT_PUT_H

#include "connect/event.h"
#include "warder_service.h"

enum event_end {
    EVENT_UNDECIDED = 0, /* nobody serves, or the service leaves it */
    EVENT_ANSWERED,      /* out says what the service said */
    EVENT_LOST, /* it was sent, and no answer came that can be read: it must be blocked, and err
                   says why */
};

struct event_putting {
    const warder_options *options;
    const struct client *client; /* NULL: to be recognised by the event, and so not by this way */
    struct str text;
    struct arena *arena; /* of what is kept */
    struct event_place *from;
    uint32_t deadline_ms;
    struct client_answer *out;
};

/* Not below an arena_try(). */
enum event_end event_put(const struct event_putting *p, struct error *err);

/* The project is where the session began, wherever the agent has gone since: the client's own
 * variable says it. NULL: where the process runs. */
const char *event_project(const warder_options *options, const struct client *client);

#endif
