/* resolve.c - brings a decision to its end: its session, the hooks before the verdict, the service
 * where one runs, the askers after it.
 *
 * The decision begins as a deny and ends as one wherever something fails. Three functions make an
 * allow of it: decide() by policy, remote_ask() by the word of a running service, and approve()
 * below by an answer to an ask.
 */
#include <poll.h>
#include <stdio.h>

#include "decide/session_builds.h"
#include "engine/approve.h"
#include "engine/cell.h"
#include "engine/edges.h"
#include "engine/losses.h"
#include "engine/resolving.h"
#include "machine/clock.h"
#include "machine/stamp.h"

static const char too_late[] = "no answer came in time",
                  taken_back[] = "the question was taken back";

/* What became of a step of the walk that asks. */
enum stepped {
    STEP_ON,    /* the walk goes on */
    STEP_ENDED, /* it is decided */
    STEP_OPEN,  /* the caller asks */
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
        r->d->engine->edges->consult(&r->d->arena, &q, r->deadline, asking_cancel_fd(&r->asking),
                                     out);
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
    {"classifier", "the classifier", ENDED_BY_POLICY},
    {"person", "a person", ENDED_BY_PERSON},
    {"prompt", "the person at the terminal", ENDED_BY_PERSON},
    {"review", "a reviewer", ENDED_BY_PERSON},
    {"approval", "a person, for this one call", ENDED_BY_PERSON},
    {"session", "a person, who allowed the very same call in this session", ENDED_BY_POLICY},
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
    r->d->verdict.cancelled = a->reply.cancelled;
    r->counts = !a->reply.cancelled;
}

struct grant_list {
    struct resolving *resolving;
    struct session session;
    bool remember;
};

static void collect_grants(void *arg)
{
    struct grant_list *g = arg;

    if (g->remember)
        session_grant(&g->resolving->d->arena, &g->session, &g->resolving->d->verdict);
    if (g->resolving->agreed)
        session_agree(&g->resolving->d->arena, &g->session, &g->resolving->d->verdict);
}

