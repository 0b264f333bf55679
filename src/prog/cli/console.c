/* console.c - `warder console`: a person's browser is let in. */
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *role, *name, *ttl;
};

/* 30m, 12h, 7d. */
static bool read_ttl(const char *text, uint32_t *out)
{
    static const struct {
        char unit;
        uint32_t seconds;
    } units[] = {{'m', 60}, {'h', 3600}, {'d', 86400}};
    size_t at = 0;
    uint32_t n = 0;

    while (text[at] >= '0' && text[at] <= '9' && n < 100000)
        n = n * 10 + (uint32_t)(text[at++] - '0');
    for (size_t i = 0; i < COUNT(units); i++)
        if (n && text[at] == units[i].unit && !text[at + 1]) {
            *out = n * units[i].seconds;
            return true;
        }
    return false;
}

static int console_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_console_options options = WARDER_CONSOLE_OPTIONS_INIT;
    warder_report *report;
    warder_error err = {0};

    options.role = given->role;
    options.name = given->name;
    if (given->ttl && !read_ttl(given->ttl, &options.ttl_s)) {
        complain("--ttl: write 30m, 12h or 7d");
        return usage_error(cli->command);
    }
    if (warder_console_code(cli->args.data, cli->args.home, &options, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return EXIT_YES;
}

static const struct option console_options[] = {
    OPT_ONE_OF("--role", "ROLE", OWN(role), "operator viewer",
               "what the browser may do (default: operator)"),
    OPT_TEXT("--name", "NAME", OWN(name), "what the record calls you (default: your user)"),
    OPT_TEXT("--ttl", "TIME", OWN(ttl), "how long it stays signed in (default: 12h)"),
    {0},
};

const struct command command_console = {
    .name = "console",
    .operands = "",
    .summary = "print an address that lets your browser in, once",
    .tables = {console_options, data_options, home_options, common_options},
    .run = console_run,
    .more = "Open the address within a minute, in your own browser. It works once, on a terminal "
            "and not inside an "
            "agent. `warder token list` shows the sessions, `warder token revoke` ends one.",
};
