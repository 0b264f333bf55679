#include "ask/hooks.h"

#include "base/json.h"
#include "machine/clock.h"

static const struct str no_memory = {"no memory for the answers of the hooks", 47};

static void deny(struct answer *out, struct str why)
{
    *out =
        (struct answer){.given = true, .decided = true, .behavior = BEHAVIOR_DENY, .reason = why};
}

/* ---- one answer out of many ---- */

static bool same_value(struct arena *a, const struct value *x, const struct value *y)
{
    struct buf left = buf_in(a), right = buf_in(a);

    json_value(&left, x);
    json_value(&right, y);
    return str_eq(buf_str(&left), buf_str(&right));
}

/* The rank of an answer among the others. */
static struct answer weigh(struct arena *a, const struct value *input, enum hook_event event,
                           const struct hook *hook, const struct hook_word *word)
{
    struct answer w = word->answer;

    if (hook->observes)
        return (struct answer){0};
    if (word->failed && event != HOOK_PRE_TOOL_USE)
        w.behavior = BEHAVIOR_ASK; /* the question stays open; no other hook can close it */
    if (w.stop && !w.decided) {
        w.decided = true;
        w.behavior = BEHAVIOR_DENY;
    }
    if (w.decided && w.behavior == BEHAVIOR_ALLOW && hook->conditional)
        w.decided = false;
    if (w.updated_input && same_value(a, w.updated_input, input))
        w.updated_input = NULL;
    return w;
}

static bool find_update(struct arena *a, const struct answer *words, size_t count,
                        const struct value **out)
{
    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct value *v = words[i].updated_input;
        if (v && *out && !same_value(a, v, *out))
            return false;
        if (v)
            *out = v;
    }
    return true;
}

static void take(struct answer *out, const struct answer *word)
{
    if (!word->decided || (out->decided && out->behavior <= word->behavior))
        return;
    out->decided = true;
    out->behavior = word->behavior;
    out->reason = word->reason;
    out->stop = word->stop && word->behavior == BEHAVIOR_DENY;
}

void hooks_fold(struct arena *a, const struct value *input, const struct hook_panel *panel,
                const struct hook_word *words, struct answer *out)
{
    struct answer *weighed = ARENA_ARRAY(a, struct answer, panel->count + 1);

    *out = (struct answer){.given = true};
    for (size_t i = 0; i < panel->count; i++)
        weighed[i] = weigh(a, input, panel->question->event, panel->jobs[i].hook, &words[i]);
    if (!find_update(a, weighed, panel->count, &out->updated_input)) {
        deny(out, STR("two hooks rewrote the input differently"));
        return;
    }
    for (size_t i = 0; i < panel->count; i++) {
        /* A hook that allowed the old input has not allowed the new one. */
        if (out->updated_input && !weighed[i].updated_input &&
            weighed[i].behavior == BEHAVIOR_ALLOW)
            continue;
        take(out, &weighed[i]);
    }
    if (out->decided && out->behavior == BEHAVIOR_DENY)
        out->updated_input = NULL;
}

/* ---- the panel as an asker ---- */

static bool panel_start(void *self, int64_t now)
{
    struct hook_panel *p = self;

    for (size_t i = 0; i < p->count; i++) {
        struct hook_job *job = &p->jobs[i];
        const struct process_plan plan = {job->argv, p->environment, p->directory, p->input,
                                          now + (int64_t)job->hook->timeout_seconds * 1000};
        job->started = true;
        job->ended = process_start(&job->process, &plan, &job->error) != STATUS_OK;
    }
    return p->count > 0;
}

static size_t panel_wait(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    const struct hook_panel *p = self;
    size_t count = 0;
    bool all = true;

    for (size_t i = 0; i < p->count; i++) {
        if (p->jobs[i].ended)
            continue;
        all = false;
        count += process_wait(&p->jobs[i].process, fds + count, room - count, wake);
    }
    if (all)
        *wake = 0;
    return count;
}

