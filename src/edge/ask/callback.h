/* callback.h - the embedder's own function as an asker: it runs on a thread, so that it may wait
 * while the race goes on. */
#ifndef ASK_CALLBACK_H
#define ASK_CALLBACK_H

#include <pthread.h>

#include "ask/race.h"

/* Its answer; zeroed: none. The function that fills it allocates the strings with malloc(). */
struct callback_word {
    bool given;
    enum behavior behavior;
    char *message;
    char *input; /* JSON */
    bool interrupt, remember;
};

struct callback {
    /* Set by the caller. False: it failed. `cancel_fd` becomes readable when the answer is no
     * longer needed. */
    bool (*ask)(void *context, int cancel_fd, struct callback_word *out);
    void *context;
    struct arena *arena; /* where the reply's texts live */

    pthread_t thread;
    bool running; /* there is a thread to be joined */
    int done_fd, cancel_fd;
    bool failed;
    struct callback_word word;
};

/* Allow and deny are answers. Ask, no answer, a failure, or an input that is not an object leave
 * the question open. */
extern const struct asker_kind callback_asker; /* self: a struct callback */

#endif
