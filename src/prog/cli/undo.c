/* undo.c - `warder undo`: gives back what an agent's calls deleted or overwrote. */
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    const char *session;
    bool force, keep_theirs, dry_run;
};

static int undo_with(struct cli *cli, const warder_undo_wish *wish)
{
    warder_engine *engine;
    warder_report *report = NULL;
    warder_error err = {0};
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    if (warder_undo(engine, wish, &report, &err) != WARDER_OK) {
        code = complain_error(NULL, &err);
    } else {
        code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
        report_print(cli, report);
    }
    warder_engine_free(engine);
    return code;
}

/* Words before "--" are ids, those after it paths. */
static int undo_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    const struct texts *operands = &cli->args.operands;
    size_t ids = cli->args.before_dashes;
    warder_undo_wish wish = WARDER_UNDO_WISH_INIT;

    if (ids > 1 || (ids && given->session) || (given->force && given->keep_theirs)) {
        complain("give one ID or --session, one of --force and --keep-theirs, and paths after --");
        return usage_error(cli->command);
    }
    wish.id = ids ? operands->items[0] : NULL;
    wish.session = given->session;
    wish.paths = operands->count > ids ? operands->items + ids : NULL;
    wish.path_count = operands->count - ids;
    wish.force = given->force;
    wish.keep_theirs = given->keep_theirs;
    wish.dry_run = given->dry_run;
    return undo_with(cli, &wish);
}

static int undo_show_run(struct cli *cli)
{
    warder_undo_wish wish = WARDER_UNDO_WISH_INIT;

    if (!cli->args.operands.count) {
        complain("which one? Give an id of warder undo list");
        return usage_error(cli->command);
    }
    wish.id = cli->args.operands.items[0];
    wish.dry_run = 1;
    return undo_with(cli, &wish);
}

static int undo_list_run(struct cli *cli)
{
    return report_of_engine(cli, warder_undo_list);
}

static int undo_prune_run(struct cli *cli)
{
    return report_of_engine(cli, warder_undo_prune);
}

static int undo_drop_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code;

    if (!cli->args.operands.count) {
        complain("which one? Give an id of warder undo list");
        return usage_error(cli->command);
    }
    if ((code = engine_open(cli, &engine)))
        return code;
    if (warder_undo_drop(engine, cli->args.operands.items[0], &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

static const struct option undo_options[] = {
    OPT_TEXT("--session", "ID", OWN(session), "all calls of this session, the newest first"),
    OPT_FLAG("--dry-run", OWN(dry_run), "say what would change, and change nothing"),
    OPT_FLAG("--keep-theirs", OWN(keep_theirs), "leave what was changed since as it is"),
    OPT_FLAG("--force", OWN(force), "undo also what was changed since"),
    {0},
};

const struct command command_undo = {
    .name = "undo",
    .operands = "[ID] [-- PATH...]",
    .summary = "give back what a call deleted or overwrote: the newest of this project, or ID",
    .operands_max = SIZE_MAX,
    .tables = {undo_options, cwd_options, home_options, project_options, common_options},
    .run = undo_run,
    .exits = "0 undone, 1 something is in the way",
    .more = "Only at a terminal, and not for agents. Calls are saved unless policy says undo: "
            "{use: off}. Everything is checked before the first change; if a file has changed "
            "since, nothing is undone. To redo, undo the undo.",
};

const struct command command_undo_list = {
    .name = "undo list",
    .operands = "",
    .summary = "the calls that were saved: when, what they created, changed and deleted",
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = undo_list_run,
};

const struct command command_undo_show = {
    .name = "undo show",
    .operands = "ID",
    .summary = "what undoing a call would change, with the lines of small files",
    .operands_max = 1,
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = undo_show_run,
    .exits = "0 nothing is in the way, 1 something is",
    .more = "Only at a terminal, and not for agents.",
};

const struct command command_undo_drop = {
    .name = "undo drop",
    .operands = "ID",
    .summary = "forget what was saved of a call",
    .operands_max = 1,
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = undo_drop_run,
    .more = "Only at a terminal, and not for agents.",
};

const struct command command_undo_prune = {
    .name = "undo prune",
    .operands = "",
    .summary = "delete what is older or larger than policy keeps",
    .tables = {cwd_options, home_options, project_options, common_options},
    .run = undo_prune_run,
    .more = "Only at a terminal, and not for agents.",
};
