#include "cli/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/str.h"
#include "cli/output.h"
#include "cli/told.h"
#include "warder_admin.h"

static int make_absolute(struct cli *cli, const char *given, const char **out)
{
    char *here;

    *out = given;
    if (!given || given[0] == '/')
        return 0;
    here = getcwd(NULL, 0);
    if (!here) {
        complain("cannot tell the current directory: %s", strerror(errno));
        return EX_OSERR;
    }
    *out = str_format(cli->arena, "%s/%s", here, given).s;
    free(here);
    return 0;
}

/* A program may give its sessions any name; one that is nearly an agent's is likely a mistake. */
static void doubt_client(const char *given)
{
    struct nearest near = nearest_to(str_from(given));

    for (size_t i = 0; warder_client_name(i); i++) {
        if (strcmp(warder_client_name(i), given) == 0)
            return;
        nearest_try(&near, str_from(warder_client_name(i)));
    }
    if (near.best.len)
        complain("no agent is called \"%s\"" NEAREST_FORMAT, given, NEAREST_ARG(near));
}

int engine_options(struct cli *cli, warder_options *out)
{
    const struct arguments *args = &cli->args;
    int code;

    *out = (warder_options)WARDER_OPTIONS_INIT;
    if (args->client)
        doubt_client(args->client);
    out->profile = args->profile;
    out->mode = args->mode;
    out->plan_file = args->plan_file;
    out->session = args->session;
    out->client = args->session && !args->client ? "run" : args->client;
    out->policies = args->policies.count ? args->policies.items : NULL;
    out->policy_count = args->policies.count;
    out->rules = args->rules.items;
    out->rule_count = args->rules.count;
    out->headless = args->headless;
    /* What only says what would happen says it of the sandbox and of undo, too, where it knows the
     * client. */
    out->contain = !cli->command->records && (args->client || args->jsonl);
    out->save = out->contain;
    out->tier = args->tier;
    out->auto_allow = args->auto_allow;
    out->record = cli->command->records;
    out->pausable = cli->command->records;
    out->data = out->record ? args->data : NULL;
    if ((code = make_absolute(cli, args->cwd, &out->cwd)) ||
        (code = make_absolute(cli, args->home, &out->home)))
        return code;
    return make_absolute(cli, args->project, &out->project);
}

/* What only has to be known is said once in a session by a command that asks, and not before each
 * question; what is wrong is said every time. */
static bool is_repeated(const struct cli *cli, const warder_report *report, struct str text)
{
    const struct arguments *args = &cli->args;

    return cli->command->records && text.len && !warder_report_errors(report) &&
           told_before(args->data, args->home, args->session, text);
}

static void print_problems(const struct cli *cli, warder_engine *engine)
{
    warder_report *report;
    warder_error err;

    if (warder_engine_problems(engine, &report, &err) != WARDER_OK) {
        complain_error(NULL, &err);
        return;
    }
    struct str rest = str_from(warder_report_text(report)), line;
    if (is_repeated(cli, report, rest))
        rest = (struct str){0};
    while (rest.len) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        if (line.len && line.s[0] == ' ') /* the source line, and the mark below it */
            fprintf(stderr, "%.*s\n", STR_ARG(line));
        else if (line.len)
            complain("%.*s",
                     STR_ARG(line)); /* each says itself whether it is a warning or an error */
    }
    warder_report_free(report);
}

static int open_with(struct cli *cli, const warder_options *options, bool quiet,
                     warder_engine **out)
{
    warder_error err = {0};

    if (cli->args.auto_allow)
        complain("WARNING: --auto-allow lets calls run that a person should have been asked about");
    if (warder_engine_new(options, out, &err) != WARDER_OK) {
        int code = complain_error(NULL, &err);
        if (err.status == WARDER_EUSAGE)
            options_name_values(cli->arena, cli->command->tables, &cli->args);
        return code;
    }
    if (!quiet)
        print_problems(cli, *out);
    return 0;
}

int engine_open(struct cli *cli, warder_engine **out)
{
    warder_options options;
    int code = engine_options(cli, &options);

    *out = NULL;
    return code ? code : open_with(cli, &options, false, out);
}

int engine_open_policies(struct cli *cli, const char *const *files, size_t count,
                         warder_engine **out)
{
    warder_options options;
    int code = engine_options(cli, &options);

    *out = NULL;
    options.policies = count ? files : NULL;
    options.policy_count = count;
    return code ? code : open_with(cli, &options, false, out);
}

int engine_is_sound(warder_engine *engine)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_engine_problems(engine, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    bool sound = warder_report_errors(report) == 0;
    warder_report_free(report);
    return sound ? 0 : EX_DATAERR;
}

