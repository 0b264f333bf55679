/* outbox.h - answers that must wait for their record.
 *
 * An answer may leave only when its record is durable, and a record costs a sync. So at the end of
 * a round of the loop everything asked so far goes to the service's writer together, and when it
 * comes back the answers are sent. Meanwhile the loop goes on: what is asked then goes with the
 * next batch. An answer that needs a person's decision waits here too, as long as its worker
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
    warder_case *item;      /* NULL: waits only for the record */
    warder_outcome outcome; /* of what was held */
    ev_timer timer;
    /* The answer may leave. json: of the case, valid during this call; NULL if recording failed or
     * there was no case. The ticket is free again. */
    void (*ready)(struct ticket *ticket, bool recorded, const char *json);
};

struct outbox {
    struct ev_loop *loop;
    warder_service *service;
    struct ticket staged;  /* for the next batch; the head of a ring */
    struct ticket written; /* of the batch that the writer has */
    struct ticket waiting; /* for a person's decision */
    ev_prepare round;      /* never started: an event fed to it is handled last in its round */
    ev_async wake;         /* the writer is done */
    ev_timer gather;       /* runs while the next batch waits for those just answered */
    double handed;         /* when the writer got its batch */
    size_t fresh, batch, enough; /* tickets since then; of that batch; that end the gathering */
    size_t failures;             /* consecutive failed batches */
    bool closed;                 /* waits for no person any more */
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
/* Waits only for what was staged so far, and learns whether it has succeeded. */
void outbox_hold(struct outbox *outbox, struct ticket *ticket);
/* The client is gone; a pending review continues without it. */
void outbox_drop(struct ticket *ticket);

/* The service's `settled`; user is the ticket. */
void outbox_settled(void *context, warder_case *item, void *user);
void outbox_written(struct outbox *outbox); /* on the writer's thread */

/* Releases the answers whose records are durable, and gives the writer what was staged. */
void outbox_commit(struct outbox *outbox);
/* The same, and tells every waiting client that its review is still open. */
void outbox_close(struct outbox *outbox);
void outbox_release(struct outbox *outbox);

#endif
