/* lint.c - `warder lint`: what is wrong with policy files, for people and for a build server. */

#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool sarif, unused;
    const char *days;
};

static int report_lint(struct cli *cli, warder_engine *engine, warder_log *log, uint32_t days)
{
    const struct given *given = cli->args.given;
    warder_report *report;
    warder_error err = {0};
    warder_status status = given->sarif ? warder_lint_sarif(engine, log, days, &report, &err)
                                        : warder_lint(engine, log, days, &report, &err);

    if (status != WARDER_OK)
        return complain_error(NULL, &err);
    cli->args.json |= given->sarif;
    return report_findings(cli, report);
}

static int lint_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine = NULL;
    warder_log *log = NULL;
    uint32_t days = 0;
    int code;

    if ((code = log_for_usage(cli, given->unused, given->days, &log, &days)))
        return code;
    code = engine_open_for_report(cli, &engine);
    if (!code)
        code = report_lint(cli, engine, log, days);
    warder_log_close(log);
    warder_engine_free(engine);
    return code;
}

static const struct option lint_options[] = {
    OPT_FLAG("--sarif", OWN(sarif), "print SARIF 2.1.0, for code scanning"),
    OPT_FLAG("--unused", OWN(unused), "also rules that decided nothing, by the log"),
    OPT_TEXT("--days", "N", OWN(days), "... for this long (default: 90)"),
    {0},
};

const struct command command_lint = {
    .name = "lint",
    .operands = "[POLICY...]",
    .summary = "mistakes in policy files, and rules that do not do what they seem to",
    .operands_max = 100,
    .tables = {POLICY_OPTIONS, lint_options, data_options, common_options},
    .run = lint_run,
    .exits = LINT_EXITS,
    .more = "Without POLICY: all policy files that count here.",
};
