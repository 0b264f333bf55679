/* service_rules.c - how rules are added, changed, removed and promoted. */
#include "lib/service_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "decide/decide.h"
#include "lib/world.h"
#include "policy/document.h"
#include "policy/state.h"
#include "policy/text.h"
#include "record/redact.h"
#include "rule/lint.h"
#include "rule/suggest.h"

#define CHANGE_MEMORY_MAX ((size_t)64 * 1024 * 1024)
#define RULE_ID_BYTES     8
#define PROMOTED_MAX      16 /* rules that one promotion may make: a command line with more parts wants a written rule */

/* ---- the file ---- */

struct reading_file {
    struct arena *arena;
    struct str text;
    struct stored_rules *out;
    struct error *err;
    enum status status;
};

static void read_rules(void *arg)
{
    struct reading_file *r = arg;
    struct value *document = ARENA_NEW(r->arena, struct value);

    r->status = document_read(r->arena, SYNTAX_JSON, r->text, document, r->err);
    if (r->status == STATUS_OK)
        r->status = stored_parse(r->arena, document, r->out, r->err);
}

enum status rules_file_read(warder_service *s, struct arena *a, struct rules_file *out, struct error *err)
{
    struct reading_file r = {.arena = a, .out = &out->rules, .err = err};
    char *text = NULL;

    *out = (struct rules_file){.directory = -1};
    enum status status = state_open(s->data, NULL, &out->directory, err);
    if (status == STATUS_OK)
        status = state_read(out->directory, STORED_NAME, POLICY_TEXT_MAX, &text, &r.text.len, err);
    r.text.s = text;
    if (status == STATUS_OK && text)
        status = arena_try(a, read_rules, &r) ? r.status : fail(err, STATUS_NOMEM, "out of memory");
    free(text);
    return status;
}

void rules_file_close(struct rules_file *f)
{
    if (f->directory >= 0)
        close(f->directory);
    f->directory = -1;
}

/* ---- one change ---- */

struct change {
    warder_service *service;
    const warder_caller *caller;
    struct arena arena;
    struct rules_file file;
    const char *action;
    const struct stored_rule *before; /* NULL: added */
    struct stored_rules after;        /* what is new or changed; empty: removed */
    struct str text;                  /* of the new file */
    struct strs warnings;
    warder_decision *proof; /* a call that must be accepted then; NULL: none */
    struct policy *policy;  /* that would hold */
    bool accepted;
    struct error err;
    enum status status;
};

static struct str stamp_text(struct arena *a, int64_t ms)
{
    char at[STAMP_SIZE];

    stamp_print(ms, at);
    return str_copy(a, str_from(at));
}

static struct str caller_text(struct arena *a, const warder_caller *c)
{
    return c->name[0] ? str_format(a, "%s (%s)", c->name, c->id) : str_copy(a, str_from(c->id));
}

/* The file with the change. What has a cooldown is proved as if it were over. */
static struct str text_with(struct change *c, bool acting)
{
    struct stored_rules all = {0};
    bool placed = false;

    for (size_t i = 0; i < c->file.rules.count; i++) {
        const struct stored_rule *r = &c->file.rules.items[i];
        if (r != c->before) {
            LIST_PUSH(&c->arena, &all, *r);
        } else if (c->after.count) {
            LIST_PUSH(&c->arena, &all, c->after.items[0]);
            placed = true;
        }
    }
    for (size_t i = placed; i < c->after.count; i++)
        LIST_PUSH(&c->arena, &all, c->after.items[i]);
    for (size_t i = 0; acting && i < all.count; i++)
        all.items[i].acts_from = 0;
    return stored_print(&c->arena, &all);
}

struct printing {
    struct change *change;
    bool acting;
    struct str text;
};

static void print(void *arg)
{
    struct printing *p = arg;

    p->text = text_with(p->change, p->acting);
}

static enum status print_file(struct change *c, bool acting, struct str *out)
{
    struct printing p = {.change = c, .acting = acting};

