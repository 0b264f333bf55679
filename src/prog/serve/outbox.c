#include "serve/outbox.h"

#include "serve/limits.h"
#include "serve/say.h"

static void ring_init(struct ticket *head)
{
    head->next = head->prev = head;
}

static void ring_add(struct ticket *head, struct ticket *t)
{
    t->prev = head->prev;
    t->next = head;
    head->prev->next = t;
    head->prev = t;
}

static void ring_remove(struct ticket *t)
{
    if (!t->next)
        return;
    t->prev->next = t->next;
    t->next->prev = t->prev;
    t->next = t->prev = NULL;
}

static void release(struct ticket *t)
{
    ring_remove(t);
    if (t->outbox)
        ev_timer_stop(t->outbox->loop, &t->timer);
}

/* Detaches the case first: the callback may free the ticket or use it for the next call. */
static void give(struct ticket *t, bool recorded)
{
    warder_case *item = t->item;

    release(t);
    t->item = NULL;
    t->ready(t, recorded, item ? warder_case_json(item) : NULL);
    warder_case_free(item);
}

static void on_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    give(timer->data, true);
}

static void stage(struct outbox *outbox, struct ticket *t)
{
    t->outbox = outbox;
    ev_timer_init(&t->timer, on_timer, 0., 0.);
    t->timer.data = t;
    ring_add(&outbox->staged, t);
    ev_feed_event(outbox->loop, &outbox->round, EV_PREPARE);
}

warder_outcome outbox_check(struct outbox *outbox, struct ticket *t, const warder_caller *caller,
                            struct str json, warder_error *err)
{
    warder_outcome outcome =
        warder_service_check(outbox->service, caller, json.s, json.len, t, &t->item, err);

    if (outcome == WARDER_DONE) {
        stage(outbox, t);
        /* requeue() starts the timer: the wait begins when the record is durable */
        t->timer.repeat = warder_case_wait_ms(t->item) / 1000.;
    }
    return outcome;
}

warder_outcome outbox_hook(struct outbox *outbox, struct ticket *t, const warder_caller *caller,
                           struct str json, warder_error *err)
{
    warder_outcome outcome =
        warder_service_hook(outbox->service, caller, json.s, json.len, t, &t->item, err);

    if (outcome == WARDER_DONE)
        stage(outbox, t);
    return outcome;
}

warder_outcome outbox_await(struct outbox *outbox, struct ticket *t, const warder_caller *caller,
                            const char *id, uint32_t wait_s, warder_error *err)
{
    warder_outcome outcome = warder_service_await(outbox->service, caller, id, t, &t->item, err);

    if (outcome == WARDER_DONE) {
        stage(outbox, t);
        t->timer.repeat = wait_s;
    }
    return outcome;
}

void outbox_hold(struct outbox *outbox, struct ticket *t)
{
    stage(outbox, t);
}

void outbox_drop(struct ticket *t)
{
    release(t);
    warder_case_free(t->item);
    t->item = NULL;
}

void outbox_settled(void *context, warder_case *item, void *user)
{
    (void)context, (void)item;
    give(user, true);
}

/* A ticket that the commit has not settled: it waits for a person, or has nothing to wait for. */
static void requeue(struct outbox *outbox, struct ticket *t, bool recorded)
{
    if (!t->item || !warder_case_pending(t->item) || t->timer.repeat <= 0.) {
        give(t, recorded);
        return;
    }
    if (t->timer.repeat > WAIT_MAX_S)
        t->timer.repeat = WAIT_MAX_S;
    ring_remove(t);
    ring_add(&outbox->waiting, t);
    ev_timer_again(outbox->loop, &t->timer);
}

static bool commit(struct outbox *outbox)
{
    warder_error err = {0};

    if (warder_service_uncommitted(outbox->service) == 0)
        return true;
    if (warder_service_commit(outbox->service, &err) == WARDER_OK) {
        outbox->failures = 0;
        return true;
    }
    if (outbox->failures++ == 0)
        serve_say("cannot write the record, so everything is denied: %s", err.message);
    return false;
}

void outbox_commit(struct outbox *outbox)
{
    struct ticket round;
    bool recorded;

    /* The callbacks may stage new tickets, which belong to the next round. */
    ring_init(&round);
    while (outbox->staged.next != &outbox->staged) {
        struct ticket *t = outbox->staged.next;
        ring_remove(t);
        ring_add(&round, t);
    }
    recorded = commit(outbox);
    while (round.next != &round)
        requeue(outbox, round.next, recorded);
}

static void on_round_end(struct ev_loop *loop, ev_prepare *round, int events)
{
    (void)loop, (void)events;
    outbox_commit(round->data);
}

void outbox_init(struct outbox *outbox, struct ev_loop *loop, warder_service *service)
{
    *outbox = (struct outbox){.loop = loop, .service = service};
    ring_init(&outbox->staged);
    ring_init(&outbox->waiting);
    ev_prepare_init(&outbox->round, on_round_end);
    ev_set_priority(&outbox->round, EV_MINPRI);
    outbox->round.data = outbox;
}

void outbox_close(struct outbox *outbox)
{
    outbox_commit(outbox);
    while (outbox->waiting.next != &outbox->waiting)
        give(outbox->waiting.next, true);
}
