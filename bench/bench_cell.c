/* bench_cell.c - what a sandbox costs at its start: from posix_spawn() to the end of /bin/true.
 *
 *     bench_cell [FILE [ROUNDS]]
 *
 * Interleaved: /bin/true as it is, in a cell, in a cell with forty protected and twenty hidden
 * places, and in bubblewrap with the same namespaces and one writable directory. Prints the two
 * bars: at most 0.6 times bubblewrap, at most 5 times plain. The quietest tenth of the rounds is
 * compared: a sandbox is several processes, and on a busy machine each change between them waits
 * for whatever else runs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "lines.h"
#include "measure.h"
#include "place.h"

#define ROUNDS    401
#define PLAN_FD   7
#define PROTECTED 40
#define HIDDEN    20
#define BAR_BWRAP 0.6
#define BAR_PLAIN 5.0

extern char **environ;

static char cell_path[PATH_MAX];

struct program {
    const char *name;
    const char *argv[24];
    const char *plan; /* its name in the home */
    bool missing;
    double *wall;
    struct measured took;
};

static struct program programs[] = {
    {.name = "plain /bin/true", .argv = {"/bin/true"}},
    {.name = "warder-cell", .argv = {cell_path, "--plan", "7"}, .plan = "small.json"},
    {.name = "warder-cell, 60 places", .argv = {cell_path, "--plan", "7"}, .plan = "large.json"},
    {.name = "bubblewrap",
     .argv = {"/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc",
              "--unshare-uts", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev",
              "--proc", "/proc", "--bind", "/tmp", "/tmp", "/bin/true"}},
};
enum { PLAIN, CELL, LARGE, BWRAP };

/* ---- the plans ---- */

static void make_file(const char *name)
{
    char path[PATH_MAX];

    place_path(path, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            place_stop(path);
        *slash = '/';
    }
    place_write(name, "x\n");
}

/* Files of the home, as a list of JSON. */
static void put_places(FILE *out, const char *key, const char *name, int count)
{
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        char numbered[64];
        snprintf(numbered, sizeof(numbered), "%s%d/file", name, i);
        make_file(numbered);
        fprintf(out, "%s\"%s/%s\"", i ? "," : "", place_home(), numbered);
    }
    fprintf(out, "]");
}

static void write_plan(const char *name, int protected, int hidden)
{
    char path[PATH_MAX];

    place_path(path, name);
    FILE *out = fopen(path, "w");
    if (!out)
        place_stop(path);
    fprintf(out,
            "{\"version\":1,\"program\":\"/bin/true\",\"words\":[\"true\"],\"directory\":\"%s\","
            "\"write\":[\"%s\",\"/tmp\"],\"refuse\":[\".mcp.json\",\".vscode/tasks.json\"],"
            "\"remove\":[\"*_TOKEN\"],\"set\":[\"WARDER_SANDBOX=namespaces\"],\"background\":true",
            place_project(), place_project());
    put_places(out, "protect", "project/kept", protected);
    put_places(out, "hide", ".hidden", hidden);
    fprintf(out, "}");
    if (fclose(out) != 0)
        place_stop(path);
}

/* ---- a run ---- */

static bool run(const struct program *p, double *wall)
{
    posix_spawn_file_actions_t actions;
    char path[PATH_MAX];
    int status = 1;
    pid_t pid;

    if (posix_spawn_file_actions_init(&actions) != 0)
        place_stop("posix_spawn");
    if (p->plan) {
        place_path(path, p->plan);
        if (posix_spawn_file_actions_addopen(&actions, PLAN_FD, path, O_RDONLY, 0) != 0)
            place_stop("posix_spawn");
    }
    double from = place_now();
    bool ended = posix_spawn(&pid, p->argv[0], &actions, NULL, (char *const *)(uintptr_t)p->argv,
                             environ) == 0 &&
                 waitpid(pid, &status, 0) == pid;
    *wall = place_now() - from;
    posix_spawn_file_actions_destroy(&actions);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void measure_all(size_t rounds)
{
    for (size_t i = 0; i < COUNT(programs); i++)
        if (!(programs[i].wall = calloc(rounds, sizeof(double))))
            place_stop("memory");
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < COUNT(programs); i++)
            if (!programs[i].missing && !run(&programs[i], &programs[i].wall[round])) {
                printf("%s cannot be run here: skipped\n", programs[i].name);
                programs[i].missing = true;
            }
    for (size_t i = 0; i < COUNT(programs); i++)
        programs[i].took = measure_samples(programs[i].wall, rounds);
}

/* ---- output ---- */

static bool judge(const struct program *other, double bar)
{
    const double ratio = programs[CELL].took.low / other->took.low;

    if (other->missing || programs[CELL].missing)
        return true;
    printf("warder-cell is %.2f times %s (at most %.1f)%s\n", ratio, other->name, bar,
           ratio > bar ? ": TOO SLOW" : "");
    return ratio <= bar;
}

static bool print(void)
{
    printf("%-24s %10s %10s %10s %12s\n", "one command", "median us", "low", "high", "low x plain");
    for (size_t i = 0; i < COUNT(programs); i++) {
        const struct program *p = &programs[i];
        if (p->missing)
            continue;
        printf("%-24s %10.0f %10.0f %10.0f %12.2f\n", p->name, p->took.median * 1e6,
               p->took.low * 1e6, p->took.high * 1e6, p->took.low / programs[PLAIN].took.low);
        lines_add("sandbox start", p->name, 1, "s", p->took);
    }
    bool good = judge(&programs[BWRAP], BAR_BWRAP);
    return judge(&programs[PLAIN], BAR_PLAIN) && good;
}

int main(int argc, char **argv)
{
    const size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : ROUNDS;
    bool good = true;

    snprintf(cell_path, sizeof(cell_path), "%s/warder-cell", BENCH_BUILD);
    if (access(cell_path, X_OK) != 0) {
        printf("bench_cell: there is no warder-cell (it needs musl-gcc): skipped\n");
        return 0;
    }
    lines_open(argc > 1 ? argv[1] : NULL);
    if (rounds > 0) {
        place_make("/var/tmp");
        make_file("project/README");
        write_plan("small.json", 2, 2);
        write_plan("large.json", PROTECTED, HIDDEN);
        measure_all(rounds);
        good = print();
    }
    lines_close();
    return good ? 0 : 1;
}
