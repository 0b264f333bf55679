#include "policy/stored.h"

#include "policy/entry_parts.h"
#include "policy/schema.h"
#include "rule/when.h"

#define VERSION 1

/* ---- reading ---- */

static const struct text_field {
    const char *name;
    size_t offset, most;
    bool needed;
} texts[] = {
    {"id", offsetof(struct stored_rule, id), STORED_TEXT_MAX, true},
    {"pattern", offsetof(struct stored_rule, pattern), RULE_MAX_TEXT, true},
    {"regex", offsetof(struct stored_rule, regex), REGEX_PATTERN_MAX, false},
    {"reason", offsetof(struct stored_rule, reason), STORED_TEXT_MAX, false},
    {"scope", offsetof(struct stored_rule, scope), STORED_TEXT_MAX, true},
    {"created_at", offsetof(struct stored_rule, created_at), STORED_TEXT_MAX, false},
    {"created_by", offsetof(struct stored_rule, created_by), STORED_TEXT_MAX, false},
    {"updated_at", offsetof(struct stored_rule, updated_at), STORED_TEXT_MAX, false},
    {"updated_by", offsetof(struct stored_rule, updated_by), STORED_TEXT_MAX, false},
};

static const struct list_field {
    const char *name;
    size_t offset;
} lists[] = {
    {"flags", offsetof(struct stored_rule, flags)},
    {"paths", offsetof(struct stored_rule, paths)},
};

bool stored_list(struct arena *a, const struct value *v, struct strs *out)
{
    *out = (struct strs){0};
    if (v->kind != VALUE_ARRAY || v->count > STORED_LIST_MAX)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        const struct value *item = &v->items[i];
        if (item->kind != VALUE_STRING || !item->text.len || item->text.len > STORED_TEXT_MAX ||
            str_has(item->text, '\0'))
            return false;
        LIST_PUSH(a, out, item->text);
    }
    return true;
}

static enum status wrong(const struct value *at, const char *what, const char *key,
                         struct error *err)
{
    return fail_at(err, STATUS_SYNTAX, at->line, at->column, "\"%.60s\" %s", key, what);
}

static bool is_known(struct str key)
{
    for (size_t i = 0; i < COUNT(texts); i++)
        if (str_is(key, texts[i].name))
            return true;
    for (size_t i = 0; i < COUNT(lists); i++)
        if (str_is(key, lists[i].name))
            return true;
    return str_is(key, "type") || str_is(key, "acts_from") || str_is(key, "ends_at");
}

static const char *const types[] = {
    [BEHAVIOR_ALLOW] = "allow", [BEHAVIOR_ASK] = "ask", [BEHAVIOR_DENY] = "deny"};

const char *stored_type(enum behavior effect)
{
    return types[effect];
}

bool stored_type_read(struct str text, enum behavior *out)
{
    if (str_is(text, "accept"))
        text = STR("allow");
    for (size_t i = 0; i < COUNT(types); i++)
        if (str_is(text, types[i])) {
            *out = (enum behavior)i;
            return true;
        }
    return false;
}

static enum status read_text(const struct value *entry, const struct text_field *f,
                             struct stored_rule *out, struct error *err)
{
    const struct value *v = value_get(entry, f->name);
    struct str *to = (struct str *)((char *)out + f->offset);

    if (!v)
        return f->needed ? wrong(entry, "is missing", f->name, err) : STATUS_OK;
    if (v->kind != VALUE_STRING || str_has(v->text, '\0') || (f->needed && !v->text.len))
        return wrong(v, "must be a string", f->name, err);
    if (v->text.len > f->most)
        return wrong(v, "is too long", f->name, err);
    *to = v->text;
    return STATUS_OK;
}

static enum status read_lists(struct arena *a, const struct value *entry, struct stored_rule *out,
                              struct error *err)
{
    for (size_t i = 0; i < COUNT(lists); i++) {
        const struct value *v = value_get(entry, lists[i].name);
        if (v && !stored_list(a, v, (struct strs *)((char *)out + lists[i].offset)))
            return wrong(v, "must be a list of strings", lists[i].name, err);
    }
    return STATUS_OK;
}