static void hear_all(void *arg)
{
    struct hook_panel *p = arg;
    struct hook_word *words = ARENA_ARRAY(p->arena, struct hook_word, p->count + 1);

    for (size_t i = 0; i < p->count; i++) {
        struct hook_job *job = &p->jobs[i];
        if (job->error.status)
            hook_failed(p->arena, job->hook, job->error.message, &words[i]);
        else
            hook_hear(p->arena, job->hook, &job->process, &words[i]);
    }
    hooks_fold(p->arena, p->question->call->input, p, words, &p->answer);
}

static enum news give_answer(const struct answer *a, struct reply *reply)
{
    if (!a->decided || a->behavior == BEHAVIOR_ASK)
        return NEWS_GONE;
    *reply = (struct reply){.behavior = a->behavior,
                            .interrupt = a->stop,
                            .message = a->reason,
                            .updated_input = a->updated_input};
    return NEWS_ANSWER;
}

static enum news panel_turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                            struct reply *reply)
{
    struct hook_panel *p = self;
    bool all = true;

    (void)fds;
    (void)count;
    for (size_t i = 0; i < p->count; i++) {
        if (!p->jobs[i].ended)
            p->jobs[i].ended = process_turn(&p->jobs[i].process, now);
        all &= p->jobs[i].ended;
    }
    if (!all)
        return NEWS_NONE;
    if (!arena_try(p->arena, hear_all, p))
        deny(&p->answer, no_memory);
    if (p->question->event != HOOK_PRE_TOOL_USE)
        return give_answer(&p->answer, reply);
    reply->behavior = BEHAVIOR_ASK;
    return NEWS_ANSWER;
}

static void panel_stop(void *self)
{
    struct hook_panel *p = self;
    int64_t until = clock_ms() + PROCESS_MERCY_MS;

    for (size_t i = 0; i < p->count; i++)
        if (p->jobs[i].started)
            process_terminate(&p->jobs[i].process);
    for (size_t i = 0; i < p->count; i++)
        if (p->jobs[i].started)
            process_release(&p->jobs[i].process, until);
}

const struct asker_kind hook_asker = {
    .name = "hook",
    .start = panel_start,
    .wait = panel_wait,
    .turn = panel_turn,
    .stop = panel_stop,
};

/* ---- before the verdict ---- */

/* All hooks, once. */
static void consult_once(struct arena *a, const struct hook_question *q, int64_t deadline,
                         int cancel_fd, struct answer *out)
{
    struct hook_panel panel = {0};
    const struct asker asker = {&hook_asker, &panel, 0};
    const struct race_options options = {
        .deadline = deadline, .ask_counts = true, .cancel_fd = cancel_fd};
    struct race race;

    *out = (struct answer){0};
    if (!hooks_prepare(a, q, &panel)) {
        deny(out, no_memory);
        return;
    }
    if (panel.refused)
        deny(out, str_from(panel.refused));
    if (panel.refused || panel.count == 0)
        return;
    race_run(&asker, 1, &options, &race);
    if (race.end == RACE_ANSWERED)
        *out = panel.answer;
    else
        deny(out, STR("the PreToolUse hooks did not answer before the deadline"));
}

void hooks_consult(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                   struct answer *out)
{
    struct hook_question question = *q;
    struct call call = *q->call;
    struct answer total = {0};

    question.call = &call;
    for (int round = 0;; round++) {
        struct answer said;
        consult_once(a, &question, deadline, cancel_fd, &said);
        total.given |= said.given;
        take(&total, &said);
        if (!said.updated_input)
            break;
        if (round == HOOK_ROUNDS_MAX) {
            deny(&total, STR("the hooks kept rewriting the input"));
            break;
        }
        total.updated_input = call.input = said.updated_input;
    }
    if (total.decided && total.behavior == BEHAVIOR_DENY)
        total.updated_input = NULL;
    *out = total;
}
