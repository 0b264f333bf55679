/* writer.h - the thread that waits for the disk, so that the owner of the service never does.
 *
 * It has one batch at a time, and the owner collects the next one meanwhile. A batch belongs to the
 * thread from writer_give() until `done` is called, and to the owner before and after: nothing
 * inside it needs a lock. A batch is never dropped: the thread ends only when it has none. */
#ifndef SERVICE_WRITER_H
#define SERVICE_WRITER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/error.h"

struct batch;

struct writer {
    void (*write)(struct batch *batch);
    void (*done)(void *context); /* on the thread; NULL: there is none, the owner itself writes */
    void *context;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the rest */
    pthread_cond_t change;
    struct batch *given, *written; /* at most one of them */
    bool started, stop;
};

enum status writer_start(struct writer *w, void (*write)(struct batch *batch),
                         void (*done)(void *context), void *context, struct error *err);
void writer_stop(struct writer *w); /* after its batch; zeroed memory is fine */

/* The last one must have been taken back. */
void writer_give(struct writer *w, struct batch *batch);
/* NULL: it has none, or it is not written yet; that is waited for if `waits`. */
struct batch *writer_take(struct writer *w, bool waits);

#endif
