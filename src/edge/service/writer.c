#include "service/writer.h"

#include "machine/thread.h"

/* ---- the thread ---- */

/* NULL: time to stop. */
static struct batch *next_batch(struct writer *w)
{
    pthread_mutex_lock(&w->lock);
    while (!w->given && !w->stop)
        pthread_cond_wait(&w->change, &w->lock);
    struct batch *batch = w->given;
    pthread_mutex_unlock(&w->lock);
    return batch;
}

static void give_back(struct writer *w, struct batch *batch)
{
    pthread_mutex_lock(&w->lock);
    w->given = NULL;
    w->written = batch;
    pthread_mutex_unlock(&w->lock);
    pthread_cond_signal(&w->change);
    w->done(w->context);
}

static void *work(void *arg)
{
    struct writer *w = arg;
    struct batch *batch;

    thread_take_short_turns(); /* answers wait for it */
    while ((batch = next_batch(w))) {
        w->write(batch);
        give_back(w, batch);
    }
    return NULL;
}

/* ---- its owner ---- */

void writer_give(struct writer *w, struct batch *batch)
{
    if (!w->started) {
        w->write(batch);
        w->written = batch;
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->given = batch;
    pthread_mutex_unlock(&w->lock);
    pthread_cond_signal(&w->change); /* or it wakes up only to wait for the lock */
}

struct batch *writer_take(struct writer *w, bool waits)
{
    pthread_mutex_lock(&w->lock);
    while (waits && w->given)
        pthread_cond_wait(&w->change, &w->lock);
    struct batch *batch = w->written;
    w->written = NULL;
    pthread_mutex_unlock(&w->lock);
    return batch;
}

enum status writer_start(struct writer *w, void (*write)(struct batch *batch),
                         void (*done)(void *context), void *context, struct error *err)
{
    *w = (struct writer){.write = write, .done = done, .context = context};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->change, NULL);
    if (!done)
        return STATUS_OK;
    int failed = thread_start(&w->thread, work, w);
    w->started = !failed;
    return failed ? fail(err, STATUS_IO, "cannot start the thread that writes the record: %s",
                         strerror(failed))
                  : STATUS_OK;
}

void writer_stop(struct writer *w)
{
    if (!w->write)
        return;
    if (w->started) {
        pthread_mutex_lock(&w->lock);
        w->stop = true;
        pthread_cond_signal(&w->change);
        pthread_mutex_unlock(&w->lock);
        pthread_join(w->thread, NULL);
    }
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->change);
    *w = (struct writer){0};
}
