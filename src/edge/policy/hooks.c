/* hooks.c - external programs that are asked about calls: {"PreToolUse": [{"matcher": "Bash",
 * "hooks": [{"type": "command", ...}]}]}.
 *
 * A hook may deny, so one that cannot be read is fatal. */
#include "policy/schema.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/path.h"

#define HOOK_SECONDS_DEFAULT 60u
#define HOOK_SECONDS_MAX     600u

static const char *const group_keys[] = {"matcher", "hooks"};
static const char *const hook_keys[] = {"type", "command", "args", "timeout", "observe"};

/* Files of other programs have keys that we do not know. */
static void refuse_unknown(struct policy_reader *r, const struct value *object,
                           const char *const *known, size_t count)
{
    for (size_t i = 0; r->strict && i < object->count; i++) {
        const struct member *m = &object->members[i];
        struct value place = {.line = m->line, .column = m->column};
        struct nearest near = nearest_to(m->key);
        bool found = false;
        for (size_t j = 0; j < count; j++) {
            found |= str_is(m->key, known[j]);
            nearest_try(&near, str_from(known[j]));
        }
        if (!found)
            schema_problem(r, true, &place, "%s", schema_unknown(r->arena, m->key, &near).s);
    }
}

static bool is_kind(struct policy_reader *r, const struct value *v, enum value_kind kind)
{
    if (v->kind != kind)
        schema_problem(r, true, v, "expected %s, not %s", value_kind_name(kind),
                       value_kind_name(v->kind));
    return v->kind == kind;
}

/* Seconds, rounded up: half a second must not become none. */
static bool read_timeout(struct policy_reader *r, const struct value *v, uint32_t *out)
{
    char *end = NULL;
    double seconds = -1;

    if (v->kind == VALUE_INTEGER || v->kind == VALUE_FLOAT)
        seconds = strtod(v->text.s, &end);
    if (!end || *end != '\0' || !(seconds > 0)) {
        schema_problem(r, true, v, "a timeout must be a number of seconds above zero");
        return false;
    }
    if (seconds >= HOOK_SECONDS_MAX)
        *out = HOOK_SECONDS_MAX;
    else
        *out = (uint32_t)seconds + ((double)(uint32_t)seconds < seconds);
    return true;
}

static bool read_args(struct policy_reader *r, const struct value *v, struct strs *out)
{
    if (!is_kind(r, v, VALUE_ARRAY))
        return false;
    for (size_t i = 0; i < v->count; i++) {
        if (!is_kind(r, &v->items[i], VALUE_STRING))
            return false;
        if (str_has(v->items[i].text, '\0')) {
            schema_problem(r, true, &v->items[i], "a NUL in an argument");
            return false;
        }
        LIST_PUSH(r->arena, out, str_copy(r->arena, v->items[i].text));
    }
    return true;
}

static bool read_hook(struct policy_reader *r, const struct value *v, struct hook *out)
{
    const struct value *command = value_get(v, "command"), *args = value_get(v, "args");
    const struct value *timeout = value_get(v, "timeout");

    if (!command) {
        schema_problem(r, true, v, "a hook without a command");
        return false;
    }
    return schema_text(r, true, command, &out->command) &&
           (!args || read_args(r, args, &out->args)) &&
           (!timeout || read_timeout(r, timeout, &out->timeout_seconds));
}

static bool is_true(const struct value *object, const char *key)
{
    const struct value *v = value_get(object, key);

    return v && v->kind == VALUE_BOOL && v->boolean;
}

/* The first word of a shell command, as `warder install` quotes it. */
static struct str first_word(struct str command, struct str *rest)
{
    struct str word;
    bool quoted = str_starts(command, STR("'"));

    if (!str_cut(str_from_byte(command, quoted), quoted ? '\'' : ' ', &word, rest))
        *rest = (struct str){"", 0};
    return word;
}

