#include "serve/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "machine/clock.h"
#include "machine/thread.h"
#include "machine/turns.h"
#include "serve/limits.h"
#include "serve/peer.h"
#include "serve/server.h"

struct job {
    struct job *next;
    struct peer *peer; /* NULL: abandoned */
    job_done done;
    job_work work; /* one of these three */
    job_task task;
    job_query query;
    warder_log_filter filter; /* of a query */
    warder_caller caller;     /* of work */
    size_t len;               /* of what is given to work or a task */
    char *texts;              /* malloc'ed: that, or what the filter points into */
    warder_outcome outcome;
    warder_report *report;
    warder_error err;
};

/* The strings of a filter, as offsets in it: a query runs when what they point into is gone. */
static const size_t filter_texts[] = {
    offsetof(warder_log_filter, decision), offsetof(warder_log_filter, project),
    offsetof(warder_log_filter, worker),   offsetof(warder_log_filter, session),
    offsetof(warder_log_filter, tool),     offsetof(warder_log_filter, rule),
    offsetof(warder_log_filter, since),    offsetof(warder_log_filter, until),
    offsetof(warder_log_filter, text),     offsetof(warder_log_filter, cursor),
    offsetof(warder_log_filter, after),
};
/* All members are strings but the first, which is its size, and the limit. */
_Static_assert(sizeof(warder_log_filter) ==
                   sizeof(size_t) + COUNT(filter_texts) * sizeof(char *) + sizeof(uint64_t),
               "a member of the filter is not copied");

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

static struct job *new_job(const struct jobs *jobs, job_done done, struct peer *peer)
{
    struct job *job = jobs->count < JOBS_MAX ? calloc(1, sizeof *job) : NULL;

    if (job) {
        job->done = done;
        job->peer = peer;
    }
    return job;
}

static struct job *start(struct jobs *jobs, struct job *job)
{
    jobs->count++;
    pthread_mutex_lock(&jobs->lock);
    *jobs->last = job;
    jobs->last = &job->next;
    pthread_mutex_unlock(&jobs->lock);
    pthread_cond_signal(&jobs->wake);
    return job;
}

struct job *job_ask(struct jobs *jobs, job_query query, const warder_log_filter *filter,
                    job_done done, struct peer *peer)
{
    struct job *job = new_job(jobs, done, peer);

    if (job && copy_filter(job, filter)) {
        job->query = query;
        return start(jobs, job);
    }
    free_job(job);
    return NULL;
}

struct job *job_do(struct jobs *jobs, job_task task, struct str text, job_done done,
                   struct peer *peer)
{
    struct job *job = new_job(jobs, done, peer);

    if (!job || !(job->texts = strndup(text.s, text.len))) {
        free_job(job);
        return NULL;
    }
    job->task = task;
    job->len = text.len;
    return start(jobs, job);
}

struct job *job_serve(struct jobs *jobs, job_work work, const warder_caller *caller,
                      struct str text, job_done done, struct peer *peer)
{
    struct job *job = new_job(jobs, done, peer);

    if (!job || !(job->texts = strndup(text.s ? text.s : "", text.len))) {
        free_job(job);
        return NULL;
    }
    job->work = work;
    job->caller = *caller;
    job->len = text.len;
    return start(jobs, job);
}

void job_abandon(struct job *job)
{
    if (job)
        job->peer = NULL;
}

enum turn { TURN_STOP, TURN_JOB, TURN_IDLE };

/* Waits for a job, but not longer than this. */
static enum turn next_turn(struct jobs *jobs, int64_t patience_ms, struct job **out)
{
    const int64_t end = clock_ms() + patience_ms;
    struct timespec until;
    int waited = 0;
    enum turn turn = TURN_IDLE;

    until = (struct timespec){.tv_sec = end / 1000, .tv_nsec = end % 1000 * 1000000};
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->waiting && !jobs->stop && patience_ms > 0 && waited == 0)
        waited = pthread_cond_timedwait(&jobs->wake, &jobs->lock, &until);
    if (jobs->stop) {
        turn = TURN_STOP;
    } else if ((*out = jobs->waiting)) {
        turn = TURN_JOB;
        jobs->waiting = (*out)->next;
        if (!jobs->waiting)
            jobs->last = &jobs->waiting;
    }
    pthread_mutex_unlock(&jobs->lock);
    return turn;
}

