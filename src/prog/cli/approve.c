/* approve.c - `warder approve [ID]`: a person answers a call that an agent could not ask about. */
#include <unistd.h>

#include "base/json.h"
#include "cli/agree.h"
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

/* "  1  5hgmpwzaen   2 min  codex  Bash  make deploy" */
static void print_numbered(struct str rows)
{
    struct str row;

    for (size_t number = 1; rows.len; number++) {
        str_cut(rows, '\n', &row, &rows);
        printf("%3zu  %.*s\n", number, STR_ARG(row));
    }
}

/* *id: NULL where there is nothing to choose from. Several calls wait: the person names one. */
static int choose(struct cli *cli, warder_engine *engine, const char **id)
{
    warder_report *report;
    struct value list;
    warder_error err = {0};

    *id = NULL;
    if (!isatty(STDIN_FILENO))
        return 0;
    if (warder_approvals(engine, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    struct str json = str_copy(cli->arena, str_from(warder_report_json(report)));
    struct str rows = str_copy(cli->arena, str_from(warder_report_text(report)));
    warder_report_free(report);
    if (json_read(cli->arena, json, NULL, &list, NULL) != STATUS_OK || list.count < 2)
        return 0;
    print_numbered(rows);
    size_t number = choose_number(list.count);
    if (!number)
        return EXIT_NEITHER;
    *id = str_copy(cli->arena, value_text(&list.items[number - 1], "id")).s;
    return 0;
}

static int approve(struct cli *cli, warder_engine *engine, const char *id)
{
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
                           ? "approved: the same call may now run, once, within ten minutes\nto "
                             "allow it always: warder allow"
                           : outcomes[outcome].word);
    }
    return outcomes[outcome].code;
}

/* One after the other, until one of them is not approved. */
static int approve_named(struct cli *cli, warder_engine *engine)
{
    const struct texts *ids = &cli->args.operands;
    int code = EXIT_YES;

    for (size_t i = 0; i < ids->count && code == EXIT_YES; i++)
        code = approve(cli, engine, ids->items[i]);
    return code;
}

static int approve_one(struct cli *cli, warder_engine *engine)
{
    const char *id;
    int code = choose(cli, engine, &id);

    return code ? code : approve(cli, engine, id);
}

static int approve_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    if (given->list)
        code = list(cli, engine);
    else
        code = (cli->args.operands.count ? approve_named : approve_one)(cli, engine);
    warder_engine_free(engine);
    return code;
}

static const struct option list_options[] = {
    OPT_FLAG("--list", OWN(list), "list the calls that are waiting, and ask nothing"),
    {0},
};

const struct command command_approve = {
    .name = "approve",
    .operands = "[ID ...]",
    .summary = "allow or refuse a call that an agent could not ask about; it may then run, once",
    .operands_max = SIZE_MAX,
    .tables = {list_options, home_options, common_options},
    .run = approve_run,
    .exits = "0 approved, 1 refused, 2 left open",
    .more = "Only at a terminal, and not for agents. Without an ID it lists the calls that wait, "
            "and you choose one. "
            "An approval counts for ten minutes, and only while the call, the policy and the files "
            "that it runs "
            "stay the same.",
};
