/* install.c - `warder install CLIENT`, `warder uninstall CLIENT`: shows what changes, asks, and
 * does it. */
#include <string.h>

#include "base/json.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    bool user, in_project, managed, dry_run;
    const char *edits; /* yes or no; NULL: the person is asked */
};

static int find_scope(struct cli *cli, warder_scope *out)
{
    const struct given *given = cli->args.given;

    *out = given->managed      ? WARDER_SCOPE_MANAGED
           : given->in_project ? WARDER_SCOPE_PROJECT
                               : WARDER_SCOPE_USER;
    if (given->managed + given->in_project + given->user <= 1)
        return 0;
    complain("give one of --user, --project and --managed");
    return usage_error(cli->command);
}

static void print_json_result(struct cli *cli, const warder_change *change, bool done)
{
    const char *backup = warder_change_backup(change), *note = warder_change_note(change);
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to(&out);

    json_begin_object(&w);
    json_key(&w, "client");
    json_text(&w, str_from(cli->args.operands.items[0]));
    json_key(&w, "file");
    json_text(&w, str_from(warder_change_file(change)));
    json_key(&w, "changed");
    json_bool(&w, done && warder_change_diff(change)[0]);
    json_key(&w, "diff");
    json_text(&w, str_from(warder_change_diff(change)));
    json_key(&w, "backup");
    backup ? json_text(&w, str_from(backup)) : json_null(&w);
    json_key(&w, "note");
    note ? json_text(&w, str_from(note)) : json_null(&w);
    json_end_object(&w);
    print_json(buf_str(&out).s);
}

static void print_plan(struct cli *cli, const warder_change *change)
{
    FILE *to = cli->args.json ? stderr : stdout;

    print_text(to, warder_change_file(change), PRINT_LINE);
    fputc('\n', to);
    print_text(to, warder_change_diff(change), PRINT_LINES);
}

static void print_result(struct cli *cli, const warder_change *change, bool removing)
{
    const char *backup = warder_change_backup(change), *note = warder_change_note(change);

    if (cli->args.json) {
        print_json_result(cli, change, true);
        return;
    }
    puts(removing ? "Removed: this client no longer asks Warder."
                  : "Registered. `warder doctor` checks that it holds.");
    if (backup)
        printf("The file as it was: %s\n", backup);
    if (note && !removing)
        printf("Note: %s.\n", note);
}

static int change_file(struct cli *cli, warder_change *change, bool removing)
{
    const struct given *given = cli->args.given;
    warder_error err = {0};
    int code;

    if (!warder_change_diff(change)[0]) {
        if (cli->args.json)
            print_json_result(cli, change, false);
        else
            printf("%s: %s\n", warder_change_file(change),
                   removing ? "not registered" : "already registered");
        return EXIT_YES;
    }
    print_plan(cli, change);
    if (given->dry_run) {
        if (cli->args.json)
            print_json_result(cli, change, false);
        return EXIT_YES;
    }
    code = agree(cli, removing ? "Make this change?" : "Write this?");
    if (code != EXIT_YES)
        return code;
    if (warder_change_apply(change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    print_result(cli, change, removing);
    return EXIT_YES;
}

/* ---- edits ---- */

/* -1: neither yes nor no was given. */
static int given_edits(struct cli *cli)
{
    const struct given *given = cli->args.given;

    if (given->edits)
        return strcmp(given->edits, "yes") == 0;
    return cli->args.yes ? 1 : -1;
}

static bool wants_edits(struct cli *cli, bool removing)
{
    int given = given_edits(cli);

    if (removing || given >= 0)
        return removing || given;
    return agree_unless_no(warder_edits_question(cli->args.operands.items[0]));
}

/* An agent that cannot ask, or does not tell its mode: what it may edit is said here, once. */
static int change_edits(struct cli *cli, const warder_installation *where)
{
    const struct given *given = cli->args.given;
    FILE *to = cli->args.json ? stderr : stdout;
    warder_change *change = NULL;
    warder_error err = {0};
    int code = EXIT_YES;

    if (where->scope != WARDER_SCOPE_USER || !warder_edits_question(where->client) ||
        (!where->remove && given_edits(cli) == 0))
        return EXIT_YES;
    if (warder_edits_plan(where, &change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (warder_change_diff(change)[0] && (given->dry_run || wants_edits(cli, where->remove))) {
        print_plan(cli, change);
        if (!given->dry_run && warder_change_apply(change, &err) != WARDER_OK)
            code = complain_error(NULL, &err);
        else if (!given->dry_run)
            fprintf(to, where->remove ? "Its edits are asked about again.\n"
                                      : "It may edit files inside the project without asking.\n");
    }
    warder_change_free(change);
    return code;
}

static int run(struct cli *cli, bool removing)
{
    warder_installation where = WARDER_INSTALLATION_INIT;
    warder_change *change = NULL;
    warder_error err = {0};
    int code = find_scope(cli, &where.scope);

    if (code)
        return code;
    if (cli->args.operands.count == 0) {
        complain("which client? See `warder help %s`", cli->command->name);
        return usage_error(cli->command);
    }
    const char *edits = ((const struct given *)cli->args.given)->edits;
    if (edits && strcmp(edits, "yes") != 0 && strcmp(edits, "no") != 0) {
        complain("--edits takes yes or no, not \"%.60s\"", edits);
        return usage_error(cli->command);
    }
    where.client = cli->args.operands.items[0];
    where.remove = removing;
    where.home = cli->args.home;
    if (warder_install_plan(&where, &change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    code = change_file(cli, change, removing);
    warder_change_free(change);
    return code == EXIT_YES ? change_edits(cli, &where) : code;
}

static int install_run(struct cli *cli)
{
    return run(cli, false);
}

static int uninstall_run(struct cli *cli)
{
    return run(cli, true);
}

static const struct option scope_options[] = {
    OPT_FLAG("--user", OWN(user), "in your own settings of the client (the default)"),
    OPT_FLAG("--project", OWN(in_project),
             "in the project's settings; everyone with write access can change it"),
    OPT_FLAG("--managed", OWN(managed), "for the whole machine; as root"),
    OPT_FLAG("--dry-run", OWN(dry_run), "show what would change, and change nothing"),
    {0},
};

static const struct option edits_options[] = {
    OPT_ONE_OF("--edits", "ANSWER", OWN(edits), "yes no",
               "may it edit files of the project without asking? of agents that cannot ask you, or "
               "do not tell their mode"),
    {0},
};

const struct command command_install = {
    .name = "install",
    .operands = "CLIENT",
    .summary = "make an agent ask Warder: write the registration into the agent's own settings",
    .operands_max = 1,
    .tables = {scope_options, edits_options, home_options, yes_options, common_options},
    .run = install_run,
    .exits = "0 registered, 1 not agreed to",
    .operand_values = warder_client_name,
    .more = "Shows what changes and asks first; keeps a copy of the file beside it.",
};

const struct command command_uninstall = {
    .name = "uninstall",
    .operands = "CLIENT",
    .summary = "take that registration out again",
    .operand_values = warder_client_name,
    .operands_max = 1,
    .tables = {scope_options, home_options, yes_options, common_options},
    .run = uninstall_run,
    .exits = "0 not registered, 1 not agreed to",
};
