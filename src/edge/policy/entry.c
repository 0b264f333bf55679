/* entry.c - one rule of a policy file: a string, or an object with more members. */
#include "policy/entry_parts.h"

#include "base/nearest.h"
#include "rule/effect.h"

/* An entry while it is read. */
struct draft {
    struct policy_reader *reading;
    enum entry_form form;
    bool effect_known;
    enum dialect dialect;
    struct str text;       /* the short form */
    struct str scope;      /* guild: "global", or one project */
    bool exception;        /* of another rule: it cannot have exceptions itself */
    struct rule_more more; /* of the long form */
    struct rule_about about;
    struct examples examples;
    struct rule rule;
};

#define FORM(f) (1u << (f))
#define OBJECTS (FORM(ENTRY_COMMAND) | FORM(ENTRY_LONG))
#define EVERY   (OBJECTS | FORM(ENTRY_ROW))

static enum status refuse_rule(const struct draft *d, const struct value *v,
                               const struct error *cause, struct error *err)
{
    struct str shown = str_slice(d->text, 0, 80);

    return fail_at(err, cause->status, v->line,
                   schema_inside(d->reading, v, d->text, cause->column), "\"%.*s\": %s",
                   STR_ARG(shown), cause->message);
}

static enum status read_entry(struct draft *d, const struct value *v, struct error *err);

enum status entry_wrong(const struct value *v, const char *wanted, struct error *err)
{
    return fail_at(err, STATUS_SYNTAX, v->line, v->column, "expected %s, not %s", wanted,
                   value_kind_name(v->kind));
}

enum status entry_text(const struct value *v, struct str *out, struct error *err)
{
    if (v->kind != VALUE_STRING)
        return entry_wrong(v, "a string", err);
    if (str_has(v->text, '\0'))
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "a string contains a NUL");
    *out = v->text;
    return STATUS_OK;
}

static enum status set_text(struct draft *d, enum dialect dialect, const struct value *v,
                            struct error *err)
{
    if (d->text.len)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "only one of rule, tool and pattern is allowed");
    d->dialect = dialect;
    enum status status = entry_text(v, &d->text, err);
    if (!status && d->text.len == 0)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "the rule is empty");
    return status;
}

static enum status read_rule(struct draft *d, const struct value *v, struct error *err)
{
    return set_text(d, d->reading->dialect, v, err);
}

static enum status read_tool(struct draft *d, const struct value *v, struct error *err)
{
    return set_text(d, DIALECT_FIRST_ARG, v, err);
}

/* A caliban row may call its tool "pattern"; elsewhere a pattern is about commands. */
static enum status read_pattern(struct draft *d, const struct value *v, struct error *err)
{
    return set_text(d, d->form == ENTRY_ROW ? DIALECT_FIRST_ARG : DIALECT_ACTION, v, err);
}

static enum status read_action(struct draft *d, const struct value *v, struct error *err)
{
    struct str name = {0};
    enum behavior effect;
    enum status status = entry_text(v, &name, err);

    if (!status && !behavior_parse(name, &effect))
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "an action must be allow, ask or deny");
    if (!status)
        d->rule.effect = effect;
    d->effect_known = !status;
    return status;
}

static enum status read_regex(struct draft *d, const struct value *v, struct error *err)
{
    struct error cause = {0};
    enum status status = entry_text(v, &d->more.regex, err);

    if (!status && d->more.regex.len == 0)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "an empty regular expression");
    if (!status && regex_compile(d->reading->regexes, d->more.regex, &d->more.regex_code, &cause))
        return fail_at(err, cause.status, v->line,
                       schema_inside(d->reading, v, d->more.regex, cause.column),
                       "in the regular expression: %s", cause.message);
    return status;
}

static enum status read_flags(struct draft *d, const struct value *v, struct error *err)
{
    if (v->kind != VALUE_ARRAY)
        return entry_wrong(v, "a list of options", err);
    for (size_t i = 0; i < v->count; i++) {
        struct str flag;
        enum status status = entry_text(&v->items[i], &flag, err);
        if (status)
            return status;
        LIST_PUSH(d->reading->arena, &d->more.flags, flag);
    }
    return STATUS_OK;
}

enum status entry_paths(struct policy_reader *r, const struct value *v, enum path_spelling spelling,
                        struct rule_paths *out, struct error *err)
{
    if (v->kind != VALUE_ARRAY)
        return entry_wrong(v, "a list of paths", err);
    for (size_t i = 0; i < v->count; i++) {
        struct error cause = {0};
        struct rule_path path = {0};
        struct str text = {0};
        enum status status = entry_text(&v->items[i], &text, err);
        if (status)
            return status;
        if (spelling == PATHS_OF_SYSTEM)
            text = schema_absolute(r->arena, text);
        if (rule_path_parse(r->arena, text, &path, &cause))
            return fail_at(err, cause.status, v->items[i].line, v->items[i].column, "%s",
                           cause.message);
        LIST_PUSH(r->arena, out, path);
    }
    return STATUS_OK;
}

