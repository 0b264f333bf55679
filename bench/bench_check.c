/* bench_check.c - warm checks: from a call as JSON to its verdict.
 *
 *     bench_check [FILE [CALLS]]
 *         FILE gets the figures as lines of JSON; CALLS has calls as JSON, one per line. Measures
 *         one check on one thread and on two with 1,000 rules, and the cost of more rules and of
 *         longer texts.
 *     bench_check --count RULES [CALLS]
 *         Judges each command of calls.txt, or each of CALLS, once, warm, in counted_check(), for
 *         tools/bench-check, which counts its instructions. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/str.h"
#include "lines.h"
#include "warder.h"

#define CALLS_MAX 20000
#define ROUNDS    21
#define RULES     1000

#define LONG_ROUNDS 5

struct calls {
    const char *name;
    char *items[CALLS_MAX];
    size_t count;
};

static void die(const char *what)
{
    fprintf(stderr, "bench_check: %s\n", what);
    exit(1);
}

/* ---- the calls ---- */

static void read_lines(const char *path, struct calls *out, char *(*take)(char *line))
{
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    if (!f)
        die("a file of calls cannot be read");
    while (out->count < CALLS_MAX && (len = getline(&line, &room, f)) > 0) {
        line[len - (line[len - 1] == '\n')] = '\0';
        out->items[out->count++] = take(line);
    }
    free(line);
    fclose(f);
}

static char *take_call(char *line)
{
    return strdup(line);
}

struct writing {
    struct arena arena;
    const char *command;
    char *out;
};

static void write_call(void *arg)
{
    struct writing *w = arg;
    struct buf b = buf_in(&w->arena);

    buf_text(&b, "{\"tool\": \"Bash\", \"input\": {\"command\": ");
    json_string(&b, str_from(w->command));
    buf_text(&b, "}}");
    w->out = strdup(buf_str(&b).s);
}

static char *take_command(char *line)
{
    struct writing w = {.command = line};

    arena_init(&w.arena, 1 << 20);
    if (!arena_try(&w.arena, write_call, &w) || !w.out)
        die("no memory");
    arena_release(&w.arena);
    return w.out;
}

/* Rules of four kinds; every third one is a deny rule. */
static char *policy_of(size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);

    if (!f)
        die("no memory");
    for (int allow = 0; allow < 2; allow++) {
        fprintf(f, "%s\n  \"%s\": [\"Bash(never-%d)\"", allow ? "," : "{", allow ? "allow" : "deny",
                allow);
        for (size_t i = 0; i < count; i++) {
            if ((i % 3 != 0) != allow)
                continue;
            switch (i % 4) {
            case 0:
                fprintf(f, ",\n    \"Bash(tool%zu run *)\"", i);
                break;
            case 1:
                fprintf(f, ",\n    \"Bash(prog%zu sub%zu:*)\"", i, i * 7);
                break;
            case 2:
                fprintf(f, ",\n    \"Read(//srv/data%zu/**)\"", i);
                break;
            default:
                fprintf(f, ",\n    \"Bash(make target%zu)\"", i);
            }
        }
        fprintf(f, "]");
    }
    fprintf(f, "}\n");
    fclose(f);
    return text;
}

static warder_engine *engine_by(size_t rules)
{
    char *text = policy_of(rules);
    const warder_text policy = {
        .name = "bench.json", .format = "warder", .text = text, .len = strlen(text)};
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e;
    warder_error err;

    o.home = "/home/user";
    o.cwd = o.project = "/home/user/project";
    o.texts = &policy;
    o.text_count = 1;
    if (warder_engine_new(&o, &e, &err) != WARDER_OK)
        die(err.message);
    free(text);
    return e;
}

/* ---- judging ---- */

static warder_decision *seat(warder_engine *e)
{
    warder_decision *d;

    if (warder_check_argument(e, "Bash", "true", &d, NULL) != WARDER_OK)
        die("no decision");
    return d;
}

struct work {
    warder_engine *engine;
    const struct calls *calls;
    struct measured each; /* seconds of one check */
};

static void check_all(warder_decision *d, const struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        if (warder_check_again(d, calls->items[i], strlen(calls->items[i]), NULL) != WARDER_OK)
            die("a call cannot be judged");
}

static double thread_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Seconds per check, in processor time of the thread, so that other processes do not count. */
static double time_checks(warder_decision *d, const struct calls *calls)
{
    double from = thread_time();

    check_all(d, calls);
    return (thread_time() - from) / (double)calls->count;
}

static void *run(void *arg)
{
    struct work *w = arg;
    warder_decision *d = seat(w->engine);
    double samples[ROUNDS];

    check_all(d, w->calls);
    for (size_t i = 0; i < ROUNDS; i++)
        samples[i] = time_checks(d, w->calls);
    w->each = measure_samples(samples, ROUNDS);
    warder_decision_free(d);
    return NULL;
}

/* The time of one check with this many threads; the slower of two. */
static struct measured measure(warder_engine *e, const struct calls *calls, size_t threads)
{
    struct work work[2] = {{.engine = e, .calls = calls}, {.engine = e, .calls = calls}};
    pthread_t other;

    if (threads == 2 && pthread_create(&other, NULL, run, &work[1]) != 0)
        die("no thread");
    run(&work[0]);
    if (threads == 2)
        pthread_join(other, NULL);
    return work[work[1].each.median > work[0].each.median].each;
}