static enum status read_seconds(const struct value *entry, const char *key, int64_t *out,
                                struct error *err)
{
    const struct value *v = value_get(entry, key);

    if (v && (!value_integer(v, out) || *out < 0))
        return wrong(v, "must be a number of seconds", key, err);
    return STATUS_OK;
}

static enum status read_rule(struct arena *a, const struct value *entry, struct stored_rule *out,
                             struct error *err)
{
    enum status status = STATUS_OK;

    if (entry->kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, entry->line, entry->column, "a rule must be an object");
    for (size_t i = 0; i < entry->count; i++)
        if (!is_known(entry->members[i].key))
            return wrong(&entry->members[i].value, "is not a member of a rule",
                         entry->members[i].key.s, err);
    for (size_t i = 0; !status && i < COUNT(texts); i++)
        status = read_text(entry, &texts[i], out, err);
    if (status || (status = read_lists(a, entry, out, err)))
        return status;
    if (!stored_type_read(value_text(entry, "type"), &out->effect))
        return wrong(entry, "must be allow, ask or deny", "type", err);
    if ((status = read_seconds(entry, "acts_from", &out->acts_from, err)) ||
        (status = read_seconds(entry, "ends_at", &out->ends_at, err)))
        return status;
    if (out->effect != BEHAVIOR_ALLOW && out->acts_from)
        return wrong(entry, "is only for allow rules: any other takes effect at once", "acts_from",
                     err);
    return STATUS_OK;
}

enum status stored_parse(struct arena *a, const struct value *document, struct stored_rules *out,
                         struct error *err)
{
    const struct value *rules = value_get(document, "rules"),
                       *version = value_get(document, "version");
    int64_t number = 0;
    enum status status = STATUS_OK;

    *out = (struct stored_rules){0};
    if (!version || !value_integer(version, &number) || number != VERSION || !rules ||
        rules->kind != VALUE_ARRAY || document->count != 2)
        return fail_at(err, STATUS_SYNTAX, document->line, document->column,
                       "the rules of the service must be {\"version\": %d, \"rules\": [...]}",
                       VERSION);
    if (rules->count > STORED_RULES_MAX)
        return fail_at(err, STATUS_LIMIT, rules->line, rules->column, "more than %zu rules",
                       STORED_RULES_MAX);
    for (size_t i = 0; !status && i < rules->count; i++) {
        struct stored_rule r = {0};
        status = read_rule(a, &rules->items[i], &r, err);
        LIST_PUSH(a, out, r);
    }
    return status;
}

struct rule_details {
    struct arena *arena;
    struct regexes *regexes;
    const struct stored_rule *stored;
    struct rule *rule;
    struct error *err;
    enum status status;
};

static void add_paths(struct rule_details *job, struct rule_more *more)
{
    const struct strs *paths = &job->stored->paths;

    for (size_t i = 0; i < paths->count && !job->status; i++) {
        struct rule_path path = {0};
        struct str text = schema_absolute(job->arena, str_copy(job->arena, paths->items[i]));
        job->status = rule_path_parse(job->arena, text, &path, job->err);
        LIST_PUSH(job->arena, &more->paths, path);
    }
}

static void add_long_form(struct rule_details *job, struct rule_more *more)
{
    const struct stored_rule *r = job->stored;
    struct error cause = {0};

    for (size_t i = 0; i < r->flags.count; i++)
        LIST_PUSH(job->arena, &more->flags, str_copy(job->arena, r->flags.items[i]));
    if (r->regex.len) {
        more->regex = str_copy(job->arena, r->regex);
        job->status = regex_compile(job->regexes, more->regex, &more->regex_code, &cause);
        if (job->status)
            fail_at(job->err, job->status, 0, cause.column, "in the regular expression: %s",
                    cause.message);
    }
    add_paths(job, more);
}

