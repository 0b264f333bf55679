/* hook.c - one event of an agent's hook, from its JSON to the answer in the agent's own words. */
#include <stdlib.h>

#include "base/json.h"
#include "client/client.h"
#include "lib/approve.h"
#include "lib/asking.h"
#include "lib/image.h"
#include "lib/place.h"
#include "lib/record.h"
#include "warder_admin.h"

#define HOOK_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct warder_reply {
    struct arena arena;
    struct client_question question;
    struct client_answer answer;
    struct str call, plain_call; /* in the client's mode; in the policy's */
    warder_engine *engine;       /* that answered; NULL: nothing was judged */
};

/* ---- reading ---- */

struct event_reading {
    warder_reply *to;
    struct str client, event;
    struct error *err;
    enum status status;
};

static enum status find_client(const struct event_reading *r, const struct value *event, const struct client **out)
{
    bool automatic = str_is(r->client, "auto");

    *out = automatic ? client_recognise(event) : client_find(r->client);
    if (*out)
        return STATUS_OK;
    if (automatic)
        return fail(r->err, STATUS_SYNTAX, "the client cannot be recognised by its event: name it with --client");
    return fail(r->err, STATUS_USAGE, "there is no client \"%.60s\"", r->client.s);
}

static void read_event(void *arg)
{
    struct event_reading *r = arg;
    struct arena *a = &r->to->arena;
    struct client_question *q = &r->to->question;
    struct value *event = ARENA_NEW(a, struct value);
    const struct client *client;

    if ((r->status = json_read(a, r->event, NULL, event, r->err)) != STATUS_OK ||
        (r->status = find_client(r, event, &client)) != STATUS_OK ||
        (r->status = client_read(a, client, event, q, r->err)) != STATUS_OK || q->event->kind == EVENT_CONFIG)
        return;
    r->to->call = client_call(a, q, true, (struct str){0});
    r->to->plain_call = client_call(a, q, false, (struct str){0});
}

/* ---- judging ---- */

/* These did not judge the call, they could not: the client gets the one block that every client honours. */
static bool could_not_judge(const struct verdict *v)
{
    static const char *const layers_of_failure[] = {"valid", "policy", "limit", "session", "record", "service"};

    for (size_t i = 0; v->behavior == BEHAVIOR_DENY && i < COUNT(layers_of_failure); i++)
        if (v->layer && strcmp(v->layer, layers_of_failure[i]) == 0)
            return true;
    return false;
}

static warder_status give_failure(const warder_decision *decision, warder_error *err)
{
    struct error inner;

    if (!could_not_judge(&decision->verdict))
        return WARDER_OK;
    fail(&inner, STATUS_SYNTAX, "%s", warder_decision_reason(decision));
    return give_error(err, &inner);
}

static warder_status judge(warder_engine *engine, const warder_reply *w, struct str call, warder_decision **out,
                           warder_error *err)
{
    warder_status status = engine_check_first(engine, call, w->question.client->name, out, err);

    return status == WARDER_OK ? give_failure(*out, err) : status;
}

/* Is the mode that the client reports the one that would hold anyway? */
static bool says_no_mode(warder_decision *decision)
{
    const struct decide_options options = decision_options(decision);
    struct call plain = decision->call;
    enum mode mode;

    plain.mode_given = false;
    plain.mode = decision->engine->mode;
    return decide_mode(&options, &plain, &mode) && mode == decision->verdict.mode;
}

/* Would the allowed call also be allowed if the client had not said in which mode it runs? */
static warder_status allowed_plainly(warder_engine *engine, const warder_reply *w, warder_decision *allowed, bool *out,
                                     warder_error *err)
{
    warder_decision *decision = NULL;

    *out = true;
    if (w->question.mode.len == 0 || says_no_mode(allowed))
        return WARDER_OK;
    warder_status status = judge(engine, w, w->plain_call, &decision, err);
    *out = status == WARDER_OK && warder_decision_behavior(decision) == WARDER_ALLOW;
    warder_decision_free(decision);
    return status;
}

struct doubting {
    warder_reply *to;
    const struct verdict *verdict;
    bool found;
};

/* An allow that does not hold with this client is asked for again, with what speaks against it. */
static void look_for_doubt(void *arg)
{
    struct doubting *d = arg;
    struct arena *a = &d->to->arena;
    struct str why = client_doubt(a, &d->to->question, d->verdict->facts, str_from(getenv("SHELL")));

    d->found = why.len > 0;
    if (!d->found)
        return;
    d->to->call = client_call(a, &d->to->question, true, why);
    d->to->plain_call = client_call(a, &d->to->question, false, why);
}

static warder_status judge_doubted(warder_engine *engine, warder_reply *w, warder_decision **decision,
                                   warder_error *err)
{
    struct doubting d = {.to = w, .verdict = &(*decision)->verdict};

    if (warder_decision_behavior(*decision) != WARDER_ALLOW || !d.verdict->facts)
        return WARDER_OK;
    if (!arena_try(&w->arena, look_for_doubt, &d))
        return give_no_memory(err);
    if (!d.found)
        return WARDER_OK;
    warder_decision_free(*decision);
    *decision = NULL;
    return judge(engine, w, w->call, decision, err);
}

/* This client cannot ask anybody: an ask becomes a deny, and a person may approve the call. */
static bool must_offer(const warder_reply *w)
{
    return !w->question.asks && w->question.event->kind != EVENT_PERMISSION;
}

