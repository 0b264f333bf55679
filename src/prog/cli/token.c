/* token.c - `warder token create`, `list` and `revoke`: who may use the service. */
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *role, *name, *modes;
    struct texts policies, projects, workers;
};

static int token_create_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    const struct arguments *a = &cli->args;
    warder_report *report;
    warder_error err = {0};

    if (!given->role || given->policies.count > 1) {
        complain(given->role ? "a token has one policy at most"
                             : "which role? --role operator, worker or viewer");
        return usage_error(cli->command);
    }
    warder_token_options options = WARDER_TOKEN_OPTIONS_INIT;
    options.role = given->role;
    options.name = given->name;
    options.policy = given->policies.count ? given->policies.items[0] : NULL;
    options.projects = given->projects.items;
    options.project_count = given->projects.count;
    options.workers = given->workers.items;
    options.worker_count = given->workers.count;
    options.modes = given->modes;
    if (warder_token_make(a->data, a->home, &options, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

static int token_list_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_token_list(cli->args.data, cli->args.home, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

static int token_revoke_run(struct cli *cli)
{
    warder_error err = {0};

    if (cli->args.operands.count == 0) {
        complain("which token? Give its id, as `warder token list` shows it");
        return usage_error(cli->command);
    }
    if (warder_token_revoke(cli->args.data, cli->args.home, cli->args.operands.items[0], &err) !=
        WARDER_OK)
        return complain_error(NULL, &err);
    return 0;
}

static const struct option token_options[] = {
    OPT_ONE_OF("--role", "ROLE", OWN(role), "operator worker viewer", "what it may do"),
    OPT_TEXT("--name", "NAME", OWN(name), "a name for it"),
    OPT_LIST("--policy", "FILE", OWN(policies), "a policy file for the calls of this worker"),
    OPT_LIST("--project", "P", OWN(projects),
             "a project (its id or directory) that this worker may name; may be repeated"),
    OPT_LIST("--worker", "W", OWN(workers), "a worker_id that it may use; may be repeated"),
    OPT_TEXT("--modes", "M,...", OWN(modes), "the modes that its calls may name"),
    {0},
};

const struct command command_token_create = {
    .name = "token create",
    .operands = "",
    .summary = "create a token for the service and print it; it is not stored anywhere",
    .tables = {token_options, data_options, home_options, common_options},
    .run = token_create_run,
};

const struct command command_token_list = {
    .name = "token list",
    .operands = "",
    .summary = "list the tokens, without their secrets",
    .tables = {data_options, home_options, common_options},
    .run = token_list_run,
};

const struct command command_token_revoke = {
    .name = "token revoke",
    .operands = "ID",
    .summary = "revoke a token at once",
    .operands_max = 1,
    .tables = {data_options, home_options, common_options},
    .run = token_revoke_run,
};