/* A client's file in which Warder is registered: `warder run` would ask itself, and the record
 * would have a call of that client which never came. */
static bool asks_warder(const struct hook *h)
{
    struct str rest = h->args.count ? h->args.items[0] : (struct str){"", 0};
    struct str base = path_base(h->args.count ? h->command : first_word(h->command, &rest));

    return str_is(base, "warder-hook") ||
           (str_is(base, "warder") && str_starts(str_trim(rest), STR("hook")));
}

/* `model` has the settings of the group. */
static void take_hook(struct policy_reader *r, const struct hook *model, const struct value *v)
{
    struct hook hook = *model;
    struct str type = value_text(v, "type");
    const struct value *observe = value_get(v, "observe");

    if (!is_kind(r, v, VALUE_OBJECT) || (r->strict && observe && !is_kind(r, observe, VALUE_BOOL)))
        return;
    hook.line = v->line;
    hook.observes = r->strict ? is_true(v, "observe") : is_true(v, "async");
    hook.conditional = !r->strict && value_get(v, "if");
    refuse_unknown(r, v, hook_keys, COUNT(hook_keys));
    if (type.len && !str_is(type, "command"))
        schema_problem(r, r->strict, v, "only hooks of type \"command\" are run");
    else if (!read_hook(r, v, &hook) || (hook.foreign && asks_warder(&hook)))
        return;
    else if (r->trusted)
        LIST_PUSH(r->arena, &r->book->hooks, hook);
    else
        r->left_out++;
}

/* Only letters, digits and the bytes of names and their separators: then it is not a regular
 * expression. */
static bool is_names(struct str matcher)
{
    for (size_t i = 0; i < matcher.len; i++)
        if (!ascii_is_alnum(matcher.s[i]) && !str_has(STR("_ ,|-"), matcher.s[i]))
            return false;
    return true;
}

static bool read_matcher(struct policy_reader *r, const struct value *v, struct hook *out)
{
    struct error cause;

    if (!v)
        return true;
    if (!is_kind(r, v, VALUE_STRING))
        return false;
    out->matcher = str_copy(r->arena, v->text);
    if (is_names(v->text) || str_is(v->text, "*"))
        return true;
    if (regex_compile(r->regexes, v->text, &out->regex, &cause) == STATUS_OK)
        return true;
    schema_problem(r, true, v, "the matcher is not a regular expression: %s", cause.message);
    return false;
}

static void take_group(struct policy_reader *r, enum hook_event event, const struct value *v)
{
    struct hook model = {.event = event,
                         .timeout_seconds = HOOK_SECONDS_DEFAULT,
                         .source = r->source,
                         .file = r->file,
                         .foreign = !r->strict};
    const struct value *hooks = value_get(v, "hooks");

    if (!is_kind(r, v, VALUE_OBJECT))
        return;
    refuse_unknown(r, v, group_keys, COUNT(group_keys));
    if (!read_matcher(r, value_get(v, "matcher"), &model) ||
        (hooks && !is_kind(r, hooks, VALUE_ARRAY)))
        return;
    for (size_t i = 0; hooks && i < hooks->count; i++)
        take_hook(r, &model, &hooks->items[i]);
}

void take_hooks(struct policy_reader *r, const struct value *v)
{
    const char *names[HOOK_EVENT_COUNT];

    for (size_t i = 0; i < HOOK_EVENT_COUNT; i++) {
        const enum hook_event event = (enum hook_event)i;
        const struct value *groups = value_get(v, names[i] = hook_event_name(event));
        /* of other programs' events that one is not known to mean the same */
        if (!groups || (event == HOOK_CLASSIFIER && !r->strict) || !is_kind(r, groups, VALUE_ARRAY))
            continue;
        for (size_t j = 0; j < groups->count; j++)
            take_group(r, event, &groups->items[j]);
    }
    refuse_unknown(r, v, names, COUNT(names));
}
