/* learn.c - from answered calls to rules: who speaks for a rule, who against it, and what the
 * engine says once it has the rule.
 *
 * Nothing here decides what a rule covers. Rules are put beside the present policy, and the engine
 * judges the recorded calls again: a call that is still asked about speaks for nothing, and no rule
 * is kept that would let a rejected call through. */
#include "report/learn.h"

#include <stdlib.h>

#include "report/judge.h"
#include "report/neighbours.h"

#define MEMORY_MAX       ((size_t)1024 * 1024 * 1024)
#define EXAMPLES_SHOWN   3
#define NEIGHBOURS_SHOWN 3
#define ROUNDS_MAX       8

/* ---- engines ---- */

/* The present policy, and this beside it. */
static warder_status open_beside(const warder_learning *l, struct str policy, warder_engine **out,
                                 warder_error *err)
{
    const struct policy_text text = {STR("learned.json"), FORMAT_WARDER, policy};

    return policy.len ? engine_new_beside(&l->options, &text, out, err)
                      : warder_engine_new(&l->options, out, err);
}

/* Calls judged by a policy with these rules. */
struct trial {
    warder_engine *engine;
    struct judge *judge;
};

static void trial_close(struct trial *t)
{
    judge_free(t->judge);
    warder_engine_free(t->engine);
}

static warder_status trial_open(const warder_learning *l, struct str policy, struct trial *out,
                                warder_error *err)
{
    *out = (struct trial){0};
    warder_status status = open_beside(l, policy, &out->engine, err);
    if (status == WARDER_OK)
        status = judge_new(out->engine, &out->judge, err);
    if (status != WARDER_OK)
        trial_close(out);
    return status;
}

static warder_status trial_call(struct trial *t, struct str call, enum behavior *out,
                                warder_error *err)
{
    const struct judged *judged;
    warder_status status = judge_call(t->judge, call, &judged, err);

    *out = status == WARDER_OK ? judged->behavior : BEHAVIOR_DENY;
    return status;
}

/* ---- work in the arena ---- */

struct arena_job {
    warder_learning *learning;
    const bool *heard;
    struct learn_offers *offers;
    struct str *policy;
    struct rule *denies;
    bool ticked_only, all;
};

static warder_status in_arena(warder_learning *l, void (*fn)(void *), struct arena_job *job,
                              warder_error *err)
{
    job->learning = l;
    return arena_try(&l->arena, fn, job) ? WARDER_OK : give_no_memory(err);
}

static struct lesson lesson_of(warder_learning *l, const bool *heard)
{
    return (struct lesson){.arena = &l->arena,
                           .calls = l->lessons.items,
                           .call_count = l->lessons.count,
                           .rules = l->lesson_rules.items,
                           .rule_count = l->lesson_rules.count,
                           .sessions_least = LEARN_SESSIONS_LEAST,
                           .heard = heard,
                           .session_count = l->sessions.list.count};
}

/* The rules that these sessions speak for, as offers and as a policy; `all`: every rule. */
static void choose(void *arg)
{
    struct arena_job *job = arg;
    warder_learning *l = job->learning;
    struct lesson lesson = lesson_of(l, job->heard);

    *job->offers = (struct learn_offers){0};
    if (job->all)
        for (size_t i = 0; i < l->lesson_rules.count; i++)
            l->lesson_rules.items[i].chosen = true;
    else
        lesson_choose(&lesson);
    learn_collect(&l->arena, &l->rules, &l->lesson_rules, job->offers);
    *job->policy = learn_policy(&l->arena, job->offers, job->ticked_only);
}

static void write_policy(void *arg)
{
    struct arena_job *job = arg;

    *job->policy = learn_policy(&job->learning->arena, job->offers, job->ticked_only);
}

static void find_wrappers(void *arg)
{
    learn_find_wrappers(((struct arena_job *)arg)->learning);
}

static void make_denies(void *arg)
{
    struct arena_job *job = arg;
    warder_learning *l = job->learning;

    job->denies = ARENA_ARRAY(&l->arena, struct rule, l->rules.count + 1);
    for (size_t i = 0; i < l->rules.count; i++) {
        struct str text = l->rules.items[i].wraps ? STR("Bash(x)") : l->rules.items[i].rule;
        if (rule_parse(&l->arena, text, DIALECT_WARDER, &job->denies[i], NULL) != STATUS_OK)
            arena_leave(&l->arena); /* it was printed by us */
        job->denies[i].effect = BEHAVIOR_DENY;
        job->denies[i].source = SOURCE_USER;
    }
}

