#include "ask/race.h"

static bool finish(struct race *r, enum race_end end)
{
    r->end = end;
    return true;
}

bool race_counts(const struct race *r, size_t racer)
{
    if (r->end != RACE_OPEN || racer >= r->count || !r->racers[racer].running)
        return false;
    return !r->touched || r->person == racer;
}

/* The deadline comes first in every step: an answer that arrives with it is too late. */
bool race_tick(struct race *r, int64_t now)
{
    if (r->end == RACE_OPEN && now >= r->deadline)
        return finish(r, RACE_DEADLINE);
    return r->end != RACE_OPEN;
}

bool race_started(struct race *r, size_t racer, int64_t now)
{
    if (race_tick(r, now))
        return true;
    if (racer < r->count) {
        r->racers[racer].running = true;
        r->racers[racer].started = now;
    }
    return false;
}

/* A stray key is not an answer, and does not keep the others from answering. */
static bool too_early(const struct race *r, size_t racer, int64_t now)
{
    return now - r->racers[racer].started < r->racers[racer].grace_ms;
}

bool race_touched(struct race *r, size_t racer, int64_t now)
{
    if (race_tick(r, now))
        return true;
    if (!race_counts(r, racer) || !r->racers[racer].person || too_early(r, racer, now))
        return false;
    r->touched = true;
    r->person = racer;
    return false;
}

/* An answer that contradicts itself does not count. */
static bool is_valid(const struct race *r, const struct reply *reply)
{
    bool allow = reply->behavior == BEHAVIOR_ALLOW;

    switch (reply->behavior) {
    case BEHAVIOR_DENY:
        break;
    case BEHAVIOR_ASK:
        if (!r->ask_counts)
            return false;
        break;
    case BEHAVIOR_ALLOW:
        if (reply->cancelled || reply->interrupt)
            return false;
        break;
    default:
        return false;
    }
    if (reply->remember == REMEMBER_SESSION && !allow)
        return false;
    return !reply->updated_input ||
           (reply->updated_input->kind == VALUE_OBJECT && !reply->cancelled);
}

static bool somebody_counts(const struct race *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (race_counts(r, i))
            return true;
    return false;
}

bool race_gone(struct race *r, size_t racer, int64_t now)
{
    if (race_tick(r, now))
        return true;
    if (racer < r->count)
        r->racers[racer].running = false;
    return somebody_counts(r) ? false : finish(r, RACE_NOBODY);
}

bool race_answered(struct race *r, size_t racer, const struct reply *reply, int64_t now)
{
    if (race_tick(r, now))
        return true;
    if (!race_counts(r, racer) || too_early(r, racer, now))
        return false;
    if (!is_valid(r, reply)) /* a person may try again; a program with an invalid answer is not
                                asked twice */
        return r->racers[racer].person ? false : race_gone(r, racer, now);
    r->winner = racer;
    r->reply = *reply;
    return finish(r, RACE_ANSWERED);
}

bool race_cancel(struct race *r, int64_t now)
{
    return race_tick(r, now) || finish(r, RACE_CANCELLED);
}
