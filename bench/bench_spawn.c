/* bench_spawn.c - what a hook costs that is started for every call: from posix_spawn() to the end of the process.
 *
 *     bench_spawn [FILE [ROUNDS [COMMAND]]]
 *
 * A home with 100 rules, the journal on, one command of an agent. Beside
 * warder-hook run, in turns: a static program that only echoes JSON (the floor),
 * /bin/true, `warder hook`, and what hooks are mostly written in: a Python and a
 * Node program that do nothing but read the event and print an answer. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "lines.h"
#include "measure.h"

#define ROUNDS     1001
#define SLOW_EVERY 50 /* the interpreters: one round in so many */
#define RULES      100
#define MEMORY_MAX ((size_t)1 << 26)

static char home[256], project[300], event_path[300];
static const char *command = "git status && npm run test -- --watch=false src | head -20";

struct program {
    const char *name;
    const char *argv[6];
    bool slow, missing;
    double *wall, *processor;
    size_t count;
    struct measured took, used;
};

static const char python_hook[] = "import json,sys\njson.load(sys.stdin)\nprint(json.dumps({'decision':'allow'}))";
static const char node_hook[] = "let t='';process.stdin.on('data',d=>t+=d).on('end',()=>{JSON.parse(t);"
                                "console.log(JSON.stringify({decision:'allow'}))})";

static char floor_path[PATH_MAX], hook_path[PATH_MAX], warder_path[PATH_MAX];

static struct program programs[] = {
    {.name = "floor (static echo)", .argv = {floor_path}},
    {.name = "/bin/true", .argv = {"/bin/true"}},
    {.name = "warder-hook", .argv = {hook_path, "--client", "claude"}},
    {.name = "warder hook", .argv = {warder_path, "hook", "--client", "claude"}, .slow = true},
    {.name = "python3, JSON only", .argv = {"/usr/bin/python3", "-c", python_hook}, .slow = true},
    {.name = "node, JSON only", .argv = {"/usr/bin/node", "-e", node_hook}, .slow = true},
};
enum { FLOOR, TRUE_PROGRAM, HOOK };

/* ---- the place ---- */

static _Noreturn void stop(const char *what)
{
    perror(what);
    exit(1);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        stop(path);
}

static void make_directory(const char *below)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", home, below);
    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        stop(path);
}

static void write_rules(void)
{
    static const struct {
        const char *before, *behind;
    } shapes[] = {
        {"Bash(tool", ":*)"}, {"Read(~/notes/", "/**)"}, {"Bash(make target", ")"}, {"Edit(/src/part", "/**)"}};
    char path[PATH_MAX], text[RULES * 64] = "allow:\n  - Bash(npm run test:*)\n";
    size_t len = strlen(text);

    for (int i = 1; i < RULES; i++) {
        if (i == RULES / 2)
            len += (size_t)snprintf(text + len, sizeof(text) - len, "deny:\n");
        len += (size_t)snprintf(text + len, sizeof(text) - len, "  - %s%d%s\n", shapes[i % 4].before, i,
                                shapes[i % 4].behind);
    }
    snprintf(path, sizeof(path), "%s/.config/warder/warder.yaml", home);
    write_file(path, text);
}

static void write_event(struct arena *a)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    const struct {
        const char *key;
        const char *text;
    } members[] = {{"session_id", "bench"},           {"cwd", project},      {"permission_mode", "default"},
                   {"hook_event_name", "PreToolUse"}, {"tool_name", "Bash"}, {"tool_use_id", "toolu_01"}};

    json_begin_object(&w);
    for (size_t i = 0; i < COUNT(members); i++) {
        json_key(&w, members[i].key);
        json_text(&w, str_from(members[i].text));
    }
    json_key(&w, "tool_input");
    json_begin_object(&w);
    json_key(&w, "command");
    json_text(&w, str_from(command));
    json_end_object(&w);
    json_end_object(&w);
    snprintf(event_path, sizeof(event_path), "%s/event.json", home);
    write_file(event_path, buf_str(&b).s);
}

static void make_place(void *arena)
{
    static const char *const directories[] = {".config",      ".config/warder",       "project",
                                              "project/.git", "project/.git/objects", "project/.git/refs"};
    char head[320];

    snprintf(home, sizeof(home), "/tmp/bench_spawn.XXXXXX");
    if (!mkdtemp(home))
        stop(home);
    for (size_t i = 0; i < COUNT(directories); i++)
        make_directory(directories[i]);
    snprintf(project, sizeof(project), "%s/project", home);
    snprintf(head, sizeof(head), "%s/.git/HEAD", project);
    write_file(head, "ref: refs/heads/main\n");
    setenv("HOME", home, 1);
    setenv("CLAUDE_PROJECT_DIR", project, 1);
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    write_rules();
    write_event(arena);
}

