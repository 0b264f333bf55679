/* bench_spawn.c - the cost of a hook that is started for every call: from posix_spawn() to the end
 * of the process.
 *
 *     bench_spawn [FILE [ROUNDS [COMMAND]]] [--peers DIRECTORY]
 *
 * A home with 100 rules, the journal on, one command of an agent. Compared with warder-hook,
 * interleaved: a static program that only echoes JSON (the floor), /bin/true, `warder hook`, a
 * Python and a Node program that only read the event and print an answer (most hooks are written in
 * these), and warder-hook with a running service that answers for it and syncs as little as the
 * hook. With the directory of tools/bench-peers, also another guard.
 *
 * "contained" is the same event with a command that runs in the sandbox: its plan is made and
 * stored before the answer leaves. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "lines.h"
#include "measure.h"
#include "place.h"
#include "service.h"

#define ROUNDS     1001
#define SLOW_EVERY 50 /* interpreters run once per this many rounds */
#define RULES      100

/* Of the length of PLACE_COMMAND; no rule of a person allows it, so it is project code. */
#define CONTAINED_COMMAND "git status && npm run check -- --watch=off src | head -20"

static const char *command = PLACE_COMMAND;
static char home[PATH_MAX];

struct program {
    const char *name;
    const char *argv[8];
    bool slow, missing;
    bool served;    /* can find the service */
    bool contained; /* judges a command that runs in the sandbox */
    double *wall, *processor;
    long faults; /* pages of the last run that were touched for the first time */
    size_t count;
    struct measured took, used;
};

static const char python_hook[] =
    "import json,sys\njson.load(sys.stdin)\nprint(json.dumps({'decision':'allow'}))";
static const char node_hook[] =
    "let t='';process.stdin.on('data',d=>t+=d).on('end',()=>{JSON.parse(t);"
    "console.log(JSON.stringify({decision:'allow'}))})";

static char floor_path[PATH_MAX], hook_path[PATH_MAX], warder_path[PATH_MAX],
    safety_net_path[PATH_MAX], cell_path[PATH_MAX];

static struct program programs[] = {
    {.name = "floor (static echo)", .argv = {floor_path}},
    {.name = "/bin/true", .argv = {"/bin/true"}},
    {.name = "warder-hook", .argv = {hook_path, "--home", home, "--client", "claude"}},
    {.name = "warder-hook, served",
     .argv = {hook_path, "--home", home, "--client", "claude"},
     .served = true},
    {.name = "warder-hook, contained",
     .argv = {hook_path, "--home", home, "--client", "claude"},
     .contained = true},
    {.name = "warder hook",
     .argv = {warder_path, "hook", "--home", home, "--client", "claude"},
     .slow = true},
    {.name = "python3, JSON only", .argv = {"/usr/bin/python3", "-c", python_hook}, .slow = true},
    {.name = "node, JSON only", .argv = {"/usr/bin/node", "-e", node_hook}, .slow = true},
    {.name = "cc-safety-net",
     .argv = {"/usr/bin/node", safety_net_path, "hook", "-cc"},
     .slow = true},
};
enum { FLOOR, TRUE_PROGRAM, HOOK, SERVED, CONTAINED, WARDER, PYTHON, NODE, SAFETY_NET };

/* ---- as installed ---- */

/* Writes the program in one piece, as a package manager does: the kernel caches a file that a
 * linker wrote bit by bit in small pieces, and maps each by itself. */
static void install(char path[PATH_MAX], const char *name)
{
    char to[PATH_MAX];
    struct stat st;
    int from = open(path, O_RDONLY | O_CLOEXEC);

    place_path(to, name);
    int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU);
    if (from < 0 || copy < 0 || fstat(from, &st) < 0)
        place_stop(path);
    void *all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, from, 0);
    if (all == MAP_FAILED || write(copy, all, (size_t)st.st_size) != st.st_size || close(copy) < 0)
        place_stop(to);
    munmap(all, (size_t)st.st_size);
    close(from);
    memcpy(path, to, strlen(to) + 1);
}

/* ---- a run ---- */

static char contained_event[PATH_MAX];

/* False if it cannot run or does not answer. */
static bool run(struct program *p, const char *out, double *wall, double *processor)
{
    struct rusage usage = {0};
    int status = 1;
    double from = place_now();
    pid_t pid = place_spawn(p->argv, p->contained ? contained_event : place_event(), out, -1);
    bool ended = pid > 0 && wait4(pid, &status, 0, &usage) == pid;

    *wall = place_now() - from;
    p->faults = usage.ru_minflt;
    if (ended)
        *processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Checks that the hook answers with what is to be measured. */
static void expect(struct program *p, const char *answer)
{
    char path[PATH_MAX], text[PATH_MAX] = "";
    double ignored[2];

    place_path(path, "answer");
    if (!run(p, path, &ignored[0], &ignored[1]))
        place_stop("the hook does not answer");
    FILE *f = fopen(path, "r");
    if (!f || !fgets(text, sizeof(text), f) || !strstr(text, answer)) {
        fprintf(stderr, "the hook did not answer %s: %s\n", answer, text);
        exit(1);
    }
    fclose(f);
}

static void prime(void)
{
    place_write_image();
    expect(&programs[HOOK], "\"allow\"");
    if (programs[CONTAINED].missing)
        return;
    expect(&programs[CONTAINED], "warder-cell ");
    place_use_tokens();
}

static struct service service;

/* Moves its socket to where a hook finds it, or away. */
static void show_service(bool shown)
{
    char found[PATH_MAX];

    place_path(found, ".local/state/warder/warder.sock");
    if (rename(shown ? service.socket : found, shown ? found : service.socket) < 0)
        place_stop(found);
}

static void measure(struct program *p)
{
    bool shown = p->served && !p->missing;

    if (shown)
        show_service(true);
    if (p->contained)
        place_use_tokens();
    if (!p->missing && !run(p, "/dev/null", &p->wall[p->count], &p->processor[p->count])) {
        printf("%s cannot be run here: skipped\n", p->name);
        p->missing = true;
    }
    p->count++;
    if (shown)
        show_service(false);
}

static void measure_all(size_t rounds)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        programs[i].wall = calloc(rounds, sizeof(double));
        programs[i].processor = calloc(rounds, sizeof(double));
        if (!programs[i].wall || !programs[i].processor)
            place_stop("memory");
    }
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < COUNT(programs); i++)
            if (!programs[i].slow || round % SLOW_EVERY == 0)
                measure(&programs[i]);
    for (size_t i = 0; i < COUNT(programs); i++) {
        programs[i].took = measure_samples(programs[i].wall, programs[i].count);
        programs[i].used = measure_samples(programs[i].processor, programs[i].count);
    }
}

