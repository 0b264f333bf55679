/* The race between askers: each winner and each order, with a fake clock; then the loop with real
 * descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/race.h"
#include "machine/clock.h"

#include <cmocka.h>

enum { HOOK = 0, PROMPT, REVIEW, THREE };
#define DEADLINE 1000

static const struct value an_object = {.kind = VALUE_OBJECT}, a_text = {.kind = VALUE_STRING};

static const struct reply allow = {.behavior = BEHAVIOR_ALLOW}, deny = {.behavior = BEHAVIOR_DENY},
                          ask = {.behavior = BEHAVIOR_ASK},
                          cancelled = {.behavior = BEHAVIOR_DENY, .cancelled = true},
                          allow_stop = {.behavior = BEHAVIOR_ALLOW, .interrupt = true},
                          allow_cancel = {.behavior = BEHAVIOR_ALLOW, .cancelled = true},
                          allow_new = {.behavior = BEHAVIOR_ALLOW, .updated_input = &an_object},
                          allow_bad = {.behavior = BEHAVIOR_ALLOW, .updated_input = &a_text},
                          deny_keep = {.behavior = BEHAVIOR_DENY, .remember = REMEMBER_SESSION},
                          no_such = {.behavior = (enum behavior)7};

static struct race begin(void)
{
    struct race r = {
        .count = THREE,
        .racers =
            {[PROMPT] = {.person = true, .grace_ms = RACE_GRACE_MS}, [REVIEW] = {.person = true}},
        .deadline = DEADLINE};

    for (size_t i = 0; i < THREE; i++)
        race_started(&r, i, 0);
    return r;
}

/* ---- scripts: what happens, and how it must end ---- */

enum what { END = 0, ANSWER, TOUCH, GONE, TICK, CANCEL };

struct event {
    int64_t at;
    enum what what;
    size_t who;
    const struct reply *reply;
};

static bool happen(struct race *r, const struct event *e)
{
    switch (e->what) {
    case ANSWER:
        return race_answered(r, e->who, e->reply, e->at);
    case TOUCH:
        return race_touched(r, e->who, e->at);
    case GONE:
        return race_gone(r, e->who, e->at);
    case CANCEL:
        return race_cancel(r, e->at);
    case TICK:
    case END:
        break;
    }
    return race_tick(r, e->at);
}

