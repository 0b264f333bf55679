/* desk.h - answers that may not leave yet.
 *
 * An answer leaves when its record is durable, and one record costs a sync. So
 * all that was asked in one round of the loop is recorded together, when the
 * rest of the round is done, and only then are the answers given out. What a
 * person must decide waits here, too, for as long as its worker wishes. */
#ifndef SERVE_DESK_H
#define SERVE_DESK_H

#include <ev.h>
#include <stdbool.h>

#include "base/str.h"
#include "warder_service.h"

struct desk;

/* One answer that is waited for; part of what waits. Zeroed memory is a ticket that waits for nothing. */
struct ticket {
    struct ticket *next, *prev;
    struct desk *desk;
    warder_case *item; /* NULL: nothing but the record is waited for */
    ev_timer timer;
    /* It may leave. json: of the case, valid in this call only; NULL: its record failed, or there was no case. The
     * ticket is free again. */
    void (*ready)(struct ticket *ticket, bool recorded, const char *json);
};

struct desk {
    struct ev_loop *loop;
    warder_service *service;
    struct ticket staged;  /* since the last commit; a ring with this as its head */
    struct ticket waiting; /* for a person */
    ev_prepare round;      /* never started: fed with an event, it comes behind everything else of its round */
    size_t failures;       /* commits that failed in a row */
};

void desk_init(struct desk *desk, struct ev_loop *loop, warder_service *service);

/* A call. On any outcome but WARDER_DONE the ticket stays free. */
warder_outcome desk_check(struct desk *desk, struct ticket *ticket, const warder_caller *caller, struct str json,
                          warder_error *err);
/* An event of an agent's hook. WARDER_NOT_FOUND: its process has to decide it. */
warder_outcome desk_hook(struct desk *desk, struct ticket *ticket, const warder_caller *caller, struct str json,
                         warder_error *err);
/* The end of a review, for `wait_s` seconds at most. */
warder_outcome desk_await(struct desk *desk, struct ticket *ticket, const warder_caller *caller, const char *id,
                          uint32_t wait_s, warder_error *err);
/* Nothing but the next commit. */
void desk_hold(struct desk *desk, struct ticket *ticket);
/* Who waited has gone; a pending review goes on without it. */
void desk_drop(struct ticket *ticket);

/* The service's `settled`; user is the ticket. */
void desk_settled(void *context, warder_case *item, void *user);

/* Records what was staged, and gives out what may leave. */
void desk_commit(struct desk *desk);
/* The same, and everybody who waits is told that the review is still open. */
void desk_close(struct desk *desk);

#endif
