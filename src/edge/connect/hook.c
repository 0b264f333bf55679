/* hook.c - one event of an agent's hook, from its JSON to the answer in the agent's own words, in
 * the process that was started for it. */
#include "connect/hook.h"

#include <stdlib.h>

#include "ask/cell_prove.h"
#include "connect/event_put.h"
#include "connect/honoured.h"
#include "connect/ran.h"
#include "engine/approve.h"
#include "engine/edges.h"
#include "engine/record.h"

#define HOOK_MEMORY_MAX ((size_t)256 * 1024 * 1024)

/* ---- judging the call ---- */

static warder_status failure_of(const warder_decision *decision, warder_error *err)
{
    struct error inner;

    if (!event_failed(&decision->verdict))
        return WARDER_OK;
    fail(&inner, STATUS_SYNTAX, "%s", warder_decision_reason(decision));
    return error_out(err, &inner);
}

/* A call that cannot be judged is a failure, not a verdict. */
static warder_status check_call(const warder_reply *w, struct str call, warder_decision **out,
                                warder_error *err)
{
    warder_status status =
        engine_check_first(w->engine, call, w->event.question.client->name, out, err);

    return status == WARDER_OK ? failure_of(*out, err) : status;
}

/* Would the allowed call also be allowed if the client had not said in which mode it runs? Of what
 * is contained decide() has made sure. */
static warder_status check_without_mode(const warder_reply *w, warder_decision *allowed, bool *out,
                                        warder_error *err)
{
    warder_decision *decision = NULL;

    *out = true;
    if (allowed->verdict.contained.yes || event_says_no_mode(&w->event, allowed))
        return WARDER_OK;
    warder_status status = check_call(w, w->event.plain_call, &decision, err);
    *out = status == WARDER_OK && (warder_decision_behavior(decision) == WARDER_ALLOW ||
                                   event_may_lift(&w->event, allowed));
    warder_decision_free(decision);
    return status;
}

/* An allowed call that this client might run as something else is checked again, with the doubt. */
static warder_status check_doubted(warder_reply *w, warder_decision **decision, warder_error *err)
{
    const struct facts *facts = (*decision)->verdict.facts;
    struct error inner = {0};
    bool doubted = false;

    if (warder_decision_behavior(*decision) != WARDER_ALLOW || !facts)
        return WARDER_OK;
    if (event_doubt(&w->arena, &w->event, &w->from, facts, &doubted, &inner) != STATUS_OK)
        return error_out(err, &inner);
    if (!doubted)
        return WARDER_OK;
    warder_decision_free(*decision);
    *decision = NULL;
    return check_call(w, w->event.call, decision, err);
}

/* What could not be judged is blocked, and recorded all the same. */
static void record_failure(const warder_reply *w, warder_decision *decision)
{
    const struct decision_ending ending = {.client = w->event.question.client->name};

    if (decision)
        (void)decision_record(decision, &ending, NULL);
}

static warder_status check_event(warder_reply *w, warder_decision **decision, warder_error *err)
{
    warder_status status = check_call(w, w->event.call, decision, err);

    if (status == WARDER_OK)
        status = check_doubted(w, decision, err);
    if (status != WARDER_OK)
        record_failure(w, *decision);
    return status;
}

/* ---- resolving it ---- */

/* This client cannot ask a person: an ask becomes a deny, and a person may approve the call. */
static bool needs_approval(const warder_reply *w)
{
    return !w->event.question.asks && w->event.question.event->kind != EVENT_PERMISSION;
}

/* Hooks of our own files, the session, the record. A client runs the hooks of its own files itself,
 * and asks its person itself if it can; for the others an ask is an offer to approve. */
static warder_status resolve_event(const warder_reply *w, uint32_t deadline_ms,
                                   warder_decision *decision, warder_error *err)
{
    warder_asking asking = WARDER_ASKING_INIT;

    asking.client = w->event.question.client->name;
    asking.deadline_ms = deadline_ms;
    asking.leave_ask = needs_approval(w) ? LEFT_TO_APPROVAL : LEFT_TO_CLIENT;
    asking.client_runs_hooks = 1;
    decision->just_judged = true;
    warder_status status = warder_resolve(w->engine, decision, &asking, err);
    return status == WARDER_OK ? failure_of(decision, err) : status;
}

/* The ID by which a person may approve what this client cannot ask them about. Without one the
 * answer is the same deny. */
static struct str offer_approval(const warder_reply *w, warder_decision *decision)
{
    struct error ignored;

    if (warder_decision_behavior(decision) != WARDER_ASK || !needs_approval(w))
        return (struct str){0};
    return w->engine->edges->offer(decision, &decision->last,
                                   str_from(w->event.question.client->name), &ignored);
}

