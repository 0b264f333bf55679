#include "serve/authzen_call.h"

#include "base/ascii.h"
#include "base/json.h"

#define NAME_MAX_BYTES 100 /* of a type or an action that becomes the name of a tool */

struct parts {
    struct str subject_id, action, type, id;
    const struct value *properties; /* of the resource; NULL: none */
    const struct value *context;    /* NULL: none */
};

/* ---- reading ---- */

static const struct value *part(const struct evaluation *e, const char *name)
{
    const struct value *own = value_get(e->own, name);

    return own ? own : value_get(e->defaults, name);
}

static bool is_object(const struct value *v)
{
    return v && v->kind == VALUE_OBJECT;
}

static bool read_parts(const struct evaluation *e, struct parts *out, const char **why)
{
    const struct value *subject = part(e, "subject"), *action = part(e, "action"),
                       *resource = part(e, "resource"), *properties;

    *out = (struct parts){.context = part(e, "context")};
    *why = "an evaluation needs a subject, an action and a resource, each an object";
    if (!is_object(subject) || !is_object(action) || !is_object(resource))
        return false;
    out->subject_id = value_text(subject, "id");
    out->action = value_text(action, "name");
    out->type = value_text(resource, "type");
    out->id = value_text(resource, "id");
    *why = "a subject and a resource need a type and an id, and an action a name: all strings";
    if (!value_text(subject, "type").len || !out->subject_id.len || !out->action.len ||
        !out->type.len || !out->id.len)
        return false;
    properties = value_get(resource, "properties");
    *why = "properties and context must be objects";
    if ((properties && !is_object(properties)) || (out->context && !is_object(out->context)))
        return false;
    out->properties = properties;
    return true;
}

/* ---- which call it is ---- */

/* What stands for a tool of its own: the resource's id is its first argument. */
static const struct resource_kind {
    const char *type, *action; /* action NULL: any */
    const char *tool, *argument;
} kinds[] = {
    {"command", NULL, "Bash", "command"},  {"url", NULL, "WebFetch", "url"},
    {"file", "read", "Read", "file_path"}, {"file", "write", "Write", "file_path"},
    {"file", "edit", "Edit", "file_path"},
};

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && !strchr("_.-", s.s[i]))
            return false;
    return s.len <= NAME_MAX_BYTES && !str_contains(s, STR("__"));
}

static void write_properties(struct json_writer *w, const struct parts *p, const char *but)
{
    for (size_t i = 0; p->properties && i < p->properties->count; i++) {
        const struct member *m = &p->properties->members[i];
        if (str_is(m->key, but))
            continue;
        json_key_str(w, m->key);
        json_any(w, &m->value);
    }
}

static void write_input(struct json_writer *w, const struct parts *p, const char *argument)
{
    json_key(w, "input");
    json_begin_object(w);
    json_text_member(w, argument, p->id);
    write_properties(w, p, argument);
    json_end_object(w);
}

/* A tool by its name, with its whole input. */
static bool write_tool(struct json_writer *w, const struct parts *p, const char **why)
{
    const struct value *input = value_get(p->properties, "input");

    *why = "the input of a tool must be an object";
    if (input && !is_object(input))
        return false;
    json_text_member(w, "tool", p->id);
    json_key(w, "input");
    if (input) {
        json_any(w, input);
    } else {
        json_begin_object(w);
        json_end_object(w);
    }
    return true;
}

static bool write_what(struct arena *a, struct json_writer *w, const struct parts *p,
                       const char **why)
{
    if (str_is(p->type, "tool"))
        return write_tool(w, p, why);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (str_is(p->type, kinds[i].type) &&
            (!kinds[i].action || str_is(p->action, kinds[i].action))) {
            json_text_member(w, "tool", str_from(kinds[i].tool));
            write_input(w, p, kinds[i].argument);
            return true;
        }
    *why = "the type of the resource and the name of the action must be letters, digits and . _ -";
    if (!is_name(p->type) || !is_name(p->action))
        return false;
    json_text_member(w, "tool",
                     str_format(a, "authzen__%.*s__%.*s", STR_ARG(p->type), STR_ARG(p->action)));
    write_input(w, p, "id");
    return true;
}

/* Everything else in a context is the gateway's own. */
static bool write_context(struct json_writer *w, const struct parts *p, bool waits,
                          const char **why)
{
    static const char *const names[] = {"cwd",     "project", "project_id", "session",
                                        "task_id", "mode",    "tool_use_id"};
    const struct value *wait = value_get(p->context, "wait");

    *why = "cwd, project, project_id, session, task_id, mode and tool_use_id must be strings";
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct value *v = value_get(p->context, names[i]);
        if (!v)
            continue;
        if (v->kind != VALUE_STRING)
            return false;
        json_text_member(w, names[i], v->text);
    }
    *why = "wait must be a number of seconds";
    if (!wait || !waits)
        return true;
    if (wait->kind != VALUE_INTEGER)
        return false;
    json_key(w, "wait");
    json_any(w, wait);
    return true;
}

bool authzen_call(struct arena *a, const struct evaluation *e, struct str *out, const char **why)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    struct parts p;

    if (!read_parts(e, &p, why))
        return false;
    json_begin_object(&w);
    if (!write_what(a, &w, &p, why) || !write_context(&w, &p, e->waits, why))
        return false;
    json_text_member(&w, "worker_id", p.subject_id);
    json_end_object(&w);
    *out = buf_str(&b);
    return true;
}

/* ---- what is said of it ---- */

static void write_reason(struct json_writer *w, struct str reason)
{
    json_text_member(w, "reason", reason);
    json_key(w, "reason_admin");
    json_begin_object(w);
    json_text_member(w, "en", reason);
    json_end_object(w);
}

bool authzen_decision(struct buf *out, const char *verdict)
{
    static const char *const told[] = {"decision_id", "matched_rule_id", "review_id", "status",
                                       "expires_at"};
    struct json_writer w = json_to(out);
    struct value v = {0};

    if (!verdict || json_read(out->arena, str_from(verdict), NULL, &v, NULL) != STATUS_OK) {
        authzen_failure(out, 500, "no verdict");
        return false;
    }
    const struct str behavior = value_text(&v, "behavior"), id = value_text(&v, "decision_id");
    const bool allowed = str_is(behavior, "allow");
    json_begin_object(&w);
    json_key(&w, "decision");
    json_bool(&w, allowed);
    json_key(&w, "context");
    json_begin_object(&w);
    json_text_member(&w, "id", id.len ? id : value_text(&v, "review_id"));
    json_text_member(&w, "behavior", behavior);
    write_reason(&w, value_text(&v, "reason"));
    for (size_t i = 0; i < COUNT(told); i++)
        json_text_member_if(&w, told[i], value_text(&v, told[i]));
    json_end_object(&w);
    json_end_object(&w);
    return allowed;
}

void authzen_failure(struct buf *out, unsigned status, const char *message)
{
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    json_key(&w, "decision");
    json_bool(&w, false);
    json_key(&w, "context");
    json_begin_object(&w);
    json_key(&w, "error");
    json_begin_object(&w);
    json_key(&w, "status");
    json_int(&w, status);
    json_text_member(&w, "message", str_from(message));
    json_end_object(&w);
    json_end_object(&w);
    json_end_object(&w);
}
