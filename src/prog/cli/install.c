/* install.c - `warder install CLIENT...`, `warder uninstall CLIENT...`: shows what changes, asks,
 * and does it. */
#include <string.h>

#include "base/json.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/tier.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    bool user, in_project, managed, dry_run, all;
    const char *edits; /* yes or no; NULL: the person is asked */
};

/* One run of either command: all its clients, one after the other. */
struct installing {
    struct cli *cli;
    const struct given *given;
    warder_installation where; /* of the client whose turn it is */
    struct json_writer *json;  /* NULL: text is wanted */
    size_t count;              /* of clients that there was something to say about */
    bool registered;           /* one of them now is */
    const char *sandbox;       /* what the sandbox means for one of them; NULL: it was not found */
};

static int find_scope(struct installing *i)
{
    const struct given *given = i->given;

    i->where.scope = given->managed      ? WARDER_SCOPE_MANAGED
                     : given->in_project ? WARDER_SCOPE_PROJECT
                                         : WARDER_SCOPE_USER;
    if (given->managed + given->in_project + given->user <= 1)
        return 0;
    complain("give one of --user, --project and --managed");
    return usage_error(i->cli->command);
}

/* ---- what is printed ---- */

static void text_or_null(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    if (text)
        json_text(w, str_from(text));
    else
        json_null(w);
}

static void tell_json(struct installing *i, const warder_change *change, bool done)
{
    struct json_writer *w = i->json;

    if (!w)
        return;
    json_begin_object(w);
    text_or_null(w, "client", i->where.client);
    text_or_null(w, "file", warder_change_file(change));
    json_key(w, "changed");
    json_bool(w, done && warder_change_diff(change)[0]);
    text_or_null(w, "diff", warder_change_diff(change));
    text_or_null(w, "backup", warder_change_backup(change));
    text_or_null(w, "note", warder_change_note(change));
    json_end_object(w);
}

static void print_plan(const struct installing *i, const warder_change *change)
{
    FILE *to = i->json ? stderr : stdout;

    print_text(to, warder_change_file(change), PRINT_LINE);
    fputc('\n', to);
    print_text(to, warder_change_diff(change), PRINT_LINES);
}

static void print_done(const struct installing *i, const warder_change *change)
{
    const char *backup = warder_change_backup(change), *note = warder_change_note(change);

    printf(i->where.remove ? "Removed: %s no longer asks Warder.\n"
                           : "Registered: %s asks Warder from its next start on.\n",
           warder_client_title(i->where.client));
    if (backup)
        printf("The file as it was: %s\n", backup);
    if (note && !i->where.remove)
        printf("Note: %s.\n", note);
}

/* ---- the client's own file ---- */

static int leave_file(struct installing *i, const warder_change *change)
{
    bool passed = i->given->all && i->where.remove; /* one of many that were never registered */

    if (!i->json && !warder_change_diff(change)[0] && !passed)
        printf("%s: %s\n",
               warder_change_file(change)[0] ? warder_change_file(change)
                                             : warder_client_title(i->where.client),
               i->where.remove ? "not registered" : "already registered");
    tell_json(i, change, false);
    return EXIT_YES;
}

/* Which sandbox this machine has is found before the first call needs it. What is registered for
 * the whole machine other people use: each of them finds it in their own home. */
static void find_sandbox(struct installing *i)
{
    warder_report *report = NULL;
    warder_error err = {0};

    if (i->where.remove || i->given->managed || (i->sandbox && i->sandbox[0]))
        return;
    if (!i->sandbox)
        tier_refresh(i->cli);
    i->sandbox = "";
    if (warder_sandbox_says(&i->where, &report, &err) == WARDER_OK)
        i->sandbox = str_format(i->cli->arena, "%s", warder_report_text(report)).s;
    warder_report_free(report);
}