    if (!arena_try(&c->arena, print, &p))
        return fail(&c->err, STATUS_NOMEM, "out of memory");
    *out = p.text;
    if (p.text.len > POLICY_TEXT_MAX)
        return fail(&c->err, STATUS_LIMIT, "the rules would take more than %zu bytes", POLICY_TEXT_MAX);
    return STATUS_OK;
}

/* ---- the proof ---- */

static bool is_new(const struct change *c, struct str id)
{
    for (size_t i = 0; i < c->after.count; i++)
        if (str_eq(c->after.items[i].id, id))
            return true;
    return false;
}

static void lint(void *arg)
{
    struct change *c = arg;
    struct lint_findings findings = {0};
    const struct rules *rules = &c->policy->book.rules;

    for (size_t i = 0; i < rules->count; i++)
        if (is_new(c, rule_more(&rules->items[i])->id))
            rule_lint(&c->arena, rules, i, &findings);
    c->warnings = (struct strs){0};
    for (size_t i = 0; i < findings.count; i++)
        LIST_PUSH(&c->arena, &c->warnings,
                  str_format(&c->arena, "%s: %.*s", findings.items[i].name, STR_ARG(findings.items[i].message)));
}

static void judge(void *arg)
{
    struct change *c = arg;
    struct decide_options o = decision_options(c->proof);
    struct verdict v;

    o.book = &c->policy->book;
    decide(&c->arena, &o, &c->proof->call, &v);
    c->accepted = v.behavior == BEHAVIOR_ALLOW;
}

/* The policy as it would be, in the project that the change is about. */
static warder_outcome prove(struct change *c, warder_error *err)
{
    const warder_engine *e = c->service->engine;
    struct snapshot *now = gate_take(&c->service->engine->gate);
    struct policy_request request = engine_request(e, now->profile, c->proof ? c->proof->call.project : e->project);
    const struct problem *broken;

    snapshot_drop(now);
    c->status = print_file(c, true, &request.rules_text);
    if (c->status == STATUS_LIMIT)
        return outcome_say(err, WARDER_FULL, "%s", c->err.message);
    if (c->status == STATUS_OK)
        c->status = policy_open(&request, &c->policy, &c->err);
    if (c->status != STATUS_OK)
        return outcome_failed(err, &c->err);
    broken = rulebook_broken(&c->policy->book);
    if (broken)
        return outcome_say(err, str_eq(broken->file, e->request.rules_file) ? WARDER_INVALID : WARDER_CONFLICT,
                           "%.80s:%u: %.120s", broken->file.s, broken->line, broken->message.s);
    if (!arena_try(&c->arena, lint, c) || (c->proof && !arena_try(&c->arena, judge, c)))
        return outcome_say(err, WARDER_FAILED, "out of memory");
    if (c->proof && !c->accepted)
        return outcome_say(err, WARDER_INVALID, "with this rule the call would still not be accepted");
    return WARDER_DONE;
}

/* An allow that cannot be read is left out with a warning when a policy is read; here a person is there to mend it. */
static warder_outcome parse_all(struct change *c, warder_error *err)
{
    for (size_t i = 0; i < c->after.count; i++) {
        struct rule rule;
        struct error inner = {0};
        if (stored_rule_parse(&c->arena, &c->after.items[i], &rule, &inner) != STATUS_OK)
            return outcome_say(err, WARDER_INVALID, "\"%.80s\": %s (byte %u of the pattern)",
                               c->after.items[i].pattern.s, inner.message, inner.column);
    }
    return WARDER_DONE;
}

/* ---- the record of it ---- */

/* A pattern may hold a secret that somebody wants to be denied. */
static struct stored_rule redacted(struct arena *a, const struct stored_rule *r)
{
    struct stored_rule copy = *r;

    copy.pattern = redact_command(a, r->pattern, NULL);
    copy.reason = redact_text(a, r->reason);
    return copy;
}

static void object(struct json_writer *w, const char *key, struct arena *a, const struct stored_rule *r)
{
    json_key(w, key);
    if (!r) {
        json_null(w);
        return;
    }
    const struct stored_rule clean = redacted(a, r);
    json_begin_object(w);
    stored_members(w, &clean, true);
    json_end_object(w);
}

