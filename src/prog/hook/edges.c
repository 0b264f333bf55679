/* edges.c - the edges of warder-hook. Each one that would need a library, a policy file or a person
 * hands over; nothing has been recorded or answered by then. */
#include "hook/edges.h"

#include <sys/auxv.h>

#include "connect/hook.h"
#include "engine/remote.h"
#include "hook/hand_over.h"
#include "machine/world.h"

/* Of a rule, or of the hook of a policy file; the image only says that there is one. */
static enum regex_answer hand_over_match(const void *code, struct str text)
{
    (void)code;
    (void)text;
    hand_over();
}

/* ---- hooks of our own policy files ---- */

static void hand_over_hooks(struct arena *a, const struct hook_question *q)
{
    struct hook_panel panel;

    if (q->book->hooks.count && (!hooks_prepare(a, q, &panel) || panel.count || panel.refused))
        hand_over();
}

static void consult(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                    struct answer *out)
{
    (void)deadline;
    (void)cancel_fd;
    hand_over_hooks(a, q);
    *out = (struct answer){0};
}

/* ---- an ask ---- */

/* The service has the call already: another program would put it there a second time. */
static void wait_for_review(struct remote *review, int64_t deadline, struct asking_result *out)
{
    const struct asker asker = {&review_asker, review, 0};
    const struct race_options options = {.deadline = deadline, .cancel_fd = -1};
    struct race race;

    race_run(&asker, 1, &options, &race);
    *out = (struct asking_result){.end = race.end, .who = review_asker.name, .reply = race.reply};
}

/* Only reviewers can be asked from here. An ask that is left to the client is an answer like any
 * other; a question for `warder approve` is written by the program that shows it. */
static void race(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out)
{
    struct hook_question q = {.event = HOOK_PERMISSION_REQUEST,
                              .call = &d->last,
                              .book = d->book,
                              .verdict = &d->verdict,
                              .world = &d->world,
                              .own_only = asking->client_runs_hooks != 0};

    if (review) {
        wait_for_review(review, deadline, out);
        return;
    }
    if (asking->leave_ask != LEFT_TO_CLIENT || d->verdict.behavior != BEHAVIOR_ASK)
        hand_over();
    if (whom & ASK_HOOKS)
        hand_over_hooks(&d->arena, &q);
    q.event = HOOK_CLASSIFIER;
    if (whom & ASK_CLASSIFIER)
        hand_over_hooks(&d->arena, &q);
    *out = (struct asking_result){.end = RACE_NOBODY};
}

/* Not reached: race() has handed over every ask that could be offered. It cannot hand over here,
 * because the decision is recorded. */
static struct str offer(warder_decision *d, const struct call *call, struct str client,
                        struct error *err)
{
    (void)d;
    (void)call;
    (void)client;
    fail(err, STATUS_USAGE, "warder-hook offers no approvals");
    return (struct str){0};
}

/* ---- this program ---- */

/* By the path that the kernel was told to start, which is no script's: to look at each part of it
 * takes a third of the time that /proc takes to answer. */
static bool find_program(char out[WORLD_PATH_MAX])
{
    unsigned long started = getauxval(AT_EXECFN);

    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives addresses as numbers */
    return started && real_world.resolve(real_world.context, (const char *)started, out);
}

/* ---- the tables ---- */

static enum status hand_over_files(const char *state_dir, struct shelf *shelf, const char *project,
                                   const char *digest, struct error *err)
{
    (void)state_dir;
    (void)shelf;
    (void)project;
    (void)digest;
    (void)err;
    hand_over();
}

static const struct edges small_edges = {
    .open_policy = image_policy_open,
    .keep_policy = hand_over_files,
    .match = hand_over_match,
    .consult = consult,
    .race = race,
    .offer = offer,
    .program = find_program,
};

static enum status hand_over_settings(const warder_options *options, warder_reply *w,
                                      struct error *err)
{
    (void)options;
    (void)w;
    (void)err;
    hand_over();
}

static const struct hook_edges small = {.engine = &small_edges,
                                        .answer_settings = hand_over_settings};

warder_status small_hook(const warder_options *options, const char *client, const char *event,
                         size_t len, uint32_t deadline_ms, warder_reply **out, warder_error *err)
{
    return hook_answer_event(&small, options, client, (struct str){event, len}, deadline_ms, out,
                             err);
}
