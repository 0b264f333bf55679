/* learn_calls_do.c - what recorded calls do, and which rules they are examples of.
 *
 * The engine judges each call as it would today; what it did not clear is looked at. */
#include "decide/rule_reach.h"
#include "report/learn.h"

struct each {
    struct learn_look *look;
    learn_look_fn *fn;
    bool done;
};

static void in_decision(void *arg)
{
    struct each *e = arg;

    e->done = decision_try(e->look->decision, e->fn, e->look);
}

static warder_status judge(warder_engine *engine, struct learn_look *look, struct str json,
                           warder_error *err)
{
    return look->decision ? warder_check_again(look->decision, json.s, json.len, err)
                          : warder_check_json(engine, json.s, json.len, &look->decision, err);
}

warder_status learn_each(warder_learning *l, warder_engine *engine, struct learn_look *look,
                         learn_look_fn *fn, warder_error *err)
{
    struct each e = {look, fn, true};
    warder_status status = WARDER_OK;

    look->learning = l;
    look->decision = NULL;
    look->use = 0;
    for (look->call = 0; status == WARDER_OK && look->call < l->calls.count; look->call++) {
        status = judge(engine, look, l->calls.items[look->call].json, err);
        if (status == WARDER_OK && !arena_try(&l->arena, in_decision, &e))
            status = give_no_memory(err);
    }
    warder_decision_free(look->decision);
    return status;
}

/* ---- the survey ---- */

static void copy_words(struct arena *a, const struct strs *from, struct strs *to)
{
    for (size_t i = 0; i < from->count; i++)
        LIST_PUSH(a, to, str_copy(a, from->items[i]));
}

static void note_use(struct learn_look *look, const struct facts *f, const struct action *action)
{
    struct arena *a = &look->learning->arena;
    struct learn_use use = {.call = look->call};

    copy_words(a, &action->subject.words, &use.words);
    use.fits = action_may_wrap(f, action, &use.wrap);
    if (use.fits)
        use.wrap = (struct wrap){str_copy(a, use.wrap.name), str_copy(a, use.wrap.inner)};
    LIST_PUSH(a, &look->learning->uses, use);
}

void learn_survey(void *arg)
{
    struct learn_look *look = arg;
    const struct facts *f = look->decision->verdict.facts;

    look->learning->calls.items[look->call].now = verdict_behavior(&look->decision->verdict);
    for (size_t i = 0; f && i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if (a->subject.shell && !a->program && !a->redirect && !a->assignment && !a->by_path &&
            a->subject.words.count)
            note_use(look, f, a);
    }
}

/* ---- rules ---- */

static size_t rule_number(warder_learning *l, struct learn_rule like, size_t variants)
{
    struct arena *a = &l->arena;
    bool is_new;
    struct str key =
        str_format(a, "%d %.*s %.*s", like.wraps, STR_ARG(like.rule), STR_ARG(like.host));
    size_t number = learn_number(a, &l->keys, key, &is_new);

    if (is_new) {
        like.rule = str_copy(a, like.rule);
        like.name = str_copy(a, like.name);
        like.host = str_copy(a, like.host);
        LIST_PUSH(a, &l->rules, like);
        LIST_PUSH(a, &l->lesson_rules, (struct lesson_rule){.variants = variants});
    }
    /* the worst of what speaks for it */
    if (like.kind > l->rules.items[number].kind)
        l->rules.items[number].kind = like.kind;
    return number;
}

static void need(warder_learning *l, size_t call, size_t rule, size_t variant)
{
    struct lesson_needs *needs = &l->lessons.items[call].needs;

    for (size_t i = 0; i < needs->count; i++)
        if (needs->items[i].rule == rule && needs->items[i].variant == variant)
            return;
    LIST_PUSH(&l->arena, needs, (struct lesson_need){rule, variant});
}

static void need_general(struct learn_look *look, const struct general *g)
{
    struct learn_rule like = {.rule = g->rule, .name = g->name, .kind = g->kind};

    if (!g->hosts.count)
        need(look->learning, look->call, rule_number(look->learning, like, 0), 0);
    for (size_t i = 0; i < g->hosts.count; i++) {
        like.host = g->hosts.items[i];
        need(look->learning, look->call, rule_number(look->learning, like, 0), 0);
    }
}

static void need_wrappers(struct learn_look *look)
{
    warder_learning *l = look->learning;
    bool is_new;

    while (look->use < l->uses.count && l->uses.items[look->use].call < look->call)
        look->use++; /* they are in the order of the calls */
    for (size_t i = look->use; i < l->uses.count && l->uses.items[i].call == look->call; i++) {
        const struct learn_use *u = &l->uses.items[i];
        struct learn_rule like = {.rule = u->wrap.name, .name = u->wrap.name, .wraps = true};
        if (u->fits && u->declared)
            need(l, look->call, rule_number(l, like, LEARN_COMMANDS_LEAST),
                 learn_number(&l->arena, &l->inners, u->wrap.inner, &is_new));
    }
}

