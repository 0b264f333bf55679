/* peer.h - one connection over TCP: requests one behind the other, their answers, or a WebSocket.
 *
 * Handlers see a peer and answer it, at once or later, by one of the functions
 * below. An answer that tells of a change leaves behind the commit that makes
 * the change durable (outbox.h). */
#ifndef SERVE_PEER_H
#define SERVE_PEER_H

#include <ev.h>

#include "serve/bytes.h"
#include "serve/events.h"
#include "serve/head.h"
#include "serve/outbox.h"
#include "serve/routes.h"
#include "serve/wire.h"

struct server;
struct job;

enum peer_state {
    PEER_HEAD = 0,  /* the head of a request is awaited */
    PEER_BODY,      /* the rest of it */
    PEER_ANSWERING, /* somebody makes its answer */
    PEER_SENDING,
    PEER_LISTENING, /* a WebSocket */
    PEER_CLOSING,   /* the last word is being sent */
    PEER_LINGERING, /* it has been sent, and what still comes is thrown away: closing now could take
                       the word back */
};

/* An answer that is made and must not leave before it is recorded. */
struct reply {
    unsigned status;
    const char *type;
    struct bytes text;
};

struct peer {
    struct peer *next, *prev; /* of the server's ring */
    struct server *server;
    struct wire wire;
    ev_io io;
    ev_timer timer; /* the phase that it is in must end by then */
    enum peer_state state;
    struct bytes in, out;
    size_t sent; /* of out */
    size_t body_len;
    struct request request;
    struct reply reply;
    struct ticket ticket; /* what the answer waits for */
    void (*resume)(
        struct peer *peer); /* makes the answer when the wait is over; NULL: nothing waits */
    struct job *job;
    struct listener listener; /* of a WebSocket, or of one who polls */
    unsigned allow;           /* methods, where the method was wrong */
    bool closing;             /* behind this answer */
    bool woken;               /* the wait is over */
    bool ended;               /* the other side sends no more */
};

/* ---- for handlers ---- */

#define TYPE_JSON    "application/json"
#define TYPE_PROBLEM "application/problem+json"
#define TYPE_TEXT    "text/plain; charset=utf-8"

/* Answers. Each takes its request to its end; a report is freed. */
void peer_reply_text(struct peer *peer, unsigned status, const char *type, const char *text);
void peer_reply_report(struct peer *peer, warder_outcome outcome, warder_report *report,
                       const warder_error *err);
/* The same, but not before what happened is recorded. */
void peer_reply_recorded(struct peer *peer, unsigned status, warder_outcome outcome,
                         warder_report *report, const warder_error *err);
/* A problem document; detail may be NULL. */
void peer_reply_problem(struct peer *peer, unsigned status, const char *detail);

/* It is looked at again, outside of whatever the service is doing now; `resume` is then called. */
void peer_wake(struct peer *peer);

/* ---- the connection ---- */

void peer_accepted(struct server *server, int fd);
/* The answer stands in `out`: it is sent, and then comes the next request. */
void peer_send(struct peer *peer);
/* Idle ones are closed, listeners are told, others have their answer first. */
void peers_stop(struct server *server);
void peers_close(struct server *server);

/* Looks at a request's head. 0, or the status that it is refused with; *detail says why. */
unsigned request_check(struct peer *peer, const struct head *head, struct query *query,
                       const char **detail);
/* One that wants to become a WebSocket, and may: 0 when its answer stands in `out`. */
unsigned request_upgrade(struct peer *peer, const struct head *head, const struct query *query,
                         const char **detail);

#endif
