/* warder_decision_cancelled(): a question that was taken back, by a person's key or by the caller,
 * is told apart from every other deny, since after it the agent's turn should end. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/policy_tree.h"
#include "warder.h"

#include <cmocka.h>

#define ASKS "curl http://h/"

/* One end of a decision. */
struct end {
    const char *profile, *command;
    warder_can_use_tool callback;
    enum { NEVER, BEFORE, MEANWHILE } taken_back;
    uint32_t deadline;
    int leave_ask;
    warder_behavior want;
    int cancelled;
    /* what is typed as an answer; NULL: no person is asked */
    const char *typed;
};

static int denies(void *context, const warder_question *question, warder_answer *answer)
{
    (void)context, (void)question;
    answer->given = 1;
    answer->behavior = WARDER_DENY;
    answer->interrupt = 1;
    return 0;
}

static int waits(void *context, const warder_question *question, warder_answer *answer)
{
    struct pollfd fd = {.fd = question->cancel_fd, .events = POLLIN};

    (void)context;
    poll(&fd, 1, 20000);
    answer->given = 1;
    answer->behavior = WARDER_ALLOW; /* too late */
    return 0;
}

static const struct end ends[] = {
    {.command = "ls", .want = WARDER_ALLOW},
    {.command = "rm -rf /", .want = WARDER_DENY},
    {.command = ASKS, .want = WARDER_DENY}, /* no one is asked */
    {.command = ASKS, .leave_ask = 1, .want = WARDER_ASK},
    {.command = ASKS, .callback = denies, .want = WARDER_DENY},
    {.command = ASKS, .callback = waits, .deadline = 50, .want = WARDER_DENY},
    {.command = ASKS, .typed = "d\n", .want = WARDER_DENY},
    {.command = ASKS, .typed = "a\n", .want = WARDER_ALLOW},

    {.command = ASKS, .typed = "c\n", .want = WARDER_DENY, .cancelled = 1},
    {.command = ASKS, .callback = waits, .taken_back = BEFORE, .want = WARDER_DENY, .cancelled = 1},
    {.command = ASKS,
     .callback = waits,
     .taken_back = MEANWHILE,
     .want = WARDER_DENY,
     .cancelled = 1},
    /* what would have been allowed runs as little as the rest */
    {.command = "ls", .taken_back = BEFORE, .want = WARDER_DENY, .cancelled = 1},
    /* where the callback is a step of the walk */
    {.profile = "waterfall",
     .command = ASKS,
     .callback = waits,
     .taken_back = MEANWHILE,
     .want = WARDER_DENY,
     .cancelled = 1},
    {.profile = "waterfall",
     .command = ASKS,
     .callback = waits,
     .deadline = 50,
     .want = WARDER_DENY},
};

static void *take_back(void *arg)
{
    usleep(30000);
    assert_int_equal(write(*(int *)arg, "x", 1), 1);
    return NULL;
}

static void resolve(const struct end *e, warder_engine *engine, warder_decision *d, int fds[2])
{
    warder_asking asking = WARDER_ASKING_INIT;
    pthread_t thread;

    asking.can_use_tool = e->callback;
    asking.deadline_ms = e->deadline ? e->deadline : 20000;
    asking.leave_ask = e->leave_ask;
    asking.terminal = asking.lines = e->typed != NULL;
    asking.cancel_fd = e->taken_back == NEVER ? -1 : fds[0];
    if (e->taken_back == BEFORE)
        assert_int_equal(write(fds[1], "x", 1), 1);
    if (e->taken_back == MEANWHILE)
        assert_int_equal(pthread_create(&thread, NULL, take_back, &fds[1]), 0);
    assert_int_equal(warder_resolve(engine, d, &asking, NULL), WARDER_OK);
    if (e->taken_back == MEANWHILE)
        pthread_join(thread, NULL);
}

/* What is wrong with this end; NULL: nothing. */
static const char *wrong_with(const struct end *e, const struct tree *tree)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    warder_decision *d;
    char call[100];
    int fds[2];
    const char *wrong = NULL;

    o.home = tree->home;
    o.cwd = tree->project;
    o.profile = e->profile;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
    snprintf(call, sizeof(call), "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"}}", e->command);
    assert_int_equal(warder_check_json(engine, call, strlen(call), &d, NULL), WARDER_OK);
    if (warder_decision_cancelled(d))
        wrong = "it was cancelled before anyone was asked";
    resolve(e, engine, d, fds);
    if (warder_decision_behavior(d) != e->want)
        wrong = warder_behavior_name(warder_decision_behavior(d));
    else if (warder_decision_cancelled(d) != e->cancelled)
        wrong = e->cancelled ? "it does not count as cancelled" : "it counts as cancelled";
    else if (!strstr(warder_decision_json(d), "\"cancelled\":true") != !e->cancelled)
        wrong = "its JSON says something else";
    warder_decision_free(d);
    warder_engine_free(engine);
    close(fds[0]);
    close(fds[1]);
    return wrong;
}

/* In a process of its own, without a terminal, whose standard input has what is typed. */
static int in_a_child(const struct end *e, const struct tree *tree)
{
    int fds[2], status = -1;

    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], e->typed, strlen(e->typed)), (int)strlen(e->typed));
    pid_t child = fork();
    if (child == 0) {
        (void)setsid();
        if (dup2(fds[0], STDIN_FILENO) < 0)
            _exit(2);
        _exit(wrong_with(e, tree) ? 1 : 0);
    }
    close(fds[0]);
    close(fds[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void only_what_was_taken_back_is_cancelled(void **state)
{
    struct tree tree;

    (void)state;
    tree_make(&tree);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        const char *wrong = NULL;
        if (ends[i].typed)
            wrong = in_a_child(&ends[i], &tree) ? "what was typed ends it in another way" : NULL;
        else
            wrong = wrong_with(&ends[i], &tree);
        if (wrong)
            fail_msg("end %zu: %s", i, wrong);
    }
    tree_remove(&tree);
}

static void no_decision_is_not_cancelled(void **state)
{
    (void)state;
    assert_int_equal(warder_decision_cancelled(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_taken_back_is_cancelled),
        cmocka_unit_test(no_decision_is_not_cancelled),
    };

    /* a cancel_fd of 0 is none */
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close(none);
    return failed;
}
