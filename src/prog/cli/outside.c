/* outside.c - `warder outside ID`: a person lets a call run outside the sandbox, once. */
#include "cli/engine.h"
#include "cli/output.h"

static const struct {
    const char *text;
    int code;
} outcomes[] = {
    [WARDER_LEFT_OPEN] = {"left open", EXIT_NEITHER},
    [WARDER_APPROVED] = {"the same call may now run outside the sandbox, once, within ten minutes",
                         EXIT_YES},
    [WARDER_REFUSED] = {"refused: it stays in the sandbox", EXIT_NO},
};

static int outside_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report = NULL;
    warder_approval outcome = WARDER_LEFT_OPEN;
    warder_error err = {0};
    const char *id = cli->args.operands.count ? cli->args.operands.items[0] : "";
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    if (warder_outside(engine, id, &outcome, &report, &err) != WARDER_OK) {
        code = complain_error(id, &err);
    } else {
        code = outcomes[outcome].code;
        if (!cli->args.json)
            printf("%s\n", outcomes[outcome].text);
        report_print(cli, report);
    }
    warder_report_free(report);
    warder_engine_free(engine);
    return code;
}

const struct command command_outside = {
    .name = "outside",
    .operands = "ID",
    .summary = "let a call that met a wall of the sandbox run outside of it, once",
    .operands_max = 1,
    .tables = {home_options, common_options},
    .run = outside_run,
    .records = true,
    .exits = "0 it may run, 1 refused, 2 left open",
    .more = "Only at a terminal, and not for agents. The ID is in the last line that such a call "
            "was told. It counts for ten minutes, and only while the call, the policy and the "
            "files that it runs stay the same. What would let it do the same inside is printed as "
            "lines for your policy. `retry: deny` in any policy file forbids it.",
};
