#include "serve/outbox.h"

#include "serve/limits.h"
#include "serve/say.h"

#define ENDING_RETRY_S 0.1
#define GATHER_FROM_S  0.002 /* a disk that takes longer for a batch is worth gathering for */
#define GATHER_SHARE   4     /* at most this part of the time that the disk took */

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
    t->outcome = item ? warder_case_outcome(item) : recorded ? WARDER_DONE : WARDER_FAILED;
    t->ready(t, recorded && t->outcome == WARDER_DONE, item ? warder_case_json(item) : NULL);
    warder_case_free(item);
}

/* An answer that is being written is worth the wait. */
static void on_timer(struct ev_loop *loop, ev_timer *timer, int events)
{
    struct ticket *t = timer->data;

    (void)events;
    if (!warder_case_ending(t->item)) {
        give(t, true);
        return;
    }
    timer->repeat = ENDING_RETRY_S;
    ev_timer_again(loop, timer);
}

static void stage(struct outbox *outbox, struct ticket *t)
{
    t->outbox = outbox;
    ev_timer_init(&t->timer, on_timer, 0., 0.);
    t->timer.data = t;
    ring_add(&outbox->staged, t);
    outbox->fresh++;
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
    if (warder_service_hold(outbox->service, t, &t->item) != WARDER_OK)
        t->item = NULL; /* then it learns how its batch went */
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

static void ring_move(struct ticket *to, struct ticket *from)
{
    while (from->next != from) {
        struct ticket *t = from->next;
        ring_remove(t);
        ring_add(to, t);
    }
}

/* A ticket that was not settled: it waits for a person, or has nothing to wait for. */
static void requeue(struct outbox *outbox, struct ticket *t, bool recorded)
{
    if (!t->item || !warder_case_pending(t->item) || t->timer.repeat <= 0. || outbox->closed) {
        give(t, recorded);
        return;
    }
    if (t->timer.repeat > WAIT_MAX_S)
        t->timer.repeat = WAIT_MAX_S;
    ring_remove(t);
    ring_add(&outbox->waiting, t);
    ev_timer_again(outbox->loop, &t->timer);
}

/* The callbacks may stage new tickets, which belong to a later batch. */
static void requeue_all(struct outbox *outbox, struct ticket *ring, bool recorded)
{
    struct ticket round;

    ring_init(&round);
    ring_move(&round, ring);
    while (round.next != &round)
        requeue(outbox, round.next, recorded);
}

static void say_failure(struct outbox *outbox, bool recorded, const warder_error *err)
{
    if (!recorded && outbox->failures++ == 0)
        serve_say("cannot write the record, so everything is denied: %s", err->message);
    else if (recorded)
        outbox->failures = 0;
}

/* Workers that were just answered ask again at once. On a slow disk they would always miss the
 * batch of the others, and every batch would have half of them: it waits for them a little. */
static void gather(struct outbox *outbox)
{
    double took = ev_time() - outbox->handed;

    if (took < GATHER_FROM_S || outbox->fresh == 0 || outbox->closed)
        return;
    outbox->enough = outbox->fresh + outbox->batch;
    ev_timer_set(&outbox->gather, took / GATHER_SHARE, 0.);
    ev_timer_start(outbox->loop, &outbox->gather);
}

static void hand_over(struct outbox *outbox)
{
    if (ev_is_active(&outbox->gather) && outbox->fresh < outbox->enough && !outbox->closed)
        return;
    if (!warder_service_hand_over(outbox->service))
        return;
    ev_timer_stop(outbox->loop, &outbox->gather);
    ring_move(&outbox->written, &outbox->staged);
    outbox->handed = ev_time();
    outbox->batch = outbox->fresh;
    outbox->fresh = 0;
}

static void take_back(struct outbox *outbox)
{
    warder_error err = {0};
    int done = 0;
    bool recorded = warder_service_take_back(outbox->service, &done, &err) == WARDER_OK;

    if (!done)
        return;
    gather(outbox);
    say_failure(outbox, recorded, &err);
    requeue_all(outbox, &outbox->written, recorded);
}

void outbox_commit(struct outbox *outbox)
{
    take_back(outbox);
    if (warder_service_uncommitted(outbox->service) == 0)
        requeue_all(outbox, &outbox->staged, true);
    else
        hand_over(outbox);
}

static void on_gathered(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    outbox_commit(timer->data);
}

static void on_round_end(struct ev_loop *loop, ev_prepare *round, int events)
{
    (void)loop, (void)events;
    outbox_commit(round->data);
}

static void on_wake(struct ev_loop *loop, ev_async *wake, int events)
{
    (void)loop, (void)events;
    outbox_commit(wake->data);
}

void outbox_written(struct outbox *outbox)
{
    ev_async_send(outbox->loop, &outbox->wake);
}

void outbox_init(struct outbox *outbox, struct ev_loop *loop, warder_service *service)
{
    *outbox = (struct outbox){.loop = loop, .service = service};
    ring_init(&outbox->staged);
    ring_init(&outbox->written);
    ring_init(&outbox->waiting);
    ev_prepare_init(&outbox->round, on_round_end);
    ev_set_priority(&outbox->round, EV_MINPRI);
    ev_async_init(&outbox->wake, on_wake);
    ev_async_start(loop, &outbox->wake);
    ev_timer_init(&outbox->gather, on_gathered, 0., 0.);
    outbox->round.data = outbox->wake.data = outbox->gather.data = outbox;
}

void outbox_close(struct outbox *outbox)
{
    outbox->closed = true;
    outbox_commit(outbox);
    while (outbox->waiting.next != &outbox->waiting)
        give(outbox->waiting.next, true);
}

void outbox_release(struct outbox *outbox)
{
    if (!outbox->loop)
        return;
    ev_async_stop(outbox->loop, &outbox->wake);
    ev_timer_stop(outbox->loop, &outbox->gather);
}
