/* A thread whose work can wait rests while others work, and only then. What is compared does not
 * depend on how busy the machine is: one that takes the processor away only makes the rests longer,
 * and who does not rest hardly ever gives it back by itself (a page may have to come from the
 * disk). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "machine/thread.h"
#include "machine/turns.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define WORK_NS 10000000 /* of processor time: fifty turns */
#define FEW     5

static int64_t now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long rests(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw;
}

struct work {
    bool in_turns, beside_others;
    int64_t worked, took; /* until the last rest: the turn after it has none yet */
    long rested;
};

static void *work(void *arg)
{
    atomic_ulong others = 0;
    struct work *w = arg;

    if (w->in_turns)
        turns_begin(&others);
    const int64_t used = now(CLOCK_THREAD_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
    const long before = rests();
    for (int64_t worked = 0; worked < WORK_NS;) {
        worked = now(CLOCK_THREAD_CPUTIME_ID) - used;
        atomic_fetch_add(&others, w->beside_others);
        turns_rest();
        if (rests() - before == w->rested)
            continue;
        w->rested = rests() - before;
        w->worked = worked;
        w->took = now(CLOCK_MONOTONIC) - began;
    }
    return NULL;
}

static struct work work_in_a_thread(bool in_turns, bool beside_others)
{
    struct work w = {.in_turns = in_turns, .beside_others = beside_others};
    pthread_t thread;

    assert_int_equal(thread_start(&thread, work, &w), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return w;
}

static void it_rests_while_others_work(void **state)
{
    const struct work w = work_in_a_thread(true, true);

    (void)state;
    assert_true(w.rested > 2 * FEW);
    assert_true(w.took > (w.worked - TURN_NS) * TURN_REST);
}

static void it_does_not_rest_alone(void **state)
{
    (void)state;
    assert_true(work_in_a_thread(true, false).rested < FEW);
}

static void only_if_it_works_in_turns(void **state)
{
    (void)state;
    assert_true(work_in_a_thread(false, true).rested < FEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_rests_while_others_work),
        cmocka_unit_test(it_does_not_rest_alone),
        cmocka_unit_test(only_if_it_works_in_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
