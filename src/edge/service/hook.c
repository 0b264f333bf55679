/* hook.c - an event of an agent's hook that its process has put to the service.
 *
 * The same steps as in the process (connect/hook.c), as far as policy decides by itself. A call
 * that needs a person, a hook of a policy file or a second check is left to the process, before
 * anything of it is recorded or told. */
#include <stdlib.h>

#include "base/json.h"
#include "connect/event_put.h"
#include "engine/losses.h"
#include "service/service.h"

struct hooking {
    warder_service *service;
    const char *token_id;
    struct str json;
    struct arena arena; /* of the event */
    int64_t began;
    struct event *event;
    struct event_place from;
    warder_decision *decision;
    struct decision_ending ending;
    bool by_mode;
    struct error err;
    enum status status;
};

/* ---- reading ---- */

static void read_line(void *arg)
{
    struct hooking *h = arg;
    struct value *v = ARENA_NEW(&h->arena, struct value);

    h->event = ARENA_NEW(&h->arena, struct event);
    if ((h->status = json_read(&h->arena, h->json, NULL, v, &h->err)) != STATUS_OK)
        return;
    h->from = (struct event_place){.cwd = value_text(v, "cwd"),
                                   .project = value_text(v, "project"),
                                   .shell = value_text(v, "shell")};
    if (!h->from.cwd.len || !h->from.project.len)
        h->status = fail(&h->err, STATUS_SYNTAX, "it does not say where it comes from");
    else
        h->status = event_read(&h->arena, value_text(v, "hook"), value_text(v, "event"), &h->from,
                               h->event, &h->err);
    if (h->status == STATUS_OK && !h->event->call.len)
        h->status = fail(&h->err, STATUS_USAGE, "it is not about a call");
}

/* ---- deciding ---- */

/* Whether there is one, the process finds out. */
static const struct cell_facts *any_cell(void *context)
{
    static const struct cell_facts best = {CELL_NAMESPACES, true, true};

    (void)context;
    return &best;
}

/* Policy may forbid that the service decides, and hooks would keep other callers waiting. */
static bool is_left_to_process(const warder_decision *d)
{
    return !d->book || rulebook_broken(d->book) || d->book->service == SERVICE_OFF ||
           rulebook_has_hooks(d->book, false);
}

/* Cells are made by the process: a service would let run what has to be contained. */
static enum status leave_contained(const struct hooking *h, struct error *err)
{
    const struct verdict *v = &h->decision->verdict;
    struct facts facts;
    struct contained contained;

    if (!v->facts || v->behavior != BEHAVIOR_ALLOW || !h->event->question.event->contains)
        return STATUS_OK;
    facts = *v->facts;
    facts.cell = any_cell;
    /* whichever way it was allowed */
    return contained_judge(&facts, v->cleared_by, false, &contained) == CONTAIN_NOT &&
                   contained_judge(&facts, NULL, true, &contained) == CONTAIN_NOT
               ? STATUS_OK
               : fail(err, STATUS_USAGE, "it may have to run in the sandbox");
}

static enum status decide_by_policy(struct hooking *h)
{
    enum status status = service_judge(h->service, h->token_id, h->event->call, MODE_AS_SAID,
                                       &h->decision, &h->ending, &h->err);

    if (status != STATUS_OK)
        return status;
    if (is_left_to_process(h->decision))
        return fail(&h->err, STATUS_USAGE, "policy leaves it to the process");
    if (leave_contained(h, &h->err) != STATUS_OK)
        return h->err.status;
    if (h->decision->verdict.behavior == BEHAVIOR_ASK || event_failed(&h->decision->verdict))
        return fail(&h->err, STATUS_USAGE, "policy alone does not decide it");
    if (losses_may_be(h->decision)) /* in the user's own files, by the user's own process */
        return fail(&h->err, STATUS_USAGE, "what it changes is saved by the process");
    return STATUS_OK;
}

static enum status refuse_doubt(struct hooking *h)
{
    const struct facts *facts = h->decision->verdict.facts;
    bool doubted = false;

    if (facts && event_doubt(&h->arena, h->event, &h->from, facts, &doubted, &h->err) != STATUS_OK)
        return STATUS_NOMEM;
    return doubted ? fail(&h->err, STATUS_USAGE, "its client may understand it differently")
                   : STATUS_OK;
}

/* Whether the policy's own mode would allow it, too; without session or record. */
static enum status decide_without_mode(struct hooking *h)
{
    warder_decision *plain = NULL;
    warder_error outer = {0};
    enum status status = STATUS_OK;

