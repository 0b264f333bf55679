/* hook.c - one event of an agent's hook, from its JSON to the answer in the agent's own words. */
#include <stdlib.h>

#include "connect/event.h"
#include "connect/event_put.h"
#include "connect/place.h"
#include "engine/approve.h"
#include "engine/asking.h"
#include "engine/image.h"
#include "engine/record.h"
#include "warder_admin.h"

#define HOOK_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct warder_reply {
    struct arena arena;
    struct event event;
    struct event_place from;
    struct client_answer answer;
    warder_engine *engine; /* that answered; NULL: nothing was judged here */
};

/* ---- reading ---- */

struct event_reading {
    warder_reply *to;
    struct str client, text;
    struct error *err;
    enum status status;
};

static void read_event(void *arg)
{
    struct event_reading *r = arg;

    r->status = event_read(&r->to->arena, r->client, r->text, &r->to->from, &r->to->event, r->err);
}

/* ---- judging ---- */

static warder_status give_failure(const warder_decision *decision, warder_error *err)
{
    struct error inner;

    if (!event_failed(&decision->verdict))
        return WARDER_OK;
    fail(&inner, STATUS_SYNTAX, "%s", warder_decision_reason(decision));
    return error_out(err, &inner);
}

static warder_status judge(warder_engine *engine, const warder_reply *w, struct str call,
                           warder_decision **out, warder_error *err)
{
    warder_status status =
        engine_check_first(engine, call, w->event.question.client->name, out, err);

    return status == WARDER_OK ? give_failure(*out, err) : status;
}

/* Would the allowed call also be allowed if the client had not said in which mode it runs? */
static warder_status allowed_plainly(warder_engine *engine, const warder_reply *w,
                                     warder_decision *allowed, bool *out, warder_error *err)
{
    warder_decision *decision = NULL;

    *out = true;
    if (event_says_no_mode(&w->event, allowed))
        return WARDER_OK;
    warder_status status = judge(engine, w, w->event.plain_call, &decision, err);
    *out = status == WARDER_OK && warder_decision_behavior(decision) == WARDER_ALLOW;
    warder_decision_free(decision);
    return status;
}

struct doubting {
    warder_reply *to;
    const struct facts *facts;
    bool found;
};

static void look_for_doubt(void *arg)
{
    struct doubting *d = arg;

    d->found = event_doubt(&d->to->arena, &d->to->event, &d->to->from, d->facts);
}

/* An allow that does not hold with this client is asked for again, with what speaks against it. */
static warder_status judge_doubted(warder_engine *engine, warder_reply *w,
                                   warder_decision **decision, warder_error *err)
{
    struct doubting d = {.to = w, .facts = (*decision)->verdict.facts};

    if (warder_decision_behavior(*decision) != WARDER_ALLOW || !d.facts)
        return WARDER_OK;
    if (!arena_try(&w->arena, look_for_doubt, &d))
        return give_no_memory(err);
    if (!d.found)
        return WARDER_OK;
    warder_decision_free(*decision);
    *decision = NULL;
    return judge(engine, w, w->event.call, decision, err);
}

/* This client cannot ask anybody: an ask becomes a deny, and a person may approve the call. */
static bool must_offer(const warder_reply *w)
{
    return !w->event.question.asks && w->event.question.event->kind != EVENT_PERMISSION;
}

/* Hooks of our own files, the session, the record. The clients run the hooks of their files
 * themselves, and those that can ask somebody do it themselves; for the others an ask is an offer
 * to approve. */
static warder_status resolve(warder_engine *engine, const warder_reply *w, uint32_t deadline_ms,
                             warder_decision *decision, warder_error *err)
{
    warder_asking asking = WARDER_ASKING_INIT;

    asking.client = w->event.question.client->name;
    asking.deadline_ms = deadline_ms;
    asking.leave_ask = must_offer(w) ? LEFT_TO_APPROVAL : LEFT_TO_CLIENT;
    asking.client_runs_hooks = 1;
    decision->just_judged = true;
    warder_status status = warder_resolve(engine, decision, &asking, err);
    return status == WARDER_OK ? give_failure(decision, err) : status;
}

