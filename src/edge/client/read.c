/* read.c - a client's event as a question. */
#include "base/json.h"
#include "base/list.h"
#include "call/call.h"
#include "client/client.h"
#include "client/field.h"

static const struct value *step_into(const struct value *v, struct str name)
{
    if (v->kind == VALUE_ARRAY)
        return str_is(name, "0") && v->count ? &v->items[0] : NULL;
    const struct member *m = value_member(v, name);
    return m ? &m->value : NULL;
}

const struct value *field_at(const struct value *event, struct str path)
{
    const struct value *v = event;
    bool more = true;

    while (v && more) {
        struct str name;
        more = str_cut(path, '.', &name, &path);
        v = step_into(v, name);
    }
    return v && v->kind != VALUE_NULL ? v : NULL;
}

const struct value *field_first(const struct value *event, const char *paths)
{
    struct str rest = str_from(paths), path;
    const struct value *v = NULL;

    while (!v && str_next_word(&rest, &path))
        v = field_at(event, path);
    return v;
}

/* ---- which event ---- */

/* Copilot's camel-case events do not say what they are; the table has them first. One with a result
 * is about a tool that has run. */
static const struct client_event *unnamed(const struct client *c, const struct value *event)
{
    if (c->events[0].shape != ANSWER_TOP || !field_at(event, STR("toolArgs")))
        return NULL;
    return field_at(event, STR("toolResult")) ? &c->events[1] : &c->events[0];
}

const struct client_event *client_event_of(const struct client *client, const struct value *event)
{
    const struct value *name = field_first(event, client->event);

    if (!name)
        return unnamed(client, event);
    for (size_t i = 0; i < CLIENT_EVENTS_MAX && client->events[i].name; i++)
        if (name->kind == VALUE_STRING &&
            str_has_word(str_from(client->events[i].name), name->text))
            return &client->events[i];
    return NULL;
}

static enum status find_event(const struct client *client, const struct value *event,
                              struct client_question *out, struct error *err)
{
    const struct value *name = field_first(event, client->event);

    if (event->kind != VALUE_OBJECT)
        return fail(err, STATUS_SYNTAX, "the event must be an object, not %s",
                    value_kind_name(event->kind));
    out->event = client_event_of(client, event);
    if (!out->event && !name)
        return fail(err, STATUS_SYNTAX, "the event does not say what it is (%s)", client->event);
    if (!out->event)
        return fail(err, STATUS_SYNTAX,
                    "%s asks about \"%.60s\", an event that Warder does not answer", client->title,
                    name->kind == VALUE_STRING ? name->text.s : "?");
    out->event_name = name ? name->text : str_from(out->event->name);
    return STATUS_OK;
}

/* ---- texts ---- */

/* The first of the fields that is present; a second one with another value could be the one that
 * the client acts on. */
static enum status take_text(const struct value *event, const char *paths, struct str *out,
                             struct error *err)
{
    struct str rest = str_from(paths), path;
    bool found = false;

    while (str_next_word(&rest, &path)) {
        const struct value *v = field_at(event, path);
        if (!v)
            continue;
        if (v->kind != VALUE_STRING)
            return fail(err, STATUS_SYNTAX, "\"%.*s\" must be a string, not %s", STR_ARG(path),
                        value_kind_name(v->kind));
        if (memchr(v->text.s, '\0', v->text.len))
            return fail(err, STATUS_SYNTAX, "\"%.*s\" holds a NUL byte", STR_ARG(path));
        if (found && !str_eq(*out, v->text) && !str_contains(path, STR(".0")))
            return fail(err, STATUS_SYNTAX, "\"%.*s\" contradicts an earlier field", STR_ARG(path));
        if (!found)
            *out = v->text;
        found = true;
    }
    return STATUS_OK;
}

/* ---- the tool ---- */

static struct str mapped(const char *map, struct str name)
{
    struct str rest = str_from(map), pair, theirs, ours;

    while (str_next_word(&rest, &pair))
        if (str_cut(pair, '=', &theirs, &ours) && str_eq(theirs, name))
            return ours;
    return name;
}

static struct str mcp_tool(struct arena *a, struct str server, struct str tool)
{
    return str_format(a, "mcp__%.*s__%.*s", STR_ARG(server), STR_ARG(tool));
}

