/* bench_memory.c - resident memory of an engine by number of rules, of the service and of a hook.
 *
 *     bench_memory [FILE]            FILE gets the figures as lines of JSON
 *     bench_memory --engine          loads the policy of $HOME, judges a call, prints its memory
 *
 * An engine is measured in its own process: how much it adds after it has judged a call, and the
 * peak while it loads. For the service and the hook it is all memory of the process, including
 * library pages that it shares with others. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "lines.h"
#include "place.h"
#include "service.h"
#include "warder.h"

#define RULES 100
#define CALLS 1000

/* Bytes from this line of /proc/PID/status; 0 if there is none. */
static double resident(pid_t pid, const char *line)
{
    char path[64], text[256];
    unsigned long kilobytes = 0;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(text, sizeof(text), f))
        if (strncmp(text, line, strlen(line)) == 0)
            kilobytes = strtoul(text + strlen(line) + 1, NULL, 10);
    if (f)
        fclose(f);
    return (double)kilobytes * 1024;
}

static void add(const char *who, size_t n, double bytes)
{
    char name[64];

    if (n > 1)
        snprintf(name, sizeof(name), "%s, %zu rules", who, n);
    else
        snprintf(name, sizeof(name), "%s", who);
    printf("%-40s %8.2f MB\n", name, bytes / (1 << 20));
    lines_add("memory", who, n, "B", (struct measured){bytes, bytes, bytes});
}

/* ---- an engine ---- */

static int be_engine(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e = NULL;
    warder_decision *d = NULL;
    double before = resident(getpid(), "VmRSS:");

    o.home = getenv("HOME");
    o.cwd = o.project = getenv("CLAUDE_PROJECT_DIR");
    if (warder_engine_new(&o, &e, NULL) != WARDER_OK ||
        warder_check_argument(e, "Bash", PLACE_COMMAND, &d, NULL) != WARDER_OK)
        return 1;
    printf("%.0f %.0f\n", resident(getpid(), "VmRSS:") - before,
           resident(getpid(), "VmHWM:") - before);
    warder_decision_free(d);
    warder_engine_free(e);
    return 0;
}

static void measure_engine(size_t rules)
{
    char answer[PATH_MAX];
    const char *const argv[] = {BENCH_BUILD "/bench/bench_memory", "--engine", NULL};
    double now = 0, most = 0;

    place_rules("json", rules);
    place_path(answer, "answer");
    pid_t pid = place_spawn(argv, "/dev/null", answer, -1);
    if (pid < 0 || waitpid(pid, NULL, 0) != pid)
        place_stop(argv[0]);
    FILE *f = fopen(answer, "re");
    if (!f || fscanf(f, "%lf %lf", &now, &most) != 2)
        place_stop(answer);
    fclose(f);
    add("engine", rules, now);
    add("engine, while it loads", rules, most);
}

/* ---- the service ---- */

static void measure_service(void)
{
    static char answer[65536];
    char call[1024];
    struct service s;

    if (!service_is_built()) {
        printf("bench_memory: this build has no warder-serve: left out\n");
        return;
    }
    place_rules("yaml", RULES);
    service_start(&s, "memory", "crash");
    add("service, idle", 1, resident(s.pid, "VmRSS:"));
    int fd = service_connect(s.socket);
    snprintf(call, sizeof(call),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"cwd\":\"%s\"}\n", PLACE_COMMAND,
             place_project());
    for (int i = 0; i < CALLS; i++)
        if (!service_ask(fd, call, strlen(call), answer, sizeof(answer)))
            place_stop("the service");
    add("service, after 1,000 calls", 1, resident(s.pid, "VmRSS:"));
    close(fd);
    service_stop(&s);
}

/* ---- a hook ---- */

/* Peak memory of a program, read just before it ends: the figure of wait4() would include ours. */
static double peak_of(const char *const *argv)
{
    int status, in = open(place_event(), O_RDONLY | O_CLOEXEC),
                out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t pid = fork();

    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
            execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    close(in);
    close(out);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return 0;
    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    if (waitpid(pid, &status, 0) != pid)
        return 0;
    double peak =
        WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXIT ? resident(pid, "VmHWM:") : 0;
    kill(pid, SIGKILL);
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    waitpid(pid, &status, 0);
    return peak;
}

static void measure_hooks(void)
{
    const struct {
        const char *name, *argv[7];
    } hooks[] = {
        {"warder-hook", {BENCH_BUILD "/warder-hook", "--home", place_home(), "--client", "claude"}},
        {"warder hook",
         {BENCH_BUILD "/warder", "hook", "--home", place_home(), "--client", "claude"}},
        {"a static program that echoes", {BENCH_BUILD "/bench/spawn_floor"}},
        {"/bin/true", {"/bin/true"}},
    };

    place_write_image();
    for (size_t i = 0; i < COUNT(hooks); i++) {
        double peak = access(hooks[i].argv[0], X_OK) == 0 ? peak_of(hooks[i].argv) : 0;
        if (peak > 0)
            add(hooks[i].name, 1, peak);
        else
            printf("bench_memory: %s cannot be measured here: left out\n", hooks[i].name);
    }
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {10, 1000, 100000};

    if (argc > 1 && strcmp(argv[1], "--engine") == 0)
        return be_engine();
    lines_open(argc > 1 ? argv[1] : NULL);
    place_make("/tmp");
    place_write_event(PLACE_COMMAND);
    for (size_t i = 0; i < COUNT(sizes); i++)
        measure_engine(sizes[i]);
    measure_service();
    measure_hooks();
    lines_close();
    return 0;
}