static enum path_spelling spelling_of(const struct draft *d)
{
    return d->form == ENTRY_COMMAND ? PATHS_OF_SYSTEM : PATHS_OF_SETTINGS;
}

static enum status read_paths(struct draft *d, const struct value *v, struct error *err)
{
    return entry_paths(d->reading, v, spelling_of(d), &d->more.paths, err);
}

static enum status read_effect(struct draft *d, const struct value *v, struct error *err)
{
    return entry_effects(v, &d->more.does, err);
}

static enum status read_hosts(struct draft *d, const struct value *v, struct error *err)
{
    return entry_hosts(d->reading, v, &d->more.hosts, err);
}

static enum status read_when(struct draft *d, const struct value *v, struct error *err)
{
    return entry_when(d->reading, v, &d->more.when, err);
}

static enum status read_within(struct draft *d, const struct value *v, struct error *err)
{
    return entry_within(d->reading, v, spelling_of(d), &d->more.within, err);
}

static enum status read_unless(struct draft *d, const struct value *v, struct error *err);

static enum status read_examples(struct draft *d, const struct value *v, enum example_kind kind,
                                 struct error *err)
{
    if (d->exception)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "an exception cannot have examples: the rule can");
    return entry_examples(d->reading, v, kind, &d->examples, err);
}

static enum status read_match(struct draft *d, const struct value *v, struct error *err)
{
    return read_examples(d, v, EXAMPLE_MATCH, err);
}

static enum status read_not(struct draft *d, const struct value *v, struct error *err)
{
    return read_examples(d, v, EXAMPLE_NOT, err);
}

static enum status read_reason(struct draft *d, const struct value *v, struct error *err)
{
    return entry_text(v, &d->about.reason, err);
}

static enum status read_comment(struct draft *d, const struct value *v, struct error *err)
{
    return entry_text(v, &d->about.comment, err);
}

static enum status read_id(struct draft *d, const struct value *v, struct error *err)
{
    return entry_text(v, &d->about.id, err);
}

static enum status read_scope(struct draft *d, const struct value *v, struct error *err)
{
    return entry_text(v, &d->scope, err);
}

static const struct {
    const char *name;
    unsigned forms;
    enum status (*read)(struct draft *d, const struct value *v, struct error *err);
} fields[] = {
    {"rule", FORM(ENTRY_LONG), read_rule},
    {"tool", FORM(ENTRY_LONG) | FORM(ENTRY_ROW), read_tool},
    {"pattern", EVERY, read_pattern},
    {"action", FORM(ENTRY_LONG) | FORM(ENTRY_ROW), read_action},
    {"regex", OBJECTS, read_regex},
    {"flags", OBJECTS, read_flags},
    {"paths", OBJECTS, read_paths},
    {"effect", FORM(ENTRY_LONG), read_effect},
    {"hosts", FORM(ENTRY_LONG), read_hosts},
    {"when", FORM(ENTRY_LONG), read_when},
    {"unless", FORM(ENTRY_LONG), read_unless},
    {"within", FORM(ENTRY_LONG), read_within},
    {"match", FORM(ENTRY_LONG), read_match},
    {"not", FORM(ENTRY_LONG), read_not},
    {"reason", EVERY, read_reason},
    {"comment", EVERY, read_comment},
    {"id", EVERY, read_id},
    {"scope", FORM(ENTRY_COMMAND), read_scope},
};

const char *entry_long_key(size_t n)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if ((fields[i].forms & FORM(ENTRY_LONG)) && n-- == 0)
            return fields[i].name;
    return NULL;
}

static enum status read_member(struct draft *d, const struct member *m, struct error *err)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if (str_is(m->key, fields[i].name) && (fields[i].forms & FORM(d->form)))
            return fields[i].read(d, &m->value, err);
    if (d->form != ENTRY_LONG)
        return STATUS_OK;
    struct nearest near = nearest_to(m->key);
    for (size_t i = 0; entry_long_key(i); i++)
        nearest_try(&near, str_from(entry_long_key(i)));
    return fail_at(err, STATUS_SYNTAX, m->line, m->column, "%s",
                   schema_unknown(d->reading->arena, m->key, &near).s);
}

/* What one behavior has and another cannot have. */
static enum status check_terms(const struct draft *d, const struct value *v, struct error *err)
{
    if (d->effect_known && d->more.unless_count && d->rule.effect == BEHAVIOR_ALLOW)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "unless is for deny and ask rules; an allow rule covers what it names");
    if (d->effect_known && d->more.within && d->rule.effect != BEHAVIOR_ALLOW)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "within is for allow rules; a deny or ask rule holds for all of it");
    if (d->exception && d->more.regex.len)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "an exception cannot have a regular expression");
    return STATUS_OK;
}

