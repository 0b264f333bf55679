/* resolve.c - brings a decision to its end: its session, the hooks before the verdict, the service
 * where one runs, the askers after it, the record.
 *
 * The decision begins as a deny and ends as one wherever something fails. Three functions make an
 * allow of it: decide() by policy, remote_ask() by the word of a running service, and approve()
 * below by an answer to an ask.
 */
#include <stdio.h>

#include "ask/session_file.h"
#include "decide/session.h"
#include "decide/session_builds.h"
#include "engine/approve.h"
#include "engine/edges.h"
#include "engine/remote.h"
#include "engine/resolve.h"
#include "engine/thread_cache.h"
#include "machine/age.h"
#include "machine/clock.h"
#include "record/stamp.h"

struct resolving {
    warder_decision *d;
    warder_asking asking;
    struct decide_options options;
    struct session_id id;
    int64_t deadline;
    struct answer before; /* what the PreToolUse hooks said about d->last */
    struct session found; /* the session as it was kept */
    struct strs grants;   /* what the session will remember as approved */
    bool counts;          /* it was decided, not left open: the session counts it */
    bool unrecorded;      /* it is still open: the service records how it ends */
    bool asked_elsewhere; /* the service has asked the hooks: the askers of this process are left */
    bool alone;           /* this is the service: it asks no other one */
    struct remote remote;
    struct decision_ending ending;
};

/* ---- judging ---- */

static bool has_step(const struct profile *p, enum layer_id id)
{
    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].layer == id)
            return true;
    return false;
}

/* Did the walk reach this layer? */
static bool reached(const warder_decision *d, enum layer_id id)
{
    for (size_t i = 0; i < d->verdict.walked; i++)
        if (d->profile->steps[i].layer == id)
            return true;
    return false;
}

/* An input that is not a call, or whose policy cannot be read, is denied whatever a hook says: no
 * hook is shown it. */
static bool can_be_shown(const warder_decision *d)
{
    return d->verdict.facts && !d->verdict.facts->malformed.len && !rulebook_broken(d->book);
}

static void consult(struct resolving *r, struct answer *out)
{
    const struct hook_question q = {.event = HOOK_PRE_TOOL_USE,
                                    .call = &r->d->last,
                                    .book = r->d->book,
                                    .verdict = &r->d->verdict,
                                    .world = &r->d->world,
                                    .own_only = r->asking.client_runs_hooks != 0};

    *out = (struct answer){0};
    if (can_be_shown(r->d))
        r->d->engine->edges->consult(&r->d->arena, &q, r->deadline, -1, out);
    r->before = *out;
}

/* Not every model has a step for the PreToolUse hooks, and a walk may end before it. Their deny
 * counts in every model, and where they ask, a person must answer. */
static void heed_hooks(struct resolving *r)
{
    const struct answer *said = &r->before;
    struct verdict *v = &r->d->verdict;

    if (!said->decided || said->behavior >= v->behavior)
        return;
    verdict_refuse(v, v->mode == MODE_DONT_ASK ? BEHAVIOR_DENY : said->behavior,
                   layers[LAYER_HOOKS].name,
                   said->reason.len ? said->reason : str_from(layers[LAYER_HOOKS].says));
    v->rule = NULL;
    v->immune = v->behavior == BEHAVIOR_ASK;
    v->interrupt |= said->stop && v->behavior == BEHAVIOR_DENY;
}

static void decide_last(void *resolving)
{
    struct resolving *r = resolving;

    decide(&r->d->arena, &r->options, &r->d->last, &r->d->verdict);
}

static void judge_last(struct resolving *r)
{
    warder_decision *d = r->d;

    disk_begin(&d->disk, &d->arena, d->disk.memory); /* it may have changed since */
    if (!decision_try(d, decide_last, r))
        decision_overflow(d);
    heed_hooks(r);
    if (!d->verdict.updated_input)
        return;
    d->last.input = d->verdict.updated_input;
    r->options.hook.updated_input = NULL;
    r->options.hook.rewritten = true;
}

