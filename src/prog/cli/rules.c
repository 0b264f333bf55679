/* rules.c - `warder rules list`, `lint` and `show`. */
#include "cli/engine.h"
#include "cli/output.h"

static int rules_list_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open(cli, &engine);

    if (!code && warder_rules_list(engine, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else if (!code)
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

/* The report says what is wrong with the files, too. */
static int rules_lint_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open_for_report(cli, &engine);

    if (!code && warder_rules_lint(engine, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else if (!code)
        code = report_findings(cli, report);
    warder_engine_free(engine);
    return code;
}

static int rules_show_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code;

    if (cli->args.operands.count == 0) {
        complain("which rule?");
        return usage_error(cli->command);
    }
    code = engine_open(cli, &engine);
    if (!code && warder_rules_show(engine, cli->args.operands.items[0], &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (!code)
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

const struct command command_rules = {
    .name = "rules",
    .operands = "",
    .summary = "every rule in force, strongest source first",
    .tables = {POLICY_OPTIONS, common_options},
    .run = rules_list_run,
};

const struct command command_rules_list = {
    .name = "rules list",
    .operands = "",
    .summary = "the same as warder rules",
    .tables = {POLICY_OPTIONS, common_options},
    .run = rules_list_run,
};

const struct command command_rules_lint = {
    .name = "rules lint",
    .operands = "",
    .summary = "rules that contradict each other, never match, or are wider than they look",
    .tables = {POLICY_OPTIONS, common_options},
    .run = rules_lint_run,
    .exits = LINT_EXITS,
};

const struct command command_rules_show = {
    .name = "rules show",
    .operands = "RULE",
    .summary = "how one rule was read; RULE is its number in the list, its id or its text",
    .operands_max = 1,
    .tables = {POLICY_OPTIONS, common_options},
    .run = rules_show_run,
};
