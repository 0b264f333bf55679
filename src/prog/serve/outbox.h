/* outbox.h - answers that must wait for their record.
 *
 * An answer may leave only when its record is durable, and a record costs a sync. So everything
 * asked in one round of the loop is recorded together at the end of the round, and only then are
 * the answers sent. An answer that needs a person's decision waits here too, as long as its worker
 * wants. */
#ifndef SERVE_OUTBOX_H
#define SERVE_OUTBOX_H

#include <ev.h>
#include <stdbool.h>

#include "base/str.h"
#include "warder_service.h"

struct outbox;

/* One awaited answer; embedded in what waits for it. Zeroed memory is a ticket that waits for
 * nothing. */
struct ticket {
    struct ticket *next, *prev;
    struct outbox *outbox;
    warder_case *item; /* NULL: waits only for the record */
    ev_timer timer;
    /* The answer may leave. json: of the case, valid during this call; NULL if recording failed or
     * there was no case. The ticket is free again. */
    void (*ready)(struct ticket *ticket, bool recorded, const char *json);
};

struct outbox {
    struct ev_loop *loop;
    warder_service *service;
    struct ticket staged;  /* since the last commit; the head of a ring */
    struct ticket waiting; /* for a person's decision */
    ev_prepare round;      /* never started: an event fed to it is handled last in its round */
    size_t failures;       /* consecutive failed commits */
};

void outbox_init(struct outbox *outbox, struct ev_loop *loop, warder_service *service);

/* Judges a call. On any outcome but WARDER_DONE the ticket stays free. */
warder_outcome outbox_check(struct outbox *outbox, struct ticket *ticket,
                            const warder_caller *caller, struct str json, warder_error *err);
/* Judges an event of an agent's hook. WARDER_NOT_FOUND: the hook's own process must decide. */
warder_outcome outbox_hook(struct outbox *outbox, struct ticket *ticket,
                           const warder_caller *caller, struct str json, warder_error *err);
/* Waits for the end of a review, at most `wait_s` seconds. */
warder_outcome outbox_await(struct outbox *outbox, struct ticket *ticket,
                            const warder_caller *caller, const char *id, uint32_t wait_s,
                            warder_error *err);
/* Waits only for the next commit. */
void outbox_hold(struct outbox *outbox, struct ticket *ticket);
/* The client is gone; a pending review continues without it. */
void outbox_drop(struct ticket *ticket);

/* The service's `settled`; user is the ticket. */
void outbox_settled(void *context, warder_case *item, void *user);

/* Records what was staged, and releases the answers. */
void outbox_commit(struct outbox *outbox);
/* The same, and tells every waiting client that its review is still open. */
void outbox_close(struct outbox *outbox);

#endif
