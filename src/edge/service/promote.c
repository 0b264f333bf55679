/* promote.c - an approval that becomes a rule: exactly this call, or what the reviewer
 * wrote. */
#include "machine/guard.h"
#include "programs/programs.h"
#include "record/redact.h"
#include "rule/suggest.h"
#include "service/change.h"

struct suggestion {
    struct arena *arena;
    const warder_decision *decision;
    struct strs patterns;
    bool unsayable, secret;
};

/* A pattern has other quotes than the command: a secret may not look like one in it. */
static bool quotes_secret(const struct strs *found, struct str pattern)
{
    for (size_t i = 0; i < found->count; i++)
        if (str_contains(pattern, found->items[i]))
            return true;
    return false;
}

/* The exact text of each part of the command that no other rule or layer clears. */
static void suggest(void *arg)
{
    struct suggestion *job = arg;
    struct arena *a = job->arena;
    const struct verdict *v = &job->decision->verdict;
    struct strs found = {0};
    struct str command;

    if (call_command(a, &job->decision->last, &command))
        (void)redact_command(a, command, &found);
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++) {
        const struct action *action = &v->facts->actions.items[i];
        if (v->cleared_by && v->cleared_by[i])
            continue;
        struct rule_env room;
        const struct rule_env *env = facts_env(v->facts, action, &room);
        enum dialect dialect = action->subject.shell ? DIALECT_ACTION : DIALECT_WARDER;
        struct str pattern = rule_suggest(a, &action->subject, dialect, env, false, program_danger);
        job->unsayable |= !pattern.len;
        job->secret |=
            !str_eq(redact_command(a, pattern, NULL), pattern) || quotes_secret(&found, pattern);
        if (pattern.len && !strs_has(&job->patterns, pattern))
            LIST_PUSH(a, &job->patterns, pattern);
    }
}

static bool can_be_said(const struct suggestion *job)
{
    return !job->unsayable && !job->secret && job->patterns.count &&
           job->patterns.count <= PROMOTED_MAX;
}

void rules_suggest(warder_service *s, const struct waiting *w, struct arena *a,
                   struct strs *patterns)
{
    struct suggestion job = {.arena = a};
    warder_decision *d = NULL;

    *patterns = (struct strs){0};
    if (!w || !w->call ||
        engine_open_call(s->engine, (struct str){w->call, w->call_len}, MODE_AT_MOST_OWN,
                         binding_of(s->bindings, w->token_id), &d, NULL) != WARDER_OK)
        return;
    job.decision = d;
    if (d->book && decision_try(d, decision_judge, d) &&
        guard_try(a, suggest, &job) == GUARD_DONE && can_be_said(&job))
        *patterns = job.patterns;
    warder_decision_free(d);
}

static warder_outcome promote_exactly(struct change *c, const struct stored_rule *as,
                                      warder_error *err)
{
    struct suggestion job = {.arena = &c->arena, .decision = c->proof};
    warder_outcome outcome = WARDER_DONE;

    if (guard_try(&c->arena, suggest, &job) != GUARD_DONE)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    if (job.secret)
        return outcome_say(
            err, WARDER_INVALID,
            "the command contains a secret, which the rule would store: write the rule yourself");
    if (!can_be_said(&job))
        return outcome_say(err, WARDER_INVALID,
                           "no rule can match exactly this command: write the rule yourself");
    for (size_t i = 0; outcome == WARDER_DONE && i < job.patterns.count; i++) {
        struct stored_rule rule = *as;
        rule.pattern = job.patterns.items[i];
        outcome = change_push(c, &rule, err);
    }
    return outcome;
}

static warder_outcome promote_as_written(struct change *c, const struct value *given,
                                         struct stored_rule *as, warder_error *err)
{
    static const char *const keys[] = {"pattern", "scope", "reason", "type",
                                       "regex",   "flags", "paths"};
    warder_outcome outcome = WARDER_DONE;