/* An input that came with an answer is a new call, and the hooks see it first. False: denied. */
static bool show_input(struct resolving *r, const struct value *input)
{
    r->d->last.input = input;
    consult(r, &r->options.hook);
    if (r->options.hook.updated_input)
        decision_refuse(r->d, "hooks", "a hook rewrote an input that had already been answered");
    return !r->options.hook.updated_input;
}

/* ---- answers ---- */

static const struct answerer {
    const char *name, *who;
    enum ended how;
} answerers[] = {
    {"hook", "a PermissionRequest hook", ENDED_BY_POLICY},
    {"callback", "the application", ENDED_BY_POLICY},
    {"prompt", "the person at the terminal", ENDED_BY_PERSON},
    {"review", "a reviewer", ENDED_BY_PERSON},
    {"approval", "a person, for this one call", ENDED_BY_PERSON},
};

static const struct answerer *find_answerer(const char *name)
{
    static const struct answerer unknown = {"", "an unknown asker", ENDED_BY_POLICY};

    for (size_t i = 0; i < COUNT(answerers); i++)
        if (strcmp(answerers[i].name, name) == 0)
            return &answerers[i];
    return &unknown;
}

static void refuse_as_told(struct resolving *r, const struct asking_result *a)
{
    char why[128];

    snprintf(why, sizeof(why), "%s by %s", a->reply.cancelled ? "cancelled" : "denied",
             find_answerer(a->who)->who);
    decision_refuse(r->d, a->who, why);
    if (a->reply.message.len)
        r->d->verdict.message = a->reply.message;
    r->d->verdict.interrupt = a->reply.interrupt;
    r->counts = !a->reply.cancelled;
}

struct grant_list {
    struct resolving *resolving;
    struct session session;
};

static void collect_grants(void *arg)
{
    struct grant_list *g = arg;

    session_grant(&g->resolving->d->arena, &g->session, &g->resolving->d->verdict);
}

/* The only function that lets an answer allow a call. */
static void approve(struct resolving *r, const struct asking_result *a)
{
    struct verdict *v = &r->d->verdict;
    struct grant_list g = {.resolving = r};
    /* mini remembers whatever was confirmed. */
    bool remember = a->reply.remember == REMEMBER_SESSION || has_step(r->d->profile, LAYER_DANGER);

    if (remember && !decision_try(r->d, collect_grants, &g)) {
        decision_overflow(r->d);
        return;
    }
    r->grants = g.session.grants;
    snprintf(r->d->why, sizeof(r->d->why), "allowed by %s", find_answerer(a->who)->who);
    verdict_allow(v, ALLOWED_BY_ANSWER, a->who, str_from(r->d->why));
    v->immune = false;
}

static void take_answer(struct resolving *r, const struct asking_result *a)
{
    if (a->reply.behavior != BEHAVIOR_ALLOW) {
        refuse_as_told(r, a);
        return;
    }
    r->counts = true;
    if (a->reply.updated_input) {
        if (!show_input(r, a->reply.updated_input))
            return;
        judge_last(r);
    }
    if (r->d->verdict.behavior == BEHAVIOR_ASK)
        approve(r, a);
}

/* ---- asking ---- */

/* A reviewer's answer is in the record already. Any other answer is a decision of its own, not the
 * one that the service has pending. */
static void credit_review(struct resolving *r, const struct asking_result *a)
{
    if (r->remote.settled && strcmp(a->who, review_asker.name) == 0) {
        r->ending.how = r->remote.how;
        return;
    }
    r->d->id[0] = '\0';
    r->d->name = NULL;
}

/* The race, and for the record who answered and how long it took. */
static void race(struct resolving *r, unsigned whom, struct asking_result *out)
{
    int64_t began = clock_ms();

    r->ending.requested_at = stamp_now();
    r->d->engine->edges->race(r->d, &r->asking, whom, r->remote.review_id[0] ? &r->remote : NULL,
                              r->deadline, out);
    if (out->end == RACE_NOBODY)
        r->ending.requested_at = 0; /* there was no asker, or none had an answer */
    if (out->end == RACE_DEADLINE)
        r->ending.how = ENDED_BY_TIME;
    if (out->end != RACE_ANSWERED)
        return;
    r->ending.how = find_answerer(out->who)->how;
    r->ending.answered_by = out->who;
    r->ending.responded_at = stamp_now();
    r->ending.response_ms = clock_ms() - began;
    credit_review(r, out);
}

