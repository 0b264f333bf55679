/* rules.c - how operators add, change and remove rules. */
#include "service/change.h"

/* ---- what a request says ---- */

static const char *const rule_keys[] = {"pattern", "type",  "reason",   "scope",     "regex",
                                        "flags",   "paths", "cooldown", "expires_at"};

static warder_outcome take_text(const struct value *body, const char *key, size_t most,
                                struct str *out, warder_error *err)
{
    const struct value *v = value_get(body, key);

    if (!v || v->kind == VALUE_NULL)
        return WARDER_DONE;
    if (v->kind != VALUE_STRING || str_has(v->text, '\0'))
        return outcome_say(err, WARDER_INVALID, "\"%s\" must be a string", key);
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
    if (v->kind != VALUE_STRING || !stored_type_read(v->text, &r->effect))
        return outcome_say(err, WARDER_INVALID, RULES_TYPE_UNKNOWN);
    return WARDER_DONE;
}

struct list_taken {
    struct arena *arena;
    const struct value *from;
    struct strs *to;
    bool taken;
};

static void take_items(void *arg)
{
    struct list_taken *job = arg;

    job->taken = stored_list(job->arena, job->from, job->to);
}

static warder_outcome take_list(struct arena *a, const struct value *body, const char *key,
                                struct strs *out, warder_error *err)
{
    struct list_taken job = {a, value_get(body, key), out, false};

    if (!job.from || job.from->kind == VALUE_NULL)
        return WARDER_DONE;
    if (!arena_try(a, take_items, &job))
        return outcome_say(err, WARDER_FAILED, "out of memory");
    return job.taken ? WARDER_DONE
                     : outcome_say(err, WARDER_INVALID, "\"%s\" must be a list of strings", key);
}

warder_outcome rules_take_long_form(struct arena *a, const struct value *body,
                                    struct stored_rule *r, warder_error *err)
{
    warder_outcome outcome = take_text(body, "regex", REGEX_PATTERN_MAX, &r->regex, err);

    if (outcome == WARDER_DONE)
        outcome = take_list(a, body, "flags", &r->flags, err);
    return outcome == WARDER_DONE ? take_list(a, body, "paths", &r->paths, err) : outcome;
}

static warder_outcome take_cooldown(warder_service *s, const struct value *body,
                                    struct stored_rule *r, warder_error *err)
{
    const struct value *v = value_get(body, "cooldown");
    int64_t seconds;

    if (!v || v->kind == VALUE_NULL)
        return WARDER_DONE;
    if (!value_integer(v, &seconds) || seconds < 0 || seconds > SERVICE_COOLDOWN_MAX)
        return outcome_say(err, WARDER_INVALID, "\"cooldown\" must be 0 to %d seconds",
                           SERVICE_COOLDOWN_MAX);
    r->acts_from = seconds ? s->wall() / 1000 + seconds : 0;
    return WARDER_DONE;
}

/* null takes the end away. */
static warder_outcome take_end(warder_service *s, const struct value *body, struct stored_rule *r,
                               warder_error *err)
{
    const struct value *v = value_get(body, "expires_at");
    int64_t ms = 0;

    if (!v)
        return WARDER_DONE;
    if (v->kind != VALUE_NULL && (v->kind != VALUE_STRING || !stamp_parse(v->text, &ms)))
        return outcome_say(err, WARDER_INVALID,
                           "\"expires_at\" must be a time such as 2026-01-31T12:00:00Z");
    if (v->kind != VALUE_NULL && ms / 1000 <= s->wall() / 1000)
        return outcome_say(err, WARDER_INVALID, "\"expires_at\" is over");
    r->ends_at = ms / 1000;
    return WARDER_DONE;
}

warder_outcome rules_take(warder_service *s, struct arena *a, const struct value *body,
                          struct stored_rule *r, warder_error *err)
{
    warder_outcome outcome = take_text(body, "pattern", RULE_MAX_TEXT, &r->pattern, err);

