#include "engine/asking.h"

#include <stdlib.h>
#include <string.h>

#include "ask/callback.h"
#include "ask/classifier.h"
#include "ask/hooks.h"
#include "ask/prompt.h"
#include "base/json.h"
#include "engine/panel.h"
#include "engine/remote.h"

/* What the askers of one race need, prepared before any of them is started. */
struct preparation {
    warder_decision *decision;
    const warder_asking *asking;
    unsigned whom;
    struct hook_question hook_question, classifier_question;
    struct hook_panel panel, classifier_panel;
    warder_question question, classified;
    struct callback callback, classify;
    struct classifier by_program, by_embedder;
    bool at_terminal;
    struct panel shown;
    struct always always;
    struct prompt prompt;
};

/* ---- the embedder's callback ---- */

static bool copy_text(const char *text, const char **out)
{
    *out = text ? strdup(text) : NULL;
    return !text || *out;
}

static bool put_to(const struct preparation *p, warder_can_use_tool function,
                   warder_question *question, int cancel_fd, struct callback_word *out)
{
    warder_answer answer = WARDER_ANSWER_INIT;
    struct callback_word said;

    question->cancel_fd = cancel_fd;
    bool done = function(p->asking->context, question, &answer) == 0;
    said = answer_word(&answer);
    *out = said;
    out->message = out->input = out->who = NULL;
    return copy_text(said.message, &out->message) && copy_text(said.input, &out->input) &&
           copy_text(said.who, &out->who) && done;
}

static bool call_back(void *context, int cancel_fd, struct callback_word *out)
{
    struct preparation *p = context;

    return put_to(p, p->asking->can_use_tool, &p->question, cancel_fd, out);
}

/* "Ask" is what a classifier says that wants a person. */
static bool call_classifier(void *context, int cancel_fd, struct callback_word *out)
{
    struct preparation *p = context;
    bool done = put_to(p, p->asking->classify, &p->classified, cancel_fd, out);

    if (out->given && out->behavior == BEHAVIOR_ASK)
        out->given = false;
    return done;
}

static bool has_unknown(const warder_answer *answer)
{
    uint64_t all = 0;

    for (size_t i = 0; i < COUNT(answer->reserved); i++)
        all |= answer->reserved[i];
    return all != 0;
}

struct callback_word answer_word(const warder_answer *answer)
{
    return (struct callback_word){.given = answer->given > 0,
                                  .failed = answer->given < 0,
                                  .behavior = (enum behavior)answer->behavior,
                                  .message = answer->message,
                                  .input = answer->updated_input,
                                  .interrupt = answer->interrupt != 0,
                                  .remember = answer->remember != 0,
                                  .by = (enum reply_by)answer->by,
                                  .who = answer->who,
                                  .unknown = has_unknown(answer)};
}

void decision_question(warder_decision *d, warder_question *out)
{
    struct buf input = buf_in(&d->arena);

    json_value(&input, d->last.input);
    *out = (warder_question){.struct_size = sizeof(warder_question),
                             .tool = str_copy(&d->arena, d->last.tool).s,
                             .session = str_copy(&d->arena, d->last.session).s,
                             .tool_use_id = str_copy(&d->arena, d->last.tool_use_id).s,
                             .cwd = str_copy(&d->arena, d->last.cwd).s,
                             .input = buf_str(&input).s,
                             .verdict = warder_decision_json(d),
                             .cancel_fd = -1};
    if (!out->verdict)
        arena_leave(&d->arena);
}

static void prepare_callback(struct preparation *p,
                             bool (*ask)(void *context, int cancel_fd, struct callback_word *out),
                             warder_question *question, struct callback *out)
{
    decision_question(p->decision, question);
    *out = (struct callback){.ask = ask,
                             .context = p,
                             .arena = &p->decision->arena,
                             .has_session = p->decision->last.session.len > 0};
}

/* ---- the person at the terminal ---- */

