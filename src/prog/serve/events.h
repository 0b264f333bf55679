/* events.h - tells listeners at once what happens: over WebSocket, or by answering a poll.
 *
 * The last EVENTS_KEPT events are in one ring, and a listener is a position in it. So a slow
 * listener costs no more than a fast one. One that the ring has overtaken is dropped and may
 * reconnect with its cursor. */
#ifndef SERVE_EVENTS_H
#define SERVE_EVENTS_H

#include <ev.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "serve/bytes.h"
#include "serve/limits.h"
#include "warder_service.h"

struct peer;
struct server;

#define TOKEN_MAX 128u /* bytes of a token */

/* The kinds of events, as bits. */
enum {
    EVENT_REVIEW = 1,
    EVENT_DECISION =
        2, /* every single one, so only on request: on a busy service that is most of the traffic */
    EVENT_RULES = 4,
    EVENT_POLICY = 8,
    EVENTS_DEFAULT = EVENT_REVIEW | EVENT_RULES | EVENT_POLICY,
};

struct listener {
    struct listener *next, *prev; /* NULL: not listening */
    struct events *events;
    struct peer *peer;
    unsigned wants;
    uint64_t cursor;   /* wants the events after this one */
    uint64_t place;    /* if `behind`: its next event in the ring */
    bool behind;       /* there are events that it has not got */
    bool live;         /* it has all older events, and now follows the ring */
    bool polls;        /* gets one answer, not a stream */
    bool ping, silent; /* a ping is due; the last one was not answered */
    bool revoked;      /* its token was revoked, or it is gone */
    ev_timer timer;    /* of a poll */
    uint32_t limit;    /* of a poll: events in the answer */
    char token[TOKEN_MAX];
};

struct kept_event {
    unsigned kind;
    char *json; /* malloc'ed */
};

struct events {
    struct server *server;
    struct listener head; /* head of the ring of listeners */
    struct kept_event kept[EVENTS_KEPT];
    uint64_t next;    /* position of the next event */
    uint64_t cursor;  /* of the last event */
    size_t wanted[4]; /* number of listeners for each kind */
    size_t sockets;   /* number of listeners over WebSocket */
    ev_timer sweep;
};

void events_init(struct events *events, struct server *server);
void events_release(struct events *events);

/* The service's `event`; context is the server. Called for every event. */
void events_happened(void *context, const warder_event *event);

/* "review,decision"; false if it names anything else. */
bool events_kinds(struct str list, unsigned *out);
#define EVENTS_TYPES_MAX 64u /* bytes of the names of all kinds */
/* The other way: their names with a blank after each, as the service takes them. */
const char *events_names(unsigned kinds, char out[EVENTS_TYPES_MAX]);

/* Listens from now on for events after listener->cursor; peer, wants, polls, cursor and token are
 * set. A poll is answered as soon as something happens, or after wait_s. */
void events_join(struct events *events, struct listener *listener, double wait_s);
void events_leave(struct listener *listener);

/* False if its token was revoked. *known caches the last valid token: many listeners share one. */
bool events_token_holds(struct server *server, const struct listener *listener, const char **known);

/* True if there are events that it has not got. */
bool events_wait_for(const struct listener *listener);
/* Over WebSocket: adds pending events to `out` until that has `max` bytes. Returns 0, or the code
 * to close with. */
unsigned events_write(struct listener *listener, struct bytes *out, size_t max, const char **why);

#endif