static void measure_calls(const struct calls *calls)
{
    warder_engine *e = engine_by(RULES);
    char who[40];

    for (size_t threads = 1; threads <= 2; threads++) {
        struct measured each = measure(e, calls, threads);
        snprintf(who, sizeof(who), "%s, threads", calls->name);
        lines_add("check", who, threads, "s", each);
        printf("%-9s %d rules, %zu thread%s: %9.0f checks per second and thread, %.2f us each\n",
               calls->name, RULES, threads, threads == 1 ? "" : "s", 1 / each.median,
               each.median * 1e6);
    }
    warder_engine_free(e);
}

/* Interleaved, so that a busy machine slows all of them equally. */
static void measure_rules(const struct calls *calls)
{
    static const size_t counts[] = {10, 100, 1000, 10000, 100000};
    double samples[COUNT(counts)][ROUNDS], first = 0;
    warder_engine *engines[COUNT(counts)];
    warder_decision *seats[COUNT(counts)];

    for (size_t i = 0; i < COUNT(counts); i++) {
        engines[i] = engine_by(counts[i]);
        seats[i] = seat(engines[i]);
        check_all(seats[i], calls);
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT(counts); i++) {
            check_all(seats[i], calls); /* warm up: the caches hold another one */
            samples[i][round] = time_checks(seats[i], calls);
        }
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct measured each = measure_samples(samples[i], ROUNDS);
        first = i == 0 ? each.median : first;
        lines_add("check", "by rules", counts[i], "s", each);
        printf("%7zu rules: %.2f us for a check, %.2f times one by %zu rules\n", counts[i],
               each.median * 1e6, each.median / first, counts[0]);
        warder_decision_free(seats[i]);
        warder_engine_free(engines[i]);
    }
}

/* ---- long texts ---- */

/* Commands whose analysis depends on all other commands of the call, or on the disk. */
static const char *const repeated[] = {
    "ls -la",
    "git status",
    "git checkout other && git -C sub status",
    "git -C /home/user/other log",
    "cd /tmp && git init && git commit -m x",
    "cp -r a b && echo x > c",
    "tar xf a.tar -C t && cat t/x",
    "ln -s a b; cat b/../c",
    "rm x",
    "go build ./cmd/x && ./x list",
    "./script.sh",
    "node -p 'require(\"./a.json\")'",
    "python3 -c 'import json'",
    "x=$(mktemp -d); rm -rf $x",
    "readonly r=1; r=2; cat $x",
    "export PATH=/a:$PATH",
};

static char *long_call(const char *command, size_t size)
{
    size_t len = strlen(command), at = 0;
    char *text = malloc(size + 1), *call;

    if (!text)
        die("no memory");
    for (; at + len + 1 <= size; at += len + 1) {
        memcpy(text + at, command, len);
        text[at + len] = '\n';
    }
    text[at] = '\0';
    call = take_command(text);
    free(text);
    return call;
}

static void measure_long(void)
{
    static const size_t sizes[] = {1, 4, 16, 64, 255}; /* kB */
    static struct calls one = {.name = "long", .count = 1};
    warder_engine *e = engine_by(RULES);
    warder_decision *d = seat(e);

    printf("one command again and again, nanoseconds for each byte of 1, 4, 16, 64 and 255 kB\n");
    for (size_t i = 0; i < COUNT(repeated); i++) {
        printf("    %-42s", repeated[i]);
        for (size_t s = 0; s < COUNT(sizes); s++) {
            double samples[LONG_ROUNDS], bytes = (double)sizes[s] * 1024;
            one.items[0] = long_call(repeated[i], sizes[s] * 1024);
            for (size_t round = 0; round < LONG_ROUNDS; round++)
                samples[round] = time_checks(d, &one) / bytes;
            struct measured each = measure_samples(samples, LONG_ROUNDS);
            lines_add("check, per byte, by size in kB", repeated[i], sizes[s], "s", each);
            printf(" %8.1f", each.median * 1e9);
            free(one.items[0]);
        }
        printf("\n");
    }
    warder_decision_free(d);
    warder_engine_free(e);
}

/* ---- counting ---- */

__attribute__((noinline)) void counted_check(warder_decision *d, const char *call);

void counted_check(warder_decision *d, const char *call)
{
    if (warder_check_again(d, call, strlen(call), NULL) != WARDER_OK)
        die("a call cannot be judged");
}

static void count(const char *rules, const char *path)
{
    static struct calls calls = {.name = "own"};
    warder_engine *e = engine_by((size_t)strtoul(rules, NULL, 10));
    warder_decision *d = seat(e);

    if (path)
        read_lines(path, &calls, take_call);
    else
        read_lines(BENCH_SOURCE "/calls.txt", &calls, take_command);
    check_all(d, &calls);
    check_all(d, &calls);
    for (size_t i = 0; i < calls.count; i++)
        counted_check(d, calls.items[i]);
    warder_decision_free(d);
    warder_engine_free(e);
}

int main(int argc, char **argv)
{
    static struct calls mix = {.name = "mix"}, given = {.name = "sessions"};

    if ((argc == 3 || argc == 4) && strcmp(argv[1], "--count") == 0) {
        count(argv[2], argc == 4 ? argv[3] : NULL);
        return 0;
    }
    lines_open(argc > 1 ? argv[1] : NULL);
    if (argc > 2)
        read_lines(argv[2], &given, take_call);
    read_lines(BENCH_SOURCE "/calls.txt", &mix, take_command);
    measure_calls(&mix);
    if (given.count)
        measure_calls(&given);
    measure_rules(&mix);
    measure_long();
    lines_close();
    return 0;
}
