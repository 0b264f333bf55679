/* hook.c - an event of an agent's hook, from its text to the answer in the agent's own
 * words.
 *
 * The same steps as in the process that was started for it (hook.c), as far as policy decides by
 * itself. Whatever needs a person, a hook of a policy file or another look is left to that process
 * before anything of it is recorded or told.
 */
#include <stdlib.h>

#include "base/json.h"
#include "connect/event_put.h"
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

/* ---- judging ---- */

/* Policy may want that nobody but the process decides, and its hooks may take their time. */
static bool is_left_alone(const warder_decision *d)
{
    return !d->book || rulebook_broken(d->book) || d->book->service == SERVICE_OFF ||
           rulebook_has_hooks(d->book, false);
}

static enum status judge(struct hooking *h)
{
    enum status status =
        service_judge(h->service, h->token_id, h->event->call, &h->decision, &h->ending, &h->err);

    if (status != STATUS_OK)
        return status;
    if (is_left_alone(h->decision))
        return fail(&h->err, STATUS_USAGE, "policy leaves it to the process");
    if (h->decision->verdict.behavior == BEHAVIOR_ASK || event_failed(&h->decision->verdict))
        return fail(&h->err, STATUS_USAGE, "policy alone does not decide it");
    return STATUS_OK;
}

static void look_for_doubt(void *arg)
{
    struct hooking *h = arg;

    if (h->decision->verdict.facts &&
        event_doubt(&h->arena, h->event, &h->from, h->decision->verdict.facts))
        h->status = fail(&h->err, STATUS_USAGE, "its client may understand it differently");
}

/* Without session or record: only whether the policy's own mode would allow it, too. */
static enum status judge_plainly(struct hooking *h)
{
    warder_decision *plain = NULL;
    warder_error outer = {0};
    enum status status = STATUS_OK;

    if (event_says_no_mode(h->event, h->decision))
        return STATUS_OK;
    if (engine_open_call(h->service->engine, h->event->plain_call, &plain, &outer) != WARDER_OK)
        return fail(&h->err, STATUS_NOMEM, "%s", outer.message);
    if (!plain->book || trusted_apply(h->service, h->token_id, plain, &h->err) != STATUS_OK ||
        !arena_try(&plain->arena, decision_judge, plain) || event_failed(&plain->verdict))
        status = fail(&h->err, STATUS_USAGE, "it cannot be judged without its mode");
    h->by_mode = plain->verdict.behavior != BEHAVIOR_ALLOW;
    warder_decision_free(plain);
    return status;
}

static enum status decide_event(struct hooking *h)
{
    if (!arena_try(&h->arena, read_line, h))
        return fail(&h->err, STATUS_NOMEM, "the event is too large");
    if (h->status != STATUS_OK || (h->status = judge(h)) != STATUS_OK ||
        h->decision->verdict.behavior != BEHAVIOR_ALLOW)
        return h->status;
    if (!arena_try(&h->arena, look_for_doubt, h))
        return fail(&h->err, STATUS_NOMEM, "the event is too large");
    return h->status == STATUS_OK ? judge_plainly(h) : h->status;
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
        return outcome_say(err, WARDER_FAILED,
                           "there is no service, no event, or no place for the case");
    if (!caller_is(caller, WARDER_WORKER) && !caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "workers");
    struct hooking h = {
        .service = s, .token_id = caller->id, .json = {json, len}, .began = service_micros()};
    arena_init(&h.arena, SERVICE_STAGED_MAX);
    warder_outcome outcome = decide_event(&h) == STATUS_OK
                                 ? keep_decided(&h, user, out, err)
                                 : outcome_say(err, WARDER_NOT_FOUND, "%s", h.err.message);
    if (outcome != WARDER_DONE) {
        warder_decision_free(h.decision);
        arena_release(&h.arena);
    }
    return outcome;
}

/* ---- the answer ---- */

struct telling {
    struct staged *item;
    struct str text;
};

static void write_answer(void *arg)
{
    struct telling *t = arg;
    struct staged *i = t->item;
    struct client_answer answer = {0};
    struct buf b = buf_in(&i->arena);

    event_answer(&i->arena, i->event, &i->decision->verdict, i->by_mode, (struct str){0}, &answer);
    buf_text(&b, WARDER_HOOK_LINE "{\"out\":");
    json_string(&b, answer.out);
    buf_text(&b, ",\"err\":");
    json_string(&b, answer.err);
    buf_format(&b, ",\"code\":%d}}", answer.code);
    t->text = buf_str(&b);
}

char *json_hook(struct staged *item)
{
    static const char none[] = WARDER_HOOK_LINE "null}";
    struct telling t = {.item = item};

    if (event_failed(&item->decision->verdict) || !arena_try(&item->arena, write_answer, &t))
        return strndup(none, sizeof(none) -
                                 1); /* it could not be recorded: its process denies it by itself */
    return strndup(t.text.s, t.text.len);
}