/* ---- a run ---- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* False when it cannot be run, or does not answer. */
static bool run(const char *const *argv, const char *out, double *wall, double *processor)
{
    posix_spawn_file_actions_t files;
    struct rusage usage;
    int status = 1;
    pid_t pid;
    double from;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, event_path, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    from = now();
    bool started = posix_spawn(&pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
    bool ended = started && wait4(pid, &status, 0, &usage) == pid;
    *wall = now() - from;
    posix_spawn_file_actions_destroy(&files);
    if (ended)
        *processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The first one makes the image; and what the hook answers must be the allow that is measured. */
static void prime(const char *warder)
{
    const char *const maker[] = {warder, "hook", "--client", "claude", "--image", NULL};
    char path[PATH_MAX], text[512] = "";
    double ignored[2];

    snprintf(path, sizeof(path), "%s/answer", home);
    for (int i = 0; i < 2; i++)
        if (!run(i ? programs[HOOK].argv : maker, path, &ignored[0], &ignored[1]))
            stop("the hook does not answer");
    FILE *f = fopen(path, "r");
    if (!f || !fgets(text, sizeof(text), f) || !strstr(text, "\"allow\"")) {
        fprintf(stderr, "the hook did not allow the command: %s\n", text);
        exit(1);
    }
    fclose(f);
}

static void measure(struct program *p)
{
    if (!p->missing && !run(p->argv, "/dev/null", &p->wall[p->count], &p->processor[p->count])) {
        printf("%s cannot be run here: skipped\n", p->name);
        p->missing = true;
    }
    p->count++;
}

static void measure_all(size_t rounds)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        programs[i].wall = calloc(rounds, sizeof(double));
        programs[i].processor = calloc(rounds, sizeof(double));
        if (!programs[i].wall || !programs[i].processor)
            stop("memory");
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

/* ---- what comes out ---- */

static void print(void)
{
    const double hook = programs[HOOK].took.median;

    printf("%-22s %10s %10s %10s %12s\n", "one event, 100 rules", "median us", "low", "high", "x warder-hook");
    for (size_t i = 0; i < COUNT(programs); i++) {
        const struct program *p = &programs[i];
        if (p->missing)
            continue;
        printf("%-22s %10.0f %10.0f %10.0f %12.2f\n", p->name, p->took.median * 1e6, p->took.low * 1e6,
               p->took.high * 1e6, p->took.median / hook);
        lines_add("hook process", p->name, 1, "s", p->took);
        lines_add("hook process, processor", p->name, 1, "s", p->used);
    }
    printf("warder-hook is %.2f times the floor and %.2f times /bin/true\n", hook / programs[FLOOR].took.median,
           hook / programs[TRUE_PROGRAM].took.median);
}

struct settings {
    struct arena arena;
    size_t rounds;
};

static void bench(void *arg)
{
    struct settings *s = arg;

    make_place(&s->arena);
    prime(warder_path);
    measure_all(s->rounds);
    print();
}

static void clean_up(void)
{
    const char *const argv[] = {"/bin/rm", "-rf", home, NULL};
    double ignored[2];

    (void)run(argv, "/dev/null", &ignored[0], &ignored[1]);
}

int main(int argc, char **argv)
{
    struct settings s = {.rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : ROUNDS};

    if (argc > 3)
        command = argv[3];
    snprintf(floor_path, sizeof(floor_path), "%s/bench/spawn_floor", BENCH_BUILD);
    snprintf(hook_path, sizeof(hook_path), "%s/warder-hook", BENCH_BUILD);
    snprintf(warder_path, sizeof(warder_path), "%s/warder", BENCH_BUILD);
    if (access(hook_path, X_OK) != 0 || access(floor_path, X_OK) != 0) {
        printf("bench_spawn: there is no warder-hook (it needs musl-gcc): skipped\n");
        return 0;
    }
    lines_open(argc > 1 ? argv[1] : NULL);
    arena_init(&s.arena, MEMORY_MAX);
    if (s.rounds == 0 || !arena_try(&s.arena, bench, &s))
        stop("bench_spawn");
    clean_up();
    lines_close();
    arena_release(&s.arena);
    return 0;
}
