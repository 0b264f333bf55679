/* promotion.c - a recorded decision made into a rule: offered, shown and written. */
#include "report/promotion.h"

#include <stdlib.h>

#include "ask/caller.h"
#include "report/diff.h"
#include "report/judge.h"
#include "report/neighbours.h"

#define MEMORY_MAX            ((size_t)512 * 1024 * 1024)
#define NEAR_SHOWN            4
#define PROMOTION_SECONDS_MAX ((uint64_t)3650 * 86400)

/* ---- the call ---- */

struct reading {
    warder_promotion *promotion;
    struct str line;
    struct error *err;
};

static void read_record(void *arg)
{
    struct reading *r = arg;
    warder_promotion *p = r->promotion;
    struct recorded *record = &p->record;

    if (!recorded_read(&p->arena, str_copy(&p->arena, r->line), record))
        fail(r->err, STATUS_USAGE, "this is not the record of a decision");
    else if (record->lacks)
        fail(r->err, STATUS_USAGE, "no rule can be made of this record: %s. Write the rule by hand",
             record->lacks);
    else
        p->call = record->session.len ? recorded_in_session(&p->arena, record) : record->call;
    if (record->project.len && record->project.s[0] == '/')
        p->options.project = str_copy(&p->arena, record->project).s;
}

/* What no rule changes, or need not. */
static enum status check_verdict(const warder_promotion *p, struct error *err)
{
    const struct verdict *v = &p->decision->verdict;
    const enum behavior now = verdict_behavior(v);
    bool denied = now == BEHAVIOR_DENY && !v->unanswered && !v->uncleared;

    if (p->effect == BEHAVIOR_DENY)
        return denied ? fail(err, STATUS_USAGE, "it is denied already: %.*s", STR_ARG(v->reason))
                      : STATUS_OK;
    if (now == BEHAVIOR_ALLOW)
        return fail(err, STATUS_USAGE, "the present policy allows it already");
    if (denied && v->rule)
        return fail(err, STATUS_USAGE, "a deny rule forbids it: %.*s (%s). Change that rule first",
                    STR_ARG(v->rule->text), rule_place(&p->decision->arena, v->rule).s);
    if (denied || v->immune)
        return fail(err, STATUS_USAGE, "no rule can allow it: %.*s", STR_ARG(v->reason));
    return STATUS_OK;
}

struct check {
    const warder_promotion *promotion;
    struct error *err;
};

static void check_in_arena(void *arg)
{
    const struct check *c = arg;

    (void)check_verdict(c->promotion, c->err);
}

static warder_status look(warder_promotion *p, warder_error *err)
{
    struct error inner = {0};
    struct check check = {p, &inner};
    warder_status status = warder_check_json(p->engine, p->call.s, p->call.len, &p->decision, err);

    if (status != WARDER_OK)
        return status;
    if (!decision_try_text(p->decision, check_in_arena, &check))
        return give_no_memory(err);
    if (inner.status != STATUS_OK)
        return error_out(err, &inner);
    return decision_try_text(p->decision, promotion_find_forms, p) ? WARDER_OK
                                                                   : give_no_memory(err);
}

/* ---- what a form would do ---- */

struct trial {
    warder_promotion *promotion;
    struct promotion_form form;
    struct policy_text text;
    warder_engine *engine;
    struct judge *judge;
    struct neighbours found;
    struct str call;
    enum behavior behavior;
    size_t at;
};

static void write_policy(void *arg)
{
    struct trial *t = arg;

    t->text = (struct policy_text){STR("promoted.json"), FORMAT_WARDER,
                                   promotion_policy(&t->promotion->arena, t->promotion, &t->form)};
}

static void find_near(void *arg)
{
    struct trial *t = arg;
    struct arena *a = &t->promotion->arena;
    const warder_engine *e = t->engine;
    struct rule rule;

    if (rule_parse(a, t->form.rules.items[0].text, DIALECT_WARDER, &rule, NULL) != STATUS_OK)
        return;
    rule.effect = t->promotion->effect;
    neighbours_of(a, &rule, e->home, e->project, &t->found);
}

