/* mcp_proxy.c - `warder mcp proxy -- SERVER`: sits between an MCP client and its server, and
 * judges each tools/call and each resource
 * that is a file or a page. */
#include <pthread.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/list.h"
#include "base/path.h"
#include "cli/between.h"
#include "cli/engine.h"
#include "cli/mcp_resource.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *name;
};

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

static void hear_tools(struct arena *a, const struct rpc_message *m)
{
    const struct value *tools = value_get(value_get(&m->value, "result"), "tools");

    pthread_mutex_lock(&proxy.known);
    bool mine = m->id && take_list_id(between_json(a, m->id));
    for (size_t i = 0; mine && tools && tools->kind == VALUE_ARRAY && i < tools->count; i++) {
        const struct value *declared = &tools->items[i];
        if (!arena_try(&proxy.arena, keep_tool, &declared))
            break;
    }
    pthread_mutex_unlock(&proxy.known);
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

static struct str refusal(struct arena *a, const struct rpc_message *m, const warder_decision *d)
{
    const char *message = d ? warder_decision_message(d) : NULL;
    struct str text =
        message && message[0] ? str_from(message) : STR("the call could not be judged");

    return rpc_result(a, m->id, rpc_tool_text(a, text, true));
}

static struct value *member_of(struct value *object, const char *key)
{
    for (size_t i = 0; object && object->kind == VALUE_OBJECT && i < object->count; i++)
        if (str_is(object->members[i].key, key))
            return &object->members[i].value;
    return NULL;
}

/* The message with the input that is to run; empty when it has no place for that. */
static struct str rewritten(struct arena *a, struct rpc_message *m, const char *input)
{
    struct value *arguments = member_of(member_of(&m->value, "params"), "arguments");

    if (input && (!arguments || json_read(a, str_from(input), NULL, arguments, NULL) != STATUS_OK))
        return (struct str){0};
    return str_join(a, between_json(a, &m->value), STR("\n"));
}

static void pass_or_refuse(struct arena *a, struct rpc_message *m, warder_decision *d)
{
    struct str line = {0};

    if (warder_decision_behavior(d) == WARDER_ALLOW)
        line = rewritten(a, m, warder_decision_updated_input(d));
    if (line.len)
        between_to_server(line);
    else if (m->id)
        between_to_client(refusal(a, m, d));
}

static void judge(struct arena *a, struct rpc_message *m, struct str line)
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

    (void)line;
    if (name.len == 0 || memchr(name.s, '\0', name.len) || (input && input->kind != VALUE_OBJECT)) {
        if (m->id)
            between_to_client(rpc_error(a, m->id, RPC_INVALID_PARAMS,
                                        "a call names a tool and has an object of arguments"));
        return;
    }
    if (hints.len && json_read(a, hints, NULL, annotations, NULL) == STATUS_OK)
        call.annotations = annotations;
    warder_decision *d = rpc_judge(a, proxy.engine, &call, true);
    pass_or_refuse(a, m, d);
    warder_decision_free(d);
}

static void refuse(struct arena *a, const struct rpc_message *m, int code, const char *why)
{
    if (m->id)
        between_to_client(rpc_error(a, m->id, code, why));
}

/* Of which tool this would be a call: a server that reads files must not read more of them than the
 * agent itself may. NULL: none. */
static const char *tool_of(enum mcp_resource kind, const char **field)
{
    *field = kind == RESOURCE_WEB ? "url" : "file_path";
    return kind == RESOURCE_FILE ? "Read" : kind == RESOURCE_WEB ? "WebFetch" : NULL;
}

static void judge_resource(struct arena *a, struct rpc_message *m, struct str line)
{
    struct value *input = ARENA_NEW(a, struct value);
    struct buf text = buf_in(a);
    struct json_writer w = json_to(&text);
    struct str argument;
    const char *field,
        *tool = tool_of(mcp_resource_read(a, value_text(m->params, "uri"), &argument), &field);
    struct rpc_call call = {
        .tool = str_from(tool), .input = input, .client = "mcp-proxy", .session = proxy.session};

    (void)line;
    json_begin_object(&w);
    json_text_member(&w, field, argument);
    json_end_object(&w);
    if (json_read(a, buf_str(&text), NULL, input, NULL) != STATUS_OK) {
        refuse(a, m, RPC_INVALID_PARAMS, "the URI of the resource cannot be judged");
        return;
    }
    warder_decision *d = rpc_judge(a, proxy.engine, &call, true);
    if (d && warder_decision_behavior(d) == WARDER_ALLOW)
        between_pass_to_server(a, m);
    else
        refuse(a, m, RPC_INVALID_REQUEST,
               d ? warder_decision_message(d) : "the call could not be judged");
    warder_decision_free(d);
}

