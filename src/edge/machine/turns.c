#include "machine/turns.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Of this thread. */
static _Thread_local struct {
    const atomic_ulong *others; /* NULL: it does not work in turns */
    unsigned long seen;         /* of them, */
    int64_t changed;            /* and when that was new */
    int64_t began, used;        /* when the turn began, and the processor time until then */
} turn;

static int64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void begin_turn(void)
{
    turn.began = now(CLOCK_MONOTONIC);
    turn.used = now(CLOCK_THREAD_CPUTIME_ID);
}

void turns_begin(const atomic_ulong *others)
{
    turn.others = others;
    turn.seen = atomic_load(others);
    turn.changed = now(CLOCK_MONOTONIC) - TURN_OTHERS_NS;
    begin_turn();
}

static bool others_work(int64_t time)
{
    const unsigned long count = atomic_load(turn.others);

    if (count != turn.seen) {
        turn.seen = count;
        turn.changed = time;
    }
    return time - turn.changed < TURN_OTHERS_NS;
}

/* What counts is the time that it had a processor: a thread that others have kept waiting has given
 * way already. */
void turns_rest(void)
{
    if (!turn.others)
        return;
    const int64_t time = now(CLOCK_MONOTONIC);
    if (time - turn.began < TURN_NS)
        return;
    const int64_t worked = now(CLOCK_THREAD_CPUTIME_ID) - turn.used;
    if (worked < TURN_NS) {
        turn.began = time - worked;
        return;
    }
    if (others_work(time)) {
        const int64_t rest = worked * TURN_REST;
        const struct timespec t = {.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    }
    begin_turn();
}
