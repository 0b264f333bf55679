/* fork() while other threads check, update, reload and resolve: the child goes on. */
#include <dirent.h>
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
#include "warder_admin.h"

#include <cmocka.h>

#define FORKS 60

static struct tree tree;
static warder_engine *engine;
static atomic_bool over;

/* Says what failed: this is also called in threads and children, where an assertion would not
 * return to the test. */
static void must(bool holds, const char *what, const char *why)
{
    if (holds)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, why ? why : "no reason given");
    abort();
}

static void update(void)
{
    static const char json[] =
        "[{\"type\":\"addRules\",\"rules\":[\"Bash(frob)\"],\"behavior\":\"allow\"},"
        "{\"type\":\"removeRules\",\"rules\":[\"Bash(frob)\"]}]";

    warder_error err = {0};

    must(warder_engine_update(engine, json, strlen(json), &err) == WARDER_OK, "update",
         err.message);
}

static void reload(void)
{
    warder_error err = {0};

    must(warder_engine_reload(engine, &err) == WARDER_OK, "reload", err.message);
}

static void resolve(void)
{
    warder_decision *d = NULL;
    warder_error err = {0};

    must(warder_check_argument(engine, "Bash", "ls", &d, &err) == WARDER_OK, "check", err.message);
    must(warder_resolve(engine, d, NULL, &err) == WARDER_OK, "resolve", err.message);
    must(warder_decision_behavior(d) == WARDER_ALLOW, "verdict", warder_decision_reason(d));
    warder_decision_free(d);
}

static void open_another(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *other = NULL;
    warder_error err = {0};

    o.home = tree.home;
    o.cwd = tree.project;
    must(warder_engine_new(&o, &other, &err) == WARDER_OK, "open", err.message);
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

/* How many descriptors of this process lead to the lock of a journal? */
static int open_locks(void)
{
    DIR *all = opendir("/proc/self/fd");
    int count = 0;

    for (const struct dirent *e; all && (e = readdir(all));) {
        char to[TREE_PATH_MAX];
        ssize_t len = readlinkat(dirfd(all), e->d_name, to, sizeof(to) - 1);
        to[len > 0 ? len : 0] = '\0';
        count += strstr(to, "/journal/lock") != NULL;
    }
    closedir(all);
    return count;
}

static void open_engine(void)
{
    warder_options o = WARDER_OPTIONS_INIT;

    tree_make(&tree);
    tree_write(&tree, "project/x", "", 0);
    o.home = tree.home;
    o.cwd = tree.project;
    o.record = 1;
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
}

static void chain_holds(void)
{
    warder_report *report = NULL;

    assert_int_equal(warder_log_verify(NULL, tree.home, NULL, &report, NULL), WARDER_OK);
    assert_int_equal(warder_report_errors(report), 0);
    warder_report_free(report);
}

/* With a file that both have open, both would hold its lock at once. */
static void the_child_shares_no_lock(void **state)
{
    int status = -1;

    (void)state;
    open_engine();
    resolve();
    assert_int_equal(open_locks(), 1);
    pid_t child = fork();
    if (child == 0) {
        int before = open_locks();
        resolve();
        _exit(before == 0 && open_locks() == 1 ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    resolve();
    chain_holds();
    warder_engine_free(engine);
    tree_remove(&tree);
}

static void the_child_goes_on(void **state)
{
    pthread_t threads[2 * COUNT(jobs)];

    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* their allocators have locks of their own, which the child may find held */
#endif
    open_engine();
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
    chain_holds();
    warder_engine_free(engine);
    tree_remove(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_child_shares_no_lock),
                                       cmocka_unit_test(the_child_goes_on)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
