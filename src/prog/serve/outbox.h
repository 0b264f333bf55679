/* outbox.h - answers that may not leave yet.
 *
 * An answer leaves when its record is durable, and one record costs a sync. So
 * all that was asked in one round of the loop is recorded together, when the
 * rest of the round is done, and only then are the answers given out. What a
 * person must decide waits here, too, for as long as its worker wishes. */
#ifndef SERVE_OUTBOX_H
#define SERVE_OUTBOX_H

#include <ev.h>
#include <stdbool.h>

#include "base/str.h"
#include "warder_service.h"

struct outbox;

/* One answer that is waited for; part of what waits. Zeroed memory is a ticket that waits for
 * nothing. */
struct ticket {
    struct ticket *next, *prev;
    struct outbox *outbox;
    warder_case *item; /* NULL: nothing but the record is waited for */
    ev_timer timer;
    /* It may leave. json: of the case, valid in this call only; NULL: its record failed, or there
     * was no case. The ticket is free again. */
    void (*ready)(struct ticket *ticket, bool recorded, const char *json);
};

struct outbox {
    struct ev_loop *loop;
    warder_service *service;
    struct ticket staged;  /* since the last commit; a ring with this as its head */
    struct ticket waiting; /* for a person */
    ev_prepare
        round; /* never started: fed with an event, it comes behind everything else of its round */
    size_t failures; /* commits that failed in a row */
};

void outbox_init(struct outbox *outbox, struct ev_loop *loop, warder_service *service);

/* A call. On any outcome but WARDER_DONE the ticket stays free. */
warder_outcome outbox_check(struct outbox *outbox, struct ticket *ticket,
                            const warder_caller *caller, struct str json, warder_error *err);
/* An event of an agent's hook. WARDER_NOT_FOUND: its process has to decide it. */
warder_outcome outbox_hook(struct outbox *outbox, struct ticket *ticket,
                           const warder_caller *caller, struct str json, warder_error *err);
/* The end of a review, for `wait_s` seconds at most. */
warder_outcome outbox_await(struct outbox *outbox, struct ticket *ticket,
                            const warder_caller *caller, const char *id, uint32_t wait_s,
                            warder_error *err);
/* Nothing but the next commit. */
void outbox_hold(struct outbox *outbox, struct ticket *ticket);
/* Who waited has gone; a pending review goes on without it. */
void outbox_drop(struct ticket *ticket);

/* The service's `settled`; user is the ticket. */
void outbox_settled(void *context, warder_case *item, void *user);

/* Records what was staged, and gives out what may leave. */
void outbox_commit(struct outbox *outbox);
/* The same, and everybody who waits is told that the review is still open. */
void outbox_close(struct outbox *outbox);

#endif