static void write_near(void *arg)
{
    struct trial *t = arg;
    const warder_engine *e = t->engine;

    if (!neighbour_call(&t->promotion->arena, &t->found.items[t->at], e->project, &t->call))
        t->call = (struct str){0};
}

static void note_near(void *arg)
{
    struct trial *t = arg;
    struct arena *a = &t->promotion->arena;

    LIST_PUSH(a, &t->form.near,
              str_format(a, "%-5s  %.*s", behavior_name(t->behavior),
                         STR_ARG(t->found.items[t->at].argument)));
}

static void note_form(void *arg)
{
    struct trial *t = arg;

    LIST_PUSH(&t->promotion->arena, &t->promotion->offers, t->form);
}

static warder_status in_arena(struct trial *t, void (*fn)(void *), warder_error *err)
{
    return arena_try(&t->promotion->arena, fn, t) ? WARDER_OK : give_no_memory(err);
}

static warder_status judge_one(struct trial *t, struct str call, warder_error *err)
{
    const struct judged *judged;
    warder_status status = judge_call(t->judge, call, &judged, err);

    if (status == WARDER_OK)
        t->behavior = judged->behavior;
    return status;
}

/* One of a kind shows where the rule ends. */
static warder_status judge_near(struct trial *t, warder_error *err)
{
    unsigned kinds = 1u << NEAR_ITSELF;
    warder_status status = in_arena(t, find_near, err);

    for (t->at = 0; status == WARDER_OK && t->at < t->found.count; t->at++) {
        unsigned kind = 1u << t->found.items[t->at].kind;
        if ((kinds & kind) || t->form.near.count >= NEAR_SHOWN)
            continue;
        status = in_arena(t, write_near, err);
        if (status != WARDER_OK || !t->call.len)
            continue;
        kinds |= kind;
        status = judge_one(t, t->call, err);
        if (status == WARDER_OK)
            status = in_arena(t, note_near, err);
    }
    return status;
}

static warder_status try_form(struct trial *t, warder_error *err)
{
    warder_promotion *p = t->promotion;
    warder_status status = in_arena(t, write_policy, err);

    if (status == WARDER_OK)
        status = engine_new_beside(&p->options, &t->text, &t->engine, err);
    if (status == WARDER_OK)
        status = judge_new(t->engine, &t->judge, err);
    if (status == WARDER_OK)
        status = judge_one(t, p->call, err);
    if (status != WARDER_OK || t->behavior != p->effect)
        return status;
    status = judge_near(t, err);
    return status == WARDER_OK ? in_arena(t, note_form, err) : status;
}

static warder_status try_forms(warder_promotion *p, warder_error *err)
{
    struct error inner = {0};
    warder_status status = WARDER_OK;

    for (size_t i = 0; status == WARDER_OK && i < p->found.count; i++) {
        struct trial t = {.promotion = p, .form = p->found.items[i]};
        status = try_form(&t, err);
        judge_free(t.judge);
        warder_engine_free(t.engine);
    }
    if (status == WARDER_OK && !p->offers.count && !promotion_fits_session(p)) {
        fail(&inner, STATUS_USAGE, "no rule of one call can %s it: %.*s", behavior_name(p->effect),
             STR_ARG(p->decision->verdict.reason));
        status = error_out(err, &inner);
    }
    return status;
}

/* ---- opening ---- */

static warder_status open_all(warder_promotion *p, struct str line, warder_error *err)
{
    struct error inner = {0};
    struct reading reading = {p, line, &inner};

    if (caller_is_person(&inner) != STATUS_OK)
        return error_out(err, &inner);
    if (!arena_try(&p->arena, read_record, &reading))
        return give_no_memory(err);
    if (inner.status != STATUS_OK)
        return error_out(err, &inner);
    warder_status status = warder_engine_new(&p->options, &p->engine, err);
    if (status == WARDER_OK && p->engine->slot.now->profile->dialect != DIALECT_WARDER)
        status = give_usage(err, "rules are written in the spelling of the profile warder: use "
                                 "--profile warder");
    if (status == WARDER_OK)
        status = look(p, err);
    return status == WARDER_OK ? try_forms(p, err) : status;
}

