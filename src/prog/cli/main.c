/* main.c - finds the command, reads its options, runs it, and makes sure that what was printed
 * arrived. */
#include <unistd.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/hook_environment.h"
#include "cli/output.h"

/* Of the command line and what help prints; calls and policies are read by the library, within
 * limits of its own. */
#define CLI_MEMORY_MAX ((size_t)64 * 1024 * 1024)

/* What `warder` has without a command. */
struct given {
    bool version;
};

static const struct option program_options[] = {
    OPT_LETTER("--version", "-V", OWN(version), "print the version"),
    {0},
};

const struct command command_program = {
    .name = "",
    .operands = "COMMAND",
    .summary = "decide whether an agent's tool call may run",
    .tables = {common_options, program_options},
};

struct run {
    struct cli cli;
    size_t count;
    const char *const *words; /* after the program's name */
    int code;
};

static int print_version(struct cli *cli)
{
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to(&out);

    if (!cli->args.json) {
        printf("warder %s\n", warder_version());
        return EXIT_YES;
    }
    json_begin_object(&w);
    json_key(&w, "version");
    json_text(&w, str_from(warder_version()));
    json_end_object(&w);
    print_json(buf_str(&out).s);
    return EXIT_YES;
}

/* `warder --version`, `warder --help`: options and no command. */
static int run_program(struct run *r)
{
    struct cli *cli = &r->cli;

    cli->command = &command_program;
    if (!options_parse(cli->arena, command_program.tables, r->count, r->words, &cli->args))
        return usage_error(&command_program);
    if (cli->args.operands.count) {
        complain("%s: the options of a command come after its name", cli->args.operands.items[0]);
        return usage_error(&command_program);
    }
    if (((const struct given *)cli->args.given)->version)
        return print_version(cli);
    if (cli->args.help && cli->args.json)
        help_family_json(cli, NULL);
    else if (cli->args.help)
        help_program(stdout);
    else
        return usage_error(&command_program);
    return EXIT_YES;
}

/* `warder token`, `warder token --help`. */
static int run_family(struct run *r, const char *word)
{
    struct cli *cli = &r->cli;
    bool read =
        options_parse(cli->arena, command_program.tables, r->count - 1, r->words + 1, &cli->args);

    if (read && cli->args.operands.count == 0 && cli->args.help) {
        if (cli->args.json)
            help_family_json(cli, word);
        else
            help_family(stdout, word);
        return EXIT_YES;
    }
    if (read && cli->args.operands.count)
        complain_of_command(cli->arena, word, cli->args.operands.items[0]);
    else if (read)
        complain("%s needs a subcommand", word);
    help_family(stderr, word);
    return EX_USAGE;
}

static int run_unknown(struct run *r)
{
    if (command_is_family(r->words[0]))
        return run_family(r, r->words[0]);
    complain_of_command(r->cli.arena, r->words[0], NULL);
    fputs("See `warder help`.\n", stderr);
    return EX_USAGE;
}

/* A hook does this itself, when its alarm is set. */
static int settle_environment(struct cli *cli)
{
    struct error err = {0};

    cli->environment = environ;
    if (!cli->command->records || cli->command->blocks ||
        judging_environment(cli->args.home, &cli->environment, &err) == STATUS_OK)
        return 0;
    complain("%s%s", err.message, err.status == STATUS_USAGE ? ": name it with --home" : "");
    return err.status == STATUS_USAGE ? EX_CONFIG : EX_OSERR;
}

/* One operand too many. Behind a command that has a family, such as `warder rules`, it was meant
 * as a subcommand. */
static int complain_of_operand(struct cli *cli)
{
    const struct command *c = cli->command;
    const char *word = cli->args.operands.items[c->operands_max];

    if (c->operands_max || !command_is_family(c->name)) {
        complain("unexpected operand: %s", word);
        return usage_error(c);
    }
    complain_of_command(cli->arena, c->name, word);
    help_family(stderr, c->name);
    return EX_USAGE;
}

static int run_command(struct run *r, size_t used)
{
    struct cli *cli = &r->cli;
    const struct command *c = cli->command;

    if (!options_parse(cli->arena, c->tables, r->count - used, r->words + used, &cli->args))
        return usage_error(c);
    if (cli->args.help) {
        if (cli->args.json && command_is_family(c->name))
            help_family_json(cli, c->name);
        else if (cli->args.json)
            help_json(cli, c);
        else
            help_one(stdout, c);
        return EXIT_YES;
    }
    if (cli->args.operands.count > c->operands_max)
        return complain_of_operand(cli);
    int code = settle_environment(cli);
    return code ? code : c->run(cli);
}

static void run(void *arg)
{
    struct run *r = arg;
    size_t used;

    if (r->count == 0) {
        help_short(stdout);
        r->code = EX_USAGE; /* `warder $UNSET && do-it` */
    } else if (r->words[0][0] == '-') {
        r->code = run_program(r);
    } else if (!(r->cli.command = command_find(r->count, r->words, &used))) {
        r->code = run_unknown(r);
    } else {
        r->code = run_command(r, used);
    }
}

/* An agent takes any other failure of its hook for "no objection". */
static int final_code(const struct run *r, int code)
{
    return code && r->cli.command && r->cli.command->blocks ? EXIT_BLOCKED : code;
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct run r = {.code = EX_SOFTWARE};

    output_start();
    arena_init(&arena, CLI_MEMORY_MAX);
    r.cli.arena = &arena;
    r.count = argc > 0 ? (size_t)argc - 1 : 0;
    r.words = (const char *const *)argv + 1;
    /* Leaving by the arena's door ends the program, so it does not matter here that commands hold
     * an engine. */
    if (!arena_try(&arena, run, &r)) {
        complain("out of memory");
        r.code = EX_OSERR;
    }
    arena_release(&arena);
    return final_code(&r, output_finish(r.code));
}
