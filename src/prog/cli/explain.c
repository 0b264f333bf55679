/* explain.c - `warder explain`: the verdict of `check`, from the same code, with its trace. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool all;
};

/* What cannot be shown denies: NULL. */
static warder_decision *print_page(const struct cli *cli, warder_decision *decision)
{
    bool colour = output_coloured(cli->args.color);
    const struct given *given = cli->args.given;
    const char *page = warder_decision_explain_text(
        decision, (colour ? WARDER_EXPLAIN_COLOUR : 0) | (given->all ? WARDER_EXPLAIN_ALL : 0));

    print_text(stdout, page ? page : "deny  too large to show\n",
               colour ? PRINT_COLOUR : PRINT_LINES);
    if (page)
        return decision;
    warder_decision_free(decision);
    return NULL;
}

static int explain_one(struct cli *cli)
{
    warder_engine *engine;
    warder_decision *decision;
    int code = engine_decide(cli, &engine, &decision);

    if (!code && cli->args.json)
        decision = print_or_deny(warder_decision_explain_json(decision), decision);
    else if (!code)
        decision = print_page(cli, decision);
    if (!code)
        code = verdict_exit(decision);
    warder_decision_free(decision);
    warder_engine_free(engine);
    return code;
}

static int explain_run(struct cli *cli)
{
    return cli->args.jsonl ? check_lines(cli, true) : explain_one(cli);
}

static const struct option explain_options[] = {
    OPT_FLAG("--all", OWN(all), "list the layers that had nothing to say, too"),
    {0},
};

const struct command command_explain = {
    .name = "explain",
    .operands = "TOOL [ARG] | -- COMMAND",
    .operand_values = warder_tool_name,
    .summary = "check, with the full reasoning",
    .operands_max = SIZE_MAX,
    .tables = {POLICY_OPTIONS, mode_options, call_options, explain_options, common_options},
    .run = explain_run,
    .exits = VERDICT_EXITS "; with --jsonl 0 when every line was answered",
};