static warder_status decide_event(warder_reply *w, uint32_t deadline_ms, warder_decision **decision,
                                  warder_error *err)
{
    struct error inner = {0};
    bool plain = true;

    approval_sweep(w->engine->request.state_dir.s, approval_now());
    if (w->event.question.event->kind == EVENT_TOOL)
        honoured_watch(&w->arena, w->engine->home.s, &w->event.question, CELL_NEXT,
                       w->engine->recorder);
    warder_status status = check_event(w, decision, err);
    if (status == WARDER_OK && warder_decision_behavior(*decision) == WARDER_ALLOW)
        status = check_without_mode(w, *decision, &plain, err);
    if (status != WARDER_OK)
        return status;
    (*decision)->left = !plain || w->event.question.event->repeats;
    (*decision)->again = w->event.question.event->kind == EVENT_PERMISSION;
    status = resolve_event(w, deadline_ms, *decision, err);
    if (status != WARDER_OK)
        return status;
    ran_expect(&w->event, *decision);
    const struct event_words words = {.by_mode = !plain && !event_by_hook(*decision),
                                      .approval = offer_approval(w, *decision),
                                      .for_rule = decision_for_rule(*decision)};
    return event_answer(&w->arena, &w->event, &(*decision)->verdict, &words, &w->answer, &inner) ==
                   STATUS_OK
               ? WARDER_OK
               : error_out(err, &inner);
}

/* ---- the whole way ---- */

/* What came in. */
struct hook_input {
    const struct hook_edges *edges;
    const warder_options *options;
    struct str client, text;
    uint32_t deadline_ms;
};

static warder_status answer_call(const struct hook_input *in, warder_reply *w, warder_error *err)
{
    warder_options options = *in->options;
    warder_decision *decision = NULL;

    options.record = 1;
    options.pausable = 1;
    options.contain = w->event.question.event->contains;
    options.save = 1;
    options.tier = NULL;
    options.project = event_project(in->options, w->event.question.client);
    warder_status status = engine_new(in->edges->engine, &options, false, &w->engine, err);
    if (status == WARDER_OK) {
        w->engine->nobody_serves = w->nobody;
        status = decide_event(w, in->deadline_ms, &decision, err);
        if (w->engine->untried)
            cell_prove(w->engine->home.s, w->engine->program);
    }
    warder_decision_free(decision);
    return status;
}

static warder_status answer_here(const struct hook_input *in, warder_reply *w, warder_error *err)
{
    struct error inner = {0};
    enum status status = event_read(&w->arena, in->client, in->text, &w->from, &w->event, &inner);

    if (status == STATUS_OK && w->event.question.event->kind != EVENT_CONFIG)
        return answer_call(in, w, err);
    if (status == STATUS_OK)
        status = in->edges->answer_settings(in->options, w, &inner);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

/* A service that runs has the policy in memory: it answers most events before a policy would have
 * been found here. */
static enum event_end put_to_service(const struct hook_input *in, warder_reply *w,
                                     struct error *err)
{
    struct event_putting putting = {.options = in->options,
                                    .client = client_find(in->client),
                                    .text = in->text,
                                    .arena = &w->arena,
                                    .from = &w->from,
                                    .deadline_ms = in->deadline_ms,
                                    .out = &w->answer,
                                    .nobody = &w->nobody};

    return event_put(&putting, err);
}

static warder_status answer_event(const struct hook_input *in, warder_reply *w, warder_error *err)
{
    struct error inner = {0};

    switch (put_to_service(in, w, &inner)) {
    case EVENT_ANSWERED:
        ran_expect_nothing(in->options, client_find(in->client), in->text);
        return WARDER_OK;
    case EVENT_UNDECIDED:
        return answer_here(in, w, err);
    case EVENT_LOST:
        break;
    }
    if (inner.status == STATUS_OK) /* never without an error: that would be an answer */
        fail(&inner, STATUS_IO, "the service's answer was lost");
    return error_out(err, &inner);
}

warder_status hook_answer_event(const struct hook_edges *edges, const warder_options *options,
                                const char *client, struct str text, uint32_t deadline_ms,
                                warder_reply **out, warder_error *err)
{
    if (!out)
        return give_usage(err, "missing argument: reply");
    *out = NULL;
    if (!options || !client || !text.s)
        return give_usage(err, "there are no options, no client, or no event");
    warder_reply *w = calloc(1, sizeof(*w));
    if (!w)
        return give_no_memory(err);
    arena_init(&w->arena, HOOK_MEMORY_MAX);
    w->from.shell = str_from(getenv("SHELL"));
    const struct hook_input in = {edges, options, str_from(client), text, deadline_ms};
    warder_status status = answer_event(&in, w, err);
    if (status == WARDER_OK)
        *out = w;
    else
        warder_reply_free(w);
    return status;
}

/* ---- the reply ---- */

const char *warder_reply_out(const warder_reply *reply)
{
    return reply && reply->answer.out.len ? reply->answer.out.s : "";
}

const char *warder_reply_err(const warder_reply *reply)
{
    return reply && reply->answer.err.len ? reply->answer.err.s : "";
}

int warder_reply_code(const warder_reply *reply)
{
    return reply ? reply->answer.code : CLIENT_BLOCKED;
}

void warder_reply_free(warder_reply *reply)
{
    if (!reply)
        return;
    warder_engine_free(reply->engine);
    arena_release(&reply->arena);
    free(reply);
}
