/* event.h - one event of an agent's hook: the question in it, the call that it comes to, the answer
 * in the agent's own words. The process that was started for it and the service that it may be put
 * to go by the same functions. */
#ifndef CONNECT_EVENT_H
#define CONNECT_EVENT_H

#include "client/client.h"
#include "engine/engine.h"

struct event {
    struct client_question question;
    struct str call, plain_call; /* in the client's mode; in the policy's. Empty of EVENT_CONFIG */
};

/* Where it comes from, as far as it does not say so itself. */
struct event_place {
    struct str cwd;     /* empty: of the process */
    struct str project; /* empty: the engine's */
    struct str shell;   /* the person's login shell */
};

/* `client`: its name, or "auto". Below an arena_try(), like the next two. */
enum status event_read(struct arena *a, struct str client, struct str text,
                       const struct event_place *from, struct event *out, struct error *err);

/* An allow that does not hold with this client: true, and the calls now say what speaks against it.
 */
bool event_doubt(struct arena *a, struct event *e, const struct event_place *from,
                 const struct facts *facts);

/* by_mode: it is allowed only because of the mode that the client reported. */
void event_answer(struct arena *a, const struct event *e, const struct verdict *v, bool by_mode,
                  struct str approval, struct client_answer *out);

/* It denies because it could not be judged, not because it was: the client gets the one block that
 * every client honours. */
bool event_failed(const struct verdict *v);

/* Is the mode that the client reports the one that would hold anyway? */
bool event_says_no_mode(const struct event *e, warder_decision *decision);

/* A hook that said allow has decided it, whatever the mode. */
bool event_by_hook(const warder_decision *decision);

#endif