static void write_change(void *arg)
{
    struct change *c = arg;
    struct buf b = buf_in(&c->arena);
    struct json_writer w = json_to(&b);
    const struct stored_rule *after = c->after.count ? &c->after.items[0] : NULL;

    json_begin_object(&w);
    json_key(&w, "kind");
    json_text(&w, STR("rule"));
    json_key(&w, "action");
    json_text(&w, str_from(c->action));
    json_key(&w, "rule_id");
    json_text(&w, after ? after->id : c->before->id);
    json_key(&w, "by");
    json_text(&w, caller_text(&c->arena, c->caller));
    object(&w, "before", &c->arena, c->before);
    object(&w, "after", &c->arena, after);
    json_end_object(&w);
    c->text = buf_str(&b);
}

/* One record for each rule; what several promoted rules share is written in each. */
static enum status record(struct change *c, struct str *event)
{
    struct stored_rules all = c->after;
    size_t count = all.count ? all.count : 1;
    struct str bodies[PROMOTED_MAX];

    for (size_t i = 0; i < count; i++) {
        c->after = all.count ? (struct stored_rules){&all.items[i], 1, 1} : all;
        bool written = arena_try(&c->arena, write_change, c);
        c->after = all;
        if (!written)
            return fail(&c->err, STATUS_NOMEM, "out of memory");
        bodies[i] = str_slice(c->text, 1, c->text.len - 1);
    }
    *event = c->text;
    enum status status = recorder_append(c->service->engine->recorder, NULL, bodies, count, &c->err);
    c->service->journal_error = status == STATUS_OK ? (struct error){0} : c->err;
    return status;
}

static void record_failure(struct change *c)
{
    struct str body;

    c->action = "not written";
    if (arena_try(&c->arena, write_change, c)) {
        body = str_slice(c->text, 1, c->text.len - 1);
        (void)recorder_append(c->service->engine->recorder, NULL, &body, 1, NULL);
    }
}

/* ---- the whole way ---- */

