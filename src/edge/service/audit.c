/* audit.c - which commands a rule matches: listed ones, and those of the log.
 *
 * The log keeps commands without their secrets, so past commands are matched by their redacted
 * text. */
#include <stdlib.h>

#include "decide/decide.h"
#include "decide/layer.h"
#include "decide/rule_reach.h"
#include "machine/turns.h"
#include "record/index.h"
#include "service/rules.h"

#define AUDIT_MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define AUDIT_LISTED_MAX 1000u /* commands in one request */
#define AUDIT_PAST       500u  /* records that are read */
#define AUDIT_PAST_MAX   2000u

/* How many actions of the command the rule matches. */
struct audited {
    struct str command, decision, at, id; /* the last three: of a record */
    size_t actions, matched;
    const char *now; /* what the policy says of it now */
};
struct audited_list LIST_OF(struct audited);

struct audit {
    warder_service *service;
    struct arena arena;
    struct value body;
    struct held held; /* the policy that it is judged with, and that the rule may be of */
    struct rule rule;
    struct regexes regexes; /* of the rule */
    struct rulebook trial;  /* the policy's book with this rule alone */
    struct audited_list listed, past;
    size_t looked_at;
    bool failed;
};

/* ---- one command ---- */

struct rule_trial {
    struct audit *audit;
    warder_decision *decision;
    struct audited *out;
};

/* How the engine would: allow rules must also reach as far as the action goes, deny rules hold for
 * other spellings and for what an action hides, too. */
static void count_matches(struct rule_trial *h, const struct verdict *v)
{
    const struct facts *f = v->facts;
    const struct rule *r = h->audit->trial.rules.items;

    for (size_t i = 0; f && i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        h->out->actions++;
        h->out->matched +=
            rule_is_about(f, r, a) && (r->effect != BEHAVIOR_ALLOW || rule_reaches(f, r, a));
    }
    if (h->out->matched || !f || r->effect == BEHAVIOR_ALLOW)
        return;
    const struct said *said = layer_evasion(f);
    h->out->matched = v->rule == r || (said && said->rule == r);
}

/* Judges the command by a book with this rule alone, in the project of its scope. */
static void hold(void *arg)
{
    struct rule_trial *h = arg;
    warder_decision *d = h->decision;
    struct decide_options o = decision_options(d);
    struct verdict v;

    if (rule_more(&h->audit->rule)->scope.len)
        d->call.project_id = rule_more(&h->audit->rule)->scope;
    o.book = &h->audit->trial;
    disk_begin(&d->disk, &d->arena, d->disk.memory);
    decide(&d->arena, &o, &d->call, &v);
    count_matches(h, &v);
}

static void look_at(struct audit *a, struct audited *item)
{
    struct rule_trial h = {.audit = a, .out = item};

    if (engine_ask(a->service->engine, "Bash", item->command, &h.decision, NULL) != WARDER_OK)
        return;
    item->now = warder_behavior_name(warder_decision_behavior(h.decision));
    a->failed |= !decision_try(h.decision, hold, &h);
    warder_decision_free(h.decision);
}

static void look_at_all(struct audit *a, struct audited_list *list)
{
    for (size_t i = 0; i < list->count && !a->failed; i++)
        look_at(a, &list->items[i]);
}

/* ---- the rule ---- */

static warder_outcome find_rule(struct audit *a, struct str id, warder_error *err)
{
    const struct rules *rules = &a->held.project->book->rules;

    for (size_t i = 0; i < rules->count; i++)
        if (str_eq(rules_id(&rules->items[i]), id)) {
            a->rule = rules->items[i];
            return WARDER_DONE;
        }
    return outcome_say(err, WARDER_NOT_FOUND, "no rule \"%.60s\" is in force", id.s);
}

