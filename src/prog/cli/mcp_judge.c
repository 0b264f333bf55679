/* mcp_judge.c - which messages of an MCP client reach its server: each tools/call, and each
 * resource that is a file or a page, is judged. */
#include "cli/mcp_judge.h"

#include <pthread.h>

#include "base/list.h"
#include "cli/between.h"
#include "cli/mcp_resource.h"

#define TOOLS_MAX     4096 /* whose annotations are remembered */
#define LISTS_MAX     64   /* tools/list requests that the server has not answered yet */
#define ANNOTATED_MAX ((size_t)16 * 1024 * 1024)

/* What the server says about a tool. */
struct annotated {
    struct str tool;
    bool read_only, destructive, says_destructive;
};
struct annotateds LIST_OF(struct annotated);

static struct {
    warder_engine *engine;
    struct str server; /* the name in mcp__SERVER__TOOL */
    struct str session;

    pthread_mutex_t known; /* guards what follows */
    struct arena arena;
    struct annotateds tools;
    struct str lists[LISTS_MAX]; /* ids of tools/list requests, as JSON */
    size_t list_count;
} proxy = {.known = PTHREAD_MUTEX_INITIALIZER};

/* ---- what the server says about its tools ---- */

/* Below `known`. */
static bool take_list_id(struct str id)
{
    for (size_t i = 0; i < proxy.list_count; i++)
        if (str_eq(proxy.lists[i], id)) {
            proxy.lists[i] = proxy.lists[--proxy.list_count];
            return true;
        }
    return false;
}

/* Beyond the limits nothing is remembered: a tool without annotations is judged as one that says
 * nothing. */
static void expect_list(const struct value *id)
{
    pthread_mutex_lock(&proxy.known);
    if (proxy.list_count < LISTS_MAX) {
        struct str text = json_try_value(&proxy.arena, id);
        if (text.s)
            proxy.lists[proxy.list_count++] = text;
    }
    pthread_mutex_unlock(&proxy.known);
}

static struct annotated *find_tool(struct str name)
{
    for (size_t i = 0; i < proxy.tools.count; i++)
        if (str_eq(proxy.tools.items[i].tool, name))
            return &proxy.tools.items[i];
    return NULL;
}

static bool hint(const struct value *annotations, const char *key, bool *given)
{
    const struct value *v = value_get(annotations, key);

    *given = v && v->kind == VALUE_BOOL;
    return *given && v->boolean;
}

static void keep_tool(void *arg)
{
    const struct value *declared = *(const struct value *const *)arg;
    const struct value *annotations = value_get(declared, "annotations");
    struct str name = value_text(declared, "name");
    struct annotated *tool = find_tool(name);
    bool given;

    if (!tool && proxy.tools.count < TOOLS_MAX) {
        LIST_PUSH(&proxy.arena, &proxy.tools,
                  (struct annotated){.tool = str_copy(&proxy.arena, name)});
        tool = &proxy.tools.items[proxy.tools.count - 1];
    }
    if (!tool)
        return;
    tool->read_only = hint(annotations, "readOnlyHint", &given);
    tool->destructive = hint(annotations, "destructiveHint", &tool->says_destructive);
}

void mcp_hear(struct arena *a, const struct rpc_message *m)
{
    const struct value *tools = value_get(value_get(&m->value, "result"), "tools");

    if (m->method.len)
        return;
    pthread_mutex_lock(&proxy.known);
    bool mine = m->id && take_list_id(between_json(a, m->id));
    for (size_t i = 0; mine && tools && tools->kind == VALUE_ARRAY && i < tools->count; i++) {
        const struct value *declared = &tools->items[i];
        if (!arena_try(&proxy.arena, keep_tool, &declared))
            break;
    }
    pthread_mutex_unlock(&proxy.known);
}

void mcp_open(warder_engine *engine, struct str server, struct str session)
{
    proxy.engine = engine;
    proxy.server = server;
    proxy.session = session;
    arena_init(&proxy.arena, ANNOTATED_MAX);
}

/* ---- judging ---- */

static struct str annotations_of(struct arena *a, struct str name)
{
    struct str text = {0};

    pthread_mutex_lock(&proxy.known);
    const struct annotated *t = find_tool(name);
    if (t) {
        text = str_format(a, "{\"readOnly\":%s%s}", t->read_only ? "true" : "false",
                          !t->says_destructive ? ""
                          : t->destructive     ? ",\"destructive\":true"
                                               : ",\"destructive\":false");
    }
    pthread_mutex_unlock(&proxy.known);
    return text;
}