/* Hooks of our own files, the session, the record. The clients run the hooks of their files themselves, and those that
 * can ask somebody do it themselves; for the others an ask is an offer to approve. */
static warder_status resolve(warder_engine *engine, const warder_reply *w, uint32_t deadline_ms,
                             warder_decision *decision, warder_error *err)
{
    warder_asking asking = WARDER_ASKING_INIT;

    asking.client = w->question.client->name;
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
    const struct decision_ending ending = {.client = w->question.client->name};

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
    const struct verdict *v = w->verdict;
    const struct client_verdict said = {
        .behavior = v->behavior,
        .by_mode = w->by_mode,
        .message = v->message.len ? v->message : v->reason,
        .approval = w->approval,
        .updated_input = v->updated_input,
        .interrupt = v->interrupt,
    };

    client_answer(&w->to->arena, &w->to->question, &said, &w->to->answer);
}

/* A hook that said allow has decided it, whatever the mode. */
static bool by_hook(const warder_decision *decision)
{
    return strcmp(warder_decision_layer(decision), "hooks") == 0;
}

/* A person may approve what this client cannot ask them about. Without an ID the answer is the same deny. */
static struct str offer(const warder_reply *w, warder_decision *decision)
{
    struct error ignored;

    if (warder_decision_behavior(decision) != WARDER_ASK || !must_offer(w))
        return (struct str){0};
    return decision_offer_approval(decision, &decision->last, str_from(w->question.client->name), &ignored);
}

static warder_status decide_event(warder_engine *engine, warder_reply *w, uint32_t deadline_ms,
                                  warder_decision **decision, warder_error *err)
{
    warder_status status = judge(engine, w, w->call, decision, err);
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
    struct answering answering = {w, &(*decision)->verdict, !plain && !by_hook(*decision), offer(w, *decision)};
    return arena_try(&w->arena, write_answer, &answering) ? WARDER_OK : give_no_memory(err);
}

/* The project is where the session began, wherever the agent has gone since. */
static const char *find_project(const warder_options *options, const struct client *client)
{
    const char *set = client->project ? getenv(client->project) : NULL;

    if (options->project)
        return options->project;
    return set && set[0] == '/' ? set : NULL;
}

static warder_status answer_event(const warder_options *options, warder_reply *w, uint32_t deadline_ms,
                                  warder_error *err)
{
    warder_options given = *options;
    warder_engine *engine = NULL;
    warder_decision *decision = NULL;
    warder_status status;

    given.record = 1;
    given.project = find_project(options, w->question.client);
    status = warder_engine_new(&given, &engine, err);
    if (status == WARDER_OK)
        status = decide_event(engine, w, deadline_ms, &decision, err);
    warder_decision_free(decision);
    w->engine = engine;
    return status;
}

/* ---- the client's settings changed ---- */

/* After the change somebody other than the project must still name us, and nothing may switch hooks off. */
static struct str config_complaint(const struct registered said[SCOPE_COUNT])
{
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        if (said[i].hooks_off)
            return STR("the new settings switch all hooks off");
    if (said[SCOPE_USER].events < said[SCOPE_USER].wanted && said[SCOPE_MANAGED].events < said[SCOPE_MANAGED].wanted)
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
    struct client_verdict v = {.behavior = BEHAVIOR_DENY, .message = config_complaint(c->said)};

    if (c->err->status != STATUS_OK)
        v.message = str_format(&c->to->arena, "the new settings cannot be read: %s", c->err->message);
    if (v.message.len == 0)
        v.behavior = BEHAVIOR_ALLOW;
    client_answer(&c->to->arena, &c->to->question, &v, &c->to->answer);
}

static warder_status config_event(const warder_options *options, warder_reply *w, warder_error *err)
{
    const warder_installation where = {
        .struct_size = sizeof(where), .home = options->home, .project = find_project(options, w->question.client)};
    struct error inner = {0};
    struct config c = {.to = w, .err = &inner};

    for (size_t i = 0; i < SCOPE_COUNT && inner.status == STATUS_OK; i++) {
        struct place place;
        bool found = false;
        if (place_find(w->question.client, (enum scope)i, &where, &place, &inner) == STATUS_OK)
            (void)place_look(&w->arena, &place, &found, &c.said[i], &inner);
        if (!found)
            c.said[i].wanted = 1; /* of which nothing is there */
    }
    return arena_try(&w->arena, answer_config, &c) ? WARDER_OK : give_no_memory(err);
}

static warder_status answer_question(const warder_options *options, warder_reply *w, uint32_t deadline_ms,
                                     warder_error *err)
{
    if (w->question.event->kind == EVENT_CONFIG)
        return config_event(options, w, err);
    return answer_event(options, w, deadline_ms, err);
}

warder_status warder_hook(const warder_options *options, const char *client, const char *event, size_t len,
                          uint32_t deadline_ms, warder_reply **out, warder_error *err)
{
    struct error inner = {0};
    struct event_reading r = {.client = str_from(client), .event = {event, len}, .err = &inner};
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
    if (!arena_try(&w->arena, read_event, &r))
        r.status = fail(&inner, STATUS_NOMEM, "out of memory");
    status = r.status == STATUS_OK ? answer_question(options, w, deadline_ms, err) : give_error(err, &inner);
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
    return give_error(err, &inner);
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
