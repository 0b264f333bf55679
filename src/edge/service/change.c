/* change.c - a change of the rules: read, checked, and staged; enact.c does the rest. */
#include "service/change.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/auto.h"
#include "decide/decide.h"
#include "document/document.h"
#include "document/text.h"
#include "machine/guard.h"
#include "policy/state.h"
#include "programs/programs.h"
#include "record/redact.h"
#include "rule/lint.h"

#define CHANGE_MEMORY_MAX ((size_t)64 * 1024 * 1024)

/* ---- the file ---- */

struct rules_text {
    struct arena *arena;
    struct str text;
    struct stored_rules *out;
    struct error *err;
    enum status status;
};

static void read_rules(void *arg)
{
    struct rules_text *r = arg;
    struct value *document = ARENA_NEW(r->arena, struct value);

    r->status = document_read(r->arena, SYNTAX_JSON, r->text, document, r->err);
    if (r->status == STATUS_OK)
        r->status = stored_parse(r->arena, document, r->out, r->err);
}

static enum status parse_file(struct arena *a, struct str text, struct stored_rules *out,
                              struct error *err)
{
    struct rules_text r = {.arena = a, .text = text, .out = out, .err = err};

    *out = (struct stored_rules){0};
    return arena_try(a, read_rules, &r) ? r.status : fail(err, STATUS_NOMEM, "out of memory");
}

enum status rules_file_read(warder_service *s, struct arena *a, struct stored_rules *out,
                            struct error *err)
{
    AUTO_CLOSE int directory = -1;
    char *text = NULL;
    size_t len;

    *out = (struct stored_rules){0};
    enum status status = state_open(s->data, NULL, &directory, err);
    if (status == STATUS_OK)
        status = state_read(directory, STORED_NAME, POLICY_TEXT_MAX, &text, &len, err);
    if (status == STATUS_OK && text)
        status = parse_file(a, (struct str){text, len}, out, err);
    free(text);
    return status;
}

/* As it will be when the changes that are on their way are in force. */
static enum status read_ahead(struct change *c)
{
    const struct staged *ahead = c->service->change_ahead;

    return ahead ? parse_file(&c->arena, ahead->enacts->text, &c->file, &c->err)
                 : rules_file_read(c->service, &c->arena, &c->file, &c->err);
}

/* ---- one change ---- */

struct str change_stamp(struct arena *a, int64_t ms)
{
    char at[STAMP_SIZE];

    stamp_print(ms, at);
    return str_copy(a, str_from(at));
}

struct str change_caller(struct arena *a, const warder_caller *c)
{
    return c->name[0] ? str_format(a, "%s (%s)", c->name, c->id) : str_copy(a, str_from(c->id));
}

struct new_file {
    const struct change *change;
    bool acting;
};

/* The file with the change. For the check, cooldowns count as over. */
static void write_file(struct buf *out, const void *about)
{
    const struct new_file *f = about;
    const struct change *c = f->change;
    struct stored_rules all = {0};
    bool placed = false;

    for (size_t i = 0; i < c->file.count; i++) {
        const struct stored_rule *r = &c->file.items[i];
        if (r != c->before) {
            LIST_PUSH(out->arena, &all, *r);
        } else if (c->after.count) {
            LIST_PUSH(out->arena, &all, c->after.items[0]);
            placed = true;
        }
    }
    for (size_t i = placed; i < c->after.count; i++)
        LIST_PUSH(out->arena, &all, c->after.items[i]);
    for (size_t i = 0; f->acting && i < all.count; i++)
        all.items[i].acts_from = 0;
    stored_write(out, &all);
}

static enum status print_file(struct change *c, bool acting, struct str *out)
{
    if (!buf_try(&c->arena, write_file, &(struct new_file){c, acting}, out))
        return fail(&c->err, STATUS_NOMEM, "out of memory");
    if (out->len > POLICY_TEXT_MAX)
        return fail(&c->err, STATUS_LIMIT, "the rules would take more than %zu bytes",
                    POLICY_TEXT_MAX);
    return STATUS_OK;
}

struct new_rule {
    struct change *change;
    struct stored_rule rule;
};

static void add_rule(void *arg)
{
    struct new_rule *a = arg;
    struct change *c = a->change;
    uint64_t bits = 0;

    c->status = STATUS_OK;
    if (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
        c->status = fail(&c->err, STATUS_IO, "the system has no random bytes");
        return;
    }
    a->rule.id = str_format(&c->arena, "rule_%016llx", (unsigned long long)bits);
    a->rule.created_at = change_stamp(&c->arena, c->service->wall());
    a->rule.created_by = change_caller(&c->arena, c->caller);
    LIST_PUSH(&c->arena, &c->after, a->rule);
}

warder_outcome change_push(struct change *c, const struct stored_rule *rule, warder_error *err)
{
    struct new_rule a = {c, *rule};

    if (c->file.count + c->after.count >= STORED_RULES_MAX)
        return outcome_say(err, WARDER_FULL, "there are already %zu rules", STORED_RULES_MAX);
    if (!arena_try(&c->arena, add_rule, &a))
        c->status = fail(&c->err, STATUS_NOMEM, "out of memory");
    return c->status == STATUS_OK ? WARDER_DONE : outcome_failed(err, &c->err);
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
        if (is_new(c, rule_about(&rules->items[i])->id))
            rule_lint(&c->arena, rules, i, program_danger, program_meant, &findings);
    c->warnings = (struct strs){0};
    for (size_t i = 0; i < findings.count; i++)
        LIST_PUSH(&c->arena, &c->warnings,
                  str_format(&c->arena, "%s: %.*s", findings.items[i].name,
                             STR_ARG(findings.items[i].message)));
}

