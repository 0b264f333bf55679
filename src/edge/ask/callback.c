#include "ask/callback.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/json.h"
#include "machine/thread.h"

/* A write to an eventfd blocks only if its counter is nearly full; these are written once. */
static void ring(int fd)
{
    const uint64_t one = 1;

    (void)!write(fd, &one, sizeof(one));
}

static void *run(void *self)
{
    struct callback *c = self;

    if (!c->ask(c->context, c->cancel_fd, &c->word))
        c->word.failed = true;
    ring(c->done_fd);
    return NULL;
}

static bool start_thread(struct callback *c)
{
    c->running = thread_start(&c->thread, run, c) == 0;
    return c->running;
}

static bool callback_start(void *self, int64_t now)
{
    struct callback *c = self;

    (void)now;
    c->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return c->done_fd >= 0 && c->cancel_fd >= 0 && start_thread(c);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): every asker's function is like this */
static size_t callback_wait(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    const struct callback *c = self;

    (void)wake;
    if (room == 0)
        return 0;
    fds[0] = (struct pollfd){.fd = c->done_fd, .events = POLLIN};
    return 1;
}

static void join(struct callback *c)
{
    if (c->running)
        pthread_join(c->thread, NULL);
    c->running = false;
}

/* ---- the answer ---- */

static const char *contradiction(const struct callback_word *w, bool has_session)
{
    const bool allows = w->behavior == BEHAVIOR_ALLOW;

    if (w->unknown)
        return "it has members that this version does not know, or was not zeroed";
    if (!allows && w->behavior != BEHAVIOR_DENY)
        return "its behavior is neither allow nor deny";
    if (w->by != REPLY_BY_PROGRAM && w->by != REPLY_BY_PERSON && w->by != REPLY_BY_TIMEOUT)
        return "it does not say who decided";
    if (allows && w->interrupt)
        return "it allows the call and stops the agent";
    if (allows && w->by == REPLY_BY_TIMEOUT)
        return "it allows the call, and says that no one answered in time";
    if (!allows && w->remember)
        return "only an allow can be remembered";
    if (w->remember && !has_session)
        return "it is to be remembered, and the call has no session";
    if (w->who && (strlen(w->who) > CALLBACK_WHO_MAX || !w->who[0]))
        return "the name of the one who decided is empty or too long";
    return NULL;
}

struct reply_draft {
    struct arena *arena;
    const struct callback_word *word;
    struct reply *out;
    bool valid;
};

static struct str copy(struct arena *a, const char *text)
{
    return text ? str_copy(a, str_from(text)) : (struct str){0};
}

static void make_reply(void *arg)
{
    struct reply_draft *d = arg;
    const struct callback_word *w = d->word;

    *d->out = (struct reply){.behavior = w->behavior,
                             .interrupt = w->interrupt,
                             .message = copy(d->arena, w->message),
                             .remember = w->remember ? REMEMBER_SESSION : REMEMBER_NOTHING,
                             .by = w->by,
                             .who = copy(d->arena, w->who)};
    d->valid = true;
    if (w->input) {
        struct value *v = ARENA_NEW(d->arena, struct value);
        d->valid = json_read(d->arena, str_from(w->input), NULL, v, NULL) == STATUS_OK &&
                   v->kind == VALUE_OBJECT;
        d->out->updated_input = v;
    }
}

enum status callback_reply(struct arena *a, const struct callback_word *word, bool has_session,
                           struct reply *out, struct error *err)
{
    struct reply_draft d = {.arena = a, .word = word, .out = out};
    const char *wrong = contradiction(word, has_session);

    if (word->failed)
        return fail(err, STATUS_USAGE, "it failed%s%.150s", word->message ? ": " : "",
                    word->message ? word->message : "");
    if (wrong)
        return fail(err, STATUS_USAGE, "%s", wrong);
    if (!arena_try(a, make_reply, &d))
        return fail(err, STATUS_NOMEM, "it is too large");
    return d.valid ? STATUS_OK : fail(err, STATUS_USAGE, "its updated_input is not a JSON object");
}

static enum news callback_turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                               struct reply *reply)
{
    struct callback *c = self;

    (void)fds;
    (void)count;
    (void)now;
    join(c); /* it has written to the eventfd, and does nothing after that */
    if (!c->word.failed && !c->word.given)
        return NEWS_GONE;
    return callback_reply(c->arena, &c->word, c->has_session, reply, &c->fault) == STATUS_OK
               ? NEWS_ANSWER
               : NEWS_GONE;
}

void callback_word_release(struct callback_word *word)
{
    /* of a callback they are malloc()'ed: see callback.h */
    free((char *)(uintptr_t)word->message);
    free((char *)(uintptr_t)word->input);
    free((char *)(uintptr_t)word->who);
    *word = (struct callback_word){0};
}

static void callback_stop(void *self)
{
    struct callback *c = self;

    if (c->running)
        ring(c->cancel_fd);
    join(c);
    if (c->done_fd >= 0)
        close(c->done_fd);
    if (c->cancel_fd >= 0)
        close(c->cancel_fd);
    callback_word_release(&c->word);
}

const struct asker_kind callback_asker = {
    .name = CALLBACK_NAME,
    .start = callback_start,
    .wait = callback_wait,
    .turn = callback_turn,
    .stop = callback_stop,
};
