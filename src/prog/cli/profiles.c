/* profiles.c - `warder profiles`: the table of permission models. */
#include "cli/engine.h"
#include "cli/output.h"

static int profiles_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_profiles(&report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return EXIT_YES;
}

const struct command command_profiles = {
    .name = "profiles",
    .operands = "",
    .summary = "the permission models, with their layers in order",
    .tables = {common_options},
    .run = profiles_run,
};