warder_status warder_promotion_new(const warder_options *options, warder_behavior effect,
                                   const char *record, size_t len, warder_promotion **out,
                                   warder_error *err)
{
    if (!out)
        return give_usage(err, "missing argument: promotion");
    *out = NULL;
    if (!options || !record || (effect != WARDER_ALLOW && effect != WARDER_DENY))
        return give_usage(err, "missing argument: options or record, or neither allow nor deny");
    warder_promotion *p = calloc(1, sizeof(*p));
    if (!p)
        return give_no_memory(err);
    arena_init(&p->arena, MEMORY_MAX);
    p->options = *options;
    p->effect = effect == WARDER_ALLOW ? BEHAVIOR_ALLOW : BEHAVIOR_DENY;
    warder_status status = open_all(p, (struct str){record, len}, err);
    if (status == WARDER_OK)
        *out = p;
    else
        warder_promotion_free(p);
    return status;
}

void warder_promotion_free(warder_promotion *p)
{
    if (!p)
        return;
    policy_change_release(&p->change);
    warder_decision_free(p->decision);
    warder_engine_free(p->engine);
    arena_release(&p->arena);
    free(p);
}

/* ---- showing ---- */

static void show_rule(struct report *r, const struct promotion_rule *rule)
{
    json_begin_object(&r->json);
    report_member(r, "rule", rule->text);
    json_strings(&r->json, "hosts", &rule->hosts);
    json_end_object(&r->json);
    report_show(r, rule->text);
    for (size_t i = 0; i < rule->hosts.count; i++) {
        buf_text(&r->text, i ? ", " : "  only to ");
        report_show(r, rule->hosts.items[i]);
    }
}

static void show_form(struct report *r, const struct promotion_form *form, size_t number)
{
    json_begin_object(&r->json);
    report_number(r, "number", (int64_t)number);
    report_member(r, "as", str_from(form->as));
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; i < form->rules.count; i++) {
        buf_format(&r->text, i ? "              " : "%3zu  %-7s  ", number, form->as);
        show_rule(r, &form->rules.items[i]);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
    json_strings(&r->json, "near", &form->near);
    json_end_object(&r->json);
    for (size_t i = 0; i < form->near.count; i++) {
        buf_text(&r->text, "                then  ");
        report_show(r, form->near.items[i]);
        buf_byte(&r->text, '\n');
    }
}

static void show_all(struct report *r, const void *about)
{
    const warder_promotion *p = about;

    json_begin_object(&r->json);
    report_member(r, "id", p->record.id);
    report_member(r, "tool", p->record.tool);
    report_member(r, "command", p->record.shown);
    report_member(r, "effect", str_from(behavior_name(p->effect)));
    report_show(r, p->record.tool);
    buf_text(&r->text, "  ");
    report_show(r, p->record.shown);
    buf_format(&r->text, "\n\nalways %s\n", behavior_name(p->effect));
    json_key(&r->json, "forms");
    json_begin_array(&r->json);
    for (size_t i = 0; i < p->offers.count; i++)
        show_form(r, &p->offers.items[i], i + 1);
    json_end_array(&r->json);
    json_key(&r->json, "session");
    json_bool(&r->json, promotion_fits_session(p));
    json_end_object(&r->json);
    if (promotion_fits_session(p))
        buf_format(&r->text, "%3zu  session  exactly this call, until its session ends\n",
                   p->offers.count + 1);
    if (p->why)
        buf_format(&r->text, "no rule for the program: it %s\n", p->why);
}

warder_status warder_promotion_report(const warder_promotion *p, warder_report **out,
                                      warder_error *err)
{
    if (!p || !out)
        return give_usage(err, "missing argument: promotion or report");
    return report_make(show_all, p, out, err);
}

uint32_t warder_promotion_form(const warder_promotion *p, const char *as)
{
    if (p && as && strcmp(as, "session") == 0)
        return promotion_fits_session(p) ? (uint32_t)p->offers.count + 1 : 0;
    for (size_t i = 0; p && as && i < p->offers.count; i++)
        if (strcmp(p->offers.items[i].as, as) == 0)
            return (uint32_t)i + 1;
    return 0;
}