/* ---- output ---- */

static void print(void)
{
    const double hook = programs[HOOK].took.median;

    printf("%-22s %10s %10s %10s %12s %8s\n", "one event, 100 rules", "median us", "low", "high",
           "x warder-hook", "faults");
    for (size_t i = 0; i < COUNT(programs); i++) {
        const struct program *p = &programs[i];
        if (p->missing)
            continue;
        printf("%-22s %10.0f %10.0f %10.0f %12.2f %8ld\n", p->name, p->took.median * 1e6,
               p->took.low * 1e6, p->took.high * 1e6, p->took.median / hook, p->faults);
        lines_add("hook process", p->name, 1, "s", p->took);
        lines_add("hook process, processor", p->name, 1, "s", p->used);
    }
    printf("warder-hook is %.2f times the floor and %.2f times /bin/true\n",
           hook / programs[FLOOR].took.median, hook / programs[TRUE_PROGRAM].took.median);
    if (!programs[CONTAINED].missing)
        printf("a contained answer takes %.2f times an allow\n",
               programs[CONTAINED].took.median / hook);
}

/* The event of a contained call lies beside the other one. */
static void prepare_contained(void)
{
    char plain[PATH_MAX];

    install(cell_path, "warder-cell");
    place_path(plain, ".config/warder/warder.yaml");
    FILE *policy = fopen(plain, "ae");
    if (!policy || fputs("sandbox: {use: auto}\n", policy) < 0 || fclose(policy) != 0)
        place_stop(plain);
    place_write_event(CONTAINED_COMMAND);
    snprintf(plain, sizeof(plain), "%s", place_event());
    place_path(contained_event, "contained.json");
    if (rename(plain, contained_event) != 0)
        place_stop(contained_event);
}

static void bench(size_t rounds)
{
    place_make("/var/tmp"); /* a cell can write in /tmp */
    snprintf(home, sizeof(home), "%s", place_home());
    programs[CONTAINED].missing = access(cell_path, X_OK) != 0 || !place_prove_sandbox();
    if (programs[CONTAINED].missing)
        printf("bench_spawn: no sandbox here: contained answers are left out\n");
    install(floor_path, "floor");
    install(hook_path, "warder-hook");
    install(warder_path, "warder");
    place_rules("yaml", RULES);
    if (!programs[CONTAINED].missing)
        prepare_contained();
    place_write_event(command);
    prime();
    if (service_is_built())
        service_start(&service, "spawn", "crash");
    else
        programs[SERVED].missing = true;
    measure_all(rounds);
    if (!programs[SERVED].missing)
        service_stop(&service);
    print();
}

static void find_programs(const char *peers)
{
    snprintf(floor_path, sizeof(floor_path), "%s/bench/spawn_floor", BENCH_BUILD);
    snprintf(hook_path, sizeof(hook_path), "%s/warder-hook", BENCH_BUILD);
    snprintf(warder_path, sizeof(warder_path), "%s/warder", BENCH_BUILD);
    snprintf(cell_path, sizeof(cell_path), "%s/warder-cell", BENCH_BUILD);
    snprintf(safety_net_path, sizeof(safety_net_path),
             "%s/node_modules/cc-safety-net/dist/bin/cc-safety-net.js", peers);
    if (access(hook_path, X_OK) != 0 || access(floor_path, X_OK) != 0) {
        printf("bench_spawn: there is no warder-hook (it needs musl-gcc): skipped\n");
        exit(0);
    }
    if (access(safety_net_path, R_OK) != 0) {
        printf("bench_spawn: cc-safety-net is left out: it is not installed\n");
        programs[SAFETY_NET].missing = true;
    }
}

int main(int argc, char **argv)
{
    size_t rounds = ROUNDS;
    const char *file = NULL, *peers = "";

    for (int i = 1, given = 0; i < argc; i++) {
        if (strcmp(argv[i], "--peers") == 0 && i + 1 < argc)
            peers = argv[++i];
        else if (given++ == 0)
            file = argv[i];
        else if (given == 2)
            rounds = strtoul(argv[i], NULL, 10);
        else
            command = argv[i];
    }
    find_programs(peers);
    lines_open(file);
    if (rounds > 0)
        bench(rounds);
    lines_close();
    return 0;
}
