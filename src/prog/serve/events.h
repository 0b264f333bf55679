/* events.h - what happens, told at once to everybody who listens: over WebSocket, or to those who
 * poll and wait.
 *
 * The last EVENTS_KEPT events stand in one ring, and a listener is a place in
 * it: so it costs the same however slow it reads, and one that the ring has
 * overtaken is dropped. It comes back with its cursor. */
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

/* Kinds of events that a listener may want, as bits. */
enum {
    EVENT_REVIEW = 1,
    EVENT_DECISION =
        2, /* each one: only who asks for them gets them, or a busy service would do little else */
    EVENT_RULES = 4,
    EVENT_POLICY = 8,
    EVENTS_DEFAULT = EVENT_REVIEW | EVENT_RULES | EVENT_POLICY,
};

struct listener {
    struct listener *next, *prev; /* NULL: it does not listen */
    struct events *events;
    struct peer *peer;
    unsigned wants;
    uint64_t cursor;   /* behind which it wants to hear */
    uint64_t place;    /* in the ring: the next event for it, when it is `behind` */
    bool behind;       /* there is something that it has not got */
    bool live;         /* it has all that happened before it came, and follows the ring */
    bool polls;        /* it gets one answer, not a stream */
    bool ping, silent; /* one is due; the last one was not answered */
    bool revoked;      /* its token is, or it is not there any more */
    ev_timer timer;    /* of one who polls */
    uint32_t limit;    /* likewise: events in the answer */
    char token[TOKEN_MAX];
};

struct kept_event {
    unsigned kind;
    char *json; /* malloc'ed */
};

struct events {
    struct server *server;
    struct listener head; /* of the ring of those who listen */
    struct kept_event kept[EVENTS_KEPT];
    uint64_t next;    /* place of the next event */
    uint64_t cursor;  /* of the last one */
    size_t wanted[4]; /* how many want each kind */
    size_t sockets;   /* how many listen over WebSocket */
    ev_timer sweep;
};

void events_init(struct events *events, struct server *server);
void events_release(struct events *events);

/* The service's `event`; context is the server. Everything that happens comes through here. */
void events_happened(void *context, const warder_event *event);

/* "review,decision": false when it names something else. */
bool events_kinds(struct str list, unsigned *out);

/* From now on, behind listener->cursor; peer, wants, polls, cursor and token are set. One who polls
 * is written to when something has happened or wait_s is over. */
void events_join(struct events *events, struct listener *listener, double wait_s);
void events_leave(struct listener *listener);

/* Whether there is something that it has not got. */
bool events_wait_for(const struct listener *listener);
/* Over WebSocket: adds what it has not got yet to `out`, until that has `max` bytes. 0, or the code
 * that it is closed with. */
unsigned events_write(struct listener *listener, struct bytes *out, size_t max, const char **why);

#endif
