#include "serve/jobs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "serve/limits.h"
#include "serve/peer.h"
#include "serve/server.h"

struct job {
    struct job *next;
    struct peer *peer; /* NULL: abandoned */
    job_done done;
    warder_log_filter filter;
    char *texts; /* malloc'ed: the filter points into it */
    warder_report *report;
    warder_error err;
};

/* The strings of a filter, as offsets in it. */
static const size_t filter_texts[] = {
    offsetof(warder_log_filter, decision), offsetof(warder_log_filter, project),
    offsetof(warder_log_filter, worker),   offsetof(warder_log_filter, session),
    offsetof(warder_log_filter, tool),     offsetof(warder_log_filter, rule),
    offsetof(warder_log_filter, since),    offsetof(warder_log_filter, until),
    offsetof(warder_log_filter, text),     offsetof(warder_log_filter, cursor),
};

static const char **text_at(warder_log_filter *filter, size_t i)
{
    return (const char **)(void *)((char *)filter + filter_texts[i]);
}

static void free_job(struct job *job)
{
    if (!job)
        return;
    warder_report_free(job->report);
    free(job->texts);
    free(job);
}

static bool copy_filter(struct job *job, const warder_log_filter *filter)
{
    size_t room = 1;
    char *at;

    job->filter = *filter;
    for (size_t i = 0; i < COUNT(filter_texts); i++)
        if (*text_at(&job->filter, i))
            room += strlen(*text_at(&job->filter, i)) + 1;
    if (!(at = job->texts = malloc(room)))
        return false;
    for (size_t i = 0; i < COUNT(filter_texts); i++) {
        const char **text = text_at(&job->filter, i);
        if (!*text)
            continue;
        size_t len = strlen(*text) + 1;
        *text = memcpy(at, *text, len);
        at += len;
    }
    return true;
}

struct job *job_start(struct jobs *jobs, const warder_log_filter *filter, job_done done,
                      struct peer *peer)
{
    struct job *job = jobs->count < JOBS_MAX ? calloc(1, sizeof *job) : NULL;

    if (!job || !copy_filter(job, filter)) {
        free_job(job);
        return NULL;
    }
    job->done = done;
    job->peer = peer;
    jobs->count++;
    pthread_mutex_lock(&jobs->lock);
    *jobs->last = job;
    jobs->last = &job->next;
    pthread_cond_signal(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

void job_abandon(struct job *job)
{
    if (job)
        job->peer = NULL;
}

/* NULL: time to stop. */
static struct job *next_job(struct jobs *jobs)
{
    struct job *job = NULL;

    pthread_mutex_lock(&jobs->lock);
    while (!jobs->waiting && !jobs->stop)
        pthread_cond_wait(&jobs->wake, &jobs->lock);
    if (!jobs->stop) {
        job = jobs->waiting;
        jobs->waiting = job->next;
        if (!jobs->waiting)
            jobs->last = &jobs->waiting;
    }
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

static void hand_back(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->lock);
    job->next = jobs->finished;
    jobs->finished = job;
    pthread_mutex_unlock(&jobs->lock);
    ev_async_send(jobs->server->loop, &jobs->done);
}

static void *work(void *arg)
{
    struct jobs *jobs = arg;
    warder_log *log = NULL;
    struct job *job;

    while ((job = next_job(jobs))) {
        if (log || warder_log_open(jobs->data, jobs->home, &log, &job->err) == WARDER_OK)
            if (warder_log_list(log, &job->filter, &job->report, &job->err) != WARDER_OK)
                job->report = NULL;
        hand_back(jobs, job);
    }
    warder_log_close(log);
    return NULL;
}

static void deliver(struct job *job)
{
    struct peer *peer = job->peer;

    if (!peer)
        return;
    peer->job = NULL;
    job->done(peer, job->report, &job->err);
    job->report = NULL;
}

static void on_done(struct ev_loop *loop, ev_async *async, int events)
{
    struct jobs *jobs = async->data;
    struct job *job, *next;

    (void)loop, (void)events;
    pthread_mutex_lock(&jobs->lock);
    job = jobs->finished;
    jobs->finished = NULL;
    pthread_mutex_unlock(&jobs->lock);
    for (; job; job = next) {
        next = job->next;
        deliver(job);
        free_job(job);
        jobs->count--;
    }
}

bool jobs_start(struct jobs *jobs, struct server *server, const char *data, const char *home)
{
    sigset_t all, before;

    *jobs = (struct jobs){.server = server, .data = data, .home = home};
    jobs->last = &jobs->waiting;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->wake, NULL);
    ev_async_init(&jobs->done, on_done);
    jobs->done.data = jobs;
    ev_async_start(server->loop, &jobs->done);
    /* Signals are handled by the loop's thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    jobs->started = pthread_create(&jobs->thread, NULL, work, jobs) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return jobs->started;
}

void jobs_stop(struct jobs *jobs)
{
    struct job *next;

    if (!jobs->started)
        return;
    pthread_mutex_lock(&jobs->lock);
    jobs->stop = true;
    pthread_cond_signal(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
    pthread_join(jobs->thread, NULL);
    jobs->started = false;
    ev_async_stop(jobs->server->loop, &jobs->done);
    for (struct job *job = jobs->waiting; job; job = next) {
        next = job->next;
        free_job(job);
    }
    for (struct job *job = jobs->finished; job; job = next) {
        next = job->next;
        free_job(job);
    }
}
