#include "engine/call_value.h"

#include "base/json.h"
#include "base/utf8.h"
#include "call/tool.h"

#define MEMBERS_MAX 9u

static const struct {
    const char *name;
    size_t at;
} texts[] = {
    {"tool", offsetof(warder_call, tool)},
    {"cwd", offsetof(warder_call, cwd)},
    {"project", offsetof(warder_call, project)},
    {"session", offsetof(warder_call, session)},
    {"client", offsetof(warder_call, client)},
    {"mode", offsetof(warder_call, mode)},
    {"tool_use_id", offsetof(warder_call, tool_use_id)},
};
_Static_assert(COUNT(texts) + 2 == MEMBERS_MAX, "and the input, and the annotations");

static struct value *add(struct value *object, struct str key)
{
    struct member *m = &object->members[object->count++];

    m->key = key;
    return &m->value;
}

static struct value *begin_object(struct arena *a, struct value *v, size_t most)
{
    v->kind = VALUE_OBJECT;
    v->members = arena_alloc(a, most, sizeof(*v->members));
    return v;
}

static void add_text(struct arena *a, struct value *object, struct str key, struct str text)
{
    *add(object, key) = (struct value){.kind = VALUE_STRING, .text = str_copy(a, text)};
}

/* A JSON text would have been checked for it. */
static enum status add_texts(struct arena *a, const warder_call *call, struct value *out,
                             struct error *err)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        const char *text = *(const char *const *)(const void *)((const char *)call + texts[i].at);
        if (!text)
            continue;
        if (!utf8_valid(str_from(text)))
            return fail(err, STATUS_SYNTAX, "\"%s\" is not valid UTF-8", texts[i].name);
        add_text(a, out, str_from(texts[i].name), str_from(text));
    }
    return STATUS_OK;
}

static enum status add_argument(struct arena *a, const warder_call *call, struct value *out,
                                struct error *err)
{
    const struct tool *row = tool_find(str_from(call->tool));
    struct str names = row ? row->first : STR(""), name;

    if (!str_next_word(&names, &name))
        return fail(err, STATUS_USAGE, "%.100s has no known first argument; pass its input",
                    call->tool);
    add_text(a, begin_object(a, add(out, STR("input")), 1), str_copy(a, name),
             str_from(call->argument));
    return STATUS_OK;
}

static enum status add_input(struct arena *a, const warder_call *call, struct value *out,
                             struct error *err)
{
    if (call->input && call->argument)
        return fail(err, STATUS_USAGE, "a call has an input or an argument, not both");
    if (call->argument)
        return add_argument(a, call, out, err);
    if (!call->input)
        return STATUS_OK;
    return json_read(a, (struct str){call->input, call->input_len}, NULL, add(out, STR("input")),
                     err);
}

static void add_flag(struct value *object, const char *name, int flag)
{
    if (flag)
        *add(object, str_from(name)) = (struct value){.kind = VALUE_BOOL, .boolean = true};
}

enum status call_value(struct arena *a, const warder_call *call, struct value *out,
                       struct error *err)
{
    enum status status;

    begin_object(a, out, MEMBERS_MAX);
    if ((status = add_texts(a, call, out, err)) != STATUS_OK ||
        (status = add_input(a, call, out, err)) != STATUS_OK)
        return status;
    struct value *annotations = begin_object(a, add(out, STR("annotations")), 2);
    add_flag(annotations, "readOnly", call->read_only);
    add_flag(annotations, "destructive", call->destructive);
    return STATUS_OK;
}
