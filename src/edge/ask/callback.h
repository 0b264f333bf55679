/* callback.h - the embedder's own function as an asker: it runs on a thread, so that it may wait
 * while the race goes on. */
#ifndef ASK_CALLBACK_H
#define ASK_CALLBACK_H

#include <pthread.h>

#include "ask/race.h"
#include "base/error.h"

#define CALLBACK_NAME    "callback" /* of the asker */
#define CALLBACK_WHO_MAX 100        /* bytes of the name of the one who decided */

/* Its answer; zeroed: none. */
struct callback_word {
    bool given;
    bool failed; /* `message` may say how */
    enum behavior behavior;
    const char *message;
    const char *input; /* JSON */
    bool interrupt, remember;
    enum reply_by by;
    const char *who;
    bool unknown; /* it holds members that this version lacks */
};

/* The answer as a reply, whose texts are in the arena. A failure says what is wrong with it: an
 * answer must be allow or deny, and must not contradict itself. `has_session`: can it be
 * remembered? */
enum status callback_reply(struct arena *a, const struct callback_word *word, bool has_session,
                           struct reply *out, struct error *err);

struct callback {
    /* Set by the caller. False: it failed. The strings of the word are malloc()'ed. `cancel_fd`
     * becomes readable when the answer is no longer needed. */
    bool (*ask)(void *context, int cancel_fd, struct callback_word *out);
    void *context;
    struct arena *arena; /* where the reply's texts live */
    bool has_session;

    struct error fault; /* set when it had an answer that could not be used */
    pthread_t thread;
    bool running; /* there is a thread to be joined */
    int done_fd, cancel_fd;
    struct callback_word word;
};

void callback_word_release(struct callback_word *word);

/* Allow and deny are answers. No answer, a failure, and what callback_reply() refuses leave the
 * question open to others; the fault says which it was. */
extern const struct asker_kind callback_asker; /* self: a struct callback */

#endif
