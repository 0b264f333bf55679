/* rulelist.c - lists the rules, and knows when those with a cooldown take effect. */
#include "machine/turns.h"
#include "service/rule_use.h"
#include "service/rules.h"

#define LIST_MEMORY_MAX ((size_t)64 * 1024 * 1024)

/* ---- one rule ---- */

struct str rules_id(const struct rule *r)
{
    return rule_about(r)->id.len ? rule_about(r)->id : r->text;
}

static void write_long_form(struct json_writer *w, const struct rule_more *more)
{
    struct strs paths = {0};

    json_text_member_if(w, "regex", more->regex);
    if (more->flags.count)
        json_strings(w, "flags", &more->flags);
    for (size_t i = 0; i < more->paths.count; i++)
        LIST_PUSH(w->out->arena, &paths, more->paths.items[i].text);
    if (paths.count)
        json_strings(w, "paths", &paths);
}

static void other_members(struct json_writer *w, const struct rule *r)
{
    json_text_member(w, "id", rules_id(r));
    json_text_member(w, "pattern", r->text);
    json_text_member(w, "type", str_from(stored_type(r->effect)));
    if (rule_about(r)->reason.len)
        json_text_member(w, "reason", rule_about(r)->reason);
    json_text_member(w, "scope",
                     rule_more(r)->scope.len ? rule_more(r)->scope : STR(STORED_GLOBAL));
    write_long_form(w, rule_more(r));
    json_text_member(w, "created_by", str_from(source_name(r->source)));
    json_text_member(w, "source", str_from(source_name(r->source)));
    if (r->file.len) {
        json_text_member(w, "file", r->file);
        json_key(w, "line");
        json_int(w, r->line);
        json_key(w, "column");
        json_int(w, r->column);
    }
    json_key(w, "active");
    json_bool(w, true);
}

void rules_write_other(struct json_writer *w, const struct rule *r)
{
    json_begin_object(w);
    other_members(w, r);
    json_end_object(w);
}

/* ---- all of them ---- */

struct listing {
    warder_service *service;
    struct arena arena;
    struct stored_rules file;
    struct held held;
    const char *scope, *id; /* NULL: any */
    bool in_use;            /* with how they are used, and what the linter says */
    struct rule_uses uses;
    size_t found;
};

static const struct rule *in_book(const struct listing *l, struct str id)
{
    const struct rules *rules = &l->held.project->book->rules;

    for (size_t i = 0; i < rules->count; i++)
        if (str_eq(rules_id(&rules->items[i]), id))
            return &rules->items[i];
    return NULL;
}

/* rule: NULL if it is not in force. */
static void use_members(struct json_writer *w, const struct listing *l, struct str id,
                        const struct rule *rule)
{
    if (!l->in_use)
        return;
    rule_use_members(w, &l->uses, id);
    rule_lint_member(w, &l->held.project->book->rules, rule);
    turns_rest();
}

static bool is_wanted(const struct listing *l, struct str id, struct str scope)
{
    return (!l->scope || str_is(scope.len ? scope : STR(STORED_GLOBAL), l->scope)) &&
           (!l->id || str_is(id, l->id));
}

static void write_rules(struct report *r, struct listing *l)
{
    const struct rules *others = &l->held.project->book->rules;

    for (size_t i = 0; i < l->file.count; i++) {
        const struct stored_rule *rule = &l->file.items[i];
        if (!is_wanted(l, rule->id, rule->scope))
            continue;
        json_begin_object(&r->json);
        rules_stored_members(&r->json, rule, l->service->wall());
        use_members(&r->json, l, rule->id, l->in_use ? in_book(l, rule->id) : NULL);
        json_end_object(&r->json);
        l->found++;
    }
    for (size_t i = 0; i < others->count; i++) {
        const struct rule *rule = &others->items[i];
        if (str_eq(rule->file, l->service->engine->request.rules_file) ||
            !is_wanted(l, rules_id(rule), rule_more(rule)->scope) || (l->id && l->found))
            continue;
        json_begin_object(&r->json);
        other_members(&r->json, rule);
        use_members(&r->json, l, rules_id(rule), rule);
        json_end_object(&r->json);
        l->found++;
    }
}

static void write_list(struct report *r, const void *about)
{
    struct listing *const *l = about;

    if ((*l)->id) {
        write_rules(r, *l);
        return;
    }
    json_begin_object(&r->json);
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    write_rules(r, *l);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

static warder_outcome list(struct listing *l, warder_report **out, warder_error *err)
{
    struct error inner = {0};

    if (rules_file_read(l->service, &l->arena, &l->file, &inner) != STATUS_OK ||
        (l->in_use && rule_uses_read(l->service, &l->arena, &l->uses, &inner) != STATUS_OK))
        return outcome_failed(err, &inner);
    if (policy_borrow(l->service->engine, &l->held, err) != WARDER_OK)
        return WARDER_FAILED;
    warder_status status = report_make_line(write_list, &l, out, err);
    snapshot_drop(l->held.snapshot);
    if (status != WARDER_OK)
        return WARDER_FAILED;
    if (!l->id || l->found)
        return WARDER_DONE;
    warder_report_free(*out);
    *out = NULL;
    return outcome_say(err, WARDER_NOT_FOUND, "no rule has the ID \"%.60s\"", l->id);
}

static warder_outcome look(warder_service *s, const warder_caller *caller, struct listing *l,
                           warder_report **out, warder_error *err)
{
    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or list");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    arena_init(&l->arena, LIST_MEMORY_MAX);
    warder_outcome outcome = list(l, out, err);
    arena_release(&l->arena);
    return outcome;
}

warder_outcome warder_service_rules(warder_service *s, const warder_caller *caller,
                                    const char *scope, warder_report **out, warder_error *err)
{
    struct listing l = {.service = s, .scope = scope};

    return look(s, caller, &l, out, err);
}

warder_outcome warder_service_rules_in_use(warder_service *s, const warder_caller *caller,
                                           const char *scope, warder_report **out,
                                           warder_error *err)
{
    struct listing l = {.service = s, .scope = scope, .in_use = true};

    return look(s, caller, &l, out, err);
}

warder_outcome warder_service_rule(warder_service *s, const warder_caller *caller, const char *id,
                                   warder_report **out, warder_error *err)
{
    struct listing l = {.service = s, .id = id ? id : ""};

    return look(s, caller, &l, out, err);
}

/* ---- cooldowns ---- */

void rules_note_times(warder_service *s)
{
    struct arena arena;
    struct stored_rules file;
    struct error err;
    int64_t now = s->wall() / 1000;

    s->rules_from = 0;
    arena_init(&arena, LIST_MEMORY_MAX);
    if (rules_file_read(s, &arena, &file, &err) == STATUS_OK)
        for (size_t i = 0; i < file.count; i++) {
            int64_t from = file.items[i].acts_from;
            if (from > now && (!s->rules_from || from < s->rules_from))
                s->rules_from = from;
        }
    arena_release(&arena);
}

int64_t rules_next_ms(const warder_service *s)
{
    int64_t left = s->rules_from * 1000 - s->wall();

    return !s->rules_from ? SERVICE_TICK_MS : left > 0 ? left : 0;
}

void rules_tick(warder_service *s)
{

    if (!s->rules_from || rules_next_ms(s) > 0)
        return;
    if (service_reload(s, NULL) == WARDER_OK)
        rules_changed(s);
    rules_note_times(s);
}

void rules_changed(warder_service *s)
{
    s->changes++;
    s->settles = true;
}