static void hand_back(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->lock);
    job->next = jobs->finished;
    jobs->finished = job;
    pthread_mutex_unlock(&jobs->lock);
    ev_async_send(jobs->server->loop, &jobs->done);
}

static warder_outcome outcome_of(warder_status status)
{
    if (status == WARDER_OK)
        return WARDER_DONE;
    if (status == WARDER_EUNSAFE)
        return WARDER_FORBIDDEN;
    return status == WARDER_EUSAGE || status == WARDER_ESYNTAX ? WARDER_INVALID : WARDER_FAILED;
}

static void run(const struct jobs *jobs, warder_log **log, struct job *job)
{
    warder_status status = WARDER_OK;

    if (job->work) {
        job->outcome = job->work(jobs->server->service, &job->caller, job->texts, job->len,
                                 &job->report, &job->err);
        return;
    }
    if (job->task) {
        job->outcome = outcome_of(
            job->task(jobs->data, jobs->home, job->texts, job->len, &job->report, &job->err));
        return;
    }
    if (!*log)
        status = warder_log_open(jobs->data, jobs->home, log, &job->err);
    if (status == WARDER_OK)
        status = job->query(*log, &job->filter, &job->report, &job->err);
    job->outcome = outcome_of(status);
}

/* True: there is more to do. */
static bool keep_up(const struct jobs *jobs, warder_log **log)
{
    warder_error err = {0};
    int more = 0;

    if (!*log && warder_log_open(jobs->data, jobs->home, log, &err) != WARDER_OK)
        return false;
    return warder_log_keep_up(*log, KEEP_UP_ROWS, &more, &err) == WARDER_OK && more;
}

/* The longer the index is behind, the larger is its part: a query holds what the file lacks in
 * memory, and has to write it when that becomes too much. */
static int64_t rest_after(struct jobs *jobs, int64_t began)
{
    const int64_t now = clock_ms();
    int64_t times = KEEP_UP_REST;

    for (int64_t ms = now - jobs->up_to_date; ms > KEEP_UP_HURRY_MS; ms -= KEEP_UP_HURRY_MS)
        times = times > KEEP_UP_REST_LEAST ? times / 2 : times;
    return (now - began + 1) * times;
}

/* Returns how many milliseconds to rest: its writes delay those of the records. (Not the class
 * SCHED_IDLE: a thread that gets no processor in the middle of a write holds up the file system's
 * journal, and with it every sync of a record.) */
static int64_t spend_idle_time(struct jobs *jobs, warder_log **log)
{
    const unsigned long before = atomic_load(&jobs->batches);
    const int64_t began = clock_ms();

    if (keep_up(jobs, log))
        return atomic_load(&jobs->batches) == before ? 0 : rest_after(jobs, began);
    jobs->up_to_date = clock_ms();
    return KEEP_UP_EVERY_MS;
}

void jobs_recorded(struct jobs *jobs)
{
    atomic_fetch_add(&jobs->batches, 1);
}

static void *work(void *arg)
{
    struct jobs *jobs = arg;
    warder_log *log = NULL;
    struct job *job = NULL;
    int64_t due = clock_ms() + KEEP_UP_EVERY_MS;
    const id_t self = (id_t)gettid();
    enum turn turn;

    /* Checks come first. */
    (void)setpriority(PRIO_PROCESS, self, getpriority(PRIO_PROCESS, self) + JOBS_NICE);
    turns_begin(&jobs->batches);
    while ((turn = next_turn(jobs, due - clock_ms(), &job)) != TURN_STOP) {
        if (turn == TURN_JOB) {
            run(jobs, &log, job);
            hand_back(jobs, job);
        }
        /* Also between queries that never end: what they hold in memory is what the file lacks. */
        if (clock_ms() >= due)
            due = clock_ms() + spend_idle_time(jobs, &log);
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
    job->done(peer, job->outcome, job->report, &job->err);
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
    pthread_condattr_t attributes;

    *jobs = (struct jobs){.server = server, .data = data, .home = home, .up_to_date = clock_ms()};
    jobs->last = &jobs->waiting;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&jobs->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    ev_async_init(&jobs->done, on_done);
    jobs->done.data = jobs;
    ev_async_start(server->loop, &jobs->done);
    jobs->started = thread_start(&jobs->thread, work, jobs) == 0;
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
