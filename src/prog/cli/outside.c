/* outside.c - `warder outside ID`: a person lets a call run outside the sandbox, once. */
#include <string.h>

#include "cli/agree.h"
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

/* ---- always ---- */

static int change(struct cli *cli, warder_engine *engine, const char *id, int in_project)
{
    warder_sandbox_change *widening = NULL;
    warder_error err = {0};
    int code;

    if (warder_sandbox_change_plan(engine, id, in_project, &widening, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (!widening) {
        complain("nothing to write: the file has all of it already");
        return EXIT_NO;
    }
    print_text(stdout, warder_sandbox_change_file(widening), PRINT_LINE);
    printf("\n");
    print_text(stdout, warder_sandbox_change_diff(widening), PRINT_LINES);
    code = agree(cli, "Write this?");
    if (code == EXIT_YES && warder_sandbox_change_write(widening, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else if (code == EXIT_YES)
        printf("written: the next calls have it in the sandbox\n");
    warder_sandbox_change_free(widening);
    return code;
}

/* What the call was refused, for all calls from now on; the answer about this one call stays. */
static void offer(struct cli *cli, warder_engine *engine, const char *id)
{
    printf("let it do that in the sandbox, always?\n"
           "  1  in all projects: your own policy\n"
           "  2  in this project alone: its .warder/warder.local.*\n");
    const size_t number = choose_number(2);
    if (number)
        (void)change(cli, engine, id, number == 2);
}

static bool has_lines(const warder_report *report)
{
    return strstr(warder_report_text(report), "sandbox:") != NULL;
}

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
        const bool offered = outcome != WARDER_LEFT_OPEN && !cli->args.json && has_lines(report);
        report_print(cli, report);
        if (offered)
            offer(cli, engine, id);
    }
    warder_engine_free(engine);
    return code;
}

const struct command command_outside = {
    .name = "outside",
    .operands = "ID",
    .summary = "let a call that the sandbox blocked run outside of it, once",
    .operands_max = 1,
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = outside_run,
    .records = true,
    .exits = "0 it may run, 1 refused, 2 left open",
    .more = "Only at a terminal, and not for agents. The ID is in the last line of what such a "
            "call was told. It counts for ten minutes, and only while the call, the policy and "
            "the files that it runs stay the same. Lines for your policy that would let it run "
            "inside are shown, and written if you agree. `retry: deny` in any policy file "
            "forbids it.",
};
