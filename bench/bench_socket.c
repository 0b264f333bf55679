/* bench_socket.c - a round trip to the service: one call over its unix socket, and the verdict
 * back.
 *
 *     bench_socket [FILE]     FILE gets the figures as lines of JSON
 *
 * Three servers, interleaved: a process that answers each line with one as long as a verdict (the
 * echo), a service that answers when the kernel has the record, and one that answers when the disk
 * has it, which is the default. Wall time, because a round trip is mostly waiting: once with
 * everything on one processor, and once with the servers on another one than the client. Pinned,
 * because a wake-up across processors takes several times as long as a local echo. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "lines.h"
#include "place.h"
#include "service.h"

#define ROUNDS     501
#define TRIPS_MAX  20
#define RULES      100
#define TEXT_MAX   65536
#define WARM_TRIPS 200

static char call[TEXT_MAX], answer[TEXT_MAX];

static struct server {
    const char *name;
    size_t trips; /* in a row, before the next server's turn */
    pid_t pid;
    int fd;
    double samples[ROUNDS * TRIPS_MAX];
    size_t count;
} servers[] = {
    {.name = "echo", .trips = TRIPS_MAX},
    {.name = "decision", .trips = TRIPS_MAX},
    {.name = "decision, synced", .trips = 2},
};
enum { ECHO, RELAXED, SYNCED };

/* ---- the echo ---- */

static bool answer_line(int fd, const char *line, size_t len)
{
    char got[TEXT_MAX];
    ssize_t n = read(fd, got, sizeof(got));

    if (n <= 0)
        return false;
    return got[n - 1] != '\n' || write(fd, line, len) == (ssize_t)len;
}

/* One event loop, like that of the service. */
static _Noreturn void echo(int listening, const char *line)
{
    struct pollfd watched[2] = {{.fd = listening, .events = POLLIN}, {.fd = -1, .events = POLLIN}};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (poll(watched, 2, -1) > 0) {
        if (watched[0].revents)
            watched[1].fd = accept(listening, NULL, NULL);
        else if (!answer_line(watched[1].fd, line, strlen(line)))
            break;
    }
    _exit(0);
}

static pid_t start_echo(const char *line)
{
    char path[PATH_MAX];

    place_path(path, "echo.sock");
    int listening = service_listen(path);
    pid_t pid = fork();
    if (pid < 0)
        place_stop("fork");
    if (pid == 0)
        echo(listening, line);
    close(listening);
    servers[ECHO].pid = pid;
    servers[ECHO].fd = service_connect(path);
    return pid;
}

/* ---- round trips ---- */

static void write_call(void)
{
    snprintf(call, sizeof(call),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"cwd\":\"%s\",\"project\":\"%s\","
             "\"session\":\"bench\","
             "\"tool_use_id\":\"toolu_01\",\"worker_id\":\"w-1\",\"task_id\":\"t-1\",\"project_"
             "id\":\"p-1\"}\n",
             PLACE_COMMAND, place_project(), place_project());
}

static void trip(struct server *s)
{
    if (!service_ask(s->fd, call, strlen(call), answer, sizeof(answer)))
        place_stop(s->name);
}

static void take_turn(struct server *s, size_t trips)
{
    for (size_t i = 0; i < trips; i++) {
        double from = place_now();
        trip(s);
        s->samples[s->count++] = place_now() - from;
    }
}

static void connect_to(struct server *s, const struct service *service)
{
    s->pid = service->pid;
    s->fd = service_connect(service->socket);
    trip(s);
    if (!strstr(answer, "\"behavior\":\"allow\"")) {
        fprintf(stderr, "bench_socket: the call is not allowed: %s\n", answer);
        exit(1);
    }
}

/* ---- where they run ---- */

static void put_on(pid_t pid, int processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    if (sched_setaffinity(pid, sizeof(set), &set) < 0)
        place_stop("sched_setaffinity");
}

/* Finds the first processors that we may use; returns how many, at most `most`. */
static size_t find_processors(int out[], size_t most)
{
    cpu_set_t set;
    size_t count = 0;

    if (sched_getaffinity(0, sizeof(set), &set) < 0)
        place_stop("sched_getaffinity");
    for (int i = 0; i < CPU_SETSIZE && count < most; i++)
        if (CPU_ISSET((size_t)i, &set))
            out[count++] = i;
    return count;
}

/* n: number of processors. */
static void compare(size_t n)
{
    struct measured m[COUNT(servers)];

    for (size_t i = 0; i < COUNT(servers); i++) {
        servers[i].count = 0;
        take_turn(&servers[i], WARM_TRIPS);
        servers[i].count = 0;
    }
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT(servers); i++)
            take_turn(&servers[i], servers[i].trips);
    printf("%-24s %10s %10s %10s %8s\n", n == 1 ? "one processor" : "two processors", "median us",
           "low", "high", "x echo");
    for (size_t i = 0; i < COUNT(servers); i++) {
        m[i] = measure_samples(servers[i].samples, servers[i].count);
        printf("%-24s %10.1f %10.1f %10.1f %8.2f\n", servers[i].name, m[i].median * 1e6,
               m[i].low * 1e6, m[i].high * 1e6, m[i].median / m[ECHO].median);
        lines_add("socket", servers[i].name, n, "s", m[i]);
    }
}

static void compare_all(void)
{
    int processors[2];
    size_t count = find_processors(processors, COUNT(processors));

    put_on(0, processors[0]);
    for (size_t n = 1; n <= count; n++) {
        for (size_t i = 0; i < COUNT(servers); i++)
            put_on(servers[i].pid, processors[n - 1]);
        compare(n);
    }
}

int main(int argc, char **argv)
{
    struct service relaxed, synced;

    if (!service_is_built()) {
        printf("bench_socket: this build has no warder-serve: skipped\n");
        return 0;
    }
    lines_open(argc > 1 ? argv[1] : NULL);
    /* not /tmp, which is a RAM disk on many machines, where a sync costs nothing */
    place_make(".");
    place_rules("yaml", RULES);
    write_call();
    service_start(&relaxed, "relaxed", "crash");
    service_start(&synced, "synced", "always");
    connect_to(&servers[SYNCED], &synced);
    connect_to(&servers[RELAXED], &relaxed);
    char *line = strdup(answer);
    pid_t echoing = start_echo(line);
    compare_all();
    free(line);
    close(servers[ECHO].fd);
    waitpid(echoing, NULL, 0);
    service_stop(&relaxed);
    service_stop(&synced);
    lines_close();
    return 0;
}
