/* Threads of our own: no signal is for them, and those that many wait for take short turns. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/thread.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define TURN_AT 24 /* bytes into struct sched_attr: sched_runtime, in nanoseconds */

static uint64_t turn(void)
{
    uint64_t attributes[6] = {0};

    assert_int_equal(syscall(SYS_sched_getattr, 0, attributes, sizeof(attributes), 0), 0);
    return attributes[TURN_AT / sizeof(uint64_t)];
}

struct seen {
    sigset_t blocked;
    uint64_t before, after;
};

static void *look(void *arg)
{
    struct seen *seen = arg;

    pthread_sigmask(SIG_SETMASK, NULL, &seen->blocked);
    seen->before = turn();
    thread_take_short_turns();
    seen->after = turn();
    return NULL;
}

static struct seen look_from_a_thread(void)
{
    struct seen seen = {.before = 1};
    pthread_t thread;

    assert_int_equal(thread_start(&thread, look, &seen), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    return seen;
}

static void signals_are_for_the_others(void **state)
{
    const struct seen seen = look_from_a_thread();
    sigset_t own;

    (void)state;
    pthread_sigmask(SIG_SETMASK, NULL, &own);
    assert_false(sigismember(&own, SIGTERM));
    assert_true(sigismember(&seen.blocked, SIGTERM));
    assert_true(sigismember(&seen.blocked, SIGCHLD));
}

/* Kernels before 6.12 know no turns of a single thread, and report none. */
static void turns_are_shorter(void **state)
{
    const struct seen seen = look_from_a_thread();

    (void)state;
    if (seen.before == 0)
        skip();
    assert_true(seen.after < seen.before);
    assert_int_equal(turn(), seen.before); /* those of the others are not */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_for_the_others),
        cmocka_unit_test(turns_are_shorter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