static const struct {
    const char *why;
    struct event events[6];
    enum race_end end;
    size_t winner;
    enum behavior behavior;
} scripts[] = {
    {"nothing happens", {{0}}, RACE_OPEN, 0, 0},
    {"the hook wins", {{10, ANSWER, HOOK, &allow}}, RACE_ANSWERED, HOOK, BEHAVIOR_ALLOW},
    {"the person wins", {{300, ANSWER, PROMPT, &deny}}, RACE_ANSWERED, PROMPT, BEHAVIOR_DENY},
    {"the review wins", {{10, ANSWER, REVIEW, &allow}}, RACE_ANSWERED, REVIEW, BEHAVIOR_ALLOW},
    {"first deny, then allow",
     {{10, ANSWER, HOOK, &deny}, {10, ANSWER, REVIEW, &allow}},
     RACE_ANSWERED,
     HOOK,
     BEHAVIOR_DENY},
    {"first allow, then deny",
     {{10, ANSWER, REVIEW, &allow}, {10, ANSWER, HOOK, &deny}},
     RACE_ANSWERED,
     REVIEW,
     BEHAVIOR_ALLOW},
    {"one asker twice",
     {{10, ANSWER, HOOK, &deny}, {20, ANSWER, HOOK, &allow}},
     RACE_ANSWERED,
     HOOK,
     BEHAVIOR_DENY},
    {"after the first key the hook does not count",
     {{300, TOUCH, PROMPT}, {400, ANSWER, HOOK, &allow}, {500, ANSWER, PROMPT, &deny}},
     RACE_ANSWERED,
     PROMPT,
     BEHAVIOR_DENY},
    {"... nor another person",
     {{300, TOUCH, PROMPT}, {400, TOUCH, REVIEW}, {400, ANSWER, REVIEW, &allow}},
     RACE_OPEN,
     0,
     0},
    {"a key in the grace period is ignored",
     {{199, TOUCH, PROMPT}, {250, ANSWER, HOOK, &allow}},
     RACE_ANSWERED,
     HOOK,
     2},
    {"the grace is over at its end",
     {{200, TOUCH, PROMPT}, {250, ANSWER, HOOK, &allow}},
     RACE_OPEN,
     0,
     0},
    {"an answer in the grace period is ignored", {{199, ANSWER, PROMPT, &allow}}, RACE_OPEN, 0, 0},
    {"... and can be given again",
     {{199, ANSWER, PROMPT, &allow}, {200, ANSWER, PROMPT, &deny}},
     RACE_ANSWERED,
     PROMPT,
     BEHAVIOR_DENY},
    {"without a grace period an answer counts at once",
     {{0, ANSWER, REVIEW, &deny}},
     RACE_ANSWERED,
     REVIEW,
     BEHAVIOR_DENY},
    {"a program cannot touch",
     {{300, TOUCH, HOOK}, {310, ANSWER, REVIEW, &deny}},
     RACE_ANSWERED,
     REVIEW,
     0},
    {"the deadline", {{DEADLINE, TICK}}, RACE_DEADLINE, 0, 0},
    {"just before it", {{DEADLINE - 1, TICK}}, RACE_OPEN, 0, 0},
    {"an answer at the deadline is late", {{DEADLINE, ANSWER, HOOK, &allow}}, RACE_DEADLINE, 0, 0},
    {"an answer just before it is not",
     {{DEADLINE - 1, ANSWER, HOOK, &allow}, {DEADLINE, TICK}},
     RACE_ANSWERED,
     HOOK,
     BEHAVIOR_ALLOW},
    {"a person who has begun loses to it too",
     {{500, TOUCH, PROMPT}, {DEADLINE, ANSWER, PROMPT, &allow}},
     RACE_DEADLINE,
     0,
     0},
    {"an answer after it changes nothing",
     {{DEADLINE, TICK}, {DEADLINE + 1, ANSWER, HOOK, &allow}},
     RACE_DEADLINE,
     0,
     0},
    {"all are gone", {{1, GONE, HOOK}, {2, GONE, PROMPT}, {3, GONE, REVIEW}}, RACE_NOBODY, 0, 0},
    {"two are gone", {{1, GONE, HOOK}, {2, GONE, PROMPT}}, RACE_OPEN, 0, 0},
    {"an asker that is gone cannot answer",
     {{1, GONE, HOOK}, {2, ANSWER, HOOK, &allow}},
     RACE_OPEN,
     0,
     0},
    {"the person who had begun is gone, and no other asker counts",
     {{300, TOUCH, PROMPT}, {400, GONE, PROMPT}, {410, ANSWER, HOOK, &allow}},
     RACE_NOBODY,
     0,
     0},
    {"the question is taken back", {{5, CANCEL}, {6, ANSWER, HOOK, &allow}}, RACE_CANCELLED, 0, 0},
    {"... too late", {{5, ANSWER, HOOK, &deny}, {6, CANCEL}}, RACE_ANSWERED, HOOK, 0},
    {"... at the deadline", {{DEADLINE, CANCEL}}, RACE_DEADLINE, 0, 0},
    {"a person cancels", {{300, ANSWER, PROMPT, &cancelled}}, RACE_ANSWERED, PROMPT, BEHAVIOR_DENY},
    {"ask is not an answer", {{5, ANSWER, HOOK, &ask}, {6, ANSWER, HOOK, &allow}}, RACE_OPEN, 0, 0},
    {"a person's nonsense is put again",
     {{300, ANSWER, PROMPT, &allow_cancel}, {301, ANSWER, PROMPT, &allow}},
     RACE_ANSWERED,
     PROMPT,
     BEHAVIOR_ALLOW},
    {"allow and interrupt", {{5, ANSWER, HOOK, &allow_stop}}, RACE_OPEN, 0, 0},
    {"a new input", {{5, ANSWER, HOOK, &allow_new}}, RACE_ANSWERED, HOOK, BEHAVIOR_ALLOW},
    {"a new input that is not an object", {{5, ANSWER, HOOK, &allow_bad}}, RACE_OPEN, 0, 0},
    {"a refusal is not remembered", {{5, ANSWER, HOOK, &deny_keep}}, RACE_OPEN, 0, 0},
    {"no behaviour that exists", {{5, ANSWER, HOOK, &no_such}}, RACE_OPEN, 0, 0},
    {"no asker of that number",
     {{5, ANSWER, THREE, &allow}, {5, TOUCH, RACERS_MAX + 9}},
     RACE_OPEN,
     0,
     0},
};

