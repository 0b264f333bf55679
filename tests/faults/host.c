/* host.c - an application with the library in it, and with signals of its own.
 *
 *     host CASE      prints what happened; tests/system/faults.bats knows what should */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/guard.h"
#include "warder.h"

#define THREADS 8
#define CALLS   100

static warder_engine *engine;
static int *volatile nowhere;

static warder_engine *open_engine(int no_guard, const char *mode)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_error err = {0};
    warder_engine *e = NULL;

    o.home = o.cwd = "/";
    o.mode = mode;
    o.texts = &(warder_text){"p.yaml", "warder", "{}", 2};
    o.text_count = 1;
    o.no_fault_guard = no_guard;
    if (warder_engine_new(&o, &e, &err) != WARDER_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(70);
    }
    return e;
}

static void say(const warder_decision *d)
{
    printf("%s %s\n", warder_behavior_name(warder_decision_behavior(d)), warder_decision_layer(d));
    fflush(stdout);
}

static void check(const char *command)
{
    warder_decision *d = NULL;
    warder_error err = {0};

    if (warder_check_argument(engine, "Bash", command, &d, &err) != WARDER_OK)
        printf("error %s\n", err.message);
    else
        say(d);
    warder_decision_free(d);
}

/* ---- the host's own handler ---- */

static sigjmp_buf back;

static void on_signal(int number)
{
    static const char said[] = "host: caught\n";
    ssize_t done = write(STDOUT_FILENO, said, sizeof(said) - 1);

    (void)done;
    (void)number;
    siglongjmp(back, 1);
}

static void take_signal(void)
{
    struct sigaction act = {.sa_handler = on_signal};

    sigaction(SIGSEGV, &act, NULL);
}

static void crash_here(void)
{
    if (sigsetjmp(back, 1) == 0)
        *nowhere = 1;
}

/* Its handler gets what is its own, before and after ours had something. */
static void host_before(void)
{
    take_signal();
    engine = open_engine(0, NULL);
    crash_here();
    check("echo inject-segv");
    crash_here();
    check("echo fine");
    if (sigsetjmp(back, 1) == 0)
        raise(SIGSEGV);
    crash_here();
}

/* A handler that is installed later stays, and gets everything. */
static void host_later(void)
{
    engine = open_engine(0, NULL);
    take_signal();
    if (sigsetjmp(back, 1) == 0)
        check("echo inject-segv");
}

static void host_none(void)
{
    engine = open_engine(0, NULL);
    check("echo inject-segv");
    *nowhere = 1;
}

static void off(void)
{
    engine = open_engine(1, NULL);
    check("echo fine");
    check("echo inject-segv");
}

/* ---- calls ---- */

static void all_kinds(void)
{
    static const char *const commands[] = {"inject-segv", "inject-stack", "inject-fpe",
                                           "inject-ill",  "inject-bus",   "echo fine"};

    engine = open_engine(0, "bypassPermissions");
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        check(commands[i]);
}

static void used_again(void)
{
    static const char *const calls[] = {"echo fine", "echo inject-segv", "echo fine",
                                        "echo inject-stack", "echo fine"};
    warder_decision *d = NULL;
    char json[200];

    engine = open_engine(0, NULL);
    if (warder_check_argument(engine, "Bash", "true", &d, NULL) != WARDER_OK)
        return;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        int len = snprintf(json, sizeof(json), "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"}}",
                           calls[i]);
        if (warder_check_again(d, json, (size_t)len, NULL) != WARDER_OK)
            puts("error");
        say(d);
        puts(strstr(warder_decision_json(d), GUARD_MARK) ? "marked" : "plain");
    }
    warder_decision_free(d);
}

static atomic_uint right, wrong;

static void *work(void *arg)
{
    warder_decision *d = NULL;

    (void)arg;
    for (int i = 0; i < CALLS; i++) {
        bool faulty = i % 10 == 3;
        const char *command = !faulty ? "echo fine" : i % 20 == 3 ? "inject-segv" : "inject-stack";
        if (warder_check_argument(engine, "Bash", command, &d, NULL) == WARDER_OK &&
            warder_decision_behavior(d) == (faulty ? WARDER_DENY : WARDER_ALLOW) &&
            (strcmp(warder_decision_layer(d), "fault") == 0) == faulty)
            atomic_fetch_add(&right, 1);
        else
            atomic_fetch_add(&wrong, 1);
        warder_decision_free(d);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[THREADS];

    engine = open_engine(0, NULL);
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&all[i], NULL, work, NULL) != 0)
            exit(70);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
    printf("right %u wrong %u faults %u\n", atomic_load(&right), atomic_load(&wrong),
           guard_faults());
}

static void without_end(void)
{
    engine = open_engine(0, NULL);
    for (unsigned i = 0; i < GUARD_FAULTS_MAX + 1; i++) {
        if (i == GUARD_FAULTS_MAX)
            puts("the last one");
        check("inject-segv");
    }
}

static void aborted(void)
{
    engine = open_engine(0, NULL);
    check("inject-abort");
}

static void in_malloc(void)
{
    engine = open_engine(0, NULL);
    check("inject-malloc");
}

static void sent(void)
{
    engine = open_engine(0, NULL);
    check("inject-sent");
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"host-before", host_before},
             {"host-later", host_later},
             {"host-none", host_none},
             {"off", off},
             {"all-kinds", all_kinds},
             {"used-again", used_again},
             {"threads", threads},
             {"without-end", without_end},
             {"abort", aborted},
             {"malloc", in_malloc},
             {"sent", sent}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(argv[1], cases[i].name) != 0)
            continue;
        cases[i].run();
        warder_engine_free(engine);
        return 0;
    }
    fputs("usage: host CASE\n", stderr);
    return 64;
}
