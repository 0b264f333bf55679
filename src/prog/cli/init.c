/* init.c - `warder init`: a commented policy file to begin with. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    const char *preset;
    bool in_project, dry;
};

static int init_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    if (warder_policy_start(engine, given->preset, given->in_project, !given->dry, &report, &err) !=
        WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

static const struct option init_options[] = {
    OPT_NAMES("--preset", "PRESET", OWN(preset), NULL, warder_preset_name,
              "how strict it is (default: standard)"),
    OPT_FLAG("--in-project", OWN(in_project),
             "write .warder/warder.yaml of the project (default: your own policy)"),
    OPT_FLAG("--dry-run", OWN(dry), "print it and write nothing"),
    {0},
};

const struct command command_init = {
    .name = "init",
    .operands = "",
    .summary = "write a commented policy file to begin with",
    .tables = {init_options, cwd_options, home_options, project_options, common_options},
    .run = init_run,
    .more = "relaxed: agents edit the project without asking. standard: edits, installs and the "
            "network ask. "
            "strict: scripts, builds and inline code ask, too. A file that is there already is "
            "not changed.",
};
