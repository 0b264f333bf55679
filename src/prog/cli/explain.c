/* explain.c - `warder explain`: the verdict of `check`, from the same code, with its trace. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/engine.h"
#include "cli/output.h"

static bool wants_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && no[0]) && !(term && strcmp(term, "dumb") == 0);
}

/* What cannot be shown denies: NULL. */
static warder_decision *print_page(warder_decision *decision)
{
    bool colour = wants_colour();
    const char *page = warder_decision_explain_text(decision, colour);

    print_text(stdout, page ? page : "deny  too large to be shown\n",
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
        decision = print_page(decision);
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

const struct command command_explain = {
    .name = "explain",
    .operands = "TOOL [ARG]",
    .summary = "the same, and how the verdict came about",
    .operands_max = 2,
    .tables = {POLICY_OPTIONS, call_options, common_options},
    .run = explain_run,
    .exits = VERDICT_EXITS "; with --jsonl 0 when every line was answered",
};
