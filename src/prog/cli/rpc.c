#include "cli/rpc.h"

#include <errno.h>
#include <unistd.h>

#include "cli/output.h"

static bool is_id(const struct value *v)
{
    return v->kind == VALUE_STRING || v->kind == VALUE_INTEGER || v->kind == VALUE_FLOAT;
}

bool rpc_read(struct arena *a, struct str line, struct rpc_message *out, int *code,
              const char **why)
{
    const struct value *method, *id;

    *out = (struct rpc_message){0};
    *code = RPC_PARSE_ERROR;
    *why = "not one JSON value on one line";
    if (json_read(a, line, NULL, &out->value, NULL) != STATUS_OK)
        return false;
    *code = RPC_INVALID_REQUEST;
    *why = "a message must be an object";
    if (out->value.kind != VALUE_OBJECT)
        return false;
    *why = "the method must be a text, and the id a text or a number";
    method = value_get(&out->value, "method");
    id = value_get(&out->value, "id");
    if ((method && method->kind != VALUE_STRING) || (method && id && !is_id(id)))
        return false;
    out->method = value_text(&out->value, "method");
    out->id = id;
    out->params = value_get(&out->value, "params");
    return true;
}

/* Does a key equal a known one only without its case? */
static bool is_near(struct str key, const char *known)
{
    struct str rest = str_from(known), name;

    for (bool more = true; more;) {
        more = str_cut(rest, ' ', &name, &rest);
        if (str_eq_nocase(key, name) && !str_eq(key, name))
            return true;
    }
    return false;
}

bool rpc_keys_are_clear(const struct value *object, const char *known)
{
    for (size_t i = 0; object && object->kind == VALUE_OBJECT && i < object->count; i++)
        if (is_near(object->members[i].key, known))
            return false;
    return true;
}

bool rpc_is_clear(const struct rpc_message *m, const char **why)
{
    bool result = value_get(&m->value, "result"), error = value_get(&m->value, "error");

    *why = "a key differs from one of JSON-RPC only by its case";
    if (!rpc_keys_are_clear(&m->value, "jsonrpc id method params result error"))
        return false;
    *why = "a message has a method, a result or an error, and only one of them";
    return (m->method.len > 0) + result + error == 1;
}

static void begin(struct json_writer *w, const struct value *id)
{
    json_begin_object(w);
    json_key(w, "jsonrpc");
    json_text(w, STR("2.0"));
    json_key(w, "id");
    if (id)
        json_any(w, id);
    else
        json_null(w);
}

struct str rpc_error(struct arena *a, const struct value *id, int code, const char *why)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    begin(&w, id);
    json_key(&w, "error");
    json_begin_object(&w);
    json_key(&w, "code");
    json_int(&w, code);
    json_key(&w, "message");
    json_text(&w, str_from(why));
    json_end_object(&w);
    json_end_object(&w);
    buf_byte(&b, '\n');
    return buf_str(&b);
}

struct str rpc_result(struct arena *a, const struct value *id, struct str result)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    begin(&w, id);
    buf_text(&b, ",\"result\":");
    buf_add(&b, result);
    buf_text(&b, "}\n");
    return buf_str(&b);
}

struct str rpc_tool_text(struct arena *a, struct str text, bool is_error)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "content");
    json_begin_array(&w);
    json_begin_object(&w);
    json_key(&w, "type");
    json_text(&w, STR("text"));
    json_key(&w, "text");
    json_text(&w, text);
    json_end_object(&w);
    json_end_array(&w);
    json_key(&w, "isError");
    json_bool(&w, is_error);
    json_end_object(&w);
    return buf_str(&b);
}

static struct str call_text(struct arena *a, const struct rpc_call *call)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "tool");
    json_text(&w, call->tool);
    json_key(&w, "input");
    if (call->input)
        json_any(&w, call->input);
    else
        buf_text(&b, "{}");
    w.comma = true;
    w.keyed = false;
    if (call->tool_use_id) {
        json_key(&w, "tool_use_id");
        json_any(&w, call->tool_use_id);
    }
    if (call->annotations) {
        json_key(&w, "annotations");
        json_any(&w, call->annotations);
    }
    if (call->session.len) {
        json_key(&w, "session");
        json_text(&w, call->session);
    }
    if (call->cwd.len) {
        json_key(&w, "cwd");
        json_text(&w, call->cwd);
        json_key(&w, "project");
        json_text(&w, call->cwd);
    }
    json_end_object(&w);
    return buf_str(&b);
}

warder_decision *rpc_judge(struct arena *a, warder_engine *engine, const struct rpc_call *call,
                           bool to_the_end)
{
    struct str text = call_text(a, call);
    warder_asking asking = WARDER_ASKING_INIT;
    warder_decision *decision = NULL;
    warder_error err = {0};

    asking.client = call->client;
    asking.terminal = to_the_end;
    asking.leave_ask = !to_the_end;
    if (warder_check_json(engine, text.s, text.len, &decision, &err) != WARDER_OK ||
        warder_resolve(engine, decision, &asking, &err) != WARDER_OK)
        complain_error(NULL, &err);
    return decision;
}