    if (event_says_no_mode(h->event, h->decision))
        return STATUS_OK;
    if (engine_open_call(h->service->engine, h->event->plain_call, MODE_AS_SAID,
                         binding_of(h->service->bindings, h->token_id), &plain,
                         &outer) != WARDER_OK)
        return fail(&h->err, STATUS_NOMEM, "%s", outer.message);
    if (!plain->book || trusted_apply(h->service, h->token_id, plain, &h->err) != STATUS_OK ||
        !decision_try(plain, decision_judge, plain) || event_failed(&plain->verdict))
        status = fail(&h->err, STATUS_USAGE, "it cannot be judged without its mode");
    h->by_mode =
        plain->verdict.behavior != BEHAVIOR_ALLOW && !event_may_lift(h->event, h->decision);
    h->decision->left = h->by_mode;
    warder_decision_free(plain);
    return status;
}

static enum status decide_for_process(struct hooking *h)
{
    enum status status;

    if (!arena_try(&h->arena, read_line, h))
        return fail(&h->err, STATUS_NOMEM, "the event is too large");
    if ((status = h->status) != STATUS_OK || (status = decide_by_policy(h)) != STATUS_OK ||
        h->decision->verdict.behavior != BEHAVIOR_ALLOW || (status = refuse_doubt(h)) != STATUS_OK)
        return status;
    return decide_without_mode(h);
}

/* ---- the border ---- */

/* Takes the event's memory, and the decision. */
static warder_outcome keep_decided(struct hooking *h, void *user, warder_case **out,
                                   warder_error *err)
{
    warder_service *s = h->service;
    warder_case *item = case_new(s, user);
    struct staged *staged = item ? service_stage(s, STAGED_VERDICT) : NULL;

    if (!staged) {
        free(item);
        return outcome_say(err, WARDER_FAILED, "out of memory");
    }
    item->began = h->began;
    metrics_judged(s->metrics, service_micros() - item->began);
    staged->arena = h->arena; /* in place of one that has nothing yet */
    staged->decision = h->decision;
    staged->ending = h->ending;
    staged->event = h->event;
    staged->by_mode = h->by_mode && !event_by_hook(h->decision);
    service_take_case(staged, item, h->token_id);
    *out = item;
    return WARDER_DONE;
}

warder_outcome warder_service_hook(warder_service *s, const warder_caller *caller, const char *json,
                                   size_t len, void *user, warder_case **out, warder_error *err)
{
    if (out)
        *out = NULL;
    if (!s || !out || !json)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, event or case");
    if (!caller_is(caller, WARDER_WORKER) && !caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "workers");
    struct hooking h = {
        .service = s, .token_id = caller->id, .json = {json, len}, .began = service_micros()};
    arena_init(&h.arena, SERVICE_STAGED_MAX);
    warder_outcome outcome = decide_for_process(&h) == STATUS_OK
                                 ? keep_decided(&h, user, out, err)
                                 : outcome_say(err, WARDER_NOT_FOUND, "%s", h.err.message);
    if (outcome != WARDER_DONE) {
        warder_decision_free(h.decision);
        arena_release(&h.arena);
    }
    return outcome;
}

/* ---- the answer ---- */

struct hook_line {
    struct arena *arena;
    struct client_answer answer;
    struct str text;
};

static void write_hook_line(void *arg)
{
    struct hook_line *line = arg;
    struct buf b = buf_in(line->arena);

    buf_text(&b, WARDER_HOOK_LINE "{\"out\":");
    json_string(&b, line->answer.out);
    buf_text(&b, ",\"err\":");
    json_string(&b, line->answer.err);
    buf_format(&b, ",\"code\":%d}}", line->answer.code);
    line->text = buf_str(&b);
}

/* Without a line, because it could not be recorded for example, the process denies it by itself. */
char *json_hook(struct staged *item)
{
    static const char none[] = WARDER_HOOK_LINE "null}";
    const struct verdict *v = &item->decision->verdict;
    const struct event_words words = {.by_mode = item->by_mode,
                                      .for_rule = decision_for_rule(item->decision)};
    struct hook_line line = {.arena = &item->arena};

    if (event_failed(v) ||
        event_answer(line.arena, item->event, v, &words, &line.answer, NULL) != STATUS_OK ||
        !arena_try(line.arena, write_hook_line, &line))
        return strndup(none, sizeof(none) - 1);
    return strndup(line.text.s, line.text.len);
}