/* An answer, as a step of the walk hears it. */
static struct answer as_step(const struct reply *reply)
{
    return (struct answer){.given = true,
                           .decided = true,
                           .behavior = reply->behavior,
                           .stop = reply->interrupt,
                           .rewritten = reply->updated_input != NULL,
                           .reason = reply->message};
}

/* False: it is denied. */
static bool take_step(struct resolving *r, const struct reply *reply, struct answer *heard)
{
    struct answer *hook = &r->options.hook;

    if (reply->updated_input && !show_input(r, reply->updated_input))
        return false;
    if (heard != hook || !hook->decided || hook->behavior != BEHAVIOR_DENY) /* of a new input */
        *heard = as_step(reply);
    if (r->before.decided && r->before.behavior == BEHAVIOR_ASK)
        r->before.decided = false; /* the answer was to this ask */
    judge_last(r);
    return true;
}

/* In some models hook and callback are steps of the walk, before the mode counts: they are asked
 * when the walk reaches them, one after the other, and their answer counts at that step. False: it
 * is denied. */
static bool ask_step(struct resolving *r, enum layer_id layer, unsigned whom, struct answer *heard)
{
    struct verdict *v = &r->d->verdict;
    struct asking_result a;

    bool answered = heard->decided && heard->behavior != BEHAVIOR_ASK;

    if (!reached(r->d, layer) || answered)
        return true;
    const struct verdict unasked = *v; /* what the walk decided without an answer to this step */
    verdict_refuse(v, BEHAVIOR_ASK, v->layer, v->reason);
    v->message = unasked.message;
    race(r, whom, &a);
    if (a.end == RACE_ANSWERED)
        return take_step(r, &a.reply, heard);
    if (a.end == RACE_NOBODY) {
        *v = unasked;
        return true;
    }
    decision_refuse(r->d, "ask", "no answer came in time");
    return false;
}

/* True: a person had approved it before it was asked again. */
static bool use_approval(struct resolving *r)
{
    const struct asking_result a = {.who = "approval", .reply = {.behavior = BEHAVIOR_ALLOW}};

    if (!decision_take_approval(r->d, &r->d->last, str_from(r->asking.client)))
        return false;
    r->ending.how = find_answerer(a.who)->how;
    r->ending.answered_by = a.who;
    take_answer(r, &a);
    return true;
}

/* The review goes on in the service, which will record how it ends. */
static void leave_review(struct resolving *r)
{
    char why[sizeof(r->d->why)];

    snprintf(why, sizeof(why),
             "a person has to approve it: review %s is pending; try the same call again later",
             r->remote.review_id);
    decision_refuse(r->d, review_asker.name, why);
    r->unrecorded = true;
}

static void ask_the_rest(struct resolving *r)
{
    const struct profile *p = r->d->profile;
    unsigned whom = 0;
    struct asking_result a;

    if (!has_step(p, LAYER_HOOK_CHECK) && !r->asked_elsewhere)
        whom |= ASK_HOOKS;
    if (!has_step(p, LAYER_CALLBACK))
        whom |= ASK_CALLBACK;
    if (!r->asking.leave_ask)
        whom |= ASK_PERSON;
    race(r, whom, &a);
    switch (a.end) {
    case RACE_ANSWERED:
        take_answer(r, &a);
        return;
    case RACE_NOBODY:
        if (r->asking.leave_ask && !r->remote.review_id[0])
            return;
        if (r->remote.review_id[0]) {
            leave_review(r);
            return;
        }
        r->options.headless = true; /* the profile's own words for that */
        judge_last(r);
        if (r->d->verdict.behavior == BEHAVIOR_ASK)
            decision_refuse(r->d, "ask", r->d->profile->headless);
        return;
    case RACE_DEADLINE:
        if (r->remote.review_id[0])
            leave_review(r);
        else
            decision_refuse(r->d, "ask", "no answer came in time");
        return;
    case RACE_OPEN:
    case RACE_CANCELLED:
        break;
    }
    decision_refuse(r->d, "ask", "the question was taken back");
}