static void judge(void *arg)
{
    struct change *c = arg;
    struct decide_options o = decision_options(c->proof);
    struct verdict v;

    o.book = &c->policy->book;
    disk_begin(&c->proof->disk, &c->proof->arena, c->proof->disk.memory);
    decide(&c->arena, &o, &c->proof->call, &v);
    c->accepted = v.behavior == BEHAVIOR_ALLOW;
}

/* The policy as it would be, in the project that the change is about. */
warder_outcome change_prove(struct change *c, warder_error *err)
{
    const warder_engine *e = c->service->engine;
    struct snapshot *now = snapshot_slot_take(&c->service->engine->slot);
    struct policy_request request =
        engine_request(e, now->profile, c->proof ? c->proof->call.project : e->project);
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
        return outcome_say(
            err, str_eq(broken->file, e->request.rules_file) ? WARDER_INVALID : WARDER_CONFLICT,
            "%.80s:%u: %.120s", broken->file.s, broken->line, broken->message.s);
    if (!arena_try(&c->arena, lint, c) ||
        (c->proof && guard_try(&c->arena, judge, c) != GUARD_DONE))
        return outcome_say(err, WARDER_FAILED, "out of memory");
    if (c->proof && !c->accepted)
        return outcome_say(err, WARDER_INVALID,
                           "the call would still not be accepted with this rule");
    return WARDER_DONE;
}

/* When a policy is read, an invalid allow is skipped with a warning. Here a person can correct it,
 * so it is an error. */
warder_outcome change_parse(struct change *c, warder_error *err)
{
    struct regexes regexes = {0};
    warder_outcome outcome = WARDER_DONE;

    for (size_t i = 0; outcome == WARDER_DONE && i < c->after.count; i++) {
        struct rule rule;
        struct error inner = {0};
        if (stored_rule_parse(&c->arena, &regexes, &c->after.items[i], &rule, &inner) != STATUS_OK)
            outcome = outcome_say(err, WARDER_INVALID, "\"%.80s\": %s (byte %u of the pattern)",
                                  c->after.items[i].pattern.s, inner.message, inner.column);
    }
    regexes_release(&regexes);
    return outcome;
}

/* ---- the record of it ---- */

/* A deny pattern may contain the secret that it protects. */
static struct stored_rule redacted(struct arena *a, const struct stored_rule *r)
{
    struct stored_rule copy = *r;

    copy.pattern = redact_command(a, r->pattern, NULL);
    copy.reason = redact_text(a, r->reason);
    copy.regex = redact_text(a, r->regex);
    return copy;
}

static void object(struct json_writer *w, const char *key, struct arena *a,
                   const struct stored_rule *r)
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

struct change_record {
    const struct change *change;
    const struct stored_rule *after; /* NULL: it was removed */
};

static void write_record(struct json_writer *w, const void *about)
{
    const struct change_record *r = about;
    const struct change *c = r->change;
    struct arena *a = w->out->arena;

    json_begin_object(w);
    json_text_member(w, "kind", STR("rule"));
    json_text_member(w, "action", str_from(c->action));
    json_text_member(w, "rule_id", r->after ? r->after->id : c->before->id);
    json_text_member(w, "by", change_caller(a, c->caller));
    object(w, "before", a, c->before);
    object(w, "after", a, r->after);
    json_end_object(w);
}

static struct str without_braces(struct str object)
{
    return str_slice(object, 1, object.len - 1);
}

/* One record per rule; what several promoted rules share is repeated in each. */
static enum status write_records(struct change *c, struct str bodies[PROMOTED_MAX],
                                 struct enactment *e)
{
    size_t count = c->after.count ? c->after.count : 1;

    for (size_t i = 0; i < count; i++) {
        const struct change_record r = {c, c->after.count ? &c->after.items[i] : NULL};
        if (!json_try(&c->arena, write_record, &r, &e->event))
            return fail(&c->err, STATUS_NOMEM, "out of memory");
        bodies[i] = without_braces(e->event);
    }
    return STATUS_OK;
}

static enum status write_undone(struct change *c, struct enactment *e)
{
    const struct change_record r = {c, c->after.count ? &c->after.items[0] : NULL};
    const char *action = c->action;

    c->action = "not written";
    bool written = json_try(&c->arena, write_record, &r, &e->undone);
    c->action = action;
    if (!written)
        return fail(&c->err, STATUS_NOMEM, "out of memory");
    e->undone = without_braces(e->undone);
    return STATUS_OK;
}

/* ---- the whole way ---- */

warder_outcome change_apply(struct change *c, warder_error *err)
{
    struct enactment e = {.kind = ENACT_RULES};
    struct str bodies[PROMOTED_MAX];
    warder_outcome outcome = change_parse(c, err);

    if (outcome == WARDER_DONE)
        outcome = change_prove(c, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if ((c->status = print_file(c, false, &e.text)) != STATUS_OK ||
        (c->status = write_records(c, bodies, &e)) != STATUS_OK ||
        (c->status = write_undone(c, &e)) != STATUS_OK ||
        (c->status = service_enact(c->service, &e, bodies, c->after.count ? c->after.count : 1,
                                   &c->err)) != STATUS_OK)
        return outcome_failed(err, &c->err);
    return WARDER_DONE;
}

warder_outcome change_begin(struct change *c, warder_error *err)
{
    arena_init(&c->arena, CHANGE_MEMORY_MAX);
    c->status = read_ahead(c);
    if (c->status == STATUS_OK)
        return WARDER_DONE;
    return outcome_say(err, WARDER_CONFLICT,
                       "%s/" STORED_NAME " cannot be read, fix it first: %.120s",
                       "the data directory", c->err.message);
}

void change_end(struct change *c)
{
    policy_free(c->policy);
    arena_release(&c->arena);
}
