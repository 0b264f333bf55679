/* notify.h - tells others what happened: programs that are run, and web hooks.
 *
 * Each target has a thread and a short queue of its own, so that the loop never waits, and a target
 * that hangs holds up nobody else. What does not fit into the queue, or could not be told in
 * NOTIFY_TRIES tries, is lost: it is counted, and said once. What is told is the event's JSON,
 * which is redacted. */
#ifndef SERVE_NOTIFY_H
#define SERVE_NOTIFY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define NOTIFY_TARGETS_MAX 16
#define NOTIFY_QUEUE_MAX   256   /* events that wait for one target */
#define NOTIFY_TRIES       3     /* for each of them */
#define NOTIFY_PAUSE_MS    1000  /* before the second try; four times that before the third */
#define NOTIFY_TIMEOUT_MS  10000 /* for one try of a program */
#define NOTIFY_HTTP_MS                                                                             \
    5000 /* ... and of a web hook by plain HTTP: the end of the service waits for it */
#define NOTIFY_URL_MAX 2048 /* bytes */

struct notify_counts {
    uint64_t sent, failed, dropped;
};

struct notify_target {
    struct notify *notify;
    char *program; /* malloc'ed: an absolute path; NULL: a web hook */
    char url[NOTIFY_URL_MAX +
             1]; /* may be as secret as a password: it is in no message and on no command line */
    pthread_t thread;
    bool running, complained;
    char *queue[NOTIFY_QUEUE_MAX]; /* malloc'ed, a ring */
    size_t first, count;
};

struct notify {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool stopping;
    struct notify_counts counts;
    struct notify_target targets[NOTIFY_TARGETS_MAX];
    size_t count;
};

/* Before anything is added; notify_stop() in every case. */
void notify_init(struct notify *n);

/* A program by its absolute path, or a URL (http:// or https://; "@FILE": the one line of that
 * file). False after saying what is wrong. */
bool notify_add_program(struct notify *n, const char *path);
bool notify_add_webhook(struct notify *n, const char *url);

/* False: there are no threads to be had. */
bool notify_start(struct notify *n);

/* Copies it, and returns at once. */
void notify_tell(struct notify *n, const char *json);

/* What waits is given up; what is being told now is ended. */
void notify_stop(struct notify *n);

/* In the form of Prometheus. */
void notify_metrics(struct notify *n, char *out, size_t room);

#endif
