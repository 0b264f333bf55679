/* state.c - `warder state rebuild`: reviews and tokens again from the journal. */
#include "cli/engine.h"
#include "cli/output.h"

static int state_rebuild_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_state_rebuild(cli->args.data, cli->args.home, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

const struct command command_state_rebuild = {
    .name = "state rebuild",
    .operands = "",
    .summary = "rebuild the reviews and tokens of the service from the journal",
    .tables = {data_options, home_options, common_options},
    .run = state_rebuild_run,
    .more = "For a state.sqlite that is damaged. Stop the service first; the old file is set "
            "aside. Reviews that are "
            "still pending can be approved once their workers ask again.",
};