/* The only function that lets an answer allow a call. */
static void approve(struct resolving *r, const struct asking_result *a)
{
    struct verdict *v = &r->d->verdict;
    struct grant_list g = {.resolving = r};

    /* mini remembers whatever was confirmed. */
    g.remember = a->reply.remember == REMEMBER_SESSION || has_step(r->d->profile, LAYER_DANGER);
    r->agreed = find_answerer(a->who)->how == ENDED_BY_PERSON;
    if (!decision_try(r->d, collect_grants, &g)) {
        decision_overflow(r->d);
        return;
    }
    r->grants = g.session.grants;
    r->agreements = g.session.agreements;
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

/* The embedder says who decided. If it was a clock, there was no answer. */
static void credit_embedder(struct asking_result *a)
{
    if (a->end != RACE_ANSWERED || strcmp(a->who, CALLBACK_NAME) != 0)
        return;
    switch (a->reply.by) {
    case REPLY_BY_PROGRAM:
        return;
    case REPLY_BY_PERSON:
        a->who = "person";
        return;
    case REPLY_BY_TIMEOUT:
        a->end = RACE_DEADLINE;
        return;
    }
}

/* For the record: who answered, and how long it took. */
static void note_answer(struct resolving *r, struct asking_result *a)
{
    credit_embedder(a);
    if (a->end == RACE_NOBODY)
        r->ending.requested_at = 0; /* there was no asker, or none had an answer */
    if (a->end == RACE_DEADLINE)
        r->ending.how = ENDED_BY_TIME;
    if (a->end != RACE_ANSWERED)
        return;
    r->ending.how = find_answerer(a->who)->how;
    r->ending.answered_by = a->reply.who.len ? a->reply.who.s : a->who;
    r->ending.responded_at = stamp_now();
    r->ending.response_ms = clock_ms() - r->asked_at;
    credit_review(r, a);
}

static void note_question(struct resolving *r)
{
    r->asked_at = clock_ms();
    r->ending.requested_at = stamp_now();
}

static void race(struct resolving *r, unsigned whom, struct asking_result *out)
{
    note_question(r);
    r->d->engine->edges->race(r->d, &r->asking, whom, r->remote.review_id[0] ? &r->remote : NULL,
                              r->deadline, out);
    note_answer(r, out);
}

static void refuse_fault(struct resolving *r, const struct error *fault)
{
    char why[sizeof(r->d->why)];

    snprintf(why, sizeof(why), "the application's answer could not be used: %.200s",
             fault->message);
    decision_refuse(r->d, CALLBACK_NAME, why);
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

static enum stepped hear_step(struct resolving *r, const struct asking_result *a,
                              struct answer *heard)
{
    if (a->end == RACE_ANSWERED)
        return take_step(r, &a->reply, heard) ? STEP_ON : STEP_ENDED;
    if (a->end != RACE_NOBODY) {
        decision_refuse(r->d, "ask", a->end == RACE_DEADLINE ? too_late : taken_back);
        r->d->verdict.cancelled = a->end == RACE_CANCELLED;
        return STEP_ENDED;
    }
    if (a->fault.status) {
        refuse_fault(r, &a->fault);
        return STEP_ENDED;
    }
    r->d->verdict = r->unasked;
    return STEP_ON;
}

/* In some models hook and callback are steps of the walk, before the mode counts: they are asked
 * when the walk reaches them, one after the other, and their answer counts at that step. */
static enum stepped ask_step(struct resolving *r, enum layer_id layer, unsigned whom,
                             struct answer *heard)
{
    struct verdict *v = &r->d->verdict;
    struct asking_result a;

    bool answered = heard->decided && heard->behavior != BEHAVIOR_ASK;

    if (!reached(r->d, layer) || answered)
        return STEP_ON;
    r->unasked = *v;
    verdict_refuse(v, BEHAVIOR_ASK, v->layer, v->reason);
    v->message = r->unasked.message;
    if (r->defers && layer == LAYER_CALLBACK) {
        note_question(r);
        r->open = OPEN_AT_STEP;
        return STEP_OPEN;
    }
    race(r, whom, &a);
    return hear_step(r, &a, heard);
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

/* True: a person has said yes to the very same call in this session, and nothing that the answer
 * depended on has changed since. */
static bool use_session(struct resolving *r)
{
    const struct asking_result a = {.who = "session", .reply = {.behavior = BEHAVIOR_ALLOW}};
    char asked[sizeof(r->d->id)];

    if (!decision_has_yes(r->d, &r->d->last, str_from(r->asking.client)))
        return false;
    memcpy(asked, r->d->id, sizeof(asked)); /* the service may have recorded the question */
    r->ending.answered_by = a.who;
    r->ending.answers = asked[0] ? str_try_copy(&r->d->arena, str_from(asked)).s : NULL;
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

/* No one answered. What was left to the caller stays ask; a fault of its callback is no reason to
 * ask it again. */
static void hear_nobody(struct resolving *r, const struct error *fault)
{
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
    if (fault->status)
        refuse_fault(r, fault);
}

static void hear_rest(struct resolving *r, const struct asking_result *a)
{
    switch (a->end) {
    case RACE_ANSWERED:
        take_answer(r, a);
        return;
    case RACE_NOBODY:
        hear_nobody(r, &a->fault);
        return;
    case RACE_DEADLINE:
        if (r->remote.review_id[0])
            leave_review(r);
        else
            decision_refuse(r->d, "ask", too_late);
        return;
    case RACE_OPEN:
    case RACE_CANCELLED:
        break;
    }
    decision_refuse(r->d, "ask", taken_back);
    r->d->verdict.cancelled = true;
}

static void ask_the_rest(struct resolving *r)
{
    const struct profile *p = r->d->profile;
    unsigned whom = 0;
    struct asking_result a;

    if (!r->asked_elsewhere)
        whom |= ASK_CLASSIFIER;
    if (!has_step(p, LAYER_HOOK_CHECK) && !r->asked_elsewhere)
        whom |= ASK_HOOKS;
    if (!has_step(p, LAYER_CALLBACK))
        whom |= ASK_CALLBACK;
    if (!r->asking.leave_ask)
        whom |= ASK_PERSON;
    if (r->defers && r->remote.review_id[0]) { /* policy wants the reviewers: no one else answers */
        leave_review(r);
        return;
    }
    race(r, whom, &a);
    hear_rest(r, &a);
    if (r->defers && r->d->verdict.behavior == BEHAVIOR_ASK) {
        note_question(r);
        r->open = OPEN_AT_END;
    }
}

/* Did the first verdict see the session as it is now? */
static bool is_met(const warder_decision *d)
{
    bool same = d->met.began == d->session.began && session_same_tree(&d->met, &d->session);

    return (same || !decide_depends_on_age(&d->verdict)) &&
           (session_builds_same(&d->met, &d->session) || !decide_depends_on_programs(&d->verdict));
}

/* decide() is pure: with the same session and without a word from hooks it would return the same
 * verdict again. */
static bool is_judged(const struct resolving *r)
{
    const warder_decision *d = r->d;
    const struct answer *said = &r->options.hook;
    struct session set;

    decision_set(d, &set);
    return d->just_judged && !r->stricter && is_met(d) && !d->engine->headless && !said->given &&
           !said->decided && !said->updated_input &&
           session_is_like(&d->session, &set, d->call.project);
}

static void ask_after_steps(struct resolving *r)
{
    if (r->d->verdict.behavior != BEHAVIOR_ASK)
        r->counts = true;
    else if (!use_approval(r) && !use_session(r))
        ask_the_rest(r);
}

static void after_step(struct resolving *r, enum stepped step)
{
    if (step == STEP_ON)
        ask_after_steps(r);
    else if (step == STEP_ENDED)
        r->counts = true;
}

static void ask_callback_step(struct resolving *r)
{
    after_step(r, ask_step(r, LAYER_CALLBACK, ASK_CALLBACK, &r->options.callback));
}

static bool is_taken_back(const struct resolving *r)
{
    struct pollfd fd = {.fd = asking_cancel_fd(&r->asking), .events = POLLIN};

    return fd.fd >= 0 && poll(&fd, 1, 0) != 0;
}

static void resolve_here(struct resolving *r)
{
    consult(r, &r->options.hook);
    if (is_taken_back(r)) {
        decision_refuse(r->d, "ask", taken_back);
        r->d->verdict.cancelled = true;
        return;
    }
    if (!is_judged(r))
        judge_last(r);
    enum stepped step = ask_step(r, LAYER_HOOK_CHECK, ASK_HOOKS, &r->options.hook);
    if (step == STEP_ON)
        ask_callback_step(r);
    else
        after_step(r, step);
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

/* ---- the whole way ---- */

/* What follows once it is decided. */
static void finish(struct resolving *r)
{
    warder_decision *d = r->d;

    if (d->verdict.behavior != BEHAVIOR_DENY && d->last.input != d->call.input)
        d->verdict.updated_input = d->last.input;
    cell_contain(d);
    losses_save(d, str_from(r->asking.client));
    decision_write_input(d);
    if (!r->by_service) /* there the service keeps the session */
        session_close(r);
}

static void run(struct resolving *r)
{
    warder_decision *d = r->d;
    struct error err = {0};
    char why[sizeof(err.message) + 64];

    if (!d->book)
        return; /* not a call, or no policy: it denies already, and belongs to no session */
    if (session_open(r, &err) != STATUS_OK) {
        snprintf(why, sizeof(why), "the session cannot be read: %s", err.message);
        decision_refuse(d, "session", why);
        return;
    }
    decision_word(d); /* where the service pends, its question has them */
    r->options = decision_options(d);
    r->options.words_later = false; /* the askers show them */
    r->options.session = &d->session;
    r->options.recall = NULL; /* that has all of it */
    r->options.headless = false;
    enum remote_end end = put_to_service(r);
    if (end == REMOTE_ALONE)
        resolve_here(r);
    r->asked_elsewhere = end == REMOTE_ASKS; /* by the service, which has asked the hooks */
    if (r->asked_elsewhere && (r->remote.review_id[0] || !use_session(r)))
        ask_the_rest(r);
    r->by_service = end == REMOTE_DONE;
    if (!r->open)
        finish(r);
}

void resolving_resume(struct resolving *r, struct asking_result *a)
{
    enum open_at at = r->open;

    r->open = NOT_OPEN;
    r->defers = false;
    r->asking.leave_ask = 0; /* the caller has been asked */
    if (clock_ms() >= r->deadline)
        a->end = RACE_DEADLINE;
    note_answer(r, a);
    if (at == OPEN_AT_STEP)
        after_step(r, hear_step(r, a, &r->options.callback));
    else
        hear_rest(r, a);
    finish(r);
    decision_forget_texts(r->d);
}

/* Two programs may give their sessions the same names. What one was granted is not the other's. */
static const char *client_of(const struct resolving *r)
{
    warder_decision *d = r->d;

    if (!r->asking.client || !r->asking.client[0])
        return decision_client(d).len ? decision_client(d).s : NULL;
    return r->defers ? str_try_copy(&d->arena, str_from(r->asking.client)).s : r->asking.client;
}

static void begin(struct resolving *r)
{
    warder_decision *d = r->d;

    d->resolved = true;
    d->last = d->call;
    decision_forget_texts(d);
    r->id = engine_session(d->engine, str_from(r->asking.client), d->call.session);
    r->ending.client = r->asking.client;
    r->deadline = clock_ms() + (r->asking.deadline_ms ? r->asking.deadline_ms : WARDER_DEADLINE_MS);
}

warder_status resolving_run(struct resolving *r, const warder_asking *asking, warder_error *err)
{
    if (r->d->resolved)
        return give_usage(err, "the decision has been resolved before");
    if (asking && !copy_versioned(&r->asking, sizeof(r->asking), asking, asking->struct_size))
        return give_usage(err, "the struct_size of the asking is not set, or it has members that "
                               "this version does not know");
    if (r->defers && (r->asking.can_use_tool || r->asking.terminal))
        return give_usage(
            err, "a prepared question is asked by the caller: no callback, and no terminal");
    if (r->defers)
        r->asking.leave_ask = LEFT_TO_CLIENT;
    r->asking.client = client_of(r);
    if (r->d->call.session.len && !r->asking.client)
        return give_usage(err, "a call with a session needs the name of its client");
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
    warder_status status = resolving_run(&r, asking, err);

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
    r.id = engine_session(d->engine, str_from(client), d->call.session);
    take_answer(&r, &a);
    decision_write_input(d);
    if (d->book)
        session_close(&r);
    decision_forget_texts(d);
}

/* The client asks a second time about one call (PermissionRequest), and nothing is answered: what
 * was answered is on record already. */
static bool says_nothing_more(const warder_decision *d)
{
    return d->again && (d->verdict.behavior == BEHAVIOR_ASK || decision_is_left(d));
}

void resolving_end(struct resolving *r)
{
    if (!r->unrecorded && !says_nothing_more(r->d))
        (void)decision_record(r->d, &r->ending,
                              NULL); /* last: what cannot be recorded denies and says so itself */
    if (r->asking.observe)
        r->asking.observe(r->asking.context, r->d);
}

warder_status warder_resolve(warder_engine *engine, warder_decision *decision,
                             const warder_asking *asking, warder_error *err)
{
    struct resolving r = {.d = decision, .remote.line.fd = -1};

    if (!decision)
        return give_usage(err, "missing argument: decision");
    warder_status status = engine == decision->engine
                               ? resolving_run(&r, asking, err)
                               : give_usage(err, "not this engine's decision");
    if (status != WARDER_OK)
        decision_refuse(decision, "ask", "it could not be resolved");
    else
        resolving_end(&r);
    return status;
}
