/* status.c - `warder status`: Warder at a glance. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool line;
};

static int status_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_installation where = WARDER_INSTALLATION_INIT;
    warder_report *report = NULL;
    warder_error err = {0};

    where.home = cli->args.home;
    if (warder_overview(&where, given->line, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    int code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
    report_print(cli, report);
    return code;
}

static const struct option status_options[] = {
    OPT_FLAG("--line", OWN(line), "one line, for the status line of an agent or a shell"),
    {0},
};

const struct command command_status = {
    .name = "status",
    .operands = "",
    .summary = "Warder at a glance: agents, mode, today's calls, what waits for you",
    .tables = {status_options, home_options, common_options},
    .run = status_run,
    .exits = "0 fine, 1 something needs attention; with --line always 0",
    .more = "What needs attention: an agent that is here and not protected, a policy or a record "
            "that cannot be read, a pause, and waiting questions.",
};