static warder_outcome apply(struct change *c, warder_error *err)
{
    warder_service *s = c->service;
    struct str text = {0}, event = {0};
    warder_outcome outcome = parse_all(c, err);

    if (outcome == WARDER_DONE)
        outcome = prove(c, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if ((c->status = print_file(c, false, &text)) != STATUS_OK || (c->status = record(c, &event)) != STATUS_OK)
        return outcome_failed(err, &c->err);
    if ((c->status = state_replace(c->file.directory, STORED_NAME, text, &c->err)) != STATUS_OK) {
        record_failure(c);
        return outcome_failed(err, &c->err);
    }
    events_add(s, "rules", "change", event);
    (void)service_reload(s, NULL);
    rules_note_times(s);
    return WARDER_DONE;
}

static warder_outcome begin(struct change *c, warder_error *err)
{
    arena_init(&c->arena, CHANGE_MEMORY_MAX);
    c->status = rules_file_read(c->service, &c->arena, &c->file, &c->err);
    if (c->status == STATUS_OK)
        return WARDER_DONE;
    return outcome_say(err, WARDER_CONFLICT, "%s/" STORED_NAME " cannot be read, mend it first: %.120s",
                       "the data directory", c->err.message);
}

static void end(struct change *c)
{
    rules_file_close(&c->file);
    policy_free(c->policy);
    arena_release(&c->arena);
}

/* ---- what a request says ---- */

static const char *const rule_keys[] = {"pattern", "type", "reason", "scope", "cooldown"};

static warder_outcome take_text(const struct value *body, const char *key, size_t most, struct str *out,
                                warder_error *err)
{
    const struct value *v = value_get(body, key);

    if (!v || v->kind == VALUE_NULL)
        return WARDER_DONE;
    if (v->kind != VALUE_STRING || str_has(v->text, '\0'))
        return outcome_say(err, WARDER_INVALID, "\"%s\" must be a text", key);
    if (v->text.len > most)
        return outcome_say(err, WARDER_INVALID, "\"%s\" has more than %zu bytes", key, most);
    *out = v->text;
    return WARDER_DONE;
}

static warder_outcome take_type(const struct value *body, struct stored_rule *r, warder_error *err)
{
    const struct value *v = value_get(body, "type");

    if (!v)
        return WARDER_DONE;
    if (v->kind != VALUE_STRING || (!str_is(v->text, "accept") && !str_is(v->text, "deny")))
        return outcome_say(err, WARDER_INVALID, "\"type\" is accept or deny");
    r->effect = str_is(v->text, "accept") ? BEHAVIOR_ALLOW : BEHAVIOR_DENY;
    return WARDER_DONE;
}

static warder_outcome take_cooldown(warder_service *s, const struct value *body, struct stored_rule *r,
                                    warder_error *err)
{
    const struct value *v = value_get(body, "cooldown");
    int64_t seconds;

    if (!v || v->kind == VALUE_NULL)
        return WARDER_DONE;
    if (!value_integer(v, &seconds) || seconds < 0 || seconds > SERVICE_COOLDOWN_MAX)
        return outcome_say(err, WARDER_INVALID, "\"cooldown\" is 0 to %d seconds", SERVICE_COOLDOWN_MAX);
    r->acts_from = seconds ? s->wall() / 1000 + seconds : 0;
    return WARDER_DONE;
}

static warder_outcome take_rule(warder_service *s, const struct value *body, struct stored_rule *r, warder_error *err)
{
    warder_outcome outcome = take_text(body, "pattern", RULE_MAX_TEXT, &r->pattern, err);

    if (outcome == WARDER_DONE)
        outcome = take_text(body, "reason", STORED_TEXT_MAX, &r->reason, err);
    if (outcome == WARDER_DONE)
        outcome = take_text(body, "scope", STORED_TEXT_MAX, &r->scope, err);
    if (outcome == WARDER_DONE)
        outcome = take_type(body, r, err);
    if (outcome == WARDER_DONE)
        outcome = take_cooldown(s, body, r, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if (!r->pattern.len || !r->scope.len)
        return outcome_say(err, WARDER_INVALID, "a rule needs \"pattern\", \"type\" and \"scope\"");
    if (r->effect == BEHAVIOR_DENY && !r->reason.len)
        return outcome_say(err, WARDER_INVALID, "a deny rule needs a \"reason\"");
    if (r->effect == BEHAVIOR_DENY && r->acts_from)
        return outcome_say(err, WARDER_INVALID, "\"cooldown\" is for accept rules: a deny acts at once");
    return WARDER_DONE;
}

/* ---- what is told ---- */

static void rule_members(struct json_writer *w, const struct stored_rule *r, int64_t now)
{
    char at[STAMP_SIZE];

    stored_members(w, r, false);
    json_key(w, "source");
    json_text(w, STR("service"));
    json_key(w, "active");
    json_bool(w, r->acts_from <= now / 1000);
    if (r->acts_from > now / 1000) {
        stamp_print(r->acts_from * 1000, at);
        json_key(w, "acts_from");
        json_text(w, str_from(at));
    }
}

void rules_write_stored(struct json_writer *w, const struct stored_rule *r, int64_t now)
{
    json_begin_object(w);
    rule_members(w, r, now);
    json_end_object(w);
}

static void show_change(struct report *r, const void *about)
{
    const struct change *c = about;
    const struct stored_rule *rule = c->after.count ? &c->after.items[0] : c->before;

    json_begin_object(&r->json);
    rule_members(&r->json, rule, c->service->wall());
    json_key(&r->json, "rule");
    rules_write_stored(&r->json, rule, c->service->wall());
    json_key(&r->json, "action");
    json_text(&r->json, str_from(c->action));
    json_key(&r->json, "warnings");
    json_begin_array(&r->json);
    for (size_t i = 0; i < c->warnings.count; i++)
        json_text(&r->json, c->warnings.items[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
    buf_format(&r->text, "%s %.*s\n", c->action, STR_ARG(rule->id));
    r->warnings = c->warnings.count;
}

/* The change has happened: that it cannot be shown undoes nothing. */
static warder_outcome show(const struct change *c, warder_report **out, warder_error *err)
{
    if (report_make_line(show_change, c, out, err) != WARDER_OK)
        return service_empty_report(out, err);
    return WARDER_DONE;
}

/* ---- add ---- */

struct adding {
    struct change *change;
    struct stored_rule rule;
};

static void add_rule(void *arg)
{
    struct adding *a = arg;
    struct change *c = a->change;
    uint64_t bits = 0;

    c->status = STATUS_OK;
    if (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
        c->status = fail(&c->err, STATUS_IO, "the system has no random bytes");
        return;
    }
    a->rule.id = str_format(&c->arena, "rule_%016llx", (unsigned long long)bits);
    a->rule.created_at = stamp_text(&c->arena, c->service->wall());
    a->rule.created_by = caller_text(&c->arena, c->caller);
    LIST_PUSH(&c->arena, &c->after, a->rule);
}

static warder_outcome push(struct change *c, const struct stored_rule *rule, warder_error *err)
{
    struct adding a = {c, *rule};

    if (c->file.rules.count + c->after.count >= STORED_RULES_MAX)
        return outcome_say(err, WARDER_FULL, "there are %zu rules already", STORED_RULES_MAX);
    if (!arena_try(&c->arena, add_rule, &a))
        c->status = fail(&c->err, STATUS_NOMEM, "out of memory");
    return c->status == STATUS_OK ? WARDER_DONE : outcome_failed(err, &c->err);
}

static warder_outcome add(struct change *c, struct str json, warder_report **out, warder_error *err)
{
    struct value body;
    struct stored_rule rule = {.effect = BEHAVIOR_DENY};
    warder_outcome outcome = begin(c, err);

    if (outcome == WARDER_DONE)
        outcome = service_body(&c->arena, json, rule_keys, COUNT(rule_keys), &body, err);
    if (outcome == WARDER_DONE && !value_get(&body, "type"))
        outcome = outcome_say(err, WARDER_INVALID, "a rule needs \"pattern\", \"type\" and \"scope\"");
    if (outcome == WARDER_DONE)
        outcome = take_rule(c->service, &body, &rule, err);
    if (outcome == WARDER_DONE)
        outcome = push(c, &rule, err);
    if (outcome == WARDER_DONE)
        outcome = apply(c, err);
    return outcome == WARDER_DONE ? show(c, out, err) : outcome;
}

static warder_outcome may_change(warder_service *s, const warder_caller *caller, warder_report **out, warder_error *err)
{
    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "there is no service, or no place for the report");
    *out = NULL;
    return caller_is(caller, WARDER_OPERATOR) ? WARDER_DONE : outcome_forbidden(err, "operators");
}

warder_outcome warder_service_rule_add(warder_service *s, const warder_caller *caller, const char *json, size_t len,
                                       warder_report **out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "added", .file = {.directory = -1}};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = add(&c, (struct str){json, len}, out, err);
    end(&c);
    return outcome;
}

/* ---- change and remove ---- */

static bool is_elsewhere(warder_service *s, struct str id)
{
    struct held held;
    bool found = false;

    if (held_take(s->engine, &held, NULL) != WARDER_OK)
        return false;
    const struct rules *rules = &held.project->book->rules;
    for (size_t i = 0; i < rules->count && !found; i++)
        found =
            rules->items[i].source != SOURCE_RUNTIME &&
            str_eq(rule_more(&rules->items[i])->id.len ? rule_more(&rules->items[i])->id : rules->items[i].text, id);
    snapshot_drop(held.snapshot);
    return found;
}

static warder_outcome find_rule(struct change *c, const char *id, warder_error *err)
{
    for (size_t i = 0; i < c->file.rules.count && !c->before; i++)
        if (str_is(c->file.rules.items[i].id, id))
            c->before = &c->file.rules.items[i];
    if (c->before)
        return WARDER_DONE;
    if (is_elsewhere(c->service, str_from(id)))
        return outcome_say(err, WARDER_CONFLICT, "rule \"%.60s\" was not added here: it cannot be changed here", id);
    return outcome_say(err, WARDER_NOT_FOUND, "there is no rule \"%.60s\"", id);
}

static void update_rule(void *arg)
{
    struct adding *a = arg;
    struct change *c = a->change;

    a->rule.updated_at = stamp_text(&c->arena, c->service->wall());
    a->rule.updated_by = caller_text(&c->arena, c->caller);
    LIST_PUSH(&c->arena, &c->after, a->rule);
}

static warder_outcome change_rule(struct change *c, const char *id, struct str json, warder_report **out,
                                  warder_error *err)
{
    struct value body;
    struct adding a = {.change = c};
    warder_outcome outcome = begin(c, err);

    if (outcome == WARDER_DONE)
        outcome = find_rule(c, id, err);
    if (outcome == WARDER_DONE)
        outcome = service_body(&c->arena, json, rule_keys, COUNT(rule_keys), &body, err);
    if (outcome != WARDER_DONE)
        return outcome;
    a.rule = *c->before;
    outcome = take_rule(c->service, &body, &a.rule, err);
    if (outcome == WARDER_DONE && !arena_try(&c->arena, update_rule, &a))
        outcome = outcome_say(err, WARDER_FAILED, "out of memory");
    if (outcome == WARDER_DONE)
        outcome = apply(c, err);
    return outcome == WARDER_DONE ? show(c, out, err) : outcome;
}

warder_outcome warder_service_rule_change(warder_service *s, const warder_caller *caller, const char *id,
                                          const char *json, size_t len, warder_report **out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "changed", .file = {.directory = -1}};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = change_rule(&c, id ? id : "", (struct str){json, len}, out, err);
    end(&c);
    return outcome;
}

warder_outcome warder_service_rule_remove(warder_service *s, const warder_caller *caller, const char *id,
                                          warder_report **out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "removed", .file = {.directory = -1}};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = begin(&c, err);
    if (outcome == WARDER_DONE)
        outcome = find_rule(&c, id ? id : "", err);
    if (outcome == WARDER_DONE)
        outcome = apply(&c, err);
    if (outcome == WARDER_DONE)
        outcome = show(&c, out, err);
    end(&c);
    return outcome;
}