/* ---- what the calls say ---- */

static warder_status find_needs(warder_learning *l, warder_error *err)
{
    struct learn_look look = {0};
    struct arena_job job = {0};
    warder_engine *engine = NULL;
    warder_status status = learn_each(l, l->engine, &look, learn_survey, err);

    if (status == WARDER_OK)
        status = in_arena(l, find_wrappers, &job, err);
    if (status == WARDER_OK)
        status = open_beside(l, l->rows, &engine, err);
    if (status == WARDER_OK)
        status = learn_each(l, engine, &look, learn_find_needs, err);
    if (status == WARDER_OK)
        status = in_arena(l, make_denies, &job, err);
    look.denies = job.denies;
    if (status == WARDER_OK)
        status = learn_each(l, engine, &look, learn_veto, err);
    warder_engine_free(engine);
    return status;
}

/* With all rules at once: what is still asked about then speaks for none of them. */
static warder_status find_stuck(warder_learning *l, warder_error *err)
{
    struct learn_offers offers;
    struct str policy;
    struct arena_job job = {.all = true, .offers = &offers, .policy = &policy};
    struct trial trial = {0};
    enum behavior behavior;
    warder_status status = in_arena(l, choose, &job, err);

    if (status == WARDER_OK)
        status = trial_open(l, policy, &trial, err);
    for (size_t i = 0; status == WARDER_OK && i < l->calls.count; i++) {
        struct learn_call *call = &l->calls.items[i];
        if (call->answer != ANSWER_ACCEPT || !call->open)
            continue;
        status = trial_call(&trial, call->json, &behavior, err);
        l->lessons.items[i].counts = behavior == BEHAVIOR_ALLOW;
        if (behavior != BEHAVIOR_ALLOW)
            call->why = "is asked about, whatever the rules say";
    }
    trial_close(&trial);
    return status;
}

/* ---- rejected calls ---- */

struct veto_job {
    warder_learning *learning;
    size_t call;
};

static void veto_needs(void *arg)
{
    struct veto_job *job = arg;
    struct lesson_call *call = &job->learning->lessons.items[job->call];

    for (size_t i = 0; i < call->needs.count; i++)
        LIST_PUSH(&job->learning->arena, &call->vetoes, call->needs.items[i]);
}

/* Puts what was rejected to the chosen rules; what they let through speaks against all that it
 * needed. */
static warder_status try_rejected(warder_learning *l, struct str policy, size_t *passed,
                                  warder_error *err)
{
    struct trial trial;
    enum behavior behavior;
    warder_status status = trial_open(l, policy, &trial, err);

    *passed = 0;
    for (size_t i = 0; status == WARDER_OK && i < l->calls.count; i++) {
        struct veto_job job = {l, i};
        if (l->calls.items[i].answer != ANSWER_REJECT || l->calls.items[i].now == BEHAVIOR_ALLOW)
            continue;
        status = trial_call(&trial, l->calls.items[i].json, &behavior, err);
        if (status != WARDER_OK || behavior != BEHAVIOR_ALLOW)
            continue;
        ++*passed;
        if (!arena_try(&l->arena, veto_needs, &job))
            status = give_no_memory(err);
    }
    trial_close(&trial);
    return status;
}

/* Every round takes rules away. Should that not end, nothing is learned. */
static warder_status choose_for_good(warder_learning *l, warder_error *err)
{
    struct str policy;
    struct arena_job job = {.offers = &l->offers, .policy = &policy};
    size_t passed = 1;
    warder_status status = WARDER_OK;

    for (int round = 0; status == WARDER_OK && passed && round < ROUNDS_MAX; round++) {
        status = in_arena(l, choose, &job, err);
        if (status == WARDER_OK)
            status = try_rejected(l, policy, &passed, err);
    }
    if (passed)
        l->offers = (struct learn_offers){0};
    return status;
}

/* ---- figures ---- */

struct order {
    const warder_learning *learning;
    size_t session;
};

static int by_time(const void *x, const void *y)
{
    const struct order *a = x, *b = y;
    const struct strs *began = &a->learning->began;
    int order = str_compare(began->items[a->session], began->items[b->session]);

    return order ? order : (a->session > b->session) - (a->session < b->session);
}

