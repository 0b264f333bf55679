#include "service/writer.h"

#include <signal.h>

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
    pthread_cond_signal(&w->change);
    pthread_mutex_unlock(&w->lock);
    w->done(w->context);
}

static void *work(void *arg)
{
    struct writer *w = arg;
    struct batch *batch;

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
    pthread_cond_signal(&w->change);
    pthread_mutex_unlock(&w->lock);
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
    sigset_t all, before;

    *w = (struct writer){.write = write, .done = done, .context = context};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->change, NULL);
    if (!done)
        return STATUS_OK;
    /* Signals are handled by the owner's threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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