/* What could not be judged is blocked, and recorded all the same. */
static void record_failure(const warder_reply *w, warder_decision *decision)
{
    const struct decision_ending ending = {.client = w->event.question.client->name};

    if (decision)
        (void)decision_record(decision, &ending, NULL);
}

/* ---- answering ---- */

struct answering {
    warder_reply *to;
    const struct verdict *verdict;
    bool by_mode;
    struct str approval;
};

static void write_answer(void *arg)
{
    struct answering *w = arg;

    event_answer(&w->to->arena, &w->to->event, w->verdict, w->by_mode, w->approval, &w->to->answer);
}

/* A person may approve what this client cannot ask them about. Without an ID the answer is the same
 * deny. */
static struct str offer(const warder_reply *w, warder_decision *decision)
{
    struct error ignored;

    if (warder_decision_behavior(decision) != WARDER_ASK || !must_offer(w))
        return (struct str){0};
    return decision_offer_approval(decision, &decision->last,
                                   str_from(w->event.question.client->name), &ignored);
}

static warder_status decide_event(warder_engine *engine, warder_reply *w, uint32_t deadline_ms,
                                  warder_decision **decision, warder_error *err)
{
    warder_status status = judge(engine, w, w->event.call, decision, err);
    bool plain = true;

    if (status != WARDER_OK || (status = judge_doubted(engine, w, decision, err)) != WARDER_OK) {
        record_failure(w, *decision);
        return status;
    }
    if (warder_decision_behavior(*decision) == WARDER_ALLOW &&
        (status = allowed_plainly(engine, w, *decision, &plain, err)) != WARDER_OK)
        return status;
    if ((status = resolve(engine, w, deadline_ms, *decision, err)) != WARDER_OK)
        return status;
    struct answering answering = {w, &(*decision)->verdict, !plain && !event_by_hook(*decision),
                                  offer(w, *decision)};
    return arena_try(&w->arena, write_answer, &answering) ? WARDER_OK : give_no_memory(err);
}

static warder_status answer_event(const warder_options *options, warder_reply *w,
                                  uint32_t deadline_ms, warder_error *err)
{
    warder_options given = *options;
    warder_engine *engine = NULL;
    warder_decision *decision = NULL;
    warder_status status;

    given.record = 1;
    given.project = event_project(options, w->event.question.client);
    status = warder_engine_new(&given, &engine, err);
    if (status == WARDER_OK)
        status = decide_event(engine, w, deadline_ms, &decision, err);
    warder_decision_free(decision);
    w->engine = engine;
    return status;
}

/* ---- the client's settings changed ---- */

/* After the change somebody other than the project must still name us, and nothing may switch hooks
 * off. */
static struct str config_complaint(const struct registered said[SCOPE_COUNT])
{
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        if (said[i].hooks_off)
            return STR("the new settings switch all hooks off");
    if (said[SCOPE_USER].events < said[SCOPE_USER].wanted &&
        said[SCOPE_MANAGED].events < said[SCOPE_MANAGED].wanted)
        return STR("by the new settings Warder would not be asked any more");
    if (said[SCOPE_USER].narrow)
        return STR("by the new settings Warder would not be asked about all tools");
    return (struct str){0};
}

struct config {
    warder_reply *to;
    struct registered said[SCOPE_COUNT];
    struct error *err;
};

static void answer_config(void *arg)
{
    struct config *c = arg;
    struct str complaint = config_complaint(c->said);
    struct verdict v = {0};

    if (c->err->status != STATUS_OK)
        complaint =
            str_format(&c->to->arena, "the new settings cannot be read: %s", c->err->message);
    if (complaint.len)
        verdict_refuse(&v, BEHAVIOR_DENY, "settings", complaint);
    else
        verdict_allow(&v, ALLOWED_BY_SETTINGS, "settings", (struct str){0});
    event_answer(&c->to->arena, &c->to->event, &v, false, (struct str){0}, &c->to->answer);
}