static void scripted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct race r = begin();
        for (const struct event *e = scripts[i].events; e->what; e++)
            if (happen(&r, e) != (r.end != RACE_OPEN))
                fail_msg("%s: the return value is wrong", scripts[i].why);
        if (r.end != scripts[i].end || r.reply.behavior != scripts[i].behavior ||
            r.winner != scripts[i].winner)
            fail_msg("%s: ended %d by %zu with %d", scripts[i].why, (int)r.end, r.winner,
                     (int)r.reply.behavior);
    }
}

static void ask_counts_where_it_was_said(void **state)
{
    struct race r = begin();

    (void)state;
    r.ask_counts = true;
    assert_true(race_answered(&r, HOOK, &ask, 5));
    assert_int_equal(r.end, RACE_ANSWERED);
    assert_int_equal(r.reply.behavior, BEHAVIOR_ASK);
}

/* ---- any interleaving ---- */

static uint64_t seed = 20240229;

static size_t dice(size_t sides)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % sides;
}

/* The rules again, stated as simply as possible: over the whole history, not step by step. */
static enum race_end oracle(const struct event *events, size_t count, size_t *winner)
{
    bool gone[THREE] = {0};
    size_t person = THREE;

    for (size_t i = 0; i < count; i++) {
        const struct event *e = &events[i];
        size_t who = e->who;
        bool counts = !gone[who] && (person == THREE || person == who);
        bool grace = who == PROMPT && e->at < RACE_GRACE_MS;
        if (e->at >= DEADLINE)
            return RACE_DEADLINE;
        if (e->what == CANCEL)
            return RACE_CANCELLED;
        if (e->what == TOUCH && who != HOOK && counts && !grace)
            person = who;
        if (e->what == ANSWER && counts && !grace && (e->reply == &allow || e->reply == &deny)) {
            *winner = who;
            return RACE_ANSWERED;
        }
        if (e->what == GONE || (e->what == ANSWER && counts && who == HOOK))
            gone[who] = true;
        if (person < THREE ? gone[person] : gone[HOOK] && gone[PROMPT] && gone[REVIEW])
            return RACE_NOBODY;
    }
    return RACE_OPEN;
}

static size_t make_events(struct event *events, size_t room)
{
    static const struct reply *const replies[] = {&allow, &deny, &ask, &allow_bad};
    static const enum what whats[] = {ANSWER, ANSWER, TOUCH, TOUCH, GONE,
                                      TICK,   TICK,   TICK,  TICK,  CANCEL};
    size_t count = 1 + dice(room);
    int64_t at = 0;

    for (size_t i = 0; i < count; i++) {
        at += (int64_t)dice(i % 3 ? 400 : 2);
        events[i] = (struct event){at, whats[dice(COUNT(whats))], dice(THREE),
                                   replies[dice(COUNT(replies))]};
    }
    return count;
}