/* Everything that keeps the call from being allowed must have a rule, or it needs none. */
void learn_find_needs(void *arg)
{
    struct learn_look *look = arg;
    struct learn_call *call = &look->learning->calls.items[look->call];
    const struct verdict *v = &look->decision->verdict;
    const struct facts *f = v->facts;

    if (call->now == BEHAVIOR_ALLOW)
        return;
    if (!f || !f->understood || f->actions.count == 0) {
        call->why = "is not understood";
        return;
    }
    for (size_t i = 0; i < f->actions.count && v->cleared_by; i++) {
        struct general g;
        if (v->cleared_by[i])
            continue;
        action_generalise(f, &f->actions.items[i], &g);
        if (g.kind == GENERAL_NEVER) {
            call->why = str_copy(&look->learning->arena, str_from(g.why)).s;
            return;
        }
        need_general(look, &g);
    }
    need_wrappers(look);
    call->open = look->learning->lessons.items[look->call].needs.count > 0;
    call->why = call->open ? NULL : "is asked about, whatever the rules say";
}

/* By what people call it; where only the program is known, by that. */
static bool is_called(const struct facts *f, const struct action *a, struct str name)
{
    struct general g;
    struct str program, rest;

    action_generalise(f, a, &g);
    str_cut(name, ' ', &program, &rest);
    return str_eq(g.name, name) || str_eq(g.name, program);
}

/* A rule is about everything that it would stop if it denied: that is more than it allows. And
 * about what has its name, whatever the other words are. */
void learn_veto(void *arg)
{
    struct learn_look *look = arg;
    warder_learning *l = look->learning;
    const struct facts *f = look->decision->verdict.facts;
    struct lesson_needs *vetoes = &l->lessons.items[look->call].vetoes;

    if (l->calls.items[look->call].answer != ANSWER_REJECT)
        return;
    for (size_t n = 0; n < l->rules.count; n++)
        for (size_t i = 0; f && !l->rules.items[n].wraps && i < f->actions.count; i++)
            if (rule_is_about(f, &look->denies[n], &f->actions.items[i]) ||
                is_called(f, &f->actions.items[i], l->rules.items[n].name)) {
                LIST_PUSH(&l->arena, vetoes, (struct lesson_need){.rule = n});
                break;
            }
}

/* ---- wrappers ---- */

/* One use that is something else, and it is a program with subcommands. */
static bool is_refuted(const warder_learning *l, struct str name)
{
    for (size_t i = 0; i < l->uses.count; i++) {
        const struct learn_use *u = &l->uses.items[i];
        if (wrap_is_used(name, &u->words) && !(u->fits && str_eq(u->wrap.name, name)))
            return true;
    }
    return false;
}

static bool has_enough(warder_learning *l, struct arena *a, struct str name)
{
    struct learn_names inners = {0}, sessions = {0};
    bool is_new;

    for (size_t i = 0; i < l->uses.count; i++) {
        const struct learn_use *u = &l->uses.items[i];
        if (!u->fits || !str_eq(u->wrap.name, name) ||
            l->calls.items[u->call].answer != ANSWER_ACCEPT)
            continue;
        (void)learn_number(a, &inners, u->wrap.inner, &is_new);
        (void)learn_number(a, &sessions, l->sessions.list.items[l->lessons.items[u->call].session],
                           &is_new);
    }
    return inners.list.count >= LEARN_COMMANDS_LEAST && sessions.list.count >= LEARN_SESSIONS_LEAST;
}

void learn_find_wrappers(warder_learning *l)
{
    struct arena *a = &l->arena;
    struct learn_names names = {0};
    struct learn_offers offers = {0};
    bool is_new;

    for (size_t i = 0; i < l->uses.count; i++)
        if (l->uses.items[i].fits)
            (void)learn_number(a, &names, l->uses.items[i].wrap.name, &is_new);
    for (size_t n = 0; n < names.list.count; n++) {
        struct str name = names.list.items[n];
        if (is_refuted(l, name) || !has_enough(l, a, name))
            continue;
        LIST_PUSH(a, &offers, (struct learn_offer){.rule = name, .name = name, .wraps = true});
        for (size_t i = 0; i < l->uses.count; i++)
            l->uses.items[i].declared |= str_eq(l->uses.items[i].wrap.name, name);
    }
    if (offers.count)
        l->rows = learn_policy(a, &offers, false);
}
