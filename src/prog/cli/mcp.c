/* mcp.c - `warder mcp`: an MCP server with one tool, which a client asks before it runs another
 * one.
 *
 *     claude -p ... --mcp-config FILE --permission-prompt-tool mcp__warder__approve
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "cli/rpc.h"

#define TOOL_NAME "approve"

/* The protocol's versions that this server knows; the newest first. */
static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};

static const char tools[] =
    "{\"tools\":[{\"name\":\"" TOOL_NAME
    "\",\"description\":\"Says whether a tool call may run: allow or deny, and "
    "why.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"tool_name\":{\"type\":"
    "\"string\"},\"input\":{"
    "\"type\":\"object\"},\"tool_use_id\":{\"type\":\"string\"}},\"required\":[\"tool_name\","
    "\"input\"]},"
    "\"annotations\":{\"readOnlyHint\":true}}]}";

struct mcp_line {
    struct arena *arena;
    warder_engine *engine;
    struct str line;
    struct str answer; /* empty: there is none */
};

/* ---- the methods ---- */

static struct str initialize(struct mcp_line *s, const struct rpc_message *m)
{
    struct str wanted = value_text(m->params, "protocolVersion");
    const char *version = versions[0];

    for (size_t i = 0; i < COUNT(versions); i++)
        if (str_is(wanted, versions[i]))
            version = versions[i];
    return str_format(s->arena,
                      "{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{"
                      "\"name\":\"warder\","
                      "\"version\":\"%s\"}}",
                      version, warder_version());
}

/* The shape that Claude Code wants: an allow has the input that is to run. */
static struct str permission(struct arena *a, warder_decision *d, const struct value *input)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    const char *updated = warder_decision_updated_input(d), *message = warder_decision_message(d);
    bool allowed = warder_decision_behavior(d) == WARDER_ALLOW;

    json_begin_object(&w);
    json_key(&w, "behavior");
    json_text(&w, allowed ? STR("allow") : STR("deny"));
    if (allowed && updated) {
        buf_text(&b, ",\"updatedInput\":");
        buf_text(&b, updated);
    } else if (allowed) {
        json_key(&w, "updatedInput");
        json_any(&w, input);
    } else {
        json_key(&w, "message");
        json_text(&w, message && message[0] ? str_from(message) : STR("not allowed"));
        json_key(&w, "interrupt");
        json_bool(&w, warder_decision_interrupt(d));
    }
    json_end_object(&w);
    return buf_str(&b);
}

static struct str call_tool(struct mcp_line *s, const struct rpc_message *m)
{
    const struct value *arguments = value_get(m->params, "arguments"),
                       *input = value_get(arguments, "input");
    struct rpc_call call = {
        .tool = value_text(arguments, "tool_name"),
        .input = input,
        .tool_use_id = value_get(arguments, "tool_use_id"),
        .client = "mcp",
    };

    if (!str_is(value_text(m->params, "name"), TOOL_NAME))
        return rpc_error(s->arena, m->id, RPC_INVALID_PARAMS, "there is no such tool");
    if (call.tool.len == 0 || !input || input->kind != VALUE_OBJECT)
        return rpc_error(s->arena, m->id, RPC_INVALID_PARAMS,
                         "tool_name and input say what is asked about");
    warder_decision *d = rpc_judge(s->arena, s->engine, &call, true);
    struct str text = permission(s->arena, d, input);
    warder_decision_free(d);
    return rpc_result(s->arena, m->id, rpc_tool_text(s->arena, text, false));
}

static struct str answer_to(struct mcp_line *s, const struct rpc_message *m)
{
    if (str_is(m->method, "initialize"))
        return rpc_result(s->arena, m->id, initialize(s, m));
    if (str_is(m->method, "ping"))
        return rpc_result(s->arena, m->id, STR("{}"));
    if (str_is(m->method, "tools/list"))
        return rpc_result(s->arena, m->id, STR(tools));
    if (str_is(m->method, "tools/call"))
        return call_tool(s, m);
    return rpc_error(s->arena, m->id, RPC_NO_METHOD, "there is no such method");
}

/* ---- the loop ---- */

static void serve_line(void *arg)
{
    struct mcp_line *s = arg;
    struct rpc_message m;
    const char *why;
    int code;

    s->answer = (struct str){0};
    if (!rpc_read(s->arena, s->line, &m, &code, &why))
        s->answer = rpc_error(s->arena, NULL, code, why);
    else if (m.id && m.method.len)
        s->answer = answer_to(s, &m);
}

static int serve(warder_engine *engine)
{
    struct arena arena;
    struct mcp_line s = {.arena = &arena, .engine = engine};
    struct lines lines;
    enum lines_answer next;
    int code = 0;

    arena_init(&arena, RPC_MEMORY_MAX);
    lines_init(&lines, STDIN_FILENO, (size_t)JSON_MAX_BYTES);
    while (!code && (next = lines_next(&lines, &s.line)) != LINES_END) {
        if (next == LINES_FAILED || !arena_try(&arena, serve_line, &s) ||
            !write_whole(STDOUT_FILENO, s.answer)) {
            complain("cannot go on: %s",
                     next == LINES_FAILED ? strerror(errno) : "no memory, or the client is gone");
            code = EX_IOERR;
        }
        arena_reset(&arena);
    }
    lines_release(&lines);
    arena_release(&arena);
    return code;
}

static int mcp_run(struct cli *cli)
{
    warder_engine *engine;
    int code = engine_open(cli, &engine);

    if (!code)
        code = serve(engine);
    warder_engine_free(engine);
    return code;
}

const struct command command_mcp = {
    .name = "mcp",
    .operands = "",
    .summary = "an MCP server whose tool `approve` answers permission prompts",
    .tables = {POLICY_OPTIONS, common_options},
    .run = mcp_run,
    .exits = "0 when the client has gone",
    .more = "Speaks MCP on standard input and output. For Claude Code: --permission-prompt-tool "
            "mcp__warder__approve, with this command as the server warder.",
    .records = true,
};
