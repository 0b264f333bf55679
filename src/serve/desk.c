#include "serve/desk.h"

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
    if (t->desk)
        ev_timer_stop(t->desk->loop, &t->timer);
}

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

static void stage(struct desk *desk, struct ticket *t)
{
    t->desk = desk;
    ev_timer_init(&t->timer, on_timer, 0., 0.);
    t->timer.data = t;
    ring_add(&desk->staged, t);
    ev_feed_event(desk->loop, &desk->round, EV_PREPARE);
}

warder_outcome desk_check(struct desk *desk, struct ticket *t, const warder_caller *caller, struct str json,
                          warder_error *err)
{
    warder_outcome outcome = warder_service_check(desk->service, caller, json.s, json.len, t, &t->item, err);

    if (outcome == WARDER_DONE) {
        stage(desk, t);
        t->timer.repeat = warder_case_wait_ms(t->item) / 1000.;
    }
    return outcome;
}

warder_outcome desk_hook(struct desk *desk, struct ticket *t, const warder_caller *caller, struct str json,
                         warder_error *err)
{
    warder_outcome outcome = warder_service_hook(desk->service, caller, json.s, json.len, t, &t->item, err);

    if (outcome == WARDER_DONE)
        stage(desk, t);
    return outcome;
}

warder_outcome desk_await(struct desk *desk, struct ticket *t, const warder_caller *caller, const char *id,
                          uint32_t wait_s, warder_error *err)
{
    warder_outcome outcome = warder_service_await(desk->service, caller, id, t, &t->item, err);

    if (outcome == WARDER_DONE) {
        stage(desk, t);
        t->timer.repeat = wait_s;
    }
    return outcome;
}

void desk_hold(struct desk *desk, struct ticket *t)
{
    stage(desk, t);
}

void desk_drop(struct ticket *t)
{
    release(t);
    warder_case_free(t->item);
    t->item = NULL;
}

void desk_settled(void *context, warder_case *item, void *user)
{
    (void)context, (void)item;
    give(user, true);
}

/* What the commit has not settled: it waits for a person, or for nothing at all. */
static void sort_out(struct desk *desk, struct ticket *t, bool recorded)
{
    if (!t->item || !warder_case_pending(t->item) || t->timer.repeat <= 0.) {
        give(t, recorded);
        return;
    }
    if (t->timer.repeat > WAIT_MAX_S)
        t->timer.repeat = WAIT_MAX_S;
    ring_remove(t);
    ring_add(&desk->waiting, t);
    ev_timer_again(desk->loop, &t->timer);
}

static bool commit(struct desk *desk)
{
    warder_error err = {0};

    if (warder_service_uncommitted(desk->service) == 0)
        return true;
    if (warder_service_commit(desk->service, &err) == WARDER_OK) {
        desk->failures = 0;
        return true;
    }
    if (desk->failures++ == 0)
        serve_say("the record cannot be written, and so everything is denied: %s", err.message);
    return false;
}

void desk_commit(struct desk *desk)
{
    struct ticket round;
    bool recorded;

    /* Giving out may stage something new, which belongs to the next round. */
    ring_init(&round);
    while (desk->staged.next != &desk->staged) {
        struct ticket *t = desk->staged.next;
        ring_remove(t);
        ring_add(&round, t);
    }
    recorded = commit(desk);
    while (round.next != &round)
        sort_out(desk, round.next, recorded);
}

static void on_round_end(struct ev_loop *loop, ev_prepare *round, int events)
{
    (void)loop, (void)events;
    desk_commit(round->data);
}

void desk_init(struct desk *desk, struct ev_loop *loop, warder_service *service)
{
    *desk = (struct desk){.loop = loop, .service = service};
    ring_init(&desk->staged);
    ring_init(&desk->waiting);
    ev_prepare_init(&desk->round, on_round_end);
    ev_set_priority(&desk->round, EV_MINPRI);
    desk->round.data = desk;
}

void desk_close(struct desk *desk)
{
    desk_commit(desk);
    while (desk->waiting.next != &desk->waiting)
        give(desk->waiting.next, true);
}
