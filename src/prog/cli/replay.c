/* replay.c - `warder replay`: the calls of a log, judged by another policy. */
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/records.h"

struct given {
    const char *since, *until;
    bool present;
};

static int compare_log(struct cli *cli, warder_engine *before, warder_engine *after)
{
    const struct given *given = cli->args.given;
    struct records_from from = {.filter = WARDER_LOG_FILTER_INIT};
    warder_comparison *comparison;
    warder_error err = {0};

    if (cli->args.operands.count)
        from.file = cli->args.operands.items[0];
    from.filter.since = given->since;
    from.filter.until = given->until;
    if (warder_comparison_new(before, after, !given->present, &comparison, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    int code = records_each(cli, &from, record_compare, comparison);
    if (!code)
        code = comparison_finish(cli, comparison);
    warder_comparison_free(comparison);
    return code;
}

static int replay_run(struct cli *cli)
{
    warder_engine *before = NULL, *after = NULL;
    int code = engine_open_policies(cli, NULL, 0, &before);

    if (!code)
        code = engine_open(cli, &after);
    if (!code)
        code = engine_is_sound(after);
    if (!code)
        code = compare_log(cli, before, after);
    warder_engine_free(after);
    warder_engine_free(before);
    return code;
}

static const struct option replay_options[] = {
    OPT_FLAG("--present", OWN(present),
             "compare with what the present policy says now, not with the record"),
    OPT_TEXT("--since", "TIME", OWN(since), "only records since then: 2026-01-31, 24h, 7d"),
    OPT_TEXT("--until", "TIME", OWN(until), "only records up to then"),
    {0},
};

const struct command command_replay = {
    .name = "replay",
    .operands = "[LOG]",
    .summary = "judge the calls of a log by another policy, and show what changes",
    .operands_max = 1,
    .tables = {profile_options, given_rule_options, cwd_options, home_options, replay_options,
               data_options, common_options},
    .run = replay_run,
    .exits = COMPARISON_EXITS,
    .more = "LOG is a file of JSON lines, as `warder log export` writes it, or - for standard "
            "input; without it, "
            "the log of this machine. Records nothing and changes nothing. A record without its "
            "secrets, or whose "
            "directory is gone, is counted as \"cannot say\".",
};