/* ---- promote ---- */

struct suggesting {
    struct arena *arena;
    const warder_decision *decision;
    struct strs patterns;
    bool unsayable, secret;
};

/* To the letter: each part of the command that nothing else clears. */
static void suggest(void *arg)
{
    struct suggesting *job = arg;
    struct arena *a = job->arena;
    const struct verdict *v = &job->decision->verdict;

    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++) {
        const struct action *action = &v->facts->actions.items[i];
        if (v->cleared_by && v->cleared_by[i])
            continue;
        struct rule_env env = facts_env(v->facts, action);
        enum dialect dialect = action->subject.shell ? DIALECT_ACTION : DIALECT_WARDER;
        struct str pattern = rule_suggest(a, &action->subject, dialect, &env, false);
        job->unsayable |= !pattern.len;
        job->secret |= !str_eq(redact_command(a, pattern, NULL), pattern);
        if (pattern.len && !strs_has(&job->patterns, pattern))
            LIST_PUSH(a, &job->patterns, pattern);
    }
}

static bool can_be_said(const struct suggesting *job)
{
    return !job->unsayable && !job->secret && job->patterns.count && job->patterns.count <= PROMOTED_MAX;
}

void rules_suggest(warder_service *s, const struct waiting *w, struct arena *a, struct strs *patterns)
{
    struct suggesting job = {.arena = a};
    warder_decision *d = NULL;

    *patterns = (struct strs){0};
    if (!w || !w->call || engine_open_call(s->engine, (struct str){w->call, w->call_len}, &d, NULL) != WARDER_OK)
        return;
    job.decision = d;
    if (d->book && arena_try(&d->arena, decision_judge, d) && arena_try(a, suggest, &job) && can_be_said(&job))
        *patterns = job.patterns;
    warder_decision_free(d);
}

