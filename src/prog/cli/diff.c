/* diff.c - `warder diff`: what one policy judges otherwise than another. */
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/records.h"

struct given {
    const char *log, *since;
    bool own_log;
};

static int add_records(struct cli *cli, warder_comparison *comparison)
{
    const struct given *given = cli->args.given;
    struct records_from from = {.file = given->log, .filter = WARDER_LOG_FILTER_INIT};

    from.filter.since = given->since;
    if (!given->log && !given->own_log)
        return 0;
    return records_each(cli, &from, record_compare, comparison);
}

static int compare(struct cli *cli, warder_engine *before, warder_engine *after)
{
    warder_comparison *comparison;
    warder_error err = {0};

    if (warder_comparison_new(before, after, 0, &comparison, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    int code = 0;
    if (warder_comparison_rules(comparison, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (!code)
        code = add_records(cli, comparison);
    if (!code)
        code = comparison_finish(cli, comparison);
    warder_comparison_free(comparison);
    return code;
}

static int diff_run(struct cli *cli)
{
    warder_engine *before = NULL, *after = NULL;
    const char *const *files = cli->args.operands.items;
    int code;

    if (cli->args.operands.count != 2) {
        complain("which two policies?");
        return usage_error(cli->command);
    }
    code = engine_open_policies(cli, &files[0], 1, &before);
    if (!code)
        code = engine_open_policies(cli, &files[1], 1, &after);
    if (!code && !(code = engine_is_sound(before)))
        code = engine_is_sound(after);
    if (!code)
        code = compare(cli, before, after);
    warder_engine_free(after);
    warder_engine_free(before);
    return code;
}

static const struct option diff_options[] = {
    OPT_TEXT("--log", "FILE", OWN(log), "judge the calls of this log, too; - is standard input"),
    OPT_FLAG("--own-log", OWN(own_log), "judge those of this machine's log, too"),
    OPT_TEXT("--since", "TIME", OWN(since), "only records since then: 2026-01-31, 24h, 7d"),
    {0},
};

const struct command command_diff = {
    .name = "diff",
    .operands = "OLD NEW",
    .summary = "show which verdicts differ between two policy files",
    .operands_max = 2,
    .tables = {model_options, cwd_options, home_options, project_options, diff_options,
               data_options, common_options},
    .run = diff_run,
    .exits = COMPARISON_EXITS,
    .more = "Both judge calls near every rule (with another option, host or path, in a wrapper, "
            "with a second command) and those of a log. Where it can be proved that a rule makes "
            "no difference, this is said beside it.",
};