static warder_outcome make_rule(struct audit *a, warder_error *err)
{
    struct str type = value_text(&a->body, "type"), scope = value_text(&a->body, "scope");
    struct stored_rule r = {.pattern = value_text(&a->body, "pattern"),
                            .scope = scope.len ? scope : STR(STORED_GLOBAL),
                            .effect = BEHAVIOR_ALLOW};
    struct error inner = {0};

    if (!r.pattern.len)
        return outcome_say(err, WARDER_INVALID,
                           "an audit needs the \"id\" of a rule, or a \"pattern\"");
    if (type.len && !stored_type_read(type, &r.effect))
        return outcome_say(err, WARDER_INVALID, RULES_TYPE_UNKNOWN);
    warder_outcome outcome = rules_take_long_form(&a->arena, &a->body, &r, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if (stored_rule_parse(&a->arena, &a->regexes, &r, &a->rule, &inner) != STATUS_OK)
        return outcome_say(err, WARDER_INVALID, "\"%.80s\": %s (byte %u of the pattern)",
                           r.pattern.s, inner.message, inner.column);
    return WARDER_DONE;
}

/* ---- the commands ---- */

static void take_listed(void *arg)
{
    struct audit *a = arg;
    const struct value *list = value_get(&a->body, "commands");

    for (size_t i = 0; list && i < list->count; i++)
        LIST_PUSH(&a->arena, &a->listed, (struct audited){.command = list->items[i].text});
}

static warder_outcome read_listed(struct audit *a, warder_error *err)
{
    const struct value *list = value_get(&a->body, "commands");

    if (!list || list->kind == VALUE_NULL)
        return WARDER_DONE;
    if (list->kind != VALUE_ARRAY || list->count > AUDIT_LISTED_MAX)
        return outcome_say(err, WARDER_INVALID, "\"commands\" must be a list of at most %u strings",
                           AUDIT_LISTED_MAX);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != VALUE_STRING)
            return outcome_say(err, WARDER_INVALID, "\"commands\" must be a list of strings");
    return arena_try(&a->arena, take_listed, a) ? WARDER_DONE
                                                : outcome_say(err, WARDER_FAILED, "out of memory");
}

struct past_row {
    struct audit *audit;
    const struct index_row *row;
};

static void take_past(void *arg)
{
    struct past_row *t = arg;
    struct arena *a = &t->audit->arena;
    const struct index_row *row = t->row;

    LIST_PUSH(a, &t->audit->past,
              (struct audited){.command = str_copy(a, row->command),
                               .decision = str_copy(a, row->decision),
                               .at = str_copy(a, row->at),
                               .id = str_copy(a, row->id)});
}

static bool visit(const struct index_row *row, void *context)
{
    struct audit *a = context;
    struct past_row t = {a, row};
    const struct tool *tool = tool_find(row->tool);

    a->looked_at++;
    if (tool && tool->kind == TOOL_SHELL && row->command.len)
        a->failed |= !arena_try(&a->arena, take_past, &t);
    turns_rest();
    return !a->failed;
}

static warder_outcome read_times(struct audit *a, struct index_filter *f, warder_error *err)
{
    const struct value *limit = value_get(&a->body, "limit");
    struct str since = value_text(&a->body, "since");
    int64_t n = AUDIT_PAST, ms;

    if (limit && limit->kind != VALUE_NULL &&
        (!value_integer(limit, &n) || n < 0 || n > AUDIT_PAST_MAX))
        return outcome_say(err, WARDER_INVALID, "\"limit\" must be 0 to %u records",
                           AUDIT_PAST_MAX);
    if (since.len && !stamp_parse_since(since, a->service->wall(), &ms))
        return outcome_say(err, WARDER_INVALID,
                           "\"since\" must be a time such as 2026-01-31T12:00:00Z or 24h");
    if (since.len)
        stamp_print(ms, f->since);
    f->limit = (size_t)n;
    return WARDER_DONE;
}