static void never_two_decisions_never_none(void **state)
{
    size_t ends[RACE_CANCELLED + 1] = {0};

    (void)state;
    for (size_t round = 0; round < 200000; round++) {
        struct event events[12];
        size_t count = make_events(events, COUNT(events)), winner = 0, decisions = 0;
        struct race r = begin();
        for (size_t i = 0; i < count; i++) {
            struct race before = r;
            bool over = happen(&r, &events[i]);
            assert_int_equal(over, r.end != RACE_OPEN);
            decisions += before.end == RACE_OPEN && over;
            if (before.end != RACE_OPEN)
                assert_memory_equal(&before, &r, sizeof(r));
        }
        assert_int_equal(r.end, oracle(events, count, &winner));
        assert_int_equal(r.winner, winner);
        ends[r.end]++;
        decisions += r.end == RACE_OPEN && race_tick(&r, DEADLINE);
        assert_int_equal(decisions, 1);
        assert_true(r.end == RACE_ANSWERED || r.reply.behavior == BEHAVIOR_DENY);
    }
    for (size_t i = 0; i < COUNT(ends); i++)
        assert_true(ends[i] > 1000); /* each way to end was reached */
}

/* ---- the loop ---- */

/* An asker with a pipe: each byte is one event. */
struct piped {
    int fds[2];
    bool cannot_start;
    const char *on_start; /* written to the pipe when it starts */
    int64_t wake;
    unsigned starts, stops;
};

static bool piped_start(void *self, int64_t now)
{
    struct piped *p = self;

    (void)now;
    p->starts++;
    if (p->cannot_start || pipe(p->fds) != 0)
        return false;
    if (p->on_start && write(p->fds[1], p->on_start, strlen(p->on_start)) < 0)
        return false;
    return true;
}

static size_t piped_wait(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    const struct piped *p = self;

    assert_true(room > 0);
    fds[0] = (struct pollfd){.fd = p->fds[0], .events = POLLIN};
    if (p->wake)
        *wake = p->wake;
    return 1;
}

static enum news piped_turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                            struct reply *reply)
{
    const struct piped *p = self;
    char c = 'w';

    (void)now;
    assert_int_equal(count, 1);
    if (fds[0].revents && read(p->fds[0], &c, 1) != 1)
        return NEWS_GONE;
    reply->behavior = c == 'a' || c == 'w' ? BEHAVIOR_ALLOW : BEHAVIOR_DENY;
    return c == 'k' ? NEWS_TOUCHED : c == 'g' ? NEWS_GONE : c == '.' ? NEWS_NONE : NEWS_ANSWER;
}

static void piped_stop(void *self)
{
    struct piped *p = self;

    p->stops++;
    for (size_t i = 0; i < 2; i++)
        if (p->fds[i] > 0)
            close(p->fds[i]);
}

static const struct asker_kind program = {"hook",     false,      piped_start,
                                          piped_wait, piped_turn, piped_stop},
                               person = {"prompt",   true,       piped_start,
                                         piped_wait, piped_turn, piped_stop};

static const struct {
    const char *why;
    struct piped hook, prompt;
    int64_t time;
    enum race_end end;
    size_t winner;
    enum behavior behavior;
} loops[] = {
    {"the hook", {.on_start = "a"}, {.on_start = ""}, 60000, RACE_ANSWERED, 0, BEHAVIOR_ALLOW},
    {"the person", {.on_start = ""}, {.on_start = "d"}, 60000, RACE_ANSWERED, 1, BEHAVIOR_DENY},
    {"in the same moment: the person",
     {.on_start = "a"},
     {.on_start = "d"},
     60000,
     RACE_ANSWERED,
     1,
     BEHAVIOR_DENY},
    {"first key, then answer",
     {.on_start = "a"},
     {.on_start = "kd"},
     60000,
     RACE_ANSWERED,
     1,
     BEHAVIOR_DENY},
    {"the hook falls out",
     {.on_start = "..g"},
     {.on_start = "....d"},
     60000,
     RACE_ANSWERED,
     1,
     BEHAVIOR_DENY},
    {"the hook cannot start",
     {.cannot_start = true},
     {.on_start = "a"},
     60000,
     RACE_ANSWERED,
     1,
     BEHAVIOR_ALLOW},
    {"none can start",
     {.cannot_start = true},
     {.cannot_start = true},
     60000,
     RACE_NOBODY,
     0,
     BEHAVIOR_DENY},
    {"both fall out", {.on_start = "g"}, {.on_start = "g"}, 60000, RACE_NOBODY, 0, BEHAVIOR_DENY},
    {"a wake-up in the past",
     {.wake = 1},
     {.on_start = ""},
     60000,
     RACE_ANSWERED,
     0,
     BEHAVIOR_ALLOW},
    {"the deadline", {.on_start = ""}, {.on_start = ""}, 20, RACE_DEADLINE, 0, BEHAVIOR_DENY},
    {"no time at all", {.on_start = "a"}, {.on_start = "a"}, 0, RACE_DEADLINE, 0, BEHAVIOR_DENY},
};