    if (outcome == WARDER_DONE)
        outcome = take_text(body, "reason", STORED_TEXT_MAX, &r->reason, err);
    if (outcome == WARDER_DONE)
        outcome = take_text(body, "scope", STORED_TEXT_MAX, &r->scope, err);
    if (outcome == WARDER_DONE)
        outcome = rules_take_long_form(a, body, r, err);
    if (outcome == WARDER_DONE)
        outcome = take_type(body, r, err);
    if (outcome == WARDER_DONE)
        outcome = take_cooldown(s, body, r, err);
    if (outcome == WARDER_DONE)
        outcome = take_end(s, body, r, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if (!r->pattern.len || !r->scope.len)
        return outcome_say(err, WARDER_INVALID, "a rule needs \"pattern\", \"type\" and \"scope\"");
    if (r->effect == BEHAVIOR_DENY && !r->reason.len)
        return outcome_say(err, WARDER_INVALID, "a deny rule needs a \"reason\"");
    if (r->effect != BEHAVIOR_ALLOW && r->acts_from)
        return outcome_say(err, WARDER_INVALID,
                           "\"cooldown\" is for allow rules: any other acts at once");
    if (r->ends_at && r->ends_at <= r->acts_from)
        return outcome_say(err, WARDER_INVALID, "the rule would end before its cooldown is over");
    return WARDER_DONE;
}

/* ---- what is told ---- */

static void time_member(struct json_writer *w, const char *key, int64_t seconds)
{
    char at[STAMP_SIZE];

    stamp_print(seconds * 1000, at);
    json_text_member(w, key, str_from(at));
}

void rules_stored_members(struct json_writer *w, const struct stored_rule *r, int64_t now)
{
    const int64_t second = now / 1000;

    stored_members(w, r, false);
    json_text_member(w, "source", STR("service"));
    json_key(w, "active");
    json_bool(w, r->acts_from <= second && (!r->ends_at || second < r->ends_at));
    if (r->acts_from > second)
        time_member(w, "acts_from", r->acts_from);
    if (r->ends_at)
        time_member(w, "expires_at", r->ends_at);
}

void rules_write_stored(struct json_writer *w, const struct stored_rule *r, int64_t now)
{
    json_begin_object(w);
    rules_stored_members(w, r, now);
    json_end_object(w);
}

static void show_change(struct report *r, const void *about)
{
    const struct change *c = about;
    const struct stored_rule *rule = c->after.count ? &c->after.items[0] : c->before;

    json_begin_object(&r->json);
    rules_stored_members(&r->json, rule, c->service->wall());
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

/* The change is staged, even if it cannot be shown. */
static warder_outcome show(const struct change *c, warder_report **out, warder_error *err)
{
    if (report_make_line(show_change, c, out, err) != WARDER_OK)
        return service_empty_report(out, err);
    return WARDER_DONE;
}

/* ---- add ---- */

static warder_outcome add(struct change *c, struct str json, warder_report **out, warder_error *err)
{
    struct value body;
    struct stored_rule rule = {.effect = BEHAVIOR_DENY};
    warder_outcome outcome = change_begin(c, err);

    if (outcome == WARDER_DONE)
        outcome = service_body(&c->arena, json, rule_keys, COUNT(rule_keys), &body, err);
    if (outcome == WARDER_DONE && !value_get(&body, "type"))
        outcome =
            outcome_say(err, WARDER_INVALID, "a rule needs \"pattern\", \"type\" and \"scope\"");
    if (outcome == WARDER_DONE)
        outcome = rules_take(c->service, &c->arena, &body, &rule, err);
    if (outcome == WARDER_DONE)
        outcome = change_push(c, &rule, err);
    if (outcome == WARDER_DONE)
        outcome = change_apply(c, err);
    return outcome == WARDER_DONE ? show(c, out, err) : outcome;
}

static warder_outcome may_change(warder_service *s, const warder_caller *caller,
                                 warder_report **out, warder_error *err)
{
    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or report");
    *out = NULL;
    return caller_is(caller, WARDER_OPERATOR) ? WARDER_DONE : outcome_forbidden(err, "operators");
}

warder_outcome warder_service_rule_add(warder_service *s, const warder_caller *caller,
                                       const char *json, size_t len, warder_report **out,
                                       warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "added"};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = add(&c, (struct str){json, len}, out, err);
    change_end(&c);
    return outcome;
}

/* ---- change and remove ---- */

static bool is_elsewhere(warder_service *s, struct str id)
{
    struct held held;
    bool found = false;

    if (policy_borrow(s->engine, &held, NULL) != WARDER_OK)
        return false;
    const struct rules *rules = &held.project->book->rules;
    for (size_t i = 0; i < rules->count && !found; i++)
        found = rules->items[i].source != SOURCE_RUNTIME && str_eq(rules_id(&rules->items[i]), id);
    snapshot_drop(held.snapshot);
    return found;
}

static warder_outcome find_rule(struct change *c, const char *id, warder_error *err)
{
    for (size_t i = 0; i < c->file.count && !c->before; i++)
        if (str_is(c->file.items[i].id, id))
            c->before = &c->file.items[i];
    if (c->before)
        return WARDER_DONE;
    if (is_elsewhere(c->service, str_from(id)))
        return outcome_say(
            err, WARDER_CONFLICT,
            "rule \"%.60s\" was not added to the service, so it cannot be changed here", id);
    return outcome_say(err, WARDER_NOT_FOUND, "no rule has the ID \"%.60s\"", id);
}

struct changed_rule {
    struct change *change;
    struct stored_rule rule;
};

static void update_rule(void *arg)
{
    struct changed_rule *a = arg;
    struct change *c = a->change;

    a->rule.updated_at = change_stamp(&c->arena, c->service->wall());
    a->rule.updated_by = change_caller(&c->arena, c->caller);
    LIST_PUSH(&c->arena, &c->after, a->rule);
}

static warder_outcome change_rule(struct change *c, const char *id, struct str json,
                                  warder_report **out, warder_error *err)
{
    struct value body;
    struct changed_rule a = {.change = c};
    warder_outcome outcome = change_begin(c, err);

    if (outcome == WARDER_DONE)
        outcome = find_rule(c, id, err);
    if (outcome == WARDER_DONE)
        outcome = service_body(&c->arena, json, rule_keys, COUNT(rule_keys), &body, err);
    if (outcome != WARDER_DONE)
        return outcome;
    a.rule = *c->before;
    outcome = rules_take(c->service, &c->arena, &body, &a.rule, err);
    if (outcome == WARDER_DONE && !arena_try(&c->arena, update_rule, &a))
        outcome = outcome_say(err, WARDER_FAILED, "out of memory");
    if (outcome == WARDER_DONE)
        outcome = change_apply(c, err);
    return outcome == WARDER_DONE ? show(c, out, err) : outcome;
}

warder_outcome warder_service_rule_change(warder_service *s, const warder_caller *caller,
                                          const char *id, const char *json, size_t len,
                                          warder_report **out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "changed"};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = change_rule(&c, id ? id : "", (struct str){json, len}, out, err);
    change_end(&c);
    return outcome;
}

warder_outcome warder_service_rule_remove(warder_service *s, const warder_caller *caller,
                                          const char *id, warder_report **out, warder_error *err)
{
    struct change c = {.service = s, .caller = caller, .action = "removed"};
    warder_outcome outcome = may_change(s, caller, out, err);

    if (outcome != WARDER_DONE)
        return outcome;
    outcome = change_begin(&c, err);
    if (outcome == WARDER_DONE)
        outcome = find_rule(&c, id ? id : "", err);
    if (outcome == WARDER_DONE)
        outcome = change_apply(&c, err);
    if (outcome == WARDER_DONE)
        outcome = show(&c, out, err);
    change_end(&c);
    return outcome;
}
