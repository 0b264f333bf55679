/* edges.c - the functions that need more than libc, or a person: here each of them hands over.
 *
 * Whoever reaches one has judged nothing yet that somebody has seen. */
#include "ask/hooks.h"
#include "connect/place.h"
#include "engine/approve.h"
#include "engine/asking.h"
#include "engine/image.h"
#include "engine/remote.h"
#include "hook/hand_over.h"
#include "machine/regex.h"

/* Of a rule, or of the hook of a policy file; the image only says that there is one. */
enum regex_answer regex_match(const void *code, struct str text)
{
    (void)code;
    (void)text;
    hand_over();
}

/* ---- hooks of our own policy files ---- */

struct preparation {
    struct arena *arena;
    const struct hook_question *question;
    struct hook_panel panel;
};

static void prepare(void *arg)
{
    struct preparation *p = arg;

    hooks_prepare(p->arena, p->question, &p->panel);
}

static void hand_over_hooks(struct arena *a, const struct hook_question *q)
{
    struct preparation p = {.arena = a, .question = q};

    if (q->book->hooks.count && (!arena_try(a, prepare, &p) || p.panel.count || p.panel.refused))
        hand_over();
}

void hooks_consult(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                   struct answer *out)
{
    (void)deadline;
    (void)cancel_fd;
    hand_over_hooks(a, q);
    *out = (struct answer){0};
}

/* ---- an ask ---- */

/* The service has the call already: it is not put to another program, which would put it there
 * again. */
static void wait_for_review(struct remote *review, int64_t deadline, struct asking_result *out)
{
    const struct asker asker = {&review_asker, review, 0};
    const struct race_options options = {.deadline = deadline, .cancel_fd = -1};
    struct race race;

    race_run(&asker, 1, &options, &race);
    *out = (struct asking_result){.end = race.end, .who = review_asker.name, .reply = race.reply};
}

/* Here nobody can be asked but hooks, and reviewers. What is left to the client is an answer like
 * others; a question for `warder approve` is written by the program that shows it. */
void asking_race(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out)
{
    const struct hook_question q = {.event = HOOK_PERMISSION_REQUEST,
                                    .call = &d->last,
                                    .book = d->book,
                                    .verdict = &d->verdict,
                                    .own_only = asking->client_runs_hooks != 0};

    if (review) {
        wait_for_review(review, deadline, out);
        return;
    }
    if (asking->leave_ask != LEFT_TO_CLIENT || d->verdict.behavior != BEHAVIOR_ASK)
        hand_over();
    if (whom & ASK_HOOKS)
        hand_over_hooks(&d->arena, &q);
    *out = (struct asking_result){.end = RACE_NOBODY};
}

struct str decision_offer_approval(warder_decision *d, const struct call *call, struct str client,
                                   struct error *err)
{
    (void)d;
    (void)call;
    (void)client;
    fail(err, STATUS_USAGE, "whoever could be offered this was handed over"); /* asking_race() */
    return (struct str){0};
}

/* ---- the client's settings changed ---- */

enum status place_find(const struct client *client, enum scope scope,
                       const warder_installation *where, struct place *out, struct error *err)
{
    (void)client;
    (void)scope;
    (void)where;
    (void)out;
    (void)err;
    hand_over();
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the header says so, for the one that looks */
enum status place_look(struct arena *a, const struct place *p, bool *found, struct registered *out,
                       struct error *err)
{
    (void)a;
    (void)p;
    (void)found;
    (void)out;
    (void)err;
    hand_over();
}

/* ---- images are read here, not written ---- */

enum status engine_keep_image(warder_engine *e, struct error *err)
{
    (void)e;
    return fail(err, STATUS_USAGE, "warder hook writes images");
}