/* At the first separator: a server with one in its name is taken for a shorter name. */
static bool split_at(struct str name, const char *separator, struct str *head, struct str *tail)
{
    size_t len = strlen(separator);

    for (size_t i = 1; i + len < name.len; i++)
        if (memcmp(name.s + i, separator, len) == 0) {
            *head = str_slice(name, 0, i);
            *tail = str_from_byte(name, i + len);
            return true;
        }
    return false;
}

static bool known_by(const struct value *event, const char *field, struct str *out)
{
    const struct value *v = field_at(event, str_from(field));

    *out = v && v->kind == VALUE_STRING ? v->text : (struct str){0};
    return out->len > 0;
}

static struct str mcp_name_of(struct arena *a, const struct client *c, const struct value *event,
                              struct str name)
{
    struct str server, tool;

    switch (c->mcp) {
    case MCP_UNDERSCORE:
        if (known_by(event, "mcp_context.server_name", &server) &&
            known_by(event, "mcp_context.tool_name", &tool))
            return mcp_tool(a, server, tool);
        if (str_starts(name, STR("mcp_")) && !str_starts(name, STR("mcp__")) &&
            split_at(str_from_byte(name, 4), "_", &server, &tool))
            return mcp_tool(a, server, tool);
        break;
    case MCP_AT:
        if (str_starts(name, STR("@")) && split_at(str_from_byte(name, 1), "/", &server, &tool))
            return mcp_tool(a, server, tool);
        break;
    case MCP_TRIPLE:
        if (split_at(name, "___", &server, &tool))
            return mcp_tool(a, server, tool);
        break;
    case MCP_COLON:
        if (str_starts(name, STR("MCP:")))
            return mcp_tool(a, str_from(c->name), str_from_byte(name, 4));
        break;
    case MCP_OURS:
        break;
    }
    return name;
}

/* "mcp__{field}__": the part in braces is a field of the event. */
static enum status fill_prefix(struct arena *a, const struct value *event, struct str prefix,
                               struct str *out, struct error *err)
{
    struct str before, rest, path, after, text = {0};
    enum status status;

    *out = prefix;
    if (!str_cut(prefix, '{', &before, &rest) || !str_cut(rest, '}', &path, &after))
        return STATUS_OK;
    if ((status = take_text(event, str_copy(a, path).s, &text, err)) != STATUS_OK)
        return status;
    if (text.len == 0)
        return fail(err, STATUS_SYNTAX, "the event has no \"%.*s\"", STR_ARG(path));
    *out = str_format(a, "%.*s%.*s%.*s", STR_ARG(before), STR_ARG(text), STR_ARG(after));
    return STATUS_OK;
}

static enum status find_tool(struct arena *a, const struct value *event, struct client_question *q,
                             struct error *err)
{
    const struct client *c = q->client;
    struct str fixed = str_from(q->event->tool), name = {0};
    enum status status;

    if (fixed.len && !str_ends(fixed, STR("__"))) {
        q->tool = fixed;
        return STATUS_OK;
    }
    if ((status = take_text(event, c->tool, &name, err)) != STATUS_OK ||
        (status = fill_prefix(a, event, fixed, &fixed, err)) != STATUS_OK)
        return status;
    if (name.len == 0)
        return fail(err, STATUS_SYNTAX, "the event names no tool (%s)", c->tool);
    if (fixed.len)
        q->tool = str_join(a, fixed, name);
    else
        q->tool = mapped(c->tools, mcp_name_of(a, c, event, name));
    return STATUS_OK;
}

/* ---- the input ---- */

static enum status make_input(struct arena *a, const struct value *event, const char *fields,
                              const struct value **out, struct error *err)
{
    struct value *input = ARENA_NEW(a, struct value);
    struct {
        struct member *items;
        size_t count, room;
    } members = {0};
    struct str rest = str_from(fields), pair, ours, theirs;

    while (str_next_word(&rest, &pair)) {
        str_cut(pair, '=', &ours, &theirs);
        const struct value *v = field_at(event, theirs);
        if (!v && members.count == 0)
            return fail(err, STATUS_SYNTAX, "the event has no \"%.*s\"", STR_ARG(theirs));
        if (v)
            LIST_PUSH(a, &members, (struct member){.key = str_copy(a, ours), .value = *v});
    }
    *input = (struct value){.kind = VALUE_OBJECT, .members = members.items, .count = members.count};
    *out = input;
    return STATUS_OK;
}

/* Some clients send the input as a string of JSON. */
static enum status read_inner(struct arena *a, const struct value *text, const struct value **out,
                              struct error *err)
{
    struct value *inner = ARENA_NEW(a, struct value);
    enum status status = json_read(a, text->text, NULL, inner, err);

