/* pause.c - `warder pause` and `warder resume`: no questions for a while. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool in_project;
};

static int pause_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    uint64_t seconds;
    int code;

    if (!cli->args.operands.count || !read_seconds(cli->args.operands.items[0], &seconds)) {
        complain("how long? For example: warder pause 10m");
        return usage_error(cli->command);
    }
    if ((code = engine_open(cli, &engine)))
        return code;
    if (warder_pause(engine, seconds, given->in_project, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

static int resume_run(struct cli *cli)
{
    return report_of_engine(cli, warder_resume);
}

static const struct option pause_options[] = {
    OPT_FLAG("--project", OWN(in_project), "only for agents in the current directory, or below it"),
    {0},
};

const struct command command_pause = {
    .name = "pause",
    .operands = "TIME",
    .summary = "stop asking for a while (10m, 2h; at most 8h): what would be asked runs",
    .operands_max = 1,
    .tables = {pause_options, cwd_options, home_options, common_options},
    .run = pause_run,
    .more = "Only at a terminal, and not for agents. Deny and ask rules stay, and so does what "
            "Warder itself denies "
            "or protects. Every call that runs because of it says so in the log. It ends by "
            "itself, and when the "
            "machine restarts.",
    .records = true,
};

const struct command command_resume = {
    .name = "resume",
    .operands = "",
    .summary = "end the pause",
    .tables = {home_options, common_options},
    .run = resume_run,
    .records = true,
};