static struct mcp_verdict pass(struct arena *a, const struct rpc_message *m)
{
    return (struct mcp_verdict){.forward = true, .text = between_json(a, &m->value)};
}

static struct mcp_verdict refuse(struct arena *a, const struct rpc_message *m, int code,
                                 const char *why)
{
    return (struct mcp_verdict){.code = code,
                                .text = m->id ? rpc_error(a, m->id, code, why) : (struct str){0}};
}

/* What the model gets in place of the tool's own result. */
static struct mcp_verdict refuse_tool(struct arena *a, const struct rpc_message *m, struct str why)
{
    struct str result = rpc_tool_text(a, why, true);

    result =
        str_join(a, str_slice(result, 0, result.len - 1), STR(",\"resultType\":\"complete\"}"));
    return (struct mcp_verdict){.text = m->id ? rpc_result(a, m->id, result) : (struct str){0}};
}

static struct value *member_of(struct value *object, const char *key)
{
    for (size_t i = 0; object && object->kind == VALUE_OBJECT && i < object->count; i++)
        if (str_is(object->members[i].key, key))
            return &object->members[i].value;
    return NULL;
}

/* Puts the input that is to run into the message; false if it has no place for that. */
static bool rewrite(struct arena *a, struct rpc_message *m, const char *input)
{
    struct value *arguments = member_of(member_of(&m->value, "params"), "arguments");

    return !input ||
           (arguments && json_read(a, str_from(input), NULL, arguments, NULL) == STATUS_OK);
}

static struct mcp_verdict tool_call(struct arena *a, struct rpc_message *m)
{
    struct value *annotations = ARENA_NEW(a, struct value);
    struct str name = value_text(m->params, "name"), hints = annotations_of(a, name);
    const struct value *input = value_get(m->params, "arguments");
    struct rpc_call call = {
        .tool = str_format(a, "mcp__%.*s__%.*s", STR_ARG(proxy.server), STR_ARG(name)),
        .input = input,
        .client = "mcp-proxy",
        .session = proxy.session,
    };

    if (name.len == 0 || memchr(name.s, '\0', name.len) || (input && input->kind != VALUE_OBJECT))
        return refuse(a, m, RPC_INVALID_PARAMS,
                      "a call names a tool and has an object of arguments");
    if (hints.len && json_read(a, hints, NULL, annotations, NULL) == STATUS_OK)
        call.annotations = annotations;
    warder_decision *d = rpc_judge(a, proxy.engine, &call, true);
    bool allowed = d && warder_decision_behavior(d) == WARDER_ALLOW &&
                   rewrite(a, m, warder_decision_updated_input(d));
    const char *message = d ? warder_decision_message(d) : NULL;
    struct str why = message && message[0] ? str_copy(a, str_from(message))
                                           : STR("the call could not be judged");
    warder_decision_free(d);
    return allowed ? pass(a, m) : refuse_tool(a, m, why);
}

/* Of which tool this would be a call: a server that reads files must not read more of them than the
 * agent itself may. NULL: none. */
static const char *tool_of(enum mcp_resource kind, const char **field)
{
    *field = kind == RESOURCE_WEB ? "url" : "file_path";
    return kind == RESOURCE_FILE ? "Read" : kind == RESOURCE_WEB ? "WebFetch" : NULL;
}

/* NULL: it may be read; else why not. */
static const char *judge_uri(struct arena *a, struct str uri, int *code)
{
    struct value *input = ARENA_NEW(a, struct value);
    struct buf text = buf_in(a);
    struct json_writer w = json_to(&text);
    struct str argument;
    enum mcp_resource kind = mcp_resource_read(a, uri, &argument);
    const char *field, *tool = tool_of(kind, &field);
    struct rpc_call call = {
        .tool = str_from(tool), .input = input, .client = "mcp-proxy", .session = proxy.session};

    *code = RPC_INVALID_PARAMS;
    if (kind == RESOURCE_OWN)
        return NULL;
    json_begin_object(&w);
    json_text_member(&w, field, argument);
    json_end_object(&w);
    if (!tool || json_read(a, buf_str(&text), NULL, input, NULL) != STATUS_OK)
        return "the URI of the resource cannot be judged";
    warder_decision *d = rpc_judge(a, proxy.engine, &call, true);
    bool allowed = d && warder_decision_behavior(d) == WARDER_ALLOW;
    struct str why =
        str_copy(a, d ? str_from(warder_decision_message(d)) : STR("the call could not be judged"));
    warder_decision_free(d);
    *code = RPC_INVALID_REQUEST;
    return allowed ? NULL : why.len ? why.s : "not allowed";
}

