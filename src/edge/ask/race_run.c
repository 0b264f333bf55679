/* race_run.c - the loop around the race: waits for all askers at once, and stops all of them. */
#include <errno.h>
#include <limits.h>

#include "ask/race.h"
#include "machine/clock.h"

/* One race while it runs. fds[0] is the cancel descriptor; those of asker i begin at first[i]. */
struct race_loop {
    const struct asker *askers;
    struct race *race;
    bool open[RACERS_MAX]; /* started, not stopped */
    struct pollfd fds[1 + RACE_FDS_MAX];
    size_t first[RACERS_MAX], counts[RACERS_MAX];
    int64_t wakes[RACERS_MAX];
    size_t fd_count;
};

static void end(struct race_loop *run, size_t i)
{
    if (run->open[i])
        run->askers[i].kind->stop(run->askers[i].self);
    run->open[i] = false;
}

static void start_all(struct race_loop *run)
{
    struct race *r = run->race;

    /* All askers join the race before the first may drop out: otherwise it could end before any was
     * asked. */
    for (size_t i = 0; i < r->count; i++)
        race_started(r, i, clock_ms());
    for (size_t i = 0; i < r->count && r->end == RACE_OPEN; i++) {
        run->open[i] = true;
        if (run->askers[i].kind->start(run->askers[i].self, clock_ms()))
            race_started(r, i,
                         clock_ms()); /* the grace counts from when the question can be seen */
        else
            race_gone(r, i, clock_ms());
    }
}

/* An asker that can no longer win is stopped at once, not at the end. */
static void end_losers(struct race_loop *run)
{
    for (size_t i = 0; i < run->race->count; i++)
        if (!race_counts(run->race, i))
            end(run, i);
}

static int64_t gather(struct race_loop *run, int cancel_fd)
{
    int64_t wake = run->race->deadline;

    run->fds[0] = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
    run->fd_count = 1;
    for (size_t i = 0; i < run->race->count; i++) {
        struct pollfd *at = run->fds + run->fd_count;
        run->first[i] = run->fd_count;
        run->wakes[i] = INT64_MAX;
        run->counts[i] = 0;
        if (!run->open[i])
            continue;
        run->counts[i] = run->askers[i].kind->wait(
            run->askers[i].self, at, 1 + RACE_FDS_MAX - run->fd_count, &run->wakes[i]);
        run->fd_count += run->counts[i];
        if (run->wakes[i] < wake)
            wake = run->wakes[i];
    }
    return wake;
}

static bool has_turn(const struct race_loop *run, size_t i, int64_t now)
{
    if (!run->open[i])
        return false;
    for (size_t n = 0; n < run->counts[i]; n++)
        if (run->fds[run->first[i] + n].revents)
            return true;
    return now >= run->wakes[i];
}

static void take_turn(struct race_loop *run, size_t i)
{
    struct reply reply = {0};
    enum news news = run->askers[i].kind->turn(run->askers[i].self, run->fds + run->first[i],
                                               run->counts[i], clock_ms(), &reply);

    switch (news) {
    case NEWS_NONE:
        return;
    case NEWS_TOUCHED:
        race_touched(run->race, i, clock_ms());
        return;
    case NEWS_ANSWER:
        race_answered(run->race, i, &reply, clock_ms());
        return;
    case NEWS_GONE:
        break;
    }
    race_gone(run->race, i, clock_ms());
}

/* An asker that answers at the same moment as a person loses. */
static void take_turns(struct race_loop *run, bool persons)
{
    for (size_t i = 0; i < run->race->count; i++)
        if (run->askers[i].kind->person == persons && race_counts(run->race, i) &&
            has_turn(run, i, clock_ms()))
            take_turn(run, i);
}

static void wait_once(struct race_loop *run, int cancel_fd)
{
    int64_t left = gather(run, cancel_fd) - clock_ms();
    int timeout = left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;

    /* A poll() that keeps failing would make this loop spin until the deadline. */
    if (poll(run->fds, run->fd_count, timeout) < 0 && errno != EINTR && errno != EAGAIN) {
        race_cancel(run->race, clock_ms());
        return;
    }
    if (race_tick(run->race, clock_ms()))
        return;
    if (run->fds[0].revents) {
        race_cancel(run->race, clock_ms());
        return;
    }
    take_turns(run, true);
    take_turns(run, false);
}

void race_run(const struct asker *askers, size_t count, const struct race_options *options,
              struct race *out)
{
    struct race_loop run = {.askers = askers, .race = out};

    *out = (struct race){.count = count < RACERS_MAX ? count : RACERS_MAX,
                         .deadline = options->deadline,
                         .ask_counts = options->ask_counts};
    for (size_t i = 0; i < out->count; i++)
        out->racers[i] =
            (struct racer){.person = askers[i].kind->person, .grace_ms = askers[i].grace_ms};
    if (out->count == 0)
        out->end = RACE_NOBODY;
    start_all(&run);
    while (out->end == RACE_OPEN) {
        end_losers(&run);
        wait_once(&run, options->cancel_fd);
    }
    for (size_t i = 0; i < out->count; i++)
        end(&run, i);
}