static void prepare_prompt(struct preparation *p)
{
    bool lines = p->asking->lines && !terminal_is_there();

    decision_panel(p->decision, &p->shown, &p->always);
    p->prompt = (struct prompt){.panel = &p->shown,
                                .always = &p->always,
                                .arena = &p->decision->arena,
                                .in = lines ? STDIN_FILENO : -1,
                                .out = lines ? STDERR_FILENO : -1,
                                .grace_ms = lines ? 0 : RACE_GRACE_MS};
    p->at_terminal = true;
}

/* ---- all of them ---- */

static void prepare_panel(const struct preparation *p, enum hook_event event,
                          struct hook_question *question, struct hook_panel *out)
{
    warder_decision *d = p->decision;

    *question = (struct hook_question){.event = event,
                                       .call = &d->last,
                                       .book = d->book,
                                       .verdict = &d->verdict,
                                       .world = &d->world,
                                       .own_only = p->asking->client_runs_hooks != 0};
    if (!hooks_prepare(&d->arena, question, out))
        arena_leave(&d->arena);
}

/* What policy says of classifiers counts for both kinds. No allow of theirs lifts an ask that wants
 * a person. */
static void prepare_classifiers(struct preparation *p)
{
    const warder_decision *d = p->decision;
    const bool may_allow = d->book && d->book->classifier_allows && !d->verdict.immune;

    prepare_panel(p, HOOK_CLASSIFIER, &p->classifier_question, &p->classifier_panel);
    p->by_program = (struct classifier){&hook_asker, &p->classifier_panel, may_allow};
    if (p->asking->classify)
        prepare_callback(p, call_classifier, &p->classified, &p->classify);
    p->by_embedder = (struct classifier){&callback_asker, &p->classify, may_allow};
}

static void prepare(void *arg)
{
    struct preparation *p = arg;
    warder_decision *d = p->decision;

    if (p->whom & ASK_HOOKS)
        prepare_panel(p, HOOK_PERMISSION_REQUEST, &p->hook_question, &p->panel);
    if (p->whom & ASK_CLASSIFIER)
        prepare_classifiers(p);
    if ((p->whom & ASK_CALLBACK) && p->asking->can_use_tool)
        prepare_callback(p, call_back, &p->question, &p->callback);
    if ((p->whom & ASK_PERSON) && p->asking->terminal && !d->engine->headless)
        prepare_prompt(p);
}

void asking_race(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out)
{
    struct preparation p = {.decision = d, .asking = asking, .whom = whom};
    const struct race_options options = {.deadline = deadline,
                                         .cancel_fd = asking_cancel_fd(asking)};
    struct asker askers[RACERS_MAX];
    struct race race;
    size_t count = 0;

    *out = (struct asking_result){.end = RACE_CANCELLED};
    if (!decision_try(d, prepare, &p) || d->verdict.behavior != BEHAVIOR_ASK) {
        decision_overflow(d);
        return;
    }
    /* If there are more hooks than may run, none of them is asked, and the question stays open. */
    if (p.panel.count && !p.panel.refused)
        askers[count++] = (struct asker){&hook_asker, &p.panel, 0};
    if (p.classifier_panel.count && !p.classifier_panel.refused)
        askers[count++] = (struct asker){&classifier_asker, &p.by_program, 0};
    if (p.classify.ask)
        askers[count++] = (struct asker){&classifier_asker, &p.by_embedder, 0};
    if (p.callback.ask)
        askers[count++] = (struct asker){&callback_asker, &p.callback, 0};
    if (p.at_terminal)
        askers[count++] = (struct asker){&prompt_asker, &p.prompt, p.prompt.grace_ms};
    if (review)
        askers[count++] = (struct asker){&review_asker, review, 0};
    race_run(askers, count, &options, &race);
    *out = (struct asking_result){.end = race.end, .reply = race.reply, .fault = p.callback.fault};
    if (race.end == RACE_ANSWERED)
        out->who = askers[race.winner].kind->name;
}