static warder_status config_event(const warder_options *options, warder_reply *w, warder_error *err)
{
    const warder_installation where = {.struct_size = sizeof(where),
                                       .home = options->home,
                                       .project = event_project(options, w->event.question.client)};
    struct error inner = {0};
    struct config c = {.to = w, .err = &inner};

    for (size_t i = 0; i < SCOPE_COUNT && inner.status == STATUS_OK; i++) {
        struct place place;
        bool found = false;
        if (place_find(w->event.question.client, (enum scope)i, &where, &place, &inner) ==
            STATUS_OK)
            (void)place_look(&w->arena, &place, &found, &c.said[i], &inner);
        if (!found)
            c.said[i].wanted = 1; /* of which nothing is there */
    }
    return arena_try(&w->arena, answer_config, &c) ? WARDER_OK : give_no_memory(err);
}

static warder_status answer_question(const warder_options *options, warder_reply *w,
                                     uint32_t deadline_ms, warder_error *err)
{
    if (w->event.question.event->kind == EVENT_CONFIG)
        return config_event(options, w, err);
    return answer_event(options, w, deadline_ms, err);
}

/* ---- the whole way ---- */

/* A service that runs has the policy at hand: most events are over there before a policy would have
 * been found here. */
static enum event_end put_to_service(const struct event_reading *r, const warder_options *options,
                                     uint32_t deadline_ms, struct error *err)
{
    struct event_putting putting = {.options = options,
                                    .client = client_find(r->client),
                                    .text = r->text,
                                    .arena = &r->to->arena,
                                    .from = &r->to->from,
                                    .deadline_ms = deadline_ms,
                                    .out = &r->to->answer};

    return event_put(&putting, err);
}

static warder_status answer_here(struct event_reading *r, const warder_options *options,
                                 uint32_t deadline_ms, warder_error *err)
{
    if (!arena_try(&r->to->arena, read_event, r))
        r->status = fail(r->err, STATUS_NOMEM, "out of memory");
    return r->status == STATUS_OK ? answer_question(options, r->to, deadline_ms, err)
                                  : error_out(err, r->err);
}

warder_status warder_hook(const warder_options *options, const char *client, const char *event,
                          size_t len, uint32_t deadline_ms, warder_reply **out, warder_error *err)
{
    struct error inner = {0};
    struct event_reading r = {.client = str_from(client), .text = {event, len}, .err = &inner};
    warder_status status;

    if (!out)
        return give_usage(err, "there is no place for the reply");
    *out = NULL;
    if (!options || !client || !event)
        return give_usage(err, "there are no options, no client, or no event");
    warder_reply *w = r.to = calloc(1, sizeof(*w));
    if (!w)
        return give_no_memory(err);
    arena_init(&w->arena, HOOK_MEMORY_MAX);
    w->from.shell = str_from(getenv("SHELL"));
    switch (put_to_service(&r, options, deadline_ms, &inner)) {
    case EVENT_ANSWERED:
        status = WARDER_OK;
        break;
    case EVENT_UNDECIDED:
        status = answer_here(&r, options, deadline_ms, err);
        break;
    case EVENT_LOST:
    default: /* nothing in it is an answer, whatever the error says */
        if (inner.status == STATUS_OK)
            fail(&inner, STATUS_IO, "the service's answer was lost");
        status = error_out(err, &inner);
        break;
    }
    if (status != WARDER_OK) {
        warder_reply_free(w);
        return status;
    }
    *out = w;
    return WARDER_OK;
}

warder_status warder_reply_keep_image(const warder_reply *reply, warder_error *err)
{
    struct error inner = {0};

    if (!reply)
        return give_usage(err, "there is no reply");
    if (!reply->engine || engine_keep_image(reply->engine, &inner) == STATUS_OK)
        return WARDER_OK;
    return error_out(err, &inner);
}

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
