/* update_read.c - updates as JSON, in the shape in which agents' SDKs send them. */
#include "base/list.h"
#include "decide/update.h"

/* The destination of an update, by the names of the SDKs; our own names of sources are read too. */
static const struct {
    const char *name;
    enum source source;
} destinations[] = {
    {"userSettings", SOURCE_USER},   {"projectSettings", SOURCE_PROJECT},
    {"localSettings", SOURCE_LOCAL}, {"cliArg", SOURCE_CLI},
    {"engine", SOURCE_SESSION}, /* all its sessions */
};

enum {
    KEY_TYPE = 1,
    KEY_RULES = 2,
    KEY_BEHAVIOR = 4,
    KEY_MODE = 8,
    KEY_DIRECTORIES = 16,
    KEY_DESTINATION = 32,
    KEY_SESSION = 64
};

/* What each kind of update must have. A removal may name the behaviour, and any kind its
 * destination: then only rules that have both of them go. */
static const unsigned needs[] = {
    [UPDATE_ADD_RULES] = KEY_RULES | KEY_BEHAVIOR,
    [UPDATE_REPLACE_RULES] = KEY_RULES | KEY_BEHAVIOR,
    [UPDATE_REMOVE_RULES] = KEY_RULES,
    [UPDATE_SET_MODE] = KEY_MODE,
    [UPDATE_ADD_DIRECTORIES] = KEY_DIRECTORIES,
    [UPDATE_REMOVE_DIRECTORIES] = KEY_DIRECTORIES,
};

struct update_reader {
    struct arena *arena;
    struct update *update;
    struct error *err;
    bool of_session; /* that is its destination */
};

typedef enum status take_member(struct update_reader *r, const struct value *v);

static enum status want(const struct update_reader *r, const struct value *v, enum value_kind kind,
                        const char *what)
{
    if (v->kind != kind)
        return fail_at(r->err, STATUS_SYNTAX, v->line, v->column, "%s must be %s, not %s", what,
                       value_kind_name(kind), value_kind_name(v->kind));
    if (kind == VALUE_STRING && (v->text.len == 0 || str_has(v->text, '\0')))
        return fail_at(r->err, STATUS_SYNTAX, v->line, v->column,
                       "%s must not be empty or hold a NUL", what);
    return STATUS_OK;
}

static enum status unknown(const struct update_reader *r, const struct value *v, const char *what)
{
    return fail_at(r->err, STATUS_SYNTAX, v->line, v->column, "there is no %s \"%.100s\"", what,
                   v->text.s);
}

static enum status take_type(struct update_reader *r, const struct value *v)
{
    enum status status = want(r, v, VALUE_STRING, "the type of an update");

    if (status == STATUS_OK && !update_kind_parse(v->text, &r->update->kind))
        status = unknown(r, v, "type of update");
    return status;
}

/* "Bash(npm test)", or {"toolName": "Bash", "ruleContent": "npm test"}. */
static enum status take_rule(struct update_reader *r, const struct value *v)
{
    const struct value *tool = value_get(v, "toolName"), *content = value_get(v, "ruleContent");
    enum status status;

    if (v->kind != VALUE_OBJECT) {
        if ((status = want(r, v, VALUE_STRING, "a rule")) == STATUS_OK)
            LIST_PUSH(r->arena, &r->update->rules, v->text);
        return status;
    }
    if (!tool || v->count != (content ? 2u : 1u))
        return fail_at(r->err, STATUS_SYNTAX, v->line, v->column,
                       "a rule has toolName, perhaps ruleContent, no more");
    if ((status = want(r, tool, VALUE_STRING, "toolName")) != STATUS_OK ||
        (content && (status = want(r, content, VALUE_STRING, "ruleContent")) != STATUS_OK))
        return status;
    struct str text =
        content ? str_format(r->arena, "%.*s(%.*s)", STR_ARG(tool->text), STR_ARG(content->text))
                : tool->text;
    LIST_PUSH(r->arena, &r->update->rules, text);
    return STATUS_OK;
}

static enum status take_all(struct update_reader *r, const struct value *v, const char *what,
                            take_member *take)
{
    enum status status = want(r, v, VALUE_ARRAY, what);

    for (size_t i = 0; !status && i < v->count; i++)
        status = take(r, &v->items[i]);
    return status;
}

static enum status take_rules(struct update_reader *r, const struct value *v)
{
    return take_all(r, v, "rules", take_rule);
}

static enum status take_behavior(struct update_reader *r, const struct value *v)
{
    enum status status = want(r, v, VALUE_STRING, "the behavior");

    r->update->behavior_given = true;
    if (status == STATUS_OK && !behavior_parse(v->text, &r->update->behavior))
        status = unknown(r, v, "behavior");
    return status;
}