static warder_outcome promote_exactly(struct change *c, const struct stored_rule *as, warder_error *err)
{
    struct suggesting job = {.arena = &c->arena, .decision = c->proof};
    warder_outcome outcome = WARDER_DONE;

    if (!arena_try(&c->arena, suggest, &job))
        return outcome_say(err, WARDER_FAILED, "out of memory");
    if (job.secret)
        return outcome_say(err, WARDER_INVALID,
                           "the command holds a secret, which a rule would keep: write the rule yourself");
    if (!can_be_said(&job))
        return outcome_say(err, WARDER_INVALID, "no rule says exactly this command: write the rule yourself");
    for (size_t i = 0; outcome == WARDER_DONE && i < job.patterns.count; i++) {
        struct stored_rule rule = *as;
        rule.pattern = job.patterns.items[i];
        outcome = push(c, &rule, err);
    }
    return outcome;
}

static warder_outcome promote_as_written(struct change *c, const struct value *given, struct stored_rule *as,
                                         warder_error *err)
{
    static const char *const keys[] = {"pattern", "scope", "reason", "type"};
    warder_outcome outcome = WARDER_DONE;

    if (given->kind == VALUE_STRING) {
        as->pattern = given->text;
    } else if (given->kind == VALUE_OBJECT) {
        outcome = service_known_keys(given, keys, COUNT(keys), err);
        if (outcome == WARDER_DONE)
            outcome = take_rule(c->service, given, as, err);
    } else {
        outcome =
            outcome_say(err, WARDER_INVALID, "\"rule\" is a pattern, or an object with \"pattern\" and \"scope\"");
    }
    if (outcome == WARDER_DONE && as->effect != BEHAVIOR_ALLOW)
        outcome = outcome_say(err, WARDER_INVALID, "a promotion makes an accept rule");
    if (outcome == WARDER_DONE && (!as->pattern.len || as->pattern.len > RULE_MAX_TEXT || str_has(as->pattern, '\0')))
        outcome = outcome_say(err, WARDER_INVALID, "the rule needs a pattern of 1 to %d bytes", RULE_MAX_TEXT);
    return outcome == WARDER_DONE ? push(c, as, err) : outcome;
}

