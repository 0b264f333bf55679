/* event.h - one event of an agent's hook: the question in it, the call that it asks about, and the
 * answer in the agent's own words.
 *
 * Two programs take these steps in their own order: the process that was started for the event
 * (connect/hook.c), and the service that the process may put it to (service/hook.c). */
#ifndef CONNECT_EVENT_H
#define CONNECT_EVENT_H

#include "client/client.h"
#include "engine/engine.h"

struct event {
    struct client_question question;
    struct str call, plain_call; /* in the client's mode; in the policy's. Empty of EVENT_CONFIG */
};

/* Where the event comes from, as far as it does not say so itself. */
struct event_place {
    struct str cwd;     /* empty: that of the process */
    struct str project; /* empty: the engine's */
    struct str shell;   /* the person's login shell */
};

/* `client`: its name, or "auto". */
enum status event_read(struct arena *a, struct str client, struct str text,
                       const struct event_place *from, struct event *out, struct error *err);

/* Might this client run the call as something else than what was allowed? Then *found is true, and
 * both calls of the event carry the doubt. */
enum status event_doubt(struct arena *a, struct event *e, const struct event_place *from,
                        const struct facts *facts, bool *found, struct error *err);

/* What is said about it, besides the verdict. */
struct event_words {
    bool by_mode;        /* it is allowed only because of the mode that the client reported */
    struct str approval; /* what `warder approve` is given; empty: nothing */
    struct str for_rule; /* what `warder allow` is given; likewise */
};
enum status event_answer(struct arena *a, const struct event *e, const struct verdict *v,
                         const struct event_words *words, struct client_answer *out,
                         struct error *err);

/* The verdict denies because the call could not be judged, not because it was: the client gets the
 * one block that every client honours. */
bool event_failed(const struct verdict *v);

/* Would the call be judged in the same mode if the client had reported none? */
bool event_says_no_mode(const struct event *e, warder_decision *decision);

/* Only the mode that the client reported allows the call. May Warder say so, or does that stay
 * silence? The mode must be the person's. */
bool event_may_lift(const struct event *e, const warder_decision *decision);

/* A hook that said allow has decided it, whatever the mode. */
bool event_by_hook(const warder_decision *decision);

#endif
