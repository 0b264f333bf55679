/* mcp_proxy.c - `warder mcp proxy`: sits between an MCP client and its server, and judges what the
 * client wants. Over standard input and output with a server that it starts, or over HTTP. */
#include <unistd.h>

#include "base/ascii.h"
#include "base/path.h"
#include "cli/between.h"
#include "cli/engine.h"
#include "cli/mcp_http.h"
#include "cli/mcp_judge.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *name, *listen, *url, *ca;
};

static void conclude(struct arena *a, struct mcp_verdict v)
{
    if (v.forward)
        between_to_server(str_join(a, v.text, STR("\n")));
    else if (v.text.len)
        between_to_client(v.text);
}

static void judge(struct arena *a, struct rpc_message *m, struct str line)
{
    (void)line;
    conclude(a, mcp_judge(a, m));
}

static void from_client(struct arena *a, struct rpc_message *m, struct str line)
{
    if (!mcp_may_wait(m))
        conclude(a, mcp_judge(a, m));
    else if (!between_later(line, judge))
        conclude(a, mcp_refuse(a, m, "too many calls wait already"));
}

static void from_server(struct arena *a, struct rpc_message *m, struct str line)
{
    mcp_hear(a, m);
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

static int choose_name(struct cli *cli, const struct given *given, struct str *out)
{
    const char *command = cli->args.operands.count ? cli->args.operands.items[0] : "";

    *out = given->name ? str_from(given->name) : path_base(str_from(command));
    if (is_name(*out))
        return 0;
    complain("the server needs a name of letters, digits, - and _: give one with --name");
    return usage_error(cli->command);
}

static int mcp_proxy_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    static const struct between how = {"server", from_client, from_server};
    const bool http = given->listen || given->url;
    struct str server;
    warder_engine *engine;
    int code;

    if (http ? !given->listen || !given->url || cli->args.operands.count
             : cli->args.operands.count == 0) {
        complain(http ? "over HTTP it needs --listen and --url, and no command"
                      : "which server? Write its command after --");
        return usage_error(cli->command);
    }
    if ((code = choose_name(cli, given, &server)) || (code = engine_open(cli, &engine)))
        return code;
    mcp_open(engine, server, str_format(cli->arena, "mcp-proxy-%ld", (long)getpid()));
    code = http ? mcp_http_run(given->listen, given->url, given->ca) : between_run(cli, &how);
    warder_engine_free(engine);
    return code;
}

static const struct option proxy_options[] = {
    OPT_TEXT("--name", "NAME", OWN(name), "the server's name in rules (default: its program's)"),
    OPT_TEXT("--listen", "HOST:PORT", OWN(listen),
             "over HTTP: where the client finds it, an address of this machine"),
    OPT_TEXT("--url", "URL", OWN(url), "over HTTP: where the server is, http:// or https://"),
    OPT_TEXT("--ca", "FILE", OWN(ca), "for https: certificates to trust besides the system's"),
    {0},
};

const struct command command_mcp_proxy = {
    .name = "mcp proxy",
    .operands = "[-- SERVER [ARG...]]",
    .summary = "run between an MCP client and a server, and check every tool call",
    .operands_max = BETWEEN_WORDS_MAX,
    .tables = {POLICY_OPTIONS, proxy_options, common_options},
    .run = mcp_proxy_run,
    .exits = "the server's own",
    .more = "A tool is judged under the name mcp__NAME__TOOL, with the annotations that the "
            "server gave it. What is "
            "not allowed is answered as a tool error that says why; everything else passes "
            "through.",
    .records = true,
};