static void resource(struct arena *a, struct rpc_message *m, struct str line)
{
    struct str argument;

    switch (mcp_resource_read(a, value_text(m->params, "uri"), &argument)) {
    case RESOURCE_OWN:
        between_pass_to_server(a, m);
        return;
    case RESOURCE_FILE:
    case RESOURCE_WEB:
        if (!between_later(line, judge_resource))
            refuse(a, m, RPC_INVALID_REQUEST, "too many calls wait already");
        return;
    case RESOURCE_UNCLEAR:
        break;
    }
    refuse(a, m, RPC_INVALID_PARAMS, "the URI of the resource cannot be judged");
}

static void tool_call(struct arena *a, struct rpc_message *m, struct str line)
{
    if (!between_later(line, judge) && m->id)
        between_to_client(
            rpc_result(a, m->id, rpc_tool_text(a, STR("too many calls wait already"), true)));
}

static void tool_list(struct arena *a, struct rpc_message *m, struct str line)
{
    (void)line;
    if (m->id)
        expect_list(m->id);
    between_pass_to_server(a, m);
}

static void pass(struct arena *a, struct rpc_message *m, struct str line)
{
    (void)line;
    between_pass_to_server(a, m);
}

/* The methods of the specification that a client may send. Those that pass start nothing: they list
 * and describe, fetch a text for the model that the server wrote, complete an argument, or ask
 * after a task, which a tools/call has begun. A method that is not here might start anything. */
static const struct {
    const char *method, *params; /* the names in params that verdicts depend on */
    between_look look;
} methods[] = {
    {"tools/call", "name arguments", tool_call},
    {"resources/read", "uri", resource},
    {"resources/subscribe", "uri", resource},
    {"tools/list", "", tool_list},
    {"initialize", "", pass},
    {"ping", "", pass},
    {"resources/list", "", pass},
    {"resources/templates/list", "", pass},
    {"resources/unsubscribe", "", pass},
    {"prompts/list", "", pass},
    {"prompts/get", "", pass},
    {"completion/complete", "", pass},
    {"logging/setLevel", "", pass},
    {"tasks/list", "", pass},
    {"tasks/get", "", pass},
    {"tasks/result", "", pass},
    {"tasks/cancel", "", pass},
    {"notifications/initialized", "", pass},
    {"notifications/cancelled", "", pass},
    {"notifications/progress", "", pass},
    {"notifications/roots/list_changed", "", pass},
    {"notifications/tasks/status", "", pass},
};

/* A response answers what the server has asked: roots, sampling, elicitation. The client has judged
 * that itself. */
static void from_client(struct arena *a, struct rpc_message *m, struct str line)
{
    if (m->method.len == 0) {
        between_pass_to_server(a, m);
        return;
    }
    for (size_t i = 0; i < COUNT(methods); i++) {
        if (!str_is(m->method, methods[i].method))
            continue;
        if (rpc_keys_are_clear(m->params, methods[i].params))
            methods[i].look(a, m, line);
        else
            refuse(a, m, RPC_INVALID_PARAMS, "a parameter differs from a known one by its case");
        return;
    }
    refuse(a, m, RPC_NO_METHOD, "Warder does not know this method, and does not pass it on");
}

static void from_server(struct arena *a, struct rpc_message *m, struct str line)
{
    if (m->method.len == 0)
        hear_tools(a, m);
    between_to_client(str_join(a, line, STR("\n")));
}

/* mcp__SERVER__TOOL must have one reading only. */
static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_letter(s.s[i]) && !ascii_is_digit(s.s[i]) && s.s[i] != '-' && s.s[i] != '_')
            return false;
    return s.len > 0 && !str_contains(s, STR("__"));
}

static int mcp_proxy_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    static const struct between how = {"server", from_client, from_server};
    int code;

    if (cli->args.operands.count == 0) {
        complain("which server? Write its command after --");
        return usage_error(cli->command);
    }
    proxy.server =
        given->name ? str_from(given->name) : path_base(str_from(cli->args.operands.items[0]));
    if (!is_name(proxy.server)) {
        complain("the server needs a name of letters, digits, - and _: give one with --name");
        return usage_error(cli->command);
    }
    arena_init(&proxy.arena, ANNOTATED_MAX);
    proxy.session = str_format(cli->arena, "mcp-proxy-%ld", (long)getpid());
    if ((code = engine_open(cli, &proxy.engine)) == 0)
        code = between_run(cli, &how);
    warder_engine_free(proxy.engine);
    return code;
}

static const struct option proxy_options[] = {
    OPT_TEXT("--name", "NAME", OWN(name), "the server's name in rules (default: its program's)"),
    {0},
};

const struct command command_mcp_proxy = {
    .name = "mcp proxy",
    .operands = "-- SERVER [ARG...]",
    .summary = "stand between an MCP client and a server, and judge each of its tool calls",
    .operands_max = BETWEEN_WORDS_MAX,
    .tables = {POLICY_OPTIONS, proxy_options, common_options},
    .run = mcp_proxy_run,
    .exits = "the server's own",
    .more = "A tool is judged under the name mcp__NAME__TOOL, with the annotations that the "
            "server gave it. What is\n"
            "not allowed is answered as a tool error that says why; everything else passes "
            "through.",
    .records = true,
};