static int change_file(struct installing *i, warder_change *change)
{
    warder_error err = {0};
    int code;

    if (warder_change_diff(change)[0])
        print_plan(i, change);
    if (!warder_change_diff(change)[0] || i->given->dry_run)
        return leave_file(i, change);
    code = agree(i->cli, "Write these changes?");
    if (code != EXIT_YES)
        return code;
    if (warder_change_apply(change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    i->registered = !i->where.remove;
    find_sandbox(i);
    tell_json(i, change, true);
    if (!i->json)
        print_done(i, change);
    return EXIT_YES;
}

/* ---- edits ---- */

/* -1: neither yes nor no was given. */
static int given_edits(const struct installing *i)
{
    if (i->given->edits)
        return strcmp(i->given->edits, "yes") == 0;
    return i->cli->args.yes ? 1 : -1;
}

static bool wants_edits(const struct installing *i)
{
    const char *client = i->where.client;
    int given = given_edits(i);

    if (i->where.remove || given >= 0)
        return i->where.remove || given;
    return agree_unless_no(str_format(i->cli->arena,
                                      "%s %s. Let it edit files inside the project without asking?",
                                      warder_client_title(client), warder_edits_reason(client))
                               .s);
}

/* An agent that cannot ask, or does not tell its mode: what it may edit is said here, once. */
static int change_edits(struct installing *i)
{
    FILE *to = i->json ? stderr : stdout;
    warder_change *change = NULL;
    warder_error err = {0};
    int code = EXIT_YES;

    if (i->where.scope != WARDER_SCOPE_USER || !warder_edits_reason(i->where.client) ||
        (!i->where.remove && given_edits(i) == 0))
        return EXIT_YES;
    if (warder_edits_plan(&i->where, &change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (warder_change_diff(change)[0] && (i->given->dry_run || wants_edits(i))) {
        print_plan(i, change);
        if (!i->given->dry_run && warder_change_apply(change, &err) != WARDER_OK)
            code = complain_error(NULL, &err);
        else if (!i->given->dry_run)
            fprintf(to,
                    i->where.remove ? "Warder asks about the edits of %s again.\n"
                                    : "%s may edit files inside the project without asking.\n",
                    warder_client_title(i->where.client));
    }
    warder_change_free(change);
    return code;
}

/* ---- all of them ---- */

static int change_client(struct installing *i, const char *client)
{
    warder_change *change = NULL;
    warder_error err = {0};
    int code;

    i->where.client = client;
    if (warder_install_plan(&i->where, &change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    i->count += !i->where.remove || warder_change_diff(change)[0];
    code = change_file(i, change);
    warder_change_free(change);
    return code == EXIT_YES ? change_edits(i) : code;
}

static int worse(int a, int b)
{
    return a > b ? a : b;
}

/* --all. What is removed may belong to an agent that is not here any more. */
static int change_all(struct installing *i)
{
    warder_error err = {0};
    int code = EXIT_YES, found = 1;

    for (size_t n = 0; (i->where.client = warder_client_name(n)); n++) {
        if (!i->where.remove && warder_client_found(&i->where, &found, &err) != WARDER_OK)
            return complain_error(NULL, &err);
        if (found)
            code = worse(code, change_client(i, i->where.client));
    }
    return code;
}

/* The worst of what happened: one failure does not keep the others from being registered. */
static int change_clients(struct installing *i)
{
    const struct texts *named = &i->cli->args.operands;
    int code = i->given->all ? change_all(i) : EXIT_YES;

    for (size_t n = 0; n < named->count; n++)
        code = worse(code, change_client(i, named->items[n]));
    return code;
}

/* Of --all. */
static int tell_nothing(const struct installing *i)
{
    if (i->where.remove && !i->json)
        puts("No agent is registered there.");
    else if (!i->where.remove)
        complain("no agent was found on this machine; name one: warder install CLIENT");
    return i->where.remove ? EXIT_YES : EXIT_NO;
}

/* With one client that was named an object, else a list of them. */
static int change_as_json(struct installing *i)
{
    struct buf out = buf_in(i->cli->arena);
    struct json_writer w = json_to(&out);
    bool list = i->given->all || i->cli->args.operands.count > 1;
    int code;

    i->json = &w;
    if (list)
        json_begin_array(&w);
    code = change_clients(i);
    if (list)
        json_end_array(&w);
    if (buf_str(&out).len)
        print_json(buf_str(&out).s);
    return code;
}

static int check_arguments(const struct installing *i)
{
    const struct given *given = i->given;
    size_t named = i->cli->args.operands.count;

    if (given->edits && strcmp(given->edits, "yes") != 0 && strcmp(given->edits, "no") != 0)
        complain("--edits takes yes or no, not \"%.60s\"", given->edits);
    else if (named && given->all)
        complain("--all is every agent: name none with it");
    else if (!named && !given->all)
        complain("which agent? Name one or more, or use --all for every agent of this machine");
    else
        return 0;
    return usage_error(i->cli->command);
}

static int run(struct cli *cli, bool removing)
{
    struct installing i = {.cli = cli, .given = cli->args.given, .where = WARDER_INSTALLATION_INIT};
    int code = find_scope(&i);

    if (code == 0)
        code = check_arguments(&i);
    if (code)
        return code;
    i.where.remove = removing;
    i.where.home = cli->args.home;
    code = cli->args.json ? change_as_json(&i) : change_clients(&i);
    if (i.registered && !i.json) {
        printf("%s", i.sandbox ? i.sandbox : "");
        puts("Check it with: warder doctor");
    }
    return code == EXIT_YES && i.given->all && !i.count ? tell_nothing(&i) : code;
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
    OPT_FLAG("--all", OWN(all), "every agent that is found on this machine"),
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
    .operands = "CLIENT...",
    .summary = "make agents ask Warder before each tool call, by an entry in their own settings",
    .operands_max = SIZE_MAX,
    .tables = {scope_options, edits_options, home_options, yes_options, common_options},
    .run = install_run,
    .exits = "0 registered, 1 you said no, or no agent was found",
    .operand_values = warder_client_name,
    .more = "Shows what changes and asks first; keeps a copy of each file beside it.",
};

const struct command command_uninstall = {
    .name = "uninstall",
    .operands = "CLIENT...",
    .summary = "remove Warder from the settings of one or more agents",
    .operand_values = warder_client_name,
    .operands_max = SIZE_MAX,
    .tables = {scope_options, home_options, yes_options, common_options},
    .run = uninstall_run,
    .exits = "0 not registered, 1 you said no",
};
