/* jobs.h - queries of the log, audits of rules and sign-ins, on a separate thread with its own
 * handle, so that a slow one delays no check. While there is none, the thread keeps the index of
 * the log up to date: in time that no one else wants, and while calls are recorded in a small part
 * of that.
 *
 * The loop's thread owns every job. While the other thread runs one, it only reads what was asked
 * and writes the result. */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include <ev.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"
#include "warder_service.h"

struct job;
struct peer;
struct server;

/* On the loop's thread. Unless the outcome is WARDER_DONE, err says why. The function owns the
 * report. */
typedef void (*job_done)(struct peer *peer, warder_outcome outcome, warder_report *report,
                         const warder_error *err);

struct jobs {
    struct server *server;
    const char *data, *home;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the two lists and `stop` */
    pthread_cond_t wake;
    struct job *waiting, **last, *finished;
    size_t count;         /* jobs that exist */
    atomic_ulong batches; /* of records that were written */
    int64_t up_to_date;   /* when the index was that for the last time; for the thread alone */
    bool started, stop;
    ev_async done;
};

bool jobs_start(struct jobs *jobs, struct server *server, const char *data, const char *home);
void jobs_stop(struct jobs *jobs);     /* waits for the running job */
void jobs_recorded(struct jobs *jobs); /* something was recorded; by any thread */

/* A list of decisions, or proposals. */
typedef warder_status (*job_query)(warder_log *log, const warder_log_filter *filter,
                                   warder_report **out, warder_error *err);

/* NULL if there are too many or out of memory. What is asked is copied. */
struct job *job_ask(struct jobs *jobs, job_query query, const warder_log_filter *filter,
                    job_done done, struct peer *peer);
/* Anything else that waits for the disk. */
typedef warder_status (*job_task)(const char *data, const char *home, const char *text, size_t len,
                                  warder_report **out, warder_error *err);
struct job *job_do(struct jobs *jobs, job_task task, struct str text, job_done done,
                   struct peer *peer);
/* What the service may be asked while its own thread goes on: an audit, or the rules with their
 * use. */
typedef warder_outcome (*job_work)(warder_service *service, const warder_caller *caller,
                                   const char *text, size_t len, warder_report **out,
                                   warder_error *err);
struct job *job_serve(struct jobs *jobs, job_work work, const warder_caller *caller,
                      struct str text, job_done done, struct peer *peer);
/* The client is gone. NULL is fine. */
void job_abandon(struct job *job);

#endif