/* The first half of the sessions, by the time of their first call. */
static void first_half(void *arg)
{
    struct arena_job *job = arg;
    warder_learning *l = job->learning;
    size_t count = l->sessions.list.count;
    struct order *order = ARENA_ARRAY(&l->arena, struct order, count + 1);
    bool *heard = ARENA_ARRAY(&l->arena, bool, count + 1);

    bool timed = true;

    for (size_t i = 0; i < count; i++) {
        order[i] = (struct order){l, i};
        timed &= l->began.items[i].len > 0;
    }
    if (timed) /* else in the order in which they came */
        qsort(order, count, sizeof(*order), by_time);
    for (size_t i = 0; i < count / 2; i++)
        heard[order[i].session] = true;
    l->figures = (struct learn_figures){.train = count / 2, .test = count - count / 2};
    job->heard = heard;
}

static warder_status test_call(warder_learning *l, size_t i, struct trial trials[2],
                               warder_error *err)
{
    const struct learn_call *call = &l->calls.items[i];
    struct learn_figures *f = &l->figures;
    bool accepted = call->answer == ANSWER_ACCEPT && call->now == BEHAVIOR_ASK,
         rejected = call->answer == ANSWER_REJECT && call->now != BEHAVIOR_ALLOW;
    enum behavior by[2] = {BEHAVIOR_DENY, BEHAVIOR_DENY};
    warder_status status = WARDER_OK;

    for (int n = 0; status == WARDER_OK && (accepted || rejected) && n < 2; n++)
        status = trial_call(&trials[n], call->json, &by[n], err);
    f->asks += accepted;
    f->ticked += accepted && by[0] == BEHAVIOR_ALLOW;
    f->all += accepted && by[1] == BEHAVIOR_ALLOW;
    f->rejected += rejected;
    f->passed_ticked += rejected && by[0] == BEHAVIOR_ALLOW;
    f->passed += rejected && by[1] == BEHAVIOR_ALLOW;
    return status;
}

static warder_status find_figures(warder_learning *l, warder_error *err)
{
    struct learn_offers offers;
    struct str policies[2];
    struct arena_job job = {.offers = &offers, .policy = &policies[0], .ticked_only = true};
    struct trial trials[2] = {{0}};
    warder_status status = in_arena(l, first_half, &job, err);

    if (status == WARDER_OK)
        status = in_arena(l, choose, &job, err);
    job.policy = &policies[1];
    job.ticked_only = false;
    if (status == WARDER_OK)
        status = in_arena(l, write_policy, &job, err);
    for (int n = 0; status == WARDER_OK && n < 2; n++)
        status = trial_open(l, policies[n], &trials[n], err);
    for (size_t i = 0; status == WARDER_OK && i < l->calls.count; i++)
        if (!job.heard[l->lessons.items[i].session])
            status = test_call(l, i, trials, err);
    for (int n = 0; n < 2; n++)
        trial_close(&trials[n]);
    return status;
}

/* ---- evidence ---- */

static void add_example(struct arena *a, struct strs *list, struct str text)
{
    if (list->count < EXAMPLES_SHOWN && !strs_has(list, text))
        LIST_PUSH(a, list, text);
}

static void note_call(warder_learning *l, struct learn_offer *o, size_t i)
{
    const struct learn_call *call = &l->calls.items[i];
    struct str date = str_slice(call->time, 0, 10);

    if (!l->lessons.items[i].counts) {
        if (call->answer == ANSWER_NONE && call->now != BEHAVIOR_ALLOW) {
            o->other_count++;
            add_example(&l->arena, &o->others, call->shown);
        }
        return;
    }
    o->calls++;
    add_example(&l->arena, &o->examples, call->shown);
    if (date.len && (!o->first.len || str_compare(date, o->first) < 0))
        o->first = date;
    if (date.len && str_compare(date, o->last) > 0)
        o->last = date;
}

static bool is_example(const warder_learning *l, const struct learn_offer *o, size_t call)
{
    const struct lesson_needs *needs = &l->lessons.items[call].needs;

    for (size_t i = 0; i < needs->count; i++) {
        const struct learn_rule *r = &l->rules.items[needs->items[i].rule];
        if (str_eq(r->rule, o->rule) && r->wraps == o->wraps)
            return true;
    }
    return false;
}

