/* jobs.h - queries of the log, on a separate thread with its own handle, so that a slow query
 * delays no check.
 *
 * The loop's thread owns every job. While the other thread runs one, it only reads the filter and
 * writes the result. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include <ev.h>
#include <pthread.h>
#include <stdbool.h>

#include "warder_admin.h"

struct job;
struct peer;
struct server;

/* On the loop's thread. report NULL: err says why. The function owns the report. */
typedef void (*job_done)(struct peer *peer, warder_report *report, const warder_error *err);

struct jobs {
    struct server *server;
    const char *data, *home;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the two lists and `stop` */
    pthread_cond_t wake;
    struct job *waiting, **last, *finished;
    size_t count; /* jobs that exist */
    bool started, stop;
    ev_async done;
};

bool jobs_start(struct jobs *jobs, struct server *server, const char *data, const char *home);
void jobs_stop(struct jobs *jobs); /* waits for the running job */

/* NULL if there are too many or out of memory. The filter is copied. */
struct job *job_start(struct jobs *jobs, const warder_log_filter *filter, job_done done,
                      struct peer *peer);
/* The client is gone. NULL is fine. */
void job_abandon(struct job *job);

#endif