/* What the core compares with the time of each call: no one has to read the policy again then. */
static void add_end(struct rule_details *job, struct rule_more *more)
{
    struct rule_when *when = ARENA_ARRAY(job->arena, struct rule_when, 1);

    *when = (struct rule_when){.until = job->stored->ends_at};
    more->when = when;
    more->terms = entry_terms(job->arena, more);
}

static void add_more(void *arg)
{
    struct rule_details *job = arg;
    struct rule_more *more = rule_add_more(job->arena, job->rule);
    struct rule_about *about = rule_add_about(job->arena, job->rule);

    about->id = str_copy(job->arena, job->stored->id);
    about->reason = str_copy(job->arena, job->stored->reason);
    if (!str_is(job->stored->scope, STORED_GLOBAL))
        more->scope = str_copy(job->arena, job->stored->scope);
    if (job->stored->ends_at)
        add_end(job, more);
    add_long_form(job, more);
}

enum status stored_rule_parse(struct arena *a, struct regexes *regexes, const struct stored_rule *r,
                              struct rule *out, struct error *err)
{
    struct rule_details job = {a, regexes, r, out, err, STATUS_OK};

    *out = (struct rule){0};
    enum status status = rule_parse(
        a, r->pattern, schema_names_tool(r->pattern) ? DIALECT_WARDER : DIALECT_ACTION, out, err);

    out->effect = r->effect;
    out->source = SOURCE_RUNTIME;
    if (status == STATUS_OK && !arena_try(a, add_more, &job))
        status = fail(err, STATUS_NOMEM, "no memory for a rule");
    return status == STATUS_OK ? job.status : status;
}

static void take(struct policy_reader *r, const struct stored_rule *stored, const struct value *at)
{
    struct rule rule;
    struct error err = {0};
    bool loosens = stored->effect == BEHAVIOR_ALLOW;

    if (loosens && stored->acts_from > r->now) {
        r->book->changes_later = true;
        return;
    }
    if (stored_rule_parse(r->arena, r->regexes, stored, &rule, &err)) {
        schema_problem(r, !loosens, at, loosens ? "%s; this allow rule is ignored" : "%s",
                       err.message);
        return;
    }
    rule.file = r->file;
    rule.line = at->line;
    rule.column = at->column;
    rule.base = r->project;
    schema_add_rule(r, &rule);
}

void stored_read(struct policy_reader *r, const struct value *document)
{
    struct stored_rules rules;
    struct error err = {0};

    if (stored_parse(r->arena, document, &rules, &err)) {
        const struct value place = {.line = err.line, .column = err.column};
        schema_problem(r, true, &place, "%s", err.message);
        return;
    }
    for (size_t i = 0; i < rules.count; i++)
        take(r, &rules.items[i], &value_get(document, "rules")->items[i]);
}

/* ---- writing ---- */

void stored_members(struct json_writer *w, const struct stored_rule *r, bool times)
{
    json_text_member(w, "type", str_from(stored_type(r->effect)));
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct str text = *(const struct str *)((const char *)r + texts[i].offset);
        if (!text.len)
            continue;
        json_key(w, texts[i].name);
        json_text(w, text);
    }
    for (size_t i = 0; i < COUNT(lists); i++) {
        const struct strs *list = (const struct strs *)((const char *)r + lists[i].offset);
        if (list->count)
            json_strings(w, lists[i].name, list);
    }
    if (times && r->acts_from) {
        json_key(w, "acts_from");
        json_int(w, r->acts_from);
    }
    if (times && r->ends_at) {
        json_key(w, "ends_at");
        json_int(w, r->ends_at);
    }
}

void stored_write(struct buf *out, const struct stored_rules *rules)
{
    struct json_writer w = json_to_indented(out);

    json_begin_object(&w);
    json_key(&w, "version");
    json_int(&w, VERSION);
    json_key(&w, "rules");
    json_begin_array(&w);
    for (size_t i = 0; i < rules->count; i++) {
        json_begin_object(&w);
        stored_members(&w, &rules->items[i], true);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    buf_byte(out, '\n');
}
