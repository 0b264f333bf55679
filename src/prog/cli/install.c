/* install.c - `warder install CLIENT`, `warder uninstall CLIENT`: shows what changes, asks, and
 * does it. */
#include <string.h>

#include "base/json.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"

static int find_scope(struct cli *cli, warder_scope *out)
{
    const struct arguments *args = &cli->args;

    *out = args->managed      ? WARDER_SCOPE_MANAGED
           : args->in_project ? WARDER_SCOPE_PROJECT
                              : WARDER_SCOPE_USER;
    if (args->managed + args->in_project + args->user <= 1)
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
    puts(removing ? "Warder is not asked there any more."
                  : "Registered. `warder doctor` checks that it holds.");
    if (backup)
        printf("The file as it was: %s\n", backup);
    if (note && !removing)
        printf("Mind: %s.\n", note);
}

static int change_file(struct cli *cli, warder_change *change, bool removing)
{
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
    if (cli->args.dry_run) {
        if (cli->args.json)
            print_json_result(cli, change, false);
        return EXIT_YES;
    }
    code = agree(cli, removing ? "Change the file so?" : "Write this?");
    if (code != EXIT_YES)
        return code;
    if (warder_change_apply(change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    print_result(cli, change, removing);
    return EXIT_YES;
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
    where.client = cli->args.operands.items[0];
    where.remove = removing;
    where.home = cli->args.home;
    if (warder_install_plan(&where, &change, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    code = change_file(cli, change, removing);
    warder_change_free(change);
    return code;
}

int install_run(struct cli *cli)
{
    return run(cli, false);
}

int uninstall_run(struct cli *cli)
{
    return run(cli, true);
}
