#include "engine/asking.h"

#include <stdlib.h>
#include <string.h>

#include "ask/callback.h"
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
    struct hook_question hook_question;
    struct hook_panel panel;
    warder_question question;
    struct callback callback;
    bool at_terminal;
    struct panel shown;
    struct always always;
    struct prompt prompt;
};

/* ---- the embedder's callback ---- */

static bool copy_text(const char *text, char **out)
{
    *out = text ? strdup(text) : NULL;
    return !text || *out;
}

static bool call_back(void *context, int cancel_fd, struct callback_word *out)
{
    struct preparation *p = context;
    warder_answer answer = {.struct_size = sizeof(answer)};

    p->question.cancel_fd = cancel_fd;
    if (p->asking->can_use_tool(p->asking->context, &p->question, &answer) != 0)
        return false;
    out->given = answer.given != 0;
    out->interrupt = answer.interrupt != 0;
    out->remember = answer.remember != 0;
    out->behavior = (enum behavior)answer.behavior;
    return copy_text(answer.message, &out->message) && copy_text(answer.updated_input, &out->input);
}

static void prepare_callback(struct preparation *p)
{
    warder_decision *d = p->decision;
    struct buf input = buf_in(&d->arena);

    json_value(&input, d->last.input);
    p->question = (warder_question){.struct_size = sizeof(warder_question),
                                    .tool = str_copy(&d->arena, d->last.tool).s,
                                    .session = str_copy(&d->arena, d->last.session).s,
                                    .tool_use_id = str_copy(&d->arena, d->last.tool_use_id).s,
                                    .cwd = str_copy(&d->arena, d->last.cwd).s,
                                    .input = buf_str(&input).s,
                                    .verdict = warder_decision_json(d)};
    p->callback = (struct callback){.ask = call_back, .context = p, .arena = &d->arena};
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

static void prepare(void *arg)
{
    struct preparation *p = arg;
    warder_decision *d = p->decision;

    if (p->whom & ASK_HOOKS) {
        p->hook_question = (struct hook_question){.event = HOOK_PERMISSION_REQUEST,
                                                  .call = &d->last,
                                                  .book = d->book,
                                                  .verdict = &d->verdict,
                                                  .world = &d->world,
                                                  .own_only = p->asking->client_runs_hooks != 0};
        if (!hooks_prepare(&d->arena, &p->hook_question, &p->panel))
            arena_leave(&d->arena);
    }
    if ((p->whom & ASK_CALLBACK) && p->asking->can_use_tool)
        prepare_callback(p);
    if ((p->whom & ASK_PERSON) && p->asking->terminal && !d->engine->headless)
        prepare_prompt(p);
}

void asking_race(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out)
{
    struct preparation p = {.decision = d, .asking = asking, .whom = whom};
    const struct race_options options = {.deadline = deadline, .cancel_fd = -1};
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
    if (p.callback.ask)
        askers[count++] = (struct asker){&callback_asker, &p.callback, 0};
    if (p.at_terminal)
        askers[count++] = (struct asker){&prompt_asker, &p.prompt, p.prompt.grace_ms};
    if (review)
        askers[count++] = (struct asker){&review_asker, review, 0};
    race_run(askers, count, &options, &race);
    *out = (struct asking_result){.end = race.end, .reply = race.reply};
    if (race.end == RACE_ANSWERED)
        out->who = askers[race.winner].kind->name;
}