static struct mcp_verdict resource(struct arena *a, struct rpc_message *m)
{
    int code;
    const char *why = judge_uri(a, value_text(m->params, "uri"), &code);

    return why ? refuse(a, m, code, why) : pass(a, m);
}

/* Revision 2026-07-28: the resources whose changes are to be told. */
static struct mcp_verdict subscriptions(struct arena *a, struct rpc_message *m)
{
    const struct value *filter = value_get(m->params, "notifications");
    const struct value *uris = value_get(filter, "resourceSubscriptions");
    int code;

    if (!rpc_keys_are_clear(filter, "resourceSubscriptions"))
        return refuse(a, m, RPC_INVALID_PARAMS, "a parameter differs from a known one by its case");
    if (uris && uris->kind != VALUE_ARRAY)
        return refuse(a, m, RPC_INVALID_PARAMS, "resourceSubscriptions must be a list");
    for (size_t i = 0; uris && i < uris->count; i++) {
        if (uris->items[i].kind != VALUE_STRING)
            return refuse(a, m, RPC_INVALID_PARAMS, "a resource is named by its URI");
        const char *why = judge_uri(a, uris->items[i].text, &code);
        if (why)
            return refuse(a, m, code, why);
    }
    return pass(a, m);
}

static struct mcp_verdict tool_list(struct arena *a, struct rpc_message *m)
{
    if (m->id)
        expect_list(m->id);
    return pass(a, m);
}

static struct mcp_verdict anything(struct arena *a, struct rpc_message *m)
{
    return pass(a, m);
}

/* The methods of the specification that a client may send, of revision 2026-07-28 and of those
 * before it. Those that pass start nothing: they list and describe, fetch a text for the model that
 * the server wrote, complete an argument, or ask after a task, which a tools/call has begun. A
 * method that is not here might start anything. */
static const struct {
    const char *method, *params; /* the names in params that verdicts depend on */
    struct mcp_verdict (*look)(struct arena *a, struct rpc_message *m);
    bool judges; /* a person may be asked */
} methods[] = {
    {"tools/call", "name arguments", tool_call, true},
    {"resources/read", "uri", resource, true},
    {"resources/subscribe", "uri", resource, true},
    {"subscriptions/listen", "notifications", subscriptions, true},
    {"tools/list", "", tool_list, false},
    {"server/discover", "", anything, false},
    {"initialize", "", anything, false},
    {"ping", "", anything, false},
    {"resources/list", "", anything, false},
    {"resources/templates/list", "", anything, false},
    {"resources/unsubscribe", "", anything, false},
    {"prompts/list", "", anything, false},
    {"prompts/get", "", anything, false},
    {"completion/complete", "", anything, false},
    {"logging/setLevel", "", anything, false},
    {"tasks/list", "", anything, false},
    {"tasks/get", "", anything, false},
    {"tasks/result", "", anything, false},
    {"tasks/update", "", anything, false},
    {"tasks/cancel", "", anything, false},
    {"notifications/initialized", "", anything, false},
    {"notifications/cancelled", "", anything, false},
    {"notifications/progress", "", anything, false},
    {"notifications/roots/list_changed", "", anything, false},
    {"notifications/tasks/status", "", anything, false},
};

bool mcp_may_wait(const struct rpc_message *m)
{
    for (size_t i = 0; i < COUNT(methods); i++)
        if (str_is(m->method, methods[i].method))
            return methods[i].judges;
    return false;
}

/* A response answers what the server has asked: roots, sampling, elicitation. The client has judged
 * that itself. */
struct mcp_verdict mcp_judge(struct arena *a, struct rpc_message *m)
{
    if (m->method.len == 0)
        return pass(a, m);
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (!str_is(m->method, methods[i].method))
            continue;
        if (!rpc_keys_are_clear(m->params, methods[i].params))
            return refuse(a, m, RPC_INVALID_PARAMS,
                          "a parameter differs from a known one by its case");
        return methods[i].look(a, m);
    }
    return refuse(a, m, RPC_NO_METHOD, "Warder does not know this method, and does not pass it on");
}

struct mcp_verdict mcp_refuse(struct arena *a, const struct rpc_message *m, const char *why)
{
    return str_is(m->method, "tools/call") ? refuse_tool(a, m, str_from(why))
                                           : refuse(a, m, RPC_INVALID_REQUEST, why);
}