    if (given->kind == VALUE_STRING) {
        as->pattern = given->text;
    } else if (given->kind == VALUE_OBJECT) {
        outcome = service_known_keys(given, keys, COUNT(keys), err);
        if (outcome == WARDER_DONE)
            outcome = rules_take(c->service, &c->arena, given, as, err);
    } else {
        outcome =
            outcome_say(err, WARDER_INVALID,
                        "\"rule\" must be a pattern, or an object with \"pattern\" and \"scope\"");
    }
    if (outcome == WARDER_DONE && as->effect != BEHAVIOR_ALLOW)
        outcome = outcome_say(err, WARDER_INVALID, "a promotion can only add an allow rule");
    if (outcome == WARDER_DONE &&
        (!as->pattern.len || as->pattern.len > RULE_MAX_TEXT || str_has(as->pattern, '\0')))
        outcome = outcome_say(err, WARDER_INVALID, "the rule needs a pattern of 1 to %d bytes",
                              RULE_MAX_TEXT);
    return outcome == WARDER_DONE ? change_push(c, as, err) : outcome;
}

/* A typing error must not allow everything. */
static warder_outcome refuse_wide(const struct change *c, warder_error *err)
{
    for (size_t i = 0; i < c->warnings.count; i++)
        if (str_starts(c->warnings.items[i], STR("wider-than-it-looks:")))
            return outcome_say(err, WARDER_INVALID, "%.150s", c->warnings.items[i].s);
    return WARDER_DONE;
}

struct promoted_texts {
    const struct change *change;
    struct arena *arena;
    struct promoted *out;
};

static void write_promoted(void *arg)
{
    struct promoted_texts *t = arg;
    const struct stored_rules *rules = &t->change->after;
    struct buf b = buf_in(t->arena), ids = buf_in(t->arena);
    struct json_writer w = json_to(&b);

    rules_write_stored(&w, &rules->items[0], t->change->service->wall());
    t->out->first = str_copy(t->arena, buf_str(&b));
    b.len = 0;
    w = json_to(&b);
    json_begin_array(&w);
    for (size_t i = 0; i < rules->count; i++) {
        rules_write_stored(&w, &rules->items[i], t->change->service->wall());
        buf_format(&ids, "%s%.*s", i ? " " : "", STR_ARG(rules->items[i].id));
    }
    json_end_array(&w);
    t->out->all = buf_str(&b);
    t->out->ids = buf_str(&ids);
}

static warder_outcome promote(struct change *c, const struct promotion *p, struct arena *a,
                              struct promoted *out, warder_error *err)
{
    const struct call *call = &p->decision->call;
    struct stored_rule as = {.effect = BEHAVIOR_ALLOW,
                             .scope = call->project_id.len ? call->project_id : call->project,
                             .acts_from =
                                 p->cooldown_s ? c->service->wall() / 1000 + p->cooldown_s : 0};
    struct promoted_texts shown = {c, a, out};
    warder_outcome outcome = change_begin(c, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = p->rule && p->rule->kind != VALUE_NULL ? promote_as_written(c, p->rule, &as, err)
                                                     : promote_exactly(c, &as, err);
    if (outcome == WARDER_DONE)
        outcome = change_parse(c, err);
    if (outcome == WARDER_DONE)
        outcome = change_prove(c, err);
    if (outcome == WARDER_DONE)
        outcome = refuse_wide(c, err);
    policy_free(c->policy);
    c->policy = NULL;
    if (outcome == WARDER_DONE)
        outcome = change_apply(c, err);
    if (outcome == WARDER_DONE && !arena_try(a, write_promoted, &shown))
        *out = (struct promoted){0}; /* the rules are staged, but cannot be shown */
    return outcome;
}

warder_outcome rules_promote(warder_service *s, const warder_caller *caller, struct promotion *p,
                             struct arena *a, struct promoted *out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "promoted", .proof = p->decision};
    warder_outcome outcome = promote(&c, p, a, out, err);

    if (outcome == WARDER_DONE)
        p->change = s->change_ahead;
    change_end(&c);
    return outcome;
}
