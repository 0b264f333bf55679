/* doctor.c - `warder doctor`: do the agents of this machine really ask Warder? */
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/tier.h"

#define LIVE_SECONDS     120
#define LIVE_SECONDS_MAX 600

struct given {
    bool live;
    const char *timeout;
};

/* What cannot be started, and what is not meant for it. */
static int check_live(struct cli *cli, const char *client, uint32_t *seconds)
{
    const struct given *given = cli->args.given;

    *seconds = LIVE_SECONDS;
    if (!client)
        complain("which agent? For example: warder doctor --live claude");
    else if (cli->args.home)
        complain("--live starts the agent with your own home: leave --home out");
    else if (given->timeout &&
             (!read_count(given->timeout, seconds) || *seconds > LIVE_SECONDS_MAX))
        complain("--timeout must be a number of seconds from 1 to %d", LIVE_SECONDS_MAX);
    else
        return 0;
    return usage_error(cli->command);
}

static int agree_to_start(struct cli *cli, const warder_installation *where)
{
    const char *client = where->client;

    fprintf(stderr,
            "This starts %s with your account, in an empty directory; its model gets one short "
            "question:\n  %s '%s'\n",
            warder_client_title(client), warder_live_command(client), warder_live_question(where));
    return agree(cli, "Start it?");
}

static int visit_live(struct cli *cli, const warder_installation *where, warder_report **out)
{
    warder_error err = {0};
    uint32_t seconds;
    int code = check_live(cli, where->client, &seconds);

    if (code)
        return code;
    if (warder_client_title(where->client) && !warder_live_command(where->client)) {
        complain("%s cannot be started with a question: let it use a tool once, then run `warder "
                 "doctor %s`",
                 warder_client_title(where->client), where->client);
        return EXIT_NO;
    }
    if (warder_client_title(where->client) && (code = agree_to_start(cli, where)) != EXIT_YES)
        return code;
    return warder_doctor_live(where, seconds, out, &err) == WARDER_OK ? EXIT_YES
                                                                      : complain_error(NULL, &err);
}

static int doctor_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_installation where = WARDER_INSTALLATION_INIT;
    warder_report *report = NULL;
    warder_error err = {0};
    int code = EXIT_YES;

    where.home = cli->args.home;
    where.client = cli->args.operands.count ? cli->args.operands.items[0] : NULL;
    tier_refresh(cli);
    if (given->live)
        code = visit_live(cli, &where, &report);
    else if (warder_doctor(&where, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (code != EXIT_YES)
        return code;
    code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
    report_print(cli, report);
    return code;
}

static const struct option live_options[] = {
    OPT_FLAG("--live", OWN(live),
             "start the agent itself with a harmless question, and see whether it asks"),
    OPT_TEXT("--timeout", "SECONDS", OWN(timeout), "how long it may take; 120 unless given"),
    {0},
};

const struct command command_doctor = {
    .name = "doctor",
    .operands = "[CLIENT]",
    .summary = "find the agents of this machine, and check that each of them really asks Warder",
    .operand_values = warder_client_name,
    .operands_max = 1,
    .tables = {live_options, home_options, yes_options, common_options},
    .run = doctor_run,
    .exits = "0 all of them do, 1 something is wrong",
    .more = "Sends one harmful and one harmless call through each registered hook; neither is "
            "run. --live starts the agent itself; it asks you first, and is not for agents.",
};
