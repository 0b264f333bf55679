#include "cli/help.h"

#include <string.h>

#include "base/json.h"
#include "cli/output.h"

#define OPTION_COLUMN  22
#define COMMAND_COLUMN 16

static const char *const exit_lines =
    "Exit codes: 0 allow, 1 deny, 2 ask; 64 usage, 65 bad data, 66 cannot read,\n"
    "70 internal, 71 system, 74 cannot write. No error is below 64.\n";

static void print_usage(FILE *to, const struct command *c)
{
    fprintf(to, "Usage: warder%s%s [OPTIONS]%s%s\n", c->name[0] ? " " : "", c->name,
            c->operands[0] ? " " : "", c->operands);
}

static void print_values(FILE *to, const struct option *o)
{
    struct str value;

    for (size_t i = 0; option_value(o, i, &value); i++) {
        if (i == 0)
            fprintf(to, "  %-*s", OPTION_COLUMN, "");
        fprintf(to, " %.*s", STR_ARG(value));
    }
    if (option_value(o, 0, &value))
        fputc('\n', to);
}

static void print_option(FILE *to, const struct option *o)
{
    char left[64];

    snprintf(left, sizeof left, "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "",
             o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    fprintf(to, "  %-*s %s\n", OPTION_COLUMN, left, o->help);
    print_values(to, o);
}

static void print_options(FILE *to, const struct command *c)
{
    fputs("\nOptions:\n", to);
    for (size_t t = 0; t < OPTION_TABLES_MAX && c->tables[t]; t++)
        for (const struct option *o = c->tables[t]; o->name; o++)
            print_option(to, o);
}

static void print_row(FILE *to, const struct command *c)
{
    fprintf(to, "  %-*s %s\n", COMMAND_COLUMN, c->name, c->summary);
}

void help_program(FILE *to)
{
    print_usage(to, &command_program);
    fprintf(to, "warder: %s.\n\nCommands:\n", command_program.summary);
    for (const struct command *const *c = commands; *c; c++)
        print_row(to, *c);
    print_options(to, &command_program);
    fprintf(to, "\n%sSee `warder COMMAND --help`, warder(1), warder-rules(5) and warder.conf(5).\n",
            exit_lines);
}

void help_short(FILE *to)
{
    static const char *const lines[][2] = {
        {"install CLIENT", "let an agent ask Warder before each tool call"},
        {"doctor", "check that it does"},
        {"check -- git status", "say what Warder would answer, and why"},
        {"log", "what was decided"},
        {"help", "all commands"},
    };

    fprintf(to, "Warder checks every tool call of a coding agent before it runs, and allows it, "
                "blocks it,\nor asks you.\n\n");
    for (size_t i = 0; i < COUNT(lines); i++)
        fprintf(to, "  warder %-20s %s\n", lines[i][0], lines[i][1]);
}

static void print_operand_values(FILE *to, const struct command *c)
{
    fprintf(to,
            "%s is one of:", str_starts(str_from(c->operands), STR("TOOL")) ? "TOOL" : "CLIENT");
    for (size_t i = 0; c->operand_values(i); i++)
        fprintf(to, " %s", c->operand_values(i));
    fputs(".\n", to);
}

static bool is_in_family(const struct command *c, const char *word)
{
    size_t len = strlen(word);

    return strncmp(c->name, word, len) == 0 && (c->name[len] == ' ' || c->name[len] == '\0');
}

void help_family(FILE *to, const char *word)
{
    fputs("Commands:\n", to);
    for (const struct command *const *c = commands; *c; c++)
        if (is_in_family(*c, word))
            print_row(to, *c);
}

void help_one(FILE *to, const struct command *c)
{
    print_usage(to, c);
    fprintf(to, "%s: %s.\n", c->name, c->summary);
    if (c->more)
        fprintf(to, "%s\n", c->more);
    if (c->operand_values)
        print_operand_values(to, c);
    print_options(to, c);
    fprintf(to, "\nExit codes: %s; 64 and above: it failed.\n", c->exits ? c->exits : "0 done");
    if (command_is_family(c->name)) {
        fputc('\n', to);
        help_family(to, c->name);
    }
}

int usage_error(const struct command *c)
{
    if (c->blocks) /* one line was printed, and the agent shows it to its model */
        return EX_USAGE;
    print_usage(stderr, c);
    fprintf(stderr, "See `warder%s%s --help`.\n", c->name[0] ? " " : "", c->name);
    return EX_USAGE;
}

static void optional_text(struct json_writer *w, const char *key, const char *text)
{
    json_key(w, key);
    if (text)
        json_text(w, str_from(text));
    else
        json_null(w);
}

static void values_json(struct json_writer *w, const struct option *o)
{
    struct str value;

    json_key(w, "values");
    json_begin_array(w);
    for (size_t i = 0; option_value(o, i, &value); i++)
        json_text(w, value);
    json_end_array(w);
}

static void operand_values_json(struct json_writer *w, const struct command *c)
{
    json_key(w, "operand_values");
    json_begin_array(w);
    for (size_t i = 0; c->operand_values && c->operand_values(i); i++)
        json_text(w, str_from(c->operand_values(i)));
    json_end_array(w);
}

static void option_json(struct json_writer *w, const struct option *o)
{
    json_begin_object(w);
    optional_text(w, "name", o->name);
    optional_text(w, "letter", o->letter);
    optional_text(w, "argument", o->argument);
    json_key(w, "repeatable");
    json_bool(w, option_repeats(o));
    values_json(w, o);
    optional_text(w, "help", o->help);
    json_end_object(w);
}

static void command_json(struct json_writer *w, const struct command *c)
{
    json_begin_object(w);
    optional_text(w, "name", c->name);
    optional_text(w, "operands", c->operands);
    operand_values_json(w, c);
    optional_text(w, "summary", c->summary);
    json_key(w, "options");
    json_begin_array(w);
    for (size_t t = 0; t < OPTION_TABLES_MAX && c->tables[t]; t++)
        for (const struct option *o = c->tables[t]; o->name; o++)
            option_json(w, o);
    json_end_array(w);
    json_end_object(w);
}

void help_json(struct cli *cli, const struct command *command)
{
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to_indented(&out);

    command_json(&w, command);
    print_json(buf_str(&out).s);
}

void help_family_json(struct cli *cli, const char *word)
{
    struct buf out = buf_in(cli->arena);
    struct json_writer w = json_to_indented(&out);

    json_begin_array(&w);
    for (const struct command *const *c = commands; *c; c++)
        if (!word || is_in_family(*c, word))
            command_json(&w, *c);
    json_end_array(&w);
    print_json(buf_str(&out).s);
}

/* `c` and `family` may be NULL: help for the program. */
static void print_help(struct cli *cli, const struct command *c, const char *family)
{
    if (cli->args.json && c && !family)
        help_json(cli, c);
    else if (cli->args.json)
        help_family_json(cli, family);
    else if (c)
        help_one(stdout, c);
    else if (family)
        help_family(stdout, family);
    else
        help_program(stdout);
}

static int help_run(struct cli *cli)
{
    const struct texts *words = &cli->args.operands;
    const char *family =
        words->count == 1 && command_is_family(words->items[0]) ? words->items[0] : NULL;
    size_t used;
    const struct command *c = command_find(words->count, words->items, &used);

    if (used < words->count && !family) {
        complain_of_command(cli->arena, words->items[0], words->count > 1 ? words->items[1] : NULL);
        return EX_USAGE;
    }
    print_help(cli, c, family);
    return EXIT_YES;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .summary = "print help for a command",
    .operands_max = 2,
    .tables = {common_options},
    .run = help_run,
};