static void looped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(loops); i++) {
        struct piped hook = loops[i].hook, prompt = loops[i].prompt;
        const struct asker askers[] = {{&program, &hook, 0}, {&person, &prompt, 0}};
        struct race_options o = {.deadline = clock_ms() + loops[i].time, .cancel_fd = -1};
        struct race r;
        race_run(askers, 2, &o, &r);
        if (r.end != loops[i].end || r.winner != loops[i].winner ||
            r.reply.behavior != loops[i].behavior)
            fail_msg("%s: ended %d by %zu with %d", loops[i].why, (int)r.end, r.winner,
                     (int)r.reply.behavior);
        if (hook.starts != hook.stops || prompt.starts != prompt.stops || hook.stops > 1 ||
            prompt.stops > 1)
            fail_msg("%s: an asker was left behind, or stopped twice", loops[i].why);
    }
}

static void taken_back(void **state)
{
    struct piped hook = {.on_start = ""};
    const struct asker asker = {&program, &hook, 0};
    struct race_options o = {.deadline = clock_ms() + 60000};
    struct race r;
    int fds[2];

    (void)state;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    o.cancel_fd = fds[0];
    race_run(&asker, 1, &o, &r);
    assert_int_equal(r.end, RACE_CANCELLED);
    assert_int_equal(hook.stops, 1);
    close(fds[0]);
    close(fds[1]);
}

static void stray_keys_of_a_terminal(void **state)
{
    struct piped hook = {.on_start = ""}, prompt = {.on_start = "aaaka"};
    const struct asker askers[] = {{&program, &hook, 0}, {&person, &prompt, 3600000}};
    struct race_options o = {.deadline = clock_ms() + 50, .cancel_fd = -1};
    struct race r;

    (void)state;
    race_run(askers, 2, &o, &r);
    assert_int_equal(r.end, RACE_DEADLINE);
    assert_false(r.touched);
}

static void no_asker(void **state)
{
    struct race_options o = {.deadline = clock_ms() + 60000, .cancel_fd = -1};
    struct race r;

    (void)state;
    race_run(NULL, 0, &o, &r);
    assert_int_equal(r.end, RACE_NOBODY);
}

static void more_than_can_race(void **state)
{
    struct piped all[RACERS_MAX + 1] = {0};
    struct asker askers[RACERS_MAX + 1];
    struct race_options o = {.deadline = clock_ms() + 60000, .cancel_fd = -1};
    struct race r;

    (void)state;
    for (size_t i = 0; i < COUNT(all); i++) {
        all[i].on_start = i >= RACERS_MAX - 1 ? "a" : "";
        askers[i] = (struct asker){&program, &all[i], 0};
    }
    race_run(askers, COUNT(askers), &o, &r);
    assert_int_equal(r.winner, RACERS_MAX - 1);
    assert_int_equal(all[RACERS_MAX].starts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripted),
        cmocka_unit_test(ask_counts_where_it_was_said),
        cmocka_unit_test(never_two_decisions_never_none),
        cmocka_unit_test(looped),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(stray_keys_of_a_terminal),
        cmocka_unit_test(no_asker),
        cmocka_unit_test(more_than_can_race),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
