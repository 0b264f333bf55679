/* grants.c - `warder grants`: the rules that `warder allow` and `warder deny` wrote, and what was
 * approved for the rest of a session. */
#include "cli/engine.h"
#include "cli/output.h"

static int grants_run(struct cli *cli)
{
    return report_of_engine(cli, warder_grants);
}

static int grants_revoke_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code;

    if (!cli->args.operands.count) {
        complain("which one? Give an id of warder grants");
        return usage_error(cli->command);
    }
    if ((code = engine_open(cli, &engine)))
        return code;
    if (warder_grants_revoke(engine, cli->args.operands.items[0], &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

const struct command command_grants = {
    .name = "grants",
    .operands = "",
    .summary = "list what you allowed or denied with warder allow, warder deny or for a session",
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = grants_run,
};

const struct command command_grants_revoke = {
    .name = "grants revoke",
    .operands = "ID",
    .summary = "remove such a rule or approval",
    .operands_max = 1,
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = grants_revoke_run,
    .more = "Only at a terminal, and not for agents.",
};