/* A slip of the pen must not switch everything off. */
static warder_outcome refuse_wide(const struct change *c, warder_error *err)
{
    for (size_t i = 0; i < c->warnings.count; i++)
        if (str_starts(c->warnings.items[i], STR("wider-than-it-looks:")))
            return outcome_say(err, WARDER_INVALID, "%.150s", c->warnings.items[i].s);
    return WARDER_DONE;
}

struct telling {
    const struct change *change;
    struct arena *arena;
    struct promoted *out;
};

static void tell_promoted(void *arg)
{
    struct telling *t = arg;
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

static warder_outcome promote(struct change *c, const struct promotion *p, struct arena *a, struct promoted *out,
                              warder_error *err)
{
    const struct call *call = &p->decision->call;
    struct stored_rule as = {.effect = BEHAVIOR_ALLOW,
                             .scope = call->project_id.len ? call->project_id : call->project,
                             .acts_from = p->cooldown_s ? c->service->wall() / 1000 + p->cooldown_s : 0};
    struct telling shown = {c, a, out};
    warder_outcome outcome = begin(c, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = p->rule && p->rule->kind != VALUE_NULL ? promote_as_written(c, p->rule, &as, err)
                                                     : promote_exactly(c, &as, err);
    if (outcome == WARDER_DONE)
        outcome = parse_all(c, err);
    if (outcome == WARDER_DONE)
        outcome = prove(c, err);
    if (outcome == WARDER_DONE)
        outcome = refuse_wide(c, err);
    policy_free(c->policy);
    c->policy = NULL;
    if (outcome == WARDER_DONE)
        outcome = apply(c, err);
    if (outcome == WARDER_DONE && !arena_try(a, tell_promoted, &shown))
        *out = (struct promoted){0}; /* they are in force, and cannot be shown */
    return outcome;
}

warder_outcome rules_promote(warder_service *s, const warder_caller *caller, const struct promotion *p, struct arena *a,
                             struct promoted *out, warder_error *err)
{
    struct change c = {
        .service = s, .caller = caller, .action = "promoted", .proof = p->decision, .file = {.directory = -1}};
    warder_outcome outcome = promote(&c, p, a, out, err);

    end(&c);
    return outcome;
}