/* ---- writing ---- */

struct plan {
    warder_promotion *promotion;
    const struct promotion_form *form;
    bool user;
    int64_t until; /* stamp; 0: for good */
    struct error *err;
    enum status status;
};

static void find_place(void *arg)
{
    struct plan *plan = arg;
    warder_promotion *p = plan->promotion;
    char at[STAMP_SIZE];

    p->until = (struct str){0};
    if (plan->until) {
        stamp_print(plan->until, at);
        p->until = str_copy(&p->arena, str_from(at));
    }
    policy_change_place(&p->arena, p->engine, plan->user, &p->change);
    plan->status = policy_change_read(&p->change, plan->err);
}

static void add_rules(void *arg)
{
    struct plan *plan = arg;
    warder_promotion *p = plan->promotion;
    struct policy_change *c = &p->change;
    struct edit edit;

    c->new = c->old;
    for (size_t i = 0; plan->status == STATUS_OK && i < plan->form->rules.count; i++) {
        const struct promotion_rule *r = &plan->form->rules.items[i];
        const struct edit_rule rule = {.effect = p->effect,
                                       .text = r->text,
                                       .dialect = DIALECT_WARDER,
                                       .entry = promotion_entry(&p->arena, p, r)};
        plan->status =
            edit_plan(&p->arena, c->file, c->new, FORMAT_WARDER, &rule, &edit, plan->err);
        if (plan->status == STATUS_OK && !edit.already)
            c->new = edit.result;
    }
    if (plan->status == STATUS_OK)
        p->diff = diff_lines(&p->arena, c->old, c->new);
}

warder_status warder_promotion_plan(warder_promotion *p, uint32_t form, warder_learning_place place,
                                    uint64_t seconds, warder_error *err)
{
    struct error inner = {0};
    struct plan plan = {.promotion = p, .user = place == WARDER_LEARN_USER, .err = &inner};

    if (!p || form < 1 || form > p->offers.count || (unsigned)place > WARDER_LEARN_USER)
        return give_usage(err, "no rule has that number, or there is no such place");
    if (seconds > PROMOTION_SECONDS_MAX)
        return give_usage(err, "a rule may last ten years at most");
    plan.form = &p->offers.items[form - 1];
    plan.until = seconds ? stamp_now() + (int64_t)seconds * 1000 : 0;
    policy_change_release(&p->change);
    p->diff = (struct str){0};
    if (!arena_try(&p->arena, find_place, &plan) ||
        (plan.status == STATUS_OK && !arena_try(&p->arena, add_rules, &plan)))
        return give_no_memory(err);
    return plan.status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

const char *warder_promotion_file(const warder_promotion *p)
{
    return p && p->change.file.len ? p->change.file.s : "";
}

const char *warder_promotion_diff(const warder_promotion *p)
{
    return p && p->diff.len ? p->diff.s : "";
}

/* What was written is read as any policy is, and the call judged once more. */
static warder_status prove(const warder_promotion *p, warder_error *err)
{
    struct error inner = {0};
    warder_engine *engine = NULL;
    struct judge *judge = NULL;
    const struct judged *judged = NULL;
    warder_status status = warder_engine_new(&p->options, &engine, err);

    if (status == WARDER_OK)
        status = judge_new(engine, &judge, err);
    if (status == WARDER_OK)
        status = judge_call(judge, p->call, &judged, err);
    if (status == WARDER_OK && judged->behavior != p->effect) {
        fail(&inner, STATUS_UNSAFE, "the rule is written, but does not decide this call: %.*s",
             STR_ARG(judged->reason));
        status = error_out(err, &inner);
    }
    judge_free(judge);
    warder_engine_free(engine);
    return status;
}

warder_status warder_promotion_write(warder_promotion *p, warder_error *err)
{
    struct error inner = {0};

    if (!p || !p->change.file.len)
        return give_usage(err, "there is no plan to carry out");
    if (p->diff.len && policy_change_write(p->engine, &p->change, &inner) != STATUS_OK)
        return error_out(err, &inner);
    return prove(p, err);
}