static warder_outcome read_past(struct audit *a, warder_error *err)
{
    struct index_filter f = {0};
    struct index *index = NULL;
    struct error inner = {0};
    char *notice = NULL;
    warder_outcome outcome = read_times(a, &f, err);

    if (outcome != WARDER_DONE || !f.limit)
        return outcome;
    enum status status =
        index_open_sqlite(a->service->data, SERVICE_BUSY_MS, &index, &notice, &inner);
    if (status == STATUS_OK)
        status = index_follow(index, a->service->data, &inner);
    if (status == STATUS_OK)
        status = index->kind->find(index, &f, visit, a, &inner);
    index_close(index);
    free(notice);
    return status == STATUS_OK ? WARDER_DONE : outcome_failed(err, &inner);
}

/* ---- the report ---- */

static void write_one(struct report *r, const struct audited *item)
{
    json_begin_object(&r->json);
    report_member(r, "command", item->command);
    if (item->id.len) {
        report_member(r, "decision_id", item->id);
        report_member(r, "decision", item->decision);
        report_member(r, "timestamp", item->at);
    }
    json_key(&r->json, "matches");
    json_bool(&r->json, item->matched > 0);
    json_key(&r->json, "covers");
    json_bool(&r->json, item->matched > 0 && item->matched == item->actions);
    report_number(r, "actions", (int64_t)item->actions);
    report_number(r, "matched", (int64_t)item->matched);
    report_member(r, "now", str_from(item->now));
    json_end_object(&r->json);
}

static void write_all(struct report *r, const char *key, const struct audited_list *list,
                      bool matches_only)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < list->count; i++)
        if (!matches_only || list->items[i].matched)
            write_one(r, &list->items[i]);
    json_end_array(&r->json);
}

static void write_audit(struct report *r, const void *about)
{
    const struct audit *a = about;

    json_begin_object(&r->json);
    json_key(&r->json, "rule");
    rules_write_other(&r->json, &a->rule);
    write_all(r, "commands", &a->listed, false);
    write_all(r, "past", &a->past, true);
    report_number(r, "past_looked_at", (int64_t)a->looked_at);
    json_key(&r->json, "past_redacted"); /* the secrets of a past command were not matched */
    json_bool(&r->json, true);
    json_end_object(&r->json);
}

static void make_trial(struct audit *a)
{
    a->trial = *a->held.project->book;
    a->trial.rules = (struct rules){.items = &a->rule, .count = 1};
    a->trial.index = NULL;
    a->trial.hooks = (struct hooks){0};
}

static warder_outcome read_request(struct audit *a, struct str json, warder_error *err)
{
    static const char *const keys[] = {"id",    "pattern", "type",     "scope", "regex",
                                       "flags", "paths",   "commands", "since", "limit"};
    warder_outcome outcome = service_body(&a->arena, json, keys, COUNT(keys), &a->body, err);

    if (outcome == WARDER_DONE)
        outcome = value_get(&a->body, "id") ? find_rule(a, value_text(&a->body, "id"), err)
                                            : make_rule(a, err);
    if (outcome == WARDER_DONE)
        outcome = read_listed(a, err);
    return outcome == WARDER_DONE ? read_past(a, err) : outcome;
}

static warder_outcome run(struct audit *a, struct str json, warder_report **out, warder_error *err)
{
    warder_outcome outcome = read_request(a, json, err);

    if (outcome != WARDER_DONE)
        return outcome;
    make_trial(a);
    look_at_all(a, &a->listed);
    look_at_all(a, &a->past);
    if (a->failed)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    return report_make_line(write_audit, a, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}

warder_outcome warder_service_rule_audit(warder_service *s, const warder_caller *caller,
                                         const char *json, size_t len, warder_report **out,
                                         warder_error *err)
{
    struct audit a = {.service = s};

    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or audit");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    if (policy_borrow(s->engine, &a.held, err) != WARDER_OK)
        return WARDER_FAILED;
    arena_init(&a.arena, AUDIT_MEMORY_MAX);
    warder_outcome outcome = run(&a, (struct str){json, len}, out, err);
    snapshot_drop(a.held.snapshot);
    regexes_release(&a.regexes);
    arena_release(&a.arena);
    return outcome;
}
