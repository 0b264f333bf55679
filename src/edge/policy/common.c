/* common.c - settings that several formats share.
 *
 * What loosens (directories, allowed tools, a mode) counts only if the file is trusted; what
 * restricts always counts. */
#include "policy/schema.h"

#include "base/nearest.h"
#include "base/path.h"

/* False, and counted, if the file is not trusted to loosen. */
static bool may_loosen(struct policy_reader *r)
{
    if (!r->trusted)
        r->left_out++;
    return r->trusted;
}

static void refuse_mode(struct policy_reader *r, const struct value *v, struct str name)
{
    struct nearest n = nearest_to(name);
    struct str shown = str_slice(name, 0, 80);

    mode_nearest(&n);
    schema_problem(r, true, v, "unknown mode \"%.*s\"" NEAREST_FORMAT, STR_ARG(shown),
                   NEAREST_ARG(n));
}

void take_mode(struct policy_reader *r, const struct value *v)
{
    struct mode_setting *set = &r->book->mode;
    enum mode mode;
    struct str name;

    r->book->mode_by_project |= source_is_project(r->source);
    if (!may_loosen(r) || !schema_text(r, true, v, &name))
        return;
    if (!mode_parse(name, &mode) || mode == MODE_BUBBLE) {
        refuse_mode(r, v, name);
        return;
    }
    if (!set->given || r->rank[r->source] < r->rank[set->source])
        *set = (struct mode_setting){
            .given = true, .mode = mode, .source = r->source, .file = r->file, .line = v->line};
}

void take_directories(struct policy_reader *r, const struct value *v)
{
    for (size_t i = 0; i < v->count; i++) {
        struct directory d = {.source = r->source};
        struct str text;
        if (!schema_text(r, false, &v->items[i], &text))
            continue;
        if (!path_absolute(r->arena, r->project, r->home, text, &d.path))
            schema_problem(r, false, &v->items[i], "unknown directory; ignored");
        else if (may_loosen(r))
            LIST_PUSH(r->arena, &r->book->directories, d);
    }
}

static void take_tools(struct policy_reader *r, bool fatal, const struct value *v,
                       struct tool_entries *out)
{
    for (size_t i = 0; i < v->count; i++) {
        struct tool_entry t = {.source = r->source};
        if (schema_text(r, fatal, &v->items[i], &t.name) && (fatal || may_loosen(r)))
            LIST_PUSH(r->arena, out, t);
    }
}

/* Once off, no other file switches it on again. */
static void take_off(struct policy_reader *r, const struct value *v, const char *key, bool *out)
{
    bool off = v->kind == VALUE_BOOL ? !v->boolean : str_is(v->text, "off");

    *out |= off;
    if (v->kind == VALUE_STRING && !off && !str_is(v->text, "on"))
        schema_problem(r, true, v, "%s must be \"on\" or \"off\"", key);
}

void take_clearances(struct policy_reader *r, const struct value *v)
{
    take_off(r, v, "clearances", &r->book->clearances_off);
}

void take_pause(struct policy_reader *r, const struct value *v)
{
    take_off(r, v, "pause", &r->book->pause_off);
}

void take_disabled_tools(struct policy_reader *r, const struct value *v)
{
    take_tools(r, true, v, &r->book->disabled);
}

void take_allowed_tools(struct policy_reader *r, const struct value *v)
{
    take_tools(r, false, v, &r->book->allowed);
}

/* "disable" or true. Any other value was meant to have an effect, so it is an error. */
static void take_switch(struct policy_reader *r, const struct value *v, bool *out)
{
    if (v->kind == VALUE_BOOL)
        *out |= v->boolean;
    else if (str_is(v->text, "disable"))
        *out = true;
    else if (!str_is(v->text, "enable"))
        schema_problem(r, true, v, "expected \"disable\"");
}

void take_bypass_switch(struct policy_reader *r, const struct value *v)
{
    take_switch(r, v, &r->book->bypass_disabled);
}

void take_auto_switch(struct policy_reader *r, const struct value *v)
{
    take_switch(r, v, &r->book->auto_disabled);
}

void take_managed_only(struct policy_reader *r, const struct value *v)
{
    if (r->source == SOURCE_MANAGED)
        r->book->managed_rules_only |= v->boolean;
    else if (v->boolean)
        schema_problem(r, false, v, "only managed policy can set this; it is ignored here");
}
