#include "ask/callback.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/json.h"

/* A write to an eventfd blocks only if its counter is nearly full; these are written once. */
static void ring(int fd)
{
    const uint64_t one = 1;

    (void)!write(fd, &one, sizeof(one));
}

static void *run(void *self)
{
    struct callback *c = self;

    c->failed = !c->ask(c->context, c->cancel_fd, &c->word);
    ring(c->done_fd);
    return NULL;
}

/* The embedder's own threads handle signals, not this one. */
static bool start_thread(struct callback *c)
{
    sigset_t all, before;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    c->running = pthread_create(&c->thread, NULL, run, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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

struct callback_reply {
    const struct callback *callback;
    struct reply *reply;
    bool valid;
};

static void make_reply(void *arg)
{
    struct callback_reply *a = arg;
    struct arena *arena = a->callback->arena;
    const struct callback_word *w = &a->callback->word;

    *a->reply = (struct reply){.behavior = w->behavior,
                               .interrupt = w->interrupt,
                               .message = w->message ? str_copy(arena, str_from(w->message))
                                                     : (struct str){0},
                               .remember = w->remember ? REMEMBER_SESSION : REMEMBER_NOTHING};
    a->valid = true;
    if (w->input) {
        struct value *v = ARENA_NEW(arena, struct value);
        a->valid = json_read(arena, str_from(w->input), NULL, v, NULL) == STATUS_OK &&
                   v->kind == VALUE_OBJECT;
        a->reply->updated_input = v;
    }
}

static enum news callback_turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                               struct reply *reply)
{
    struct callback *c = self;
    struct callback_reply a = {.callback = c, .reply = reply};

    (void)fds;
    (void)count;
    (void)now;
    join(c); /* it has written to the eventfd, and does nothing after that */
    if (c->failed || !c->word.given || c->word.behavior == BEHAVIOR_ASK)
        return NEWS_GONE;
    return arena_try(c->arena, make_reply, &a) && a.valid ? NEWS_ANSWER : NEWS_GONE;
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
    free(c->word.message);
    free(c->word.input);
    c->word = (struct callback_word){0};
}

const struct asker_kind callback_asker = {
    .name = "callback",
    .start = callback_start,
    .wait = callback_wait,
    .turn = callback_turn,
    .stop = callback_stop,
};