static enum status read_object(struct draft *d, const struct value *v, struct error *err)
{
    /* The action first: whether a mistake in the rest is fatal depends on it. */
    const struct member *action = value_member(v, STR("action"));
    enum status status = action ? read_member(d, action, err) : STATUS_OK;

    for (size_t i = 0; !status && i < v->count; i++)
        if (&v->members[i] != action)
            status = read_member(d, &v->members[i], err);
    if (!status && d->text.len == 0 && d->form == ENTRY_COMMAND && d->more.regex.len) {
        d->text = STR("*");
        d->dialect = DIALECT_ACTION;
    }
    if (!status && d->text.len == 0 && d->more.does) {
        d->text = STR("*");
        d->dialect = DIALECT_WARDER;
    }
    if (!status && d->text.len == 0)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "an entry without %s",
                       d->form == ENTRY_ROW       ? "a tool"
                       : d->form == ENTRY_COMMAND ? "a pattern"
                                                  : "a rule or an effect");
    return status ? status : check_terms(d, v, err);
}

static struct str keep(struct draft *d, struct str s)
{
    return s.len ? str_copy(d->reading->arena, s) : s;
}

/* The document will be freed, the rule stays. */
static void keep_about(struct draft *d)
{
    *rule_add_about(d->reading->arena, &d->rule) = (struct rule_about){
        .reason = keep(d, d->about.reason),
        .comment = keep(d, d->about.comment),
        .id = keep(d, d->about.id),
    };
}

static void keep_more(struct draft *d)
{
    struct rule_more *more = rule_add_more(d->reading->arena, &d->rule);

    more->flags = d->more.flags;
    for (size_t i = 0; i < more->flags.count; i++)
        more->flags.items[i] = keep(d, more->flags.items[i]);
    more->paths = d->more.paths;
    more->regex = keep(d, d->more.regex);
    more->regex_code = d->more.regex_code;
    more->does = d->more.does;
    more->hosts = d->more.hosts;
    more->when = d->more.when;
    more->within = d->more.within;
    more->unless = d->more.unless;
    more->unless_count = d->more.unless_count;
    more->terms = entry_terms(d->reading->arena, more);
    if (more->does && str_is(d->rule.text, "*"))
        d->rule.text = str_format(d->reading->arena, "effect %.*s",
                                  STR_ARG(rule_effects_print(d->reading->arena, more->does)));
}

/* In guild a string is a pattern on commands; in settings, which are about tools, the name of a
 * tool is one. */
static enum dialect string_dialect(const struct draft *d, struct str text)
{
    if (d->form == ENTRY_COMMAND)
        return DIALECT_ACTION;
    if (d->form == ENTRY_SHORT && d->reading->dialect == DIALECT_ACTION && schema_names_tool(text))
        return DIALECT_WARDER;
    return d->reading->dialect;
}

static enum status read_entry(struct draft *d, const struct value *v, struct error *err)
{
    struct arena *scratch = d->reading->scratch;
    struct error cause = {0};
    struct rule parsed = {0};
    enum status status;

    if (v->kind == VALUE_STRING && d->form != ENTRY_ROW)
        status = set_text(d, string_dialect(d, v->text), v, err);
    else if (v->kind == VALUE_OBJECT && d->form != ENTRY_SHORT)
        status = read_object(d, v, err);
    else
        status = entry_wrong(v, d->form == ENTRY_SHORT ? "a rule as a string" : "a rule", err);
    if (status)
        return status;
    if (!d->effect_known)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "an entry without an action");
    if (rule_parse_lean(d->reading->arena, scratch ? scratch : d->reading->arena, d->text,
                        d->dialect, &parsed, &cause))
        return refuse_rule(d, v, &cause, err);

    parsed.effect = d->rule.effect;
    d->rule = parsed;
    if (v->kind == VALUE_OBJECT) {
        keep_more(d);
        keep_about(d);
    }
    return STATUS_OK;
}

#define UNLESS_MAX 100 /* exceptions of one rule */

static enum status read_unless(struct draft *d, const struct value *v, struct error *err)
{
    const struct value *items = v->kind == VALUE_ARRAY ? v->items : v;
    size_t count = v->kind == VALUE_ARRAY ? v->count : 1;
    enum status status = STATUS_OK;

