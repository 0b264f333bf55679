#include "serve/figures.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "serve/server.h"

/* All that we answer with; reply.c has their names. */
static const unsigned statuses[] = {101, 200, 201, 202, 400, 401, 403, 404, 405, 409,
                                    411, 413, 415, 421, 429, 431, 500, 503, 505};

_Static_assert(COUNT(statuses) < FIGURES_STATUSES_MAX, "a status has no place");

static size_t place_of(unsigned status)
{
    size_t i = 0;

    while (i < COUNT(statuses) && statuses[i] != status)
        i++;
    return i; /* beyond the last one: any other */
}

void figures_count(struct figures *figures, const struct route *route, unsigned status)
{
    size_t row = route ? (size_t)(route - routes) : FIGURES_ROUTES_MAX;

    figures->requests[row < FIGURES_ROUTES_MAX ? row : FIGURES_ROUTES_MAX][place_of(status)]++;
}

__attribute__((format(printf, 2, 3))) static bool add(struct bytes *out, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    int len = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return len > 0 && (size_t)len < sizeof text && bytes_add(out, (struct str){text, (size_t)len});
}

static bool head(struct bytes *out, const char *name, const char *type, const char *help)
{
    return add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static bool write_requests(const struct figures *f, struct bytes *out)
{
    bool whole = head(out, "warder_http_requests_total", "counter",
                      "Answers over HTTP, by route and status.");

    for (size_t r = 0; r <= FIGURES_ROUTES_MAX; r++)
        for (size_t s = 0; s <= COUNT(statuses); s++) {
            if (!f->requests[r][s])
                continue;
            const bool known = r < FIGURES_ROUTES_MAX;
            char code[16] = "other";
            if (s < COUNT(statuses))
                snprintf(code, sizeof code, "%u", statuses[s]);
            whole &= add(out,
                         "warder_http_requests_total{method=\"%s\",route=\"%s\",code=\"%s\"} "
                         "%llu\n",
                         known ? method_name(routes[r].method) : "", known ? routes[r].path : "",
                         code, (unsigned long long)f->requests[r][s]);
        }
    return whole;
}

static bool write_connections(const struct server *server, struct bytes *out)
{
    const size_t sockets = server->events.sockets, peers = server->peer_count;

    return head(out, "warder_connections", "gauge", "Open connections, by kind.") &&
           add(out,
               "warder_connections{kind=\"http\"} %zu\nwarder_connections{kind=\"websocket\"} "
               "%zu\nwarder_connections{kind=\"unix\"} %zu\n",
               peers > sockets ? peers - sockets : 0, sockets, server->connections - peers) &&
           head(out, "warder_log_queries", "gauge", "Queries of the log that run or wait.") &&
           add(out, "warder_log_queries %zu\n", server->jobs.count);
}

/* Without the one that the count itself needs. 0: it could not be counted. */
static size_t open_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count > 3 ? count - 3 : 0;
}

static bool write_process(struct bytes *out)
{
    struct rlimit limit;
    struct rusage used;
    const size_t descriptors = open_descriptors();
    bool whole = true;

    if (descriptors)
        whole = head(out, "process_open_fds", "gauge", "Open descriptors.") &&
                add(out, "process_open_fds %zu\n", descriptors);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        whole &= head(out, "process_max_fds", "gauge", "Descriptors that may be open.") &&
                 add(out, "process_max_fds %llu\n", (unsigned long long)limit.rlim_cur);
    if (getrusage(RUSAGE_SELF, &used) == 0)
        whole &= head(out, "process_cpu_seconds_total", "counter", "Processor time.") &&
                 add(out, "process_cpu_seconds_total %.3f\n",
                     (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
    return whole;
}

static bool write_memory(struct bytes *out)
{
    char text[128] = "";
    FILE *f = fopen("/proc/self/statm", "re");
    const char *resident = f && fgets(text, sizeof text, f) ? strchr(text, ' ') : NULL;
    unsigned long long pages = resident ? strtoull(resident, NULL, 10) : 0;

    if (f)
        (void)fclose(f);
    return !pages || (head(out, "process_resident_memory_bytes", "gauge", "Resident memory.") &&
                      add(out, "process_resident_memory_bytes %llu\n",
                          pages * (unsigned long long)sysconf(_SC_PAGESIZE)));
}

bool figures_write(const struct server *server, struct bytes *out)
{
    return write_requests(&server->figures, out) && write_connections(server, out) &&
           write_process(out) && write_memory(out);
}
