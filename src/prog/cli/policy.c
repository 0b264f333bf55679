/* policy.c - `warder policy show` and `warder policy check FILE`. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool all;
};

static int policy_show_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open_for_report(cli, &engine); /* which lists the problems itself */

    if (!code && warder_policy_show(engine, given->all, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (!code) {
        report_print(cli, report);
        code = engine_is_sound(engine);
    }
    warder_engine_free(engine);
    return code;
}

static int policy_check_run(struct cli *cli)
{
    warder_options options;
    warder_report *report;
    warder_error err = {0};
    const char *file;
    int code;

    if (cli->args.operands.count == 0) {
        complain("which file? For all that count: warder lint");
        return usage_error(cli->command);
    }
    file = cli->args.operands.items[0];
    if ((code = engine_options(cli, &options)))
        return code;
    if (warder_policy_check(&options, file, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    return report_findings(cli, report);
}

static const struct option show_options[] = {
    OPT_FLAG("--all", OWN(all), "also the places where no file is"),
    {0},
};

const struct command command_policy_show = {
    .name = "policy show",
    .operands = "",
    .summary = "the effective policy, and where each part came from",
    .tables = {show_options, POLICY_OPTIONS, common_options},
    .run = policy_show_run,
    .exits = "0 shown, 65 a file has errors",
};

const struct command command_policy_check = {
    .name = "policy check",
    .operands = "FILE",
    .summary = "read and lint one policy file",
    .operands_max = 1,
    .tables = {POLICY_OPTIONS, common_options},
    .run = policy_check_run,
    .exits = LINT_EXITS,
};
