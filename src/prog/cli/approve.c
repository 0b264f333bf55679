/* approve.c - `warder approve [ID]`: a person answers a call that an agent could not ask about. */
#include "base/json.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    bool list;
};

static int list(struct cli *cli, warder_engine *engine)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_approvals(engine, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return EXIT_YES;
}

static const struct {
    const char *word;
    int code;
} outcomes[] = {
    [WARDER_LEFT_OPEN] = {"left open", EXIT_NEITHER},
    [WARDER_APPROVED] = {"approved", EXIT_YES},
    [WARDER_REFUSED] = {"refused", EXIT_NO},
};

static int approve(struct cli *cli, warder_engine *engine)
{
    const char *id = cli->args.operands.count ? cli->args.operands.items[0] : NULL;
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to(&out);
    warder_approval outcome;
    warder_error err = {0};

    if (warder_approve(engine, id, &outcome, &err) != WARDER_OK)
        return complain_error(id, &err);
    if (cli->args.json) {
        json_begin_object(&w);
        json_key(&w, "outcome");
        json_text(&w, str_from(outcomes[outcome].word));
        json_end_object(&w);
        print_json(buf_str(&out).s);
    } else {
        printf("%s\n", outcome == WARDER_APPROVED
                           ? "approved: the same call may run now, once, within ten minutes\n"
                             "to allow it always: warder allow"
                           : outcomes[outcome].word);
    }
    return outcomes[outcome].code;
}

static int approve_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    code = given->list ? list(cli, engine) : approve(cli, engine);
    warder_engine_free(engine);
    return code;
}

static const struct option list_options[] = {
    OPT_FLAG("--list", OWN(list), "say which calls wait, and ask nothing"),
    {0},
};

const struct command command_approve = {
    .name = "approve",
    .operands = "[ID]",
    .summary = "answer a call that an agent could not ask about: it may then run, once",
    .operands_max = 1,
    .tables = {list_options, home_options, common_options},
    .run = approve_run,
    .exits = "0 approved, 1 refused, 2 left open",
    .more = "Only at a terminal, and not for agents. Without an ID: the only call that waits. "
            "An approval counts\n"
            "for ten minutes, and only while the call, the policy and the files that it runs "
            "stay the same.",
};