int engine_open_for_report(struct cli *cli, warder_engine **out)
{
    warder_options options;
    const struct texts *files = &cli->args.operands;
    int code = engine_options(cli, &options);

    *out = NULL;
    if (files->count) {
        options.policies = files->items;
        options.policy_count = files->count;
    }
    return code ? code : open_with(cli, &options, true, out);
}

int log_for_usage(struct cli *cli, bool wanted, const char *given, warder_log **out, uint32_t *days)
{
    warder_error err = {0};

    *out = NULL;
    *days = 0;
    if (given && !read_count(given, days)) {
        complain("--days needs a number above 0, not %s", given);
        return usage_error(cli->command);
    }
    if (!wanted && !given && !cli->args.data)
        return 0;
    if (warder_log_open(cli->args.data, cli->args.home, out, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    return 0;
}

/* A shell command: its text where it is one word, else the text that gives exactly these words. */
static const char *command_text(struct cli *cli)
{
    const struct texts *words = &cli->args.operands;
    struct buf b = buf_in(cli->arena);

    if (words->count == 1)
        return words->items[0];
    for (size_t i = 0; i < words->count; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_shell_word(&b, str_from(words->items[i]));
    }
    return buf_str(&b).s;
}

/* `check -- git status`, `check Bash 'git status'`. NULL: the input is given with --input. */
static int find_call(struct cli *cli, const char **tool, const char **argument)
{
    const struct arguments *args = &cli->args;
    const char *const *operands = args->operands.items;
    size_t count = args->operands.count, given = count + (args->input ? 1 : 0);
    bool command = args->dashes_first && count;

    *tool = command ? "Bash" : count ? operands[0] : NULL;
    *argument = command ? command_text(cli) : count > 1 ? operands[1] : NULL;
    if (command ? !args->input : given == 2 && count > 0)
        return 0;
    if (count == 0)
        complain("which tool? For a shell command: warder %s -- git status", cli->command->name);
    else if (args->input)
        complain("give ARG or --input, not both");
    else if (count == 1)
        complain("what is %s given? Its first argument (a command, a path, a URL), or all of them "
                 "with --input",
                 operands[0]);
    else
        complain("quote the argument (warder %s %s '%s %s'), or put -- in front of a shell command",
                 cli->command->name, operands[0], operands[1], operands[2]);
    return usage_error(cli->command);
}

/* As agents and MCP servers name theirs; a program is hardly called so. */
static bool looks_like_tool(const char *name)
{
    return (name[0] >= 'A' && name[0] <= 'Z') || str_starts(str_from(name), STR("mcp__"));
}

static bool is_tool(const char *name)
{
    for (size_t i = 0; warder_tool_name(i); i++)
        if (strcmp(warder_tool_name(i), name) == 0)
            return true;
    return false;
}

int engine_decide(struct cli *cli, warder_engine **engine, warder_decision **decision)
{
    const char *input = cli->args.input, *tool, *argument;
    warder_error err = {0};
    int code = find_call(cli, &tool, &argument);

    *engine = NULL;
    *decision = NULL;
    if (code || (code = engine_open(cli, engine)))
        return code;
    if ((input ? warder_check_input(*engine, tool, input, strlen(input), decision, &err)
               : warder_check_argument(*engine, tool, argument, decision, &err)) == WARDER_OK)
        return 0;
    if (err.status != WARDER_EUSAGE || input || is_tool(tool) ||
        strstr(err.message, "did you mean"))
        return complain_error(NULL, &err);
    if (looks_like_tool(tool))
        complain("Warder does not know the tool %s: give its whole input with --input '{...}'",
                 tool);
    else
        complain("\"%s\" is not a tool. For a shell command: warder %s -- %s %s", tool,
                 cli->command->name, tool, argument);
    return EX_USAGE;
}

int verdict_exit(const warder_decision *decision)
{
    switch (warder_decision_behavior(decision)) {
    case WARDER_ALLOW:
        return EXIT_ALLOW;
    case WARDER_ASK:
        return EXIT_ASK;
    case WARDER_DENY:
        break;
    }
    return EXIT_DENY;
}

void report_print(struct cli *cli, warder_report *report)
{
    if (cli->args.json) {
        print_json(warder_report_json(report));
    } else {
        const char *text = warder_report_text(report);
        print_text(stdout, text, PRINT_LINES);
        if (text[0] && !str_ends(str_from(text), STR("\n")))
            putchar('\n');
    }
    warder_report_free(report);
}

int report_of_engine(struct cli *cli, engine_report *make)
{
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open(cli, &engine);

    if (code)
        return code;
    if (make(engine, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_engine_free(engine);
    return code;
}

int report_findings(struct cli *cli, warder_report *report)
{
    int code = warder_report_errors(report)     ? EX_DATAERR
               : warder_report_warnings(report) ? EXIT_NO
                                                : EXIT_YES;

    report_print(cli, report);
    return code;
}