static enum status take_mode(struct update_reader *r, const struct value *v)
{
    enum status status = want(r, v, VALUE_STRING, "the mode");

    if (status == STATUS_OK && !mode_parse(v->text, &r->update->mode))
        status = unknown(r, v, "mode");
    return status;
}

static enum status take_directory(struct update_reader *r, const struct value *v)
{
    enum status status = want(r, v, VALUE_STRING, "a directory");

    if (status == STATUS_OK)
        LIST_PUSH(r->arena, &r->update->directories, v->text);
    return status;
}

static enum status take_directories(struct update_reader *r, const struct value *v)
{
    return take_all(r, v, "directories", take_directory);
}

static enum status take_destination(struct update_reader *r, const struct value *v)
{
    enum status status = want(r, v, VALUE_STRING, "the destination");

    if (status != STATUS_OK)
        return status;
    r->update->destination_given = true;
    for (size_t i = 0; i < COUNT(destinations); i++)
        if (str_is(v->text, destinations[i].name)) {
            r->update->destination = destinations[i].source;
            return STATUS_OK;
        }
    if (!source_parse(v->text, &r->update->destination))
        return unknown(r, v, "destination");
    r->of_session = r->update->destination == SOURCE_SESSION;
    return STATUS_OK;
}

static enum status take_session(struct update_reader *r, const struct value *v)
{
    r->update->session = v->text;
    return want(r, v, VALUE_STRING, "the session");
}

static const struct {
    const char *name;
    unsigned bit;
    take_member *take;
} keys[] = {
    {"type", KEY_TYPE, take_type},
    {"rules", KEY_RULES, take_rules},
    {"behavior", KEY_BEHAVIOR, take_behavior},
    {"mode", KEY_MODE, take_mode},
    {"directories", KEY_DIRECTORIES, take_directories},
    {"destination", KEY_DESTINATION, take_destination},
    {"session", KEY_SESSION, take_session},
};

static enum status take_members(struct update_reader *r, const struct value *v, unsigned *seen)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct member *m = &v->members[i];
        size_t k = 0;
        while (k < COUNT(keys) && !str_is(m->key, keys[k].name))
            k++;
        if (k == COUNT(keys))
            return fail_at(r->err, STATUS_SYNTAX, m->line, m->column, "an update has no \"%.100s\"",
                           m->key.s);
        enum status status = keys[k].take(r, &m->value);
        if (status != STATUS_OK)
            return status;
        *seen |= keys[k].bit;
    }
    return STATUS_OK;
}

static enum status read_one(struct arena *a, const struct value *v, struct update *out,
                            struct error *err)
{
    struct update_reader r = {a, out, err, false};
    unsigned seen = 0;
    enum status status = want(&r, v, VALUE_OBJECT, "an update");

    out->destination = SOURCE_SESSION;
    if (status != STATUS_OK || (status = take_members(&r, v, &seen)) != STATUS_OK)
        return status;
    unsigned must = KEY_TYPE | (seen & KEY_TYPE ? needs[out->kind] : 0),
             may = must | KEY_DESTINATION;
    if (out->kind == UPDATE_REMOVE_RULES)
        may |= KEY_BEHAVIOR;
    if (must & (KEY_RULES | KEY_MODE))
        may |= KEY_SESSION;
    for (size_t k = 0; k < COUNT(keys); k++) {
        if ((must & keys[k].bit) && !(seen & keys[k].bit))
            return fail_at(err, STATUS_SYNTAX, v->line, v->column, "this update must have \"%s\"",
                           keys[k].name);
        if ((seen & keys[k].bit) && !(may & keys[k].bit))
            return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                           "this update must not have \"%s\"", keys[k].name);
    }
    if (r.of_session && !(seen & KEY_SESSION))
        return fail_at(
            err, STATUS_SYNTAX, v->line, v->column,
            "which session? Add \"session\": its id (rules and modes), or say \"engine\" for "
            "all sessions");
    if ((seen & KEY_SESSION) && (seen & KEY_DESTINATION) && !r.of_session)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "rules and the mode of a session have the destination \"session\"");
    return STATUS_OK;
}

enum status updates_read(struct arena *a, const struct value *v, struct updates *out,
                         struct error *err)
{
    size_t count = v->kind == VALUE_ARRAY ? v->count : 1;

    *out = (struct updates){0};
    for (size_t i = 0; i < count; i++) {
        struct update u = {0};
        enum status status = read_one(a, v->kind == VALUE_ARRAY ? &v->items[i] : v, &u, err);
        if (status != STATUS_OK)
            return status;
        LIST_PUSH(a, out, u);
    }
    return STATUS_OK;
}
