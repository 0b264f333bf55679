/* bench_socket.c - one call put to the service over its unix socket, and the verdict read: a round
 * trip.
 *
 *     bench_socket [FILE]     FILE gets the figures as lines of JSON
 *
 * Three servers take turns: a process that answers each line with one as long as a verdict (the
 * echo), a service that answers once the system has the record, and one that answers once the disk
 * has it, as it does unless told otherwise. Wall time, since a round trip is mostly waiting: once
 * with everybody on one processor, and once with the servers on another one than the client. Left
 * to itself the system puts each of them where it likes, and a waking that crosses processors takes
 * several times as long as an echo that does not. */
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
    size_t trips; /* in a row, before it is another one's turn */
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

/* One loop, as the service has: waits for whoever has something to say. */
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

/* The first processors that we may use; how many there are, up to that many. */
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

/* n: on how many processors. */
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
    place_make("."); /* not /tmp: that is memory on many machines, and a sync of it costs nothing */
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
