#include "ask/classifier.h"

static bool start(void *self, int64_t now)
{
    const struct classifier *c = self;

    return c->kind->start(c->self, now);
}

static size_t wait_for(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    const struct classifier *c = self;

    return c->kind->wait(c->self, fds, room, wake);
}

static enum news turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                      struct reply *reply)
{
    const struct classifier *c = self;
    enum news news = c->kind->turn(c->self, fds, count, now, reply);

    if (news != NEWS_ANSWER)
        return news;
    if (reply->behavior != BEHAVIOR_DENY &&
        (reply->behavior != BEHAVIOR_ALLOW || !c->may_allow || reply->updated_input))
        return NEWS_GONE;
    reply->remember = REMEMBER_NOTHING;
    reply->by = REPLY_BY_PROGRAM;
    return NEWS_ANSWER;
}

static void stop(void *self)
{
    const struct classifier *c = self;

    c->kind->stop(c->self);
}

const struct asker_kind classifier_asker = {
    .name = CLASSIFIER_NAME, .start = start, .wait = wait_for, .turn = turn, .stop = stop};
