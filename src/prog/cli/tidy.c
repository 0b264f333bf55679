/* tidy.c - `warder tidy`: takes rules that do nothing out of a policy file. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool write, undo, unused;
    const char *days;
};

static int undo(const char *file)
{
    warder_error err = {0};

    if (warder_tidy_undo(file, &err) != WARDER_OK)
        return complain_error(file, &err);
    complain("%s is what it was before", file);
    return EXIT_YES;
}

/* Shows the plan; writes it if that was asked for. */
static int finish(struct cli *cli, warder_tidy *tidy)
{
    const struct given *given = cli->args.given;
    const char *file = cli->args.operands.items[0];
    warder_report *report;
    warder_error err = {0};

    if (warder_tidy_report(tidy, &report, &err) != WARDER_OK)
        return complain_error(file, &err);
    bool some = warder_report_warnings(report) > 0;
    report_print(cli, report);
    if (!some)
        return EXIT_YES;
    if (!given->write) {
        complain("nothing was written: --write does it");
        return EXIT_NO;
    }
    if (warder_tidy_apply(tidy, &err) != WARDER_OK)
        return complain_error(file, &err);
    complain("%s is written; --undo takes it back", file);
    return EXIT_YES;
}

static int plan(struct cli *cli, warder_engine *engine, warder_log *log, uint32_t days)
{
    const char *file = cli->args.operands.items[0];
    warder_tidy *tidy;
    warder_error err = {0};

    if (warder_tidy_plan(engine, file, log, days, &tidy, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    int code = finish(cli, tidy);
    warder_tidy_free(tidy);
    return code;
}

static int tidy_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine = NULL;
    warder_log *log = NULL;
    uint32_t days = 0;
    int code;

    if (cli->args.operands.count != 1) {
        complain("which file?");
        return usage_error(cli->command);
    }
    if (given->undo)
        return undo(cli->args.operands.items[0]);
    if ((code = log_for_usage(cli, given->unused, given->days, &log, &days)))
        return code;
    code = engine_open_for_report(cli, &engine);
    if (!code)
        code = plan(cli, engine, log, days);
    warder_log_close(log);
    warder_engine_free(engine);
    return code;
}

static const struct option tidy_options[] = {
    OPT_FLAG("--unused", OWN(unused), "also allow rules that decided nothing, by the log"),
    OPT_TEXT("--days", "N", OWN(days), "... for this long (default: 90)"),
    OPT_FLAG("--write", OWN(write), "write the file; a copy of it stays beside it"),
    OPT_FLAG("--undo", OWN(undo), "put the copy back"),
    {0},
};

const struct command command_tidy = {
    .name = "tidy",
    .operands = "POLICY",
    .summary = "show which rules of a file do nothing, and remove them",
    .operands_max = 1,
    .tables = {model_options, home_options, project_options, tidy_options, data_options,
               common_options},
    .run = tidy_run,
    .exits = "0 nothing to remove, or written, 1 something to remove",
    .more = "Removes rules that repeat another, rules that a stricter one always beats, and "
            "allow rules on commands that nobody runs. Writes only with --write, and the rest of "
            "the file stays as it is.",
};
