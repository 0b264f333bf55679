/* jobs.h - queries of the log, on a thread of their own with a handle of its own: a slow one holds
 * no check.
 *
 * The loop's thread owns every job; the other one only looks at its filter and
 * leaves its result, while it has it. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include <ev.h>
#include <pthread.h>
#include <stdbool.h>

#include "warder_admin.h"

struct job;
struct peer;
struct server;

/* On the loop's thread. report NULL: err says why. The report is the function's. */
typedef void (*job_done)(struct peer *peer, warder_report *report, const warder_error *err);

struct jobs {
    struct server *server;
    const char *data, *home;
    pthread_t thread;
    pthread_mutex_t lock; /* of the two lists and `stop` */
    pthread_cond_t wake;
    struct job *waiting, **last, *finished;
    size_t count; /* of jobs there are */
    bool started, stop;
    ev_async done;
};

bool jobs_start(struct jobs *jobs, struct server *server, const char *data, const char *home);
void jobs_stop(struct jobs *jobs); /* waits for the one that runs */

/* NULL: there are too many, or no memory. The filter is copied. */
struct job *job_start(struct jobs *jobs, const warder_log_filter *filter, job_done done,
                      struct peer *peer);
/* Who asked has gone. NULL is fine. */
void job_abandon(struct job *job);

#endif
