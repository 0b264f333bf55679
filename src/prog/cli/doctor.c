/* doctor.c - `warder doctor`: does Warder stand between the agents of this machine and the machine?
 */
#include "cli/engine.h"
#include "cli/output.h"

int doctor_run(struct cli *cli)
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