static void find_evidence(void *arg)
{
    struct arena_job *job = arg;
    warder_learning *l = job->learning;
    const struct lesson lesson = lesson_of(l, NULL);

    for (size_t n = 0; n < l->offers.count; n++) {
        struct learn_offer *o = &l->offers.items[n];
        struct learn_names sessions = {0};
        bool is_new;
        for (size_t i = 0; i < l->calls.count; i++) {
            const struct lesson_call *call = &l->lessons.items[i];
            if (!call->needs.count || !is_example(l, o, i) || !lesson_covers(&lesson, call))
                continue;
            note_call(l, o, i);
            if (call->counts)
                (void)learn_number(&l->arena, &sessions, l->sessions.list.items[call->session],
                                   &is_new);
        }
        o->sessions = sessions.list.count;
        o->id = str_format(&l->arena, "learned-%08x", str_hash(o->rule));
        o->comment = str_format(&l->arena, "learned: %zu calls in %zu sessions%s%.*s%s%.*s",
                                o->calls, o->sessions, o->first.len ? ", " : "", STR_ARG(o->first),
                                o->first.len ? " to " : "", STR_ARG(o->last));
    }
}

/* ---- neighbours ---- */

struct near {
    warder_learning *learning;
    struct learn_offer *offer;
    struct neighbours found;
    struct strs calls; /* as JSON; empty: there is no such tool */
    size_t at;
    enum behavior behavior;
};

static void find_near(void *arg)
{
    struct near *n = arg;
    struct arena *a = &n->learning->arena;
    const warder_engine *e = n->learning->engine;
    struct rule rule;

    if (n->offer->wraps || rule_parse(a, n->offer->rule, DIALECT_WARDER, &rule, NULL) != STATUS_OK)
        return;
    rule.effect = BEHAVIOR_ALLOW;
    neighbours_of(a, &rule, e->home, e->project, &n->found);
    for (size_t i = 0; i < n->found.count; i++) {
        struct str call = {0};
        if (!neighbour_call(a, &n->found.items[i], e->project, &call))
            call = (struct str){0};
        LIST_PUSH(a, &n->calls, call);
    }
}

static void note_near(void *arg)
{
    struct near *n = arg;
    struct arena *a = &n->learning->arena;

    LIST_PUSH(a, &n->offer->neighbours,
              str_format(a, "%-5s  %.*s", behavior_name(n->behavior),
                         STR_ARG(n->found.items[n->at].argument)));
}

/* One of a kind: what differs in the same way is judged alike most of the time. */
static warder_status judge_near(struct near *n, struct trial *trial, warder_error *err)
{
    warder_status status = WARDER_OK;
    unsigned kinds = 1u << NEAR_ITSELF;

    for (n->at = 0; status == WARDER_OK && n->at < n->found.count; n->at++) {
        unsigned kind = 1u << n->found.items[n->at].kind;
        if ((kinds & kind) || !n->calls.items[n->at].len ||
            n->offer->neighbours.count >= NEIGHBOURS_SHOWN)
            continue;
        kinds |= kind;
        status = trial_call(trial, n->calls.items[n->at], &n->behavior, err);
        if (status == WARDER_OK && !arena_try(&n->learning->arena, note_near, n))
            status = give_no_memory(err);
    }
    return status;
}

static warder_status find_neighbours(warder_learning *l, warder_error *err)
{
    struct str policy = {0};
    struct arena_job job = {.offers = &l->offers, .policy = &policy};
    struct trial trial = {0};
    warder_status status = in_arena(l, write_policy, &job, err);

    if (status == WARDER_OK)
        status = trial_open(l, policy, &trial, err);
    for (size_t i = 0; status == WARDER_OK && i < l->offers.count; i++) {
        struct near n = {.learning = l, .offer = &l->offers.items[i]};
        status =
            arena_try(&l->arena, find_near, &n) ? judge_near(&n, &trial, err) : give_no_memory(err);
    }
    trial_close(&trial);
    return status;
}

/* ---- all of it ---- */

warder_status learn_work(warder_learning *l, warder_error *err)
{
    struct arena_job job = {0};
    warder_status status = WARDER_OK;

    if (l->worked)
        return WARDER_OK;
    status = find_needs(l, err);
    if (status == WARDER_OK)
        status = find_stuck(l, err);
    if (status == WARDER_OK)
        status = find_figures(l, err);
    if (status == WARDER_OK)
        status = choose_for_good(l, err);
    if (status == WARDER_OK)
        status = in_arena(l, find_evidence, &job, err);
    if (status == WARDER_OK)
        status = find_neighbours(l, err);
    l->worked = status == WARDER_OK;
    return status;
}
