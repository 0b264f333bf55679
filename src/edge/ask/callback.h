/* callback.h - the embedder's own function as an asker: it runs on a thread, so that it may wait,
 * and the race goes on.
 */
#ifndef ASK_CALLBACK_H
#define ASK_CALLBACK_H

#include <pthread.h>

#include "ask/race.h"

/* What it said; zeroed: nothing. The strings are malloc'ed by whoever fills it. */
struct callback_word {
    bool given;
    enum behavior behavior;
    char *message;
    char *input; /* JSON */
    bool interrupt, remember;
};

struct callback {
    /* Filled by whoever asks. False: it failed. `cancel_fd` is readable when nobody waits for it
     * any more. */
    bool (*ask)(void *context, int cancel_fd, struct callback_word *out);
    void *context;
    struct arena *arena; /* where the reply's texts live */

    pthread_t thread;
    bool running; /* there is a thread to be joined */
    int done_fd, cancel_fd;
    bool failed;
    struct callback_word word;
};

/* Allow and deny are answers; ask, nothing, a failure and an input that is no object leave the
 * question open. */
extern const struct asker_kind callback_asker; /* self: a struct callback */

#endif
