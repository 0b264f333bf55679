/* fork() while other threads check, update, reload and resolve: the child goes on. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"
#include "support/policy_tree.h"

#include <cmocka.h>

#define FORKS 60

static struct tree tree;
static warder_engine *engine;
static atomic_bool over;

static void update(void)
{
    static const char json[] =
        "[{\"type\":\"addRules\",\"rules\":[\"Bash(frob)\"],\"behavior\":\"allow\"},"
        "{\"type\":\"removeRules\",\"rules\":[\"Bash(frob)\"]}]";

    if (warder_engine_update(engine, json, strlen(json), NULL) != WARDER_OK)
        abort();
}

static void reload(void)
{
    if (warder_engine_reload(engine, NULL) != WARDER_OK)
        abort();
}

static void resolve(void)
{
    warder_decision *d = NULL;

    if (warder_check_argument(engine, "Bash", "ls", &d, NULL) != WARDER_OK ||
        warder_resolve(engine, d, NULL, NULL) != WARDER_OK ||
        warder_decision_behavior(d) != WARDER_ALLOW)
        abort();
    warder_decision_free(d);
}

static void open_another(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *other = NULL;

    o.home = tree.home;
    o.cwd = tree.project;
    if (warder_engine_new(&o, &other, NULL) != WARDER_OK)
        abort();
    warder_engine_free(other);
}

static void (*const jobs[])(void) = {update, reload, resolve, open_another};

static void *work(void *arg)
{
    void (*const *job)(void) = arg;

    while (!atomic_load(&over))
        (*job)();
    return NULL;
}

static void in_child(void)
{
    alarm(20); /* one that hangs is ended, and counted */
    for (size_t i = 0; i < COUNT(jobs); i++)
        jobs[i]();
    warder_engine_free(engine);
    _exit(0);
}

static void the_child_goes_on(void **state)
{
    warder_options o = WARDER_OPTIONS_INIT;
    pthread_t threads[2 * COUNT(jobs)];

    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* their allocators have locks of their own, which the child may find held */
#endif
    tree_make(&tree);
    tree_write(&tree, "project/x", "", 0);
    o.home = tree.home;
    o.cwd = tree.project;
    o.record = 1;
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)&jobs[i % COUNT(jobs)]), 0);
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            in_child();
        assert_true(child > 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status != 0)
            fail_msg("child %d: %s", i, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit");
    }
    atomic_store(&over, true);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    warder_engine_free(engine);
    tree_remove(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_child_goes_on)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
