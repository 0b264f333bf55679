/* doctor.c - `warder doctor`: do the agents of this machine really ask Warder? */
#include "cli/engine.h"
#include "cli/output.h"

static int doctor_run(struct cli *cli)
{
    warder_installation where = WARDER_INSTALLATION_INIT;
    warder_report *report = NULL;
    warder_error err = {0};
    int code;

    where.home = cli->args.home;
    where.client = cli->args.operands.count ? cli->args.operands.items[0] : NULL;
    if (warder_doctor(&where, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
    report_print(cli, report);
    return code;
}

const struct command command_doctor = {
    .name = "doctor",
    .operands = "[CLIENT]",
    .summary = "find the agents of this machine, and check that each of them really asks Warder",
    .operand_values = warder_client_name,
    .operands_max = 1,
    .tables = {home_options, common_options},
    .run = doctor_run,
    .exits = "0 all of them do, 1 something is wrong",
    .more = "Sends one harmful and one harmless call through each registered hook. Nothing of "
            "them is run.",
};
