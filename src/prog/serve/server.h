/* server.h - the parts of the running service. One loop, one thread; only the writer of the record,
 * log queries and notices have their own. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <ev.h>
#include <stdbool.h>

#include "serve/events.h"
#include "serve/figures.h"
#include "serve/jobs.h"
#include "serve/lines.h"
#include "serve/listen.h"
#include "serve/notify.h"
#include "serve/options.h"
#include "serve/outbox.h"
#include "serve/peer.h"
#include "serve/request_filter.h"
#include "serve/watch.h"
#include "warder_service.h"

struct server {
    const struct serve_options *options;
    struct ev_loop *loop;
    warder_service *service;
    struct listening listening;
    struct request_filter filter;
    struct outbox outbox;
    struct events events;
    struct notify notify;
    struct jobs jobs;
    struct lines lines;
    struct watch watch;
    struct figures figures;
    SSL_CTX *tls;                      /* NULL: none */
    struct peer peers;                 /* the head of their ring */
    size_t connections, peer_count;    /* all; those over TCP */
    size_t connections_max, peers_max; /* of each */
    ev_timer tick;
    ev_signal terminate, interrupt, hangup;
    ev_timer grace;
    bool stopping;
    time_t dated; /* the second that `date` is of */
    char date[40];
};

/* False if there are too many of them. */
bool server_admits(const struct server *server, enum connection_kind kind);

/* Counts one connection less; once the service is stopping, the last one ends the loop. */
void server_may_end(struct server *server);

/* Something was started that time will end: a review, the cooldown of a rule. */
void server_tick_soon(struct server *server);

#endif
