/* token.c - `warder token create`, `list` and `revoke`: who may speak to the service. */
#include "cli/engine.h"
#include "cli/output.h"

int token_create_run(struct cli *cli)
{
    const struct arguments *a = &cli->args;
    warder_report *report;
    warder_error err = {0};

    if (!a->role || a->policies.count > 1) {
        complain(a->role ? "a token has one policy at most"
                         : "which role? --role operator, worker or viewer");
        return usage_error(cli->command);
    }
    const char *policy = a->policies.count ? a->policies.items[0] : NULL;
    if (warder_token_create(a->data, a->home, a->role, a->name, policy, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

int token_list_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_token_list(cli->args.data, cli->args.home, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

int token_revoke_run(struct cli *cli)
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