/* Did the first verdict see the session as it is now? */
static bool is_met(const warder_decision *d)
{
    return (d->met.began == d->session.began || !decide_depends_on_age(&d->verdict)) &&
           (session_builds_same(&d->met, &d->session) || !decide_depends_on_programs(&d->verdict));
}

/* decide() is pure: with the same session and without a word from hooks it would return the same
 * verdict again. */
static bool is_judged(const struct resolving *r)
{
    const warder_decision *d = r->d;
    const struct answer *said = &r->options.hook;

    return d->just_judged && is_met(d) && !d->engine->headless && !said->given && !said->decided &&
           !said->updated_input &&
           session_is_like(&d->session, &d->snapshot->session, d->call.project);
}

static void resolve_here(struct resolving *r)
{
    consult(r, &r->options.hook);
    if (!is_judged(r))
        judge_last(r);
    if (ask_step(r, LAYER_HOOK_CHECK, ASK_HOOKS, &r->options.hook) &&
        ask_step(r, LAYER_CALLBACK, ASK_CALLBACK, &r->options.callback) &&
        r->d->verdict.behavior == BEHAVIOR_ASK) {
        if (!use_approval(r))
            ask_the_rest(r);
    } else {
        r->counts = true;
    }
}

/* The person at the client answers its questions, unless policy wants the reviewers. */
static bool wants_review(const struct resolving *r)
{
    if (r->d->engine->headless)
        return false;
    return r->asking.leave_ask != LEFT_TO_CLIENT || remote_required(r->d);
}

static enum remote_end put_to_service(struct resolving *r)
{
    if (r->alone)
        return REMOTE_ALONE;
    r->remote.decision = r->d;
    r->remote.client = r->asking.client;
    r->remote.review = wants_review(r);
    r->remote.runs_hooks = !r->asking.client_runs_hooks;
    r->remote.deadline = r->deadline;
    enum remote_end end = remote_ask(&r->remote);
    r->ending.review_id = r->remote.review_id[0] ? r->remote.review_id : NULL;
    return end;
}

/* ---- the session ---- */

static enum status open_session(struct resolving *r, struct error *err)
{
    const struct session *set =
        &r->d->snapshot->session; /* a mode that an update of the engine has set */
    struct session *s = &r->d->session;
    struct session_memory *kept = r->d->cache ? r->d->cache->sessions : NULL;
    enum status status = session_memory_meet(kept, &r->d->arena, &r->id, s, err);

    r->found = *s;
    if (!status && !s->has_mode && set->has_mode) {
        s->has_mode = true;
        s->mode = set->mode;
    }
    return status;
}

static void remember(struct arena *a, struct session *s, void *context)
{
    const struct resolving *r = context;
    const struct verdict *v = &r->d->verdict;

    if (s->workspace.len == 0)
        s->workspace = r->d->call.project;
    if (s->fresh)
        s->began = r->d->session.began;
    for (size_t i = 0; i < r->grants.count; i++)
        if (s->grants.count < SESSION_GRANTS_MAX && !strs_has(&s->grants, r->grants.items[i]))
            LIST_PUSH(a, &s->grants, r->grants.items[i]);
    if (r->counts)
        session_count(s, v->behavior, v->mode);
    if (v->behavior == BEHAVIOR_ALLOW)
        session_after(s, &r->d->last, v->mode);
    if (session_builds_change(s, v))
        session_builds_keep(a, s, v, age_now());
}

/* True for most calls: allowed, like the one before. What other processes changed in the session
 * meanwhile counts as later. */
static bool leaves_session(struct resolving *r)
{
    struct session s = r->found;

    /* a call that has waited may have missed what others built meanwhile */
    if (s.workspace.len == 0 || r->grants.count || session_builds_change(&s, &r->d->verdict) ||
        r->ending.requested_at)
        return false;
    remember(NULL, &s, r);
    return session_is_like(&s, &r->found, s.workspace);
}

