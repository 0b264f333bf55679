/* tick.c - timers: reviews expire, answers that were not fetched are dropped, failed work is tried
 * again. */
#include "service/rules.h"
#include "service/service.h"

static enum status expire(warder_service *s, int64_t now, struct error *err)
{
    size_t count = 0;
    enum status status = STATUS_OK;

    for (struct waiting *w = s->open.first, *next;
         w && w->deadline <= now && count < SERVICE_EXPIRE_MAX; w = next) {
        next = w->after;
        if (w->state != WAITING_OPEN)
            continue;
        status = service_expire(s, w, err);
        if (status != STATUS_OK)
            break;
        count++;
    }
    return status;
}

/* A few at a time, since others wait meanwhile. Those that cannot be judged wait for a person.
 * True: there are more. */
static bool settle(warder_service *s)
{
    size_t count = 0;
    struct error ignored;

    if (!s->settles || s->policy_broken)
        return false;
    for (struct waiting *w = s->open.first, *next; w && count < SERVICE_SETTLE_MAX; w = next) {
        next = w->after;
        if (w->state != WAITING_OPEN || w->looked_at == s->changes)
            continue;
        w->looked_at = s->changes;
        (void)service_settle(s, w, &ignored);
        count++;
    }
    s->settles = count == SERVICE_SETTLE_MAX;
    return s->settles;
}

static void forget_answers(warder_service *s, int64_t now)
{
    for (struct waiting *w = s->over.first, *next; w && w->deadline <= now; w = next) {
        next = w->after;
        if (w->state == WAITING_OVER)
            waiting_free(s, w);
    }
}

/* Those at the head may already be ending: the next commit takes them away. */
static const struct waiting *next_to_expire(const warder_service *s)
{
    const struct waiting *w = s->open.first;

    while (w && w->state != WAITING_OPEN)
        w = w->after;
    return w;
}

static void sooner(int64_t now, int64_t then, int64_t *next)
{
    if (then - now < *next)
        *next = then > now ? then - now : 0;
}

warder_status warder_service_tick(warder_service *s, uint32_t *next_ms, warder_error *err)
{
    struct error inner = {0};
    int64_t next = SERVICE_TICK_MS;

    if (!s)
        return give_usage(err, "missing argument: service");
    int64_t now = s->mono();
    enum status status = expire(s, now, &inner);
    forget_answers(s, now);
    service_upkeep(s);
    rules_tick(s);
    if (settle(s))
        next = 0;
    const struct waiting *w = next_to_expire(s);
    if (w)
        sooner(now, status == STATUS_OK ? w->deadline : now + SERVICE_RETRY_MS, &next);
    if (s->over.first)
        sooner(now, s->over.first->deadline, &next);
    sooner(now, now + rules_next_ms(s), &next);
    if (s->options.retention_bytes || s->keep_at <= now + SERVICE_RETRY_MS)
        sooner(now, s->keep_at, &next);
    if (s->forget_at <= now + SERVICE_RETRY_MS)
        sooner(now, s->forget_at, &next);
    if (s->db_behind || s->db_error.status || s->journal_error.status)
        sooner(now, now + SERVICE_RETRY_MS, &next);
    if (next_ms)
        *next_ms = (uint32_t)next;
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
