/* evasion_plain.c - a command as people write it who deny it.
 *
 * `docker run*-v /...` means every way to say so: --volume=/x is -v /x, and docker container run is
 * docker run. The row knows the names of an option and that it takes a value. A rule with a star
 * inside of a word cannot be read word by word, so the command is written again, and the rule
 * compared with that. */
#include "base/path.h"
#include "decide/evasion.h"
#include "programs/command_options.h"
#include "programs/subcommands.h"
#include "rule/command.h"

/* How an option is written: by its first or last name, its value apart or after '='. */
static const struct style {
    bool last, joined;
} styles[] = {{false, false}, {true, false}, {true, true}};

struct plain {
    struct evasion *e;
    const struct shell_word *words;
    struct command_options read;
    struct str name; /* of program and subcommand, as the row has it */
    size_t named;    /* operands that are this name */
};

/* "docker run" leaves out a word of "docker container run"; "docker ps" is another name. */
static bool leaves_out_words(struct str name, struct str of)
{
    struct str word, wanted;

    for (bool more = str_next_word(&name, &wanted); more; more = str_next_word(&name, &wanted)) {
        do {
            if (!str_next_word(&of, &word))
                return false;
        } while (!str_eq(word, wanted));
    }
    return true;
}

static struct str first_operands(const struct plain *p, size_t count)
{
    struct arena *a = p->e->f->arena;
    struct buf b = buf_in(a);

    buf_add(&b, path_base(p->words[0].text));
    for (size_t i = 1; i < count; i++) {
        buf_byte(&b, ' ');
        buf_add(&b, p->words[p->read.operands.items[i]].text);
    }
    return buf_str(&b);
}

/* "=docker run": the row is another name of that one. */
static struct str target_of(const struct program_row *row)
{
    return row->options[0] == '=' && row->options[1] ? str_from(row->options + 1)
                                                     : str_from(row->name);
}

static void find_name(struct plain *p)
{
    size_t most = p->read.operands.count;
    const struct program_row *row = NULL;

    for (p->named = most < SUBCOMMAND_WORDS_MAX ? most : SUBCOMMAND_WORDS_MAX; p->named > 1;
         p->named--) {
        p->name = first_operands(p, p->named);
        row = program_shipped(p->name);
        if (row)
            break;
    }
    if (row && leaves_out_words(target_of(row), p->name))
        p->name = target_of(row);
    else
        p->name = first_operands(p, p->named);
}

static struct str name_of(struct str names, bool last)
{
    struct str name, rest = names;

    while (str_cut(rest, ',', &name, &rest) && last)
        ;
    return name;
}

static void add_word(struct plain *p, struct strs *words, struct str word)
{
    LIST_PUSH(p->e->f->arena, words, word);
}

static void add_option(struct plain *p, struct strs *words, const struct command_option *o,
                       struct style style)
{
    struct str name = name_of(o->names, style.last), value = o->value;

    if (o->has_value && str_starts(value, STR("="))) /* -v=x of programs in Go */
        value = str_from_byte(value, 1);

    if (o->has_value && style.joined && str_starts(name, STR("--"))) {
        add_word(p, words, str_format(p->e->f->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)));
        return;
    }
    add_word(p, words, name);
    if (o->has_value)
        add_word(p, words, value);
}

static void compare_style(struct plain *p, struct style style)
{
    struct str rest = p->name, word;
    struct strs words = {0};

    while (str_next_word(&rest, &word))
        add_word(p, &words, word);
    for (size_t i = 0; i < p->read.options.count; i++)
        add_option(p, &words, &p->read.options.items[i], style);
    for (size_t i = p->named; i < p->read.operands.count; i++) {
        struct str operand = p->words[p->read.operands.items[i]].text;
        if (i == p->named && str_starts(operand, STR("-")))
            add_word(p, &words, STR("--"));
        add_word(p, &words, operand);
    }
    evasion_spelling(p->e, &words);
}

static bool has_rules(const struct evasion *e, struct str program)
{
    return rulebook_may_name(e->f->book, program.s[0]) &&
           rulebook_on_program(e->f->arena, e->f->book, program).count;
}

/* Most commands have no word that a rule names as the program. It need not be the first one: python
 * -m pip is pip. A word may have blanks, and the name in the table is made of such parts. */
static bool may_be_named(const struct evasion *e, const struct shell_word *words, size_t count)
{
    struct str rest, part;

    for (size_t i = 0; i < count; i++)
        for (rest = i ? words[i].text : path_base(words[i].text); str_next_word(&rest, &part);)
            if (has_rules(e, part))
                return true;
    return false;
}

/* Is a rule on the program that it is by its name in the table? */
static bool is_forbidden(const struct plain *p)
{
    struct str rest = p->name, program;

    return str_next_word(&rest, &program) && has_rules(p->e, program);
}

void evasion_plain(struct evasion *e, const struct shell_word *words, size_t count)
{
    struct plain p = {.e = e, .words = words};

    if (!e->f->actions.items[e->action].row || count < 2 || !may_be_named(e, words, count))
        return;
    command_options(e->f->arena, words, count, e->f->book->programs, &p.read);
    find_name(&p);
    if (!is_forbidden(&p))
        return;
    for (size_t i = 0; i < COUNT(styles); i++)
        compare_style(&p, styles[i]);
}