static void close_session(struct resolving *r)
{
    struct session after;
    struct error err = {0};
    char why[sizeof(err.message) + 64];

    if (leaves_session(r))
        return;
    if (session_update(&r->id, remember, r, &after, &err) != STATUS_OK) {
        snprintf(why, sizeof(why), "the session cannot be written: %s", err.message);
        decision_refuse(r->d, "session", why);
    } else if (r->d->verdict.behavior == BEHAVIOR_DENY && after.denials >= SESSION_DENIALS_IN_ALL) {
        r->d->verdict.interrupt = true;
    }
}

/* ---- the whole way ---- */

static void run(struct resolving *r)
{
    warder_decision *d = r->d;
    struct error err = {0};
    char why[sizeof(err.message) + 64];

    if (!d->book)
        return; /* not a call, or no policy: it denies already, and belongs to no session */
    if (open_session(r, &err) != STATUS_OK) {
        snprintf(why, sizeof(why), "the session cannot be read: %s", err.message);
        decision_refuse(d, "session", why);
        return;
    }
    r->options = decision_options(d);
    r->options.suggest_later = false; /* the askers show them */
    r->options.session = &d->session;
    r->options.headless = false;
    enum remote_end end = put_to_service(r);
    if (end == REMOTE_ALONE)
        resolve_here(r);
    r->asked_elsewhere = end == REMOTE_ASKS; /* by the service, which has asked the hooks */
    if (r->asked_elsewhere)
        ask_the_rest(r);
    if (d->verdict.behavior != BEHAVIOR_DENY && d->last.input != d->call.input)
        d->verdict.updated_input = d->last.input;
    if (end != REMOTE_DONE) /* there the service keeps the session */
        close_session(r);
}

static void begin(struct resolving *r)
{
    warder_decision *d = r->d;

    d->resolved = true;
    d->last = d->call;
    decision_forget_texts(d);
    r->id = (struct session_id){d->engine->request.state_dir.s, str_from(r->asking.client),
                                d->call.session};
    r->ending.client = r->asking.client;
    r->deadline = clock_ms() + (r->asking.deadline_ms ? r->asking.deadline_ms : WARDER_DEADLINE_MS);
}

static warder_status bring_to_end(struct resolving *r, const warder_asking *asking,
                                  warder_error *err)
{
    if (r->d->resolved)
        return give_usage(err, "the decision has been resolved before");
    if (asking && !copy_versioned(&r->asking, sizeof(r->asking), asking, asking->struct_size))
        return give_usage(
            err, "the struct_size of the asking is not set, or it holds what this version lacks");
    begin(r);
    run(r);
    remote_close(&r->remote);
    decision_forget_texts(r->d); /* they were written for the askers, as a question */
    return WARDER_OK;
}

warder_status decision_resolve(warder_decision *d, const warder_asking *asking,
                               struct decision_ending *ending, warder_error *err)
{
    struct resolving r = {.d = d, .alone = true, .remote.line.fd = -1};
    warder_status status = bring_to_end(&r, asking, err);

    *ending = r.ending;
    return status;
}

void decision_answer(warder_decision *d, const char *client, enum behavior behavior,
                     struct str message)
{
    struct resolving r = {.d = d, .asking = {.client = client}};
    const struct asking_result a = {
        .end = RACE_ANSWERED, .who = "review", .reply = {.behavior = behavior, .message = message}};

    if (!d->resolved)
        begin(&r);
    r.id = (struct session_id){d->engine->request.state_dir.s, str_from(client), d->call.session};
    take_answer(&r, &a);
    if (d->book)
        close_session(&r);
    decision_forget_texts(d);
}

warder_status warder_resolve(warder_engine *engine, warder_decision *decision,
                             const warder_asking *asking, warder_error *err)
{
    struct resolving r = {.d = decision, .remote.line.fd = -1};

    if (!decision)
        return give_usage(err, "missing argument: decision");
    warder_status status = engine == decision->engine
                               ? bring_to_end(&r, asking, err)
                               : give_usage(err, "not this engine's decision");
    if (status != WARDER_OK) {
        decision_refuse(decision, "ask", "it could not be resolved");
        return status;
    }
    if (!r.unrecorded)
        (void)decision_record(decision, &r.ending,
                              NULL); /* last: what cannot be recorded denies and says so itself */
    if (r.asking.observe)
        r.asking.observe(r.asking.context, decision);
    return WARDER_OK;
}
