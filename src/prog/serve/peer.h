/* peer.h - one TCP connection: requests one after the other and their answers, or a WebSocket.
 *
 * Handlers answer a peer, at once or later, with one of the functions below. An answer that reports
 * a change leaves after the commit that makes the change durable (outbox.h). */
#ifndef SERVE_PEER_H
#define SERVE_PEER_H

#include <ev.h>

#include "serve/bytes.h"
#include "serve/events.h"
#include "serve/head.h"
#include "serve/outbox.h"
#include "serve/routes.h"
#include "serve/wire.h"

struct console_file;
struct server;
struct job;

enum peer_state {
    PEER_HEAD = 0,  /* waits for the head of a request */
    PEER_BODY,      /* waits for its body */
    PEER_ANSWERING, /* a handler makes its answer */
    PEER_SENDING,
    PEER_LISTENING, /* a WebSocket */
    PEER_CLOSING,   /* the last bytes are being sent */
    PEER_LINGERING, /* sent; further input is discarded, because closing now could destroy what was
                       sent */
};

#define COOKIE_MAX 256u /* bytes of a Set-Cookie, with the NUL */

/* An answer that must not leave before it is recorded. */
struct reply {
    unsigned status;
    const char *type;
    struct bytes text;
    const char *cache;       /* NULL: no-store */
    const char *tag;         /* ETag; NULL: none */
    bool page;               /* a file of the console: the browser is told what it may do */
    char cookie[COOKIE_MAX]; /* "": none */
};

struct peer {
    struct peer *next, *prev; /* in the server's ring */
    struct server *server;
    struct wire wire;
    ev_io io;
    ev_timer timer; /* the current phase must end by then */
    enum peer_state state;
    struct bytes in, out;
    size_t sent; /* of out */
    size_t body_len;
    struct request request;
    struct reply reply;
    struct ticket ticket; /* what the answer waits for */
    void (*resume)(
        struct peer *peer); /* makes the answer when the wait is over; NULL if nothing waits */
    struct job *job;
    struct authzen *authzen;  /* evaluations that are being judged; NULL: none */
    struct listener listener; /* of a WebSocket or a poll */
    unsigned allow;           /* for a 405: the methods of the path */
    bool bodiless;            /* HEAD: the answer is a head alone */
    bool closing;             /* close after this answer */
    bool woken;               /* the wait is over */
    bool ended;               /* the other side sends nothing more */
};

/* ---- for handlers ---- */

#define TYPE_JSON    "application/json"
#define TYPE_PROBLEM "application/problem+json"
#define TYPE_TEXT    "text/plain; charset=utf-8"

/* Answers. Each ends its request; a report is freed. */
void peer_reply_text(struct peer *peer, unsigned status, const char *type, const char *text);
void peer_reply_report(struct peer *peer, warder_outcome outcome, warder_report *report,
                       const warder_error *err);
/* The same, but only once the outcome is recorded. */
void peer_reply_recorded(struct peer *peer, unsigned status, warder_outcome outcome,
                         warder_report *report, const warder_error *err);
/* A problem document; detail may be NULL. */
void peer_reply_problem(struct peer *peer, unsigned status, const char *detail);

/* A file of the console; `known` if the browser has it already. */
void peer_reply_file(struct peer *peer, const struct console_file *file, bool known);
/* JSON, with a cookie to set. */
void peer_reply_cookie(struct peer *peer, struct str json, const char *cookie);

/* Handles the peer again later, outside of the service's callbacks; `resume` is called then. */
void peer_wake(struct peer *peer);

/* ---- the connection ---- */

void peer_accepted(struct server *server, int fd);
/* The answer is in `out`: sends it, then continues with the next request. */
void peer_send(struct peer *peer);
/* Closes idle ones, tells listeners, and lets the others get their answer first. */
void peers_stop(struct server *server);
void peers_close(struct server *server);
/* Ends WebSockets and waiting requests whose token was revoked. */
void peers_check_tokens(struct server *server);

/* Checks the head of a request. Returns 0, or the status to refuse with; *detail says why. */
unsigned request_check(struct peer *peer, const struct head *head, struct query *query,
                       const char **detail);
/* Turns a request into a WebSocket: 0 if the answer is in `out`. */
unsigned request_upgrade(struct peer *peer, const struct head *head, const struct query *query,
                         const char **detail);

#endif