    if (d->exception || count > UNLESS_MAX)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       d->exception ? "an exception cannot have exceptions"
                                    : "more than %d exceptions",
                       UNLESS_MAX);
    struct rule *rules = ARENA_ARRAY(d->reading->arena, struct rule, count + 1);
    for (size_t i = 0; !status && i < count; i++) {
        struct draft other = {.reading = d->reading,
                              .form = ENTRY_LONG,
                              .effect_known = true,
                              .exception = true,
                              .rule = {.effect = BEHAVIOR_ALLOW}};
        status = read_entry(&other, &items[i], err);
        rules[i] = other.rule;
        rules[i].source = d->reading->source;
        rules[i].base = d->reading->project;
    }
    d->more.unless = rules;
    d->more.unless_count = count;
    return status;
}

/* An accept rule of another project does not count; a deny rule always does. */
static bool is_elsewhere(const struct draft *d)
{
    struct str project = d->reading->project;
    size_t slash = str_last_index(project, '/');
    struct str name = slash == STR_NONE ? project : str_from_byte(project, slash + 1);

    return d->rule.effect == BEHAVIOR_ALLOW && d->scope.len && !str_is(d->scope, "global") &&
           !str_eq(d->scope, project) && !str_eq(d->scope, name);
}

static void add(struct policy_reader *r, struct draft *d, const struct value *v)
{
    if (r->book->rules.count >= POLICY_RULES_MAX) {
        if (!r->full)
            schema_problem(r, true, v, "more than %zu rules", POLICY_RULES_MAX);
        r->full = true; /* reported once */
        return;
    }
    d->rule.source = r->source;
    d->rule.file = r->file;
    d->rule.line = v->line;
    d->rule.column = v->column;
    d->rule.base = r->project;
    d->rule.untrusted = !r->trusted;
    d->rule.kept = r->kept;
    schema_add_rule(r, &d->rule);
    for (size_t i = 0; i < d->examples.count; i++) {
        d->examples.items[i].rule_line = v->line;
        d->examples.items[i].rule_column = v->column;
    }
    examples_add(r, &d->examples);
}

/* Whoever chooses the profile chooses how short forms are read. A deny or ask rule of managed
 * policy also counts as it is read by default, so that it holds in every profile. True if it is
 * one. */
static bool read_by_default(struct draft *d, const struct value *v)
{
    struct policy_reader *r = d->reading;
    const enum dialect dialect = r->dialect;

    if (r->source != SOURCE_MANAGED || dialect == DIALECT_WARDER || d->form == ENTRY_COMMAND)
        return false;
    r->dialect = DIALECT_WARDER;
    bool counts = !read_entry(d, v, NULL) && d->rule.effect != BEHAVIOR_ALLOW &&
                  d->rule.dialect == DIALECT_WARDER;
    r->dialect = dialect;
    return counts;
}

/* Do both readings of an entry say the same? By default, and not in every profile, the name of a
 * server is that of all its tools. */
static bool is_same(const struct rule *own, const struct rule *by_default)
{
    return own->dialect == DIALECT_WARDER ||
           (own->matcher == MATCH_ANY && by_default->matcher == MATCH_ANY &&
            str_eq(own->tool, by_default->tool) && !str_starts(own->tool, STR("mcp__")));
}

static void report_entry(const struct draft *d, const struct value *v, const struct error *err)
{
    const bool loosens = d->effect_known && d->rule.effect == BEHAVIOR_ALLOW;
    struct value place = *v;

    place.line = err->line ? err->line : v->line;
    place.column = err->line ? err->column : v->column;
    schema_problem(d->reading, !loosens, &place, loosens ? "%s; this allow rule is ignored" : "%s",
                   err->message);
}

static void take(struct policy_reader *r, struct draft *d, const struct value *v)
{
    struct draft other = *d;
    struct error err = {0};
    const bool by_default = read_by_default(&other, v);
    const bool readable = !read_entry(d, v, &err);

    if (by_default) {
        other.rule.widened = !readable || !is_same(&d->rule, &other.rule);
        add(r, &other, v);
        if (!other.rule.widened)
            return;
    }
    if (!readable) {
        if (!by_default)
            report_entry(d, v, &err);
    } else if (d->rule.effect == BEHAVIOR_ALLOW && !r->trusted)
        r->left_out++;
    else if (is_elsewhere(d))
        schema_problem(r, false, v, "accepted for another project only; ignored here");
    else
        add(r, d, v);
}

void entry_take(struct policy_reader *r, enum entry_form form, enum behavior effect,
                const struct value *entry)
{
    struct draft d = {.reading = r, .form = form, .effect_known = true, .rule = {.effect = effect}};

    take(r, &d, entry);
}

void entry_take_all(struct policy_reader *r, enum entry_form form, enum behavior effect,
                    const struct value *list)
{
    for (size_t i = 0; i < list->count; i++)
        entry_take(r, form, effect, &list->items[i]);
}

void entry_take_rows(struct policy_reader *r, enum entry_form form, const struct value *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct draft d = {.reading = r, .form = form};
        take(r, &d, &list->items[i]);
    }
}
