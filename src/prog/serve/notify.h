/* notify.h - sends events to programs that are run, and to web hooks.
 *
 * Each target has its own thread and a short queue, so that the loop never waits and a target that
 * hangs delays no other. Events that do not fit into the queue, or failed NOTIFY_TRIES times, are
 * counted, and one notice says how many they were: {"type": "more", "more": {"count"}}. It
 * follows when the queue is empty, and is tried until it is taken. The event's JSON is redacted. */
#ifndef SERVE_NOTIFY_H
#define SERVE_NOTIFY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "serve/notice.h"

#define NOTIFY_TARGETS_MAX 16
#define NOTIFY_QUEUE_MAX   256   /* waiting events of one target */
#define NOTIFY_TRIES       3     /* for each event */
#define NOTIFY_PAUSE_MS    1000  /* before the second attempt; four times that before the third */
#define NOTIFY_TIMEOUT_MS  10000 /* for one attempt of a program */
#define NOTIFY_HTTP_MS                                                                             \
    5000 /* ... and of a web hook over plain HTTP: stopping the service waits for it */
#define NOTIFY_URL_MAX   2048  /* bytes */
#define NOTIFY_TOPIC_MAX 256   /* bytes */
#define NOTIFY_AGAIN_MS  30000 /* before the number of missing events is told again */

struct notify_counts {
    uint64_t sent, failed, summed;
};

struct notify_target {
    struct notify *notify;
    char *program; /* malloc'ed: an absolute path; NULL: a web hook */
    char url[NOTIFY_URL_MAX +
             1]; /* may be as secret as a password: never in a message or on a command line */
    enum notice_form form;
    char topic[NOTIFY_TOPIC_MAX + 1]; /* of ntfy */
    pthread_t thread;
    bool running, complained;
    char *queue[NOTIFY_QUEUE_MAX]; /* malloc'ed, a ring */
    size_t first, count;
    uint64_t missed; /* events that it was not told, and will be told the number of */
};

struct notify {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    atomic_bool stopping;
    struct notify_counts counts;
    struct notify_target targets[NOTIFY_TARGETS_MAX];
    size_t count;
};

/* Call before anything is added; notify_stop() must follow in any case. */
void notify_init(struct notify *n);

/* A program by its absolute path, or a URL (http:// or https://; "@FILE": the one line of that
 * file). option: which one it was given with. False after printing what is wrong. */
bool notify_add_program(struct notify *n, const char *path);
bool notify_add_webhook(struct notify *n, enum notice_form form, const char *option,
                        const char *url);

/* False if no thread can be started. */
bool notify_start(struct notify *n);

/* Copies the event and returns at once. links: of warder_event, or NULL. */
void notify_tell(struct notify *n, const char *json, const char *links);

/* Drops waiting events and aborts the delivery that is running. */
void notify_stop(struct notify *n);

/* In the Prometheus text format. */
void notify_metrics(struct notify *n, char *out, size_t room);

#endif