    *out = inner;
    return status;
}

static enum status find_input(struct arena *a, const struct value *event, struct client_question *q,
                              struct error *err)
{
    const char *fields = q->event->input ? q->event->input : q->client->input;
    enum status status;

    if (q->event->fields)
        return make_input(a, event, q->event->fields, &q->input, err);
    q->input = field_first(event, fields);
    if (!q->input)
        return fail(err, STATUS_SYNTAX, "the event has no input (%s)", fields);
    if (q->input->kind == VALUE_STRING &&
        (status = read_inner(a, q->input, &q->input, err)) != STATUS_OK)
        return status;
    if (q->input->kind != VALUE_OBJECT)
        return fail(err, STATUS_SYNTAX, "the tool's input must be an object, not %s",
                    value_kind_name(q->input->kind));
    return STATUS_OK;
}

/* ---- the question ---- */

static bool can_ask(const struct client_question *q, const struct value *event)
{
    const struct tool *row = tool_find(q->tool);
    struct str rest = str_from(q->event->asks), name = row ? row->name : q->tool, word;

    if (q->client->asks_needs && !field_first(event, q->client->asks_needs))
        return false;
    while (str_next_word(&rest, &word))
        if (str_is(word, "*") || str_eq(word, name) ||
            (str_ends(word, STR("__")) && str_starts(name, word)))
            return true;
    return false;
}

/* The type of a sub-agent has a name that rules can be written for; its ID is better than nothing.
 */
static enum status take_agent(const struct value *event, const char *fields, struct str *out,
                              struct error *err)
{
    struct str rest = str_from(fields), field;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && !out->len && str_next_word(&rest, &field)) {
        const struct value *v = field_at(event, field);
        if (v && v->kind != VALUE_STRING)
            status = fail(err, STATUS_SYNTAX, "\"%.*s\" must be a string, not %s", STR_ARG(field),
                          value_kind_name(v->kind));
        else if (v)
            *out = v->text;
    }
    return status;
}

static enum status read_surroundings(const struct value *event, struct client_question *q,
                                     struct error *err)
{
    const struct client *c = q->client;
    enum status status;

    if ((status = take_text(event, c->session, &q->session, err)) != STATUS_OK ||
        (status = take_text(event, c->use_id, &q->use_id, err)) != STATUS_OK ||
        (status = take_text(event, c->cwd, &q->cwd, err)) != STATUS_OK)
        return status;
    if ((status = take_text(event, c->mode, &q->mode, err)) != STATUS_OK)
        return status;
    q->mode = mapped(c->modes, q->mode);
    return take_agent(event, c->agent, &q->agent, err);
}

enum status client_read(struct arena *a, const struct client *client, const struct value *event,
                        struct client_question *out, struct error *err)
{
    enum status status;

    *out = (struct client_question){.client = client};
    if ((status = find_event(client, event, out, err)) != STATUS_OK ||
        (status = read_surroundings(event, out, err)) != STATUS_OK)
        return status;
    if (out->event->kind == EVENT_CONFIG)
        return take_text(event, "file_path", &out->changed_file, err);
    if ((status = find_tool(a, event, out, err)) != STATUS_OK ||
        (status = find_input(a, event, out, err)) != STATUS_OK)
        return status;
    out->asks = can_ask(out, event);
    return STATUS_OK;
}

static void text_member(struct json_writer *w, const char *key, struct str text)
{
    if (text.len == 0)
        return;
    json_key(w, key);
    json_text(w, text);
}

struct str client_call(struct arena *a, const struct client_question *q, struct str project,
                       bool with_mode, struct str doubt)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    text_member(&w, "tool", q->tool);
    json_key(&w, "input");
    json_any(&w, q->input);
    text_member(&w, "cwd", q->cwd);
    text_member(&w, "project", project);
    text_member(&w, "session", q->session);
    text_member(&w, "client", str_from(q->client->name));
    text_member(&w, "tool_use_id", q->use_id);
    if (with_mode)
        text_member(&w, "mode", q->mode);
    text_member(&w, "worker_id", q->agent);
    if (q->agent.len || q->client->tells_agent) {
        json_key(&w, "subagent");
        json_bool(&w, q->agent.len > 0);
    }
    text_member(&w, "doubt", doubt);
    if (q->client->cwd_moves) {
        json_key(&w, "cwd_unknown");
        json_bool(&w, true);
    }
    json_end_object(&w);
    return buf_str(&b);
}
