#include "cli/help.h"

#include <string.h>
#include <sys/ioctl.h>

#include "base/json.h"
#include "cli/output.h"

#define OPTION_COLUMN  25 /* where the second column begins */
#define COMMAND_COLUMN 19
#define SHORT_COLUMN   30
#define WIDTH_MAX      100 /* of a line, also where the width is not known */
#define WIDTH_RIGHT    24  /* with less room than this, what is on the right goes below */

/* A page whose lines are broken at blanks to fit the terminal. */
struct page {
    FILE *to;
    size_t width, at; /* of the line: what is printed */
};

static struct page page_of(FILE *to)
{
    struct winsize size;
    bool known = ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;

    return (struct page){to, known && size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX, 0};
}

static void end_line(struct page *p)
{
    fputc('\n', p->to);
    p->at = 0;
}

static void move_to(struct page *p, size_t column)
{
    for (; p->at < column; p->at++)
        fputc(' ', p->to);
}

/* Lines that follow begin at `indent`. */
static void word(struct page *p, size_t indent, struct str text)
{
    if (p->at > indent && p->at + 1 + text.len > p->width)
        end_line(p);
    move_to(p, p->at > indent ? p->at + 1 : indent);
    fprintf(p->to, "%.*s", STR_ARG(text));
    p->at += text.len;
}

static void words(struct page *p, size_t indent, const char *text)
{
    struct str rest = str_from(text), next;

    while (rest.len) {
        if (!str_cut(rest, ' ', &next, &rest))
            rest = (struct str){0};
        word(p, indent, next);
    }
}

static void paragraph(struct page *p, const char *text)
{
    words(p, 0, text);
    end_line(p);
}

/* Begins the right column of a row. Returns where it is. */
static size_t right_of(struct page *p, size_t column)
{
    if (p->width >= column + WIDTH_RIGHT) {
        move_to(p, column);
        return column;
    }
    end_line(p);
    return 4;
}

static void row(struct page *p, size_t column, const char *left, const char *right)
{
    words(p, 2, left);
    words(p, right_of(p, column), right);
    end_line(p);
}

static void print_usage(FILE *to, const struct command *c)
{
    fprintf(to, "Usage: warder%s%s [OPTIONS]%s%s\n", c->name[0] ? " " : "", c->name,
            c->operands[0] ? " " : "", c->operands);
}

static void print_summary(struct page *p, const char *name, const char *summary)
{
    struct str text = str_from(summary);

    words(p, 0, name);
    fputc(':', p->to);
    p->at++;
    words(p, 0, summary);
    fputs(str_ends(text, STR("?")) ? "" : ".", p->to);
    end_line(p);
}

static void print_option(struct page *p, const struct option *o)
{
    struct str value;

    move_to(p, 2);
    if (o->letter)
        p->at += (size_t)fprintf(p->to, "%s,", o->letter);
    words(p, 2, o->name);
    words(p, 2, o->argument ? o->argument : "");
    size_t column = right_of(p, OPTION_COLUMN);
    words(p, column, o->help);
    end_line(p);
    for (size_t i = 0; option_value(o, i, &value); i++)
        word(p, column, value);
    if (p->at)
        end_line(p);
}

static void print_options(struct page *p, const struct command *c)
{
    fputs("\nOptions:\n", p->to);
    for (size_t t = 0; t < OPTION_TABLES_MAX && c->tables[t]; t++)
        for (const struct option *o = c->tables[t]; o->name; o++)
            print_option(p, o);
}

/* The line above a command that begins a group, or NULL. */
static const char *group_before(const struct command *c)
{
    static const struct {
        const struct command *first;
        const char *title;
    } groups[] = {
#define GROUP(title, name) {&command_##name, title},
#include "cli/commands.def"
    };

    for (size_t i = 0; i < COUNT(groups); i++)
        if (groups[i].first == c)
            return groups[i].title;
    return NULL;
}

void help_program(FILE *to)
{
    struct page p = page_of(to);

    print_usage(to, &command_program);
    print_summary(&p, "warder", command_program.summary);
    for (const struct command *const *c = commands; *c; c++) {
        const char *title = group_before(*c);
        if (title)
            fprintf(to, "\n%s:\n", title);
        row(&p, COMMAND_COLUMN, (*c)->name, (*c)->summary);
    }
    print_options(&p, &command_program);
    fputc('\n', to);
    paragraph(&p, "Exit codes: 0 allow, 1 deny, 2 ask; 64 usage, 65 bad data, 66 cannot read, "
                  "70 internal, 71 system, 74 cannot write. No error is below 64.");
    paragraph(&p, "See `warder COMMAND --help`, warder(1), warder-rules(5) and warder.conf(5).");
}

void help_short(FILE *to)
{
    static const char *const lines[][2] = {
        {"warder install CLIENT", "let an agent ask Warder before each tool call"},
        {"warder doctor", "check that it does"},
        {"warder check -- git status", "say what Warder would answer, and why"},
        {"warder log", "what was decided"},
        {"warder help", "all commands"},
    };
    struct page p = page_of(to);

    paragraph(&p, "Warder checks every tool call of a coding agent before it runs, and allows it, "
                  "blocks it, or asks you.");
    fputc('\n', to);
    for (size_t i = 0; i < COUNT(lines); i++)
        row(&p, SHORT_COLUMN, lines[i][0], lines[i][1]);
}

static void print_operand_values(struct page *p, const struct command *c)
{
    words(p, 0, str_starts(str_from(c->operands), STR("TOOL")) ? "TOOL" : "CLIENT");
    words(p, 0, "is one of:");
    for (size_t i = 0; c->operand_values(i); i++)
        words(p, 0, c->operand_values(i));
    fputc('.', p->to);
    end_line(p);
}

static bool is_in_family(const struct command *c, const char *word)
{
    size_t len = strlen(word);

    return strncmp(c->name, word, len) == 0 && (c->name[len] == ' ' || c->name[len] == '\0');
}

void help_family(FILE *to, const char *word)
{
    struct page p = page_of(to);

    fputs("Commands:\n", to);
    for (const struct command *const *c = commands; *c; c++)
        if (is_in_family(*c, word))
            row(&p, COMMAND_COLUMN, (*c)->name, (*c)->summary);
}

void help_one(FILE *to, const struct command *c)
{
    struct page p = page_of(to);

    print_usage(to, c);
    print_summary(&p, c->name, c->summary);
    if (c->more)
        paragraph(&p, c->more);
    if (c->operand_values)
        print_operand_values(&p, c);
    print_options(&p, c);
    fputc('\n', to);
    words(&p, 0, "Exit codes:");
    words(&p, 0, c->exits ? c->exits : "0 done");
    fputc(';', to);
    p.at++;
    paragraph(&p, "64 and above: it failed.");
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
