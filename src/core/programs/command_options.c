#include "programs/command_options.h"

#include "base/ascii.h"
#include "programs/meanings.h"
#include "programs/reading.h"
#include "programs/variables.h"

struct option_search {
    struct reading r;
    struct row_use rows[SUBCOMMAND_DEPTH_MAX];
    struct program_use use; /* what r writes to */
    struct command_options *out;
};

/* An operand that is an option by another name. */
static const struct {
    const char *row, *begins, *option;
} as_option[] = {
    {"git push", "+", "--force"},
};

/* The names of an option that is more than one entry in its row: those of the second one. */
static struct str one_name(const struct option_search *s, struct str names)
{
    const struct program_row *row = s->r.use->row;
    struct str rest = str_from(row && row->same ? row->same : ""), pair, first, second;
    struct option o;

    while (str_next_word(&rest, &pair))
        if (str_cut(pair, ',', &first, &second) && program_option_named(names, first))
            return option_find(&s->r, second, &o) ? o.names : second;
    return names;
}

/* Is one of these, separated by blanks, a name of the option? */
static bool options_name_one(struct str options, struct str names)
{
    struct str name;

    while (str_next_word(&options, &name))
        if (program_option_named(names, name))
            return true;
    return false;
}

/* A value, or with a star its beginning. git reads Core.HooksPath as core.hookspath. */
static bool value_fits(struct str value, struct str wanted)
{
    if (!str_ends(wanted, STR("*")))
        return str_eq_nocase(value, wanted);
    wanted.len--;
    return value.len >= wanted.len && str_eq_nocase(str_slice(value, 0, wanted.len), wanted);
}

/* "--x=n*" of the column `implies`: is it this option, with such a value? */
static bool is_implying(struct str wanted, const struct command_option *o)
{
    struct str name, value;

    if (!str_cut(wanted, '=', &name, &value))
        return program_option_named(o->names, wanted);
    if (!o->has_value || !program_option_named(o->names, name))
        return false;
    return value_fits(o->value, value);
}

/* -K file, but not git -c user.name=x: does the option bring others, and nobody knows which? */
static bool brings_options(const struct program_row *row, const struct command_option *o)
{
    struct str rest = str_from(row && row->no_options ? row->no_options : ""), plain, name, value;

    if (!row || !row->options_in || !o->names.len ||
        !options_name_one(str_from(row->options_in), o->names))
        return false;
    str_cut(o->value, '=', &name, &value);
    while (o->has_value && str_next_word(&rest, &plain))
        if (value_fits(name, plain))
            return false;
    return true;
}

/* The options, separated by commas, that another one stands for. */
static void push_meant(struct option_search *s, struct str options, const struct command_option *by,
                       bool implied)
{
    struct command_option o = {.word = by->word, .implied = implied};
    struct str name, tail = {0};
    struct option listed;

    for (bool more = true; more; options = tail) {
        more = str_cut(options, ',', &name, &tail);
        o.has_value = str_cut(name, '=', &name, &o.value);
        o.names = option_find(&s->r, name, &listed) ? listed.names : name;
        LIST_PUSH(s->r.arena, &s->out->options, o);
    }
}

static void push(struct option_search *s, struct command_option o)
{
    const struct program_row *row = s->r.use->row;
    struct str rest = str_from(row && row->implies ? row->implies : ""), pair, wanted, options;
    bool stands_for = false, explained = false;

    while (str_next_word(&rest, &pair)) {
        bool more = str_cut(pair, '>', &wanted, &options);
        if ((!more && !str_cut(pair, ':', &wanted, &options)) || !is_implying(wanted, &o))
            continue;
        push_meant(s, options, &o, more);
        explained = true;
        stands_for |= !more;
    }
    if (!stands_for)
        LIST_PUSH(s->r.arena, &s->out->options, o);
    s->out->open |= !explained && brings_options(row, &o);
}

/* A letter in a cluster that the row cannot read as a whole. */
static void guess_letter(struct option_search *s, size_t word, size_t at)
{
    struct str text = s->r.words[word].text;
    struct command_option o = {
        .names = str_join(s->r.arena, STR("-"), str_slice(text, at, at + 1)),
        .word = word,
        .unlisted = true,
    };
    struct option listed;

    bool known = s->r.use->row && option_find(&s->r, o.names, &listed);
    o.names = one_name(s, known ? listed.names : o.names);
    if (known) {
        o.unlisted = false;
        o.has_value = listed.value && at + 1 < text.len;
        o.value = str_from_byte(text, at + 1);
    }
    push(s, o);
}

/* No row says how to read it: -rf is two letters, and --force=x has a value. */
static void guess_option(struct option_search *s, size_t word)
{
    struct str text = s->r.words[word].text, name, value;
    struct option listed;

    /* a few programs have words with one dash beside their letters, and take a value behind = */
    if (str_cut(text, '=', &name, &value) && name.len > 2 && s->r.use->row &&
        option_find(&s->r, name, &listed) && listed.value) {
        push(s, (struct command_option){one_name(s, listed.names), true, value, word, false});
        return;
    }
    if (str_starts(text, STR("--")) || (s->r.use->row && in_mode(&s->r, MODE_LONG))) {
        bool joined = str_cut(text, '=', &name, &value);
        push(s, (struct command_option){one_name(s, name), joined, value, word, .unlisted = true});
        return;
    }
    for (size_t i = 1; i < text.len; i++)
        guess_letter(s, word, i);
}

/* An option without the value that its row gives it. */
static void name_option(struct option_search *s, size_t word)
{
    struct option o;

    if (option_find(&s->r, s->r.words[word].text, &o))
        push(s, (struct command_option){.names = one_name(s, o.names), .word = word});
    else
        guess_option(s, word);
}

/* kill -9, -KILL, -s SIGKILL, --signal=9. False: the word is no signal. */
static bool take_signal(struct option_search *s)
{
    static const char *const names[] = {"--signal", "-s", "-n"};
    const size_t word = s->r.at;
    struct str text = s->r.words[word].text, signal = str_from_byte(text, 1);

    for (size_t i = 0; i < COUNT(names); i++) {
        if (!str_starts(text, str_from(names[i])))
            continue;
        signal = str_from_byte(text, strlen(names[i]));
        if (!signal.len && word + 1 < s->r.count)
            signal = s->r.words[++s->r.at].text;
        else if (str_starts(signal, STR("=")))
            signal = str_from_byte(signal, 1);
        break;
    }
    int number = signal_number(signal);
    if (number < 0) {
        s->r.at = word;
        return false;
    }
    push(s, (struct command_option){.names = STR("-s,--signal,-n"),
                                    .has_value = true,
                                    .value = str_format(s->r.arena, "%d", number),
                                    .word = word});
    return true;
}

static void take_option(struct option_search *s)
{
    struct reading *r = &s->r;
    size_t word = r->at;

    if (r->use->row && r->use->row->signals && take_signal(s))
        return;

    r->given.count = 0;
    if (!r->use->row || !read_option(r)) {
        r->at = word;
        guess_option(s, word);
        return;
    }
    if (!r->given.count)
        name_option(s, word); /* its value is missing */
    for (size_t i = 0; i < r->given.count; i++) {
        const struct given *g = &r->given.items[i];
        push(s, (struct command_option){one_name(s, g->option.names), g->has_value, g->value.text,
                                        word, .optional = g->option.optional});
    }
}

static void add_named_option(struct option_search *s, struct str text)
{
    const char *row = s->r.use->row ? s->r.use->row->name : "";
    struct option o;

    for (size_t i = 0; i < COUNT(as_option); i++)
        if (strcmp(as_option[i].row, row) == 0 && str_starts(text, str_from(as_option[i].begins)) &&
            option_find(&s->r, str_from(as_option[i].option), &o)) {
            push(s, (struct command_option){.names = o.names, .word = s->r.at});
            s->out->mark = as_option[i].begins[0];
        }
}

/* gcc @file */
static bool is_options_file(const struct option_search *s, struct str text)
{
    const struct program_row *row = s->r.use->row;

    return row && row->options_in && str_starts(text, STR("@")) &&
           str_has_word(str_from(row->options_in), STR("@"));
}

/* make V=1 deploy, sudo A=b rm. False: it is an operand. */
static bool take_setting(struct option_search *s, const struct shell_word *w)
{
    struct str name, value;

    if (s->r.use->row && s->r.use->row->bits) /* chmod a=rwx */
        return false;
    if (!str_cut(w->text, '=', &name, &value) || !name.len || ascii_is_digit(name.s[0]))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_name(name.s[i]) && !ascii_is_digit(name.s[i]))
            return false;
    push(s, (struct command_option){name, true, value, s->r.at, false});
    return true;
}

/* tar xzf: the letters in the first word are options. */
static bool take_bundle(struct option_search *s, const struct shell_word *w)
{
    struct str text = w->text;
    struct option o;

    if (s->r.at != 1 || !s->r.use->row || !in_mode(&s->r, MODE_BUNDLE))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        struct str name = str_join(s->r.arena, STR("-"), str_slice(text, i, i + 1));
        if (!option_find(&s->r, name, &o))
            return false;
    }
    for (size_t i = 0; i < text.len; i++)
        guess_letter(s, 1, i);
    return true;
}

/* The row of a subcommand reads the words after it. */
static void enter(struct option_search *s, const struct shell_word *w)
{
    struct reading *r = &s->r;

    if (r->use->row && r->use->subcommands && w->known && !str_has(w->text, ' ') &&
        r->depth < SUBCOMMAND_DEPTH_MAX && row_find(r, r->use, w->text, &s->rows[r->depth]))
        r->use = &s->rows[r->depth++];
}

/* Without the dashes: some programs take one for two. Empty if it is a letter. */
static struct str long_name(struct str name)
{
    struct str bare = str_from_byte(name, str_starts(name, STR("--")) ? 2 : 1);

    return bare.len > 1 ? bare : (struct str){0};
}

bool command_option_shortened(struct str written, struct str names)
{
    struct str start = long_name(written), rest = names, name, tail = {0};

    for (bool more = start.len && str_starts(written, STR("--")); more; rest = tail) {
        more = str_cut(rest, ',', &name, &tail);
        if (name.len > 2 && long_name(name).len > start.len && str_starts(long_name(name), start))
            return true;
    }
    return false;
}

/* Are all of them letters (`letters`), or all longer names? */
static bool are_all(struct str names, bool letters)
{
    struct str rest = names, name, tail = {0};

    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, ',', &name, &tail);
        if (letters != (name.len == 2))
            return false;
    }
    return true;
}

bool command_option_other_kind(struct str names, struct str others)
{
    return (are_all(names, true) && are_all(others, false)) ||
           (are_all(names, false) && are_all(others, true));
}

bool command_option_set_by(struct str program, struct str variable, struct str names)
{
    const struct program_row *row = program_named(program);
    struct str rest, word, pattern, option;

    if (row && row->options[0] == '=')
        row = program_named(str_from(row->options + 1));
    if (!row || !row->set_by || (variable_uses(variable) & VARIABLE_HARMLESS))
        return false;
    rest = str_from(row->set_by);
    while (str_next_word(&rest, &word)) {
        bool one = str_cut(word, '>', &pattern, &option);
        if (variable_matches(pattern, variable) && (!one || program_option_named(names, option)))
            return true;
    }
    return false;
}

bool command_option_told_by(const struct program_row *row, struct str variable)
{
    struct str rest = str_from(row->set_by), word, pattern, option;

    while (str_next_word(&rest, &word)) /* HUSKY*>--no-verify */
        if (str_cut(word, '>', &pattern, &option) && variable_matches(pattern, variable))
            return !(variable_uses(variable) & VARIABLE_HARMLESS);
    return false;
}

void command_options(struct arena *a, const struct shell_word *words, size_t count,
                     const struct program_rows *more, struct command_options *out)
{
    struct option_search s = {.out = out};
    bool ended = false;

    *out = (struct command_options){0};
    s.r = (struct reading){.arena = a,
                           .words = words,
                           .count = count,
                           .more = more,
                           .out = &s.use,
                           .rows = s.rows,
                           .use = s.rows,
                           .depth = 1};
    if (!row_of_program(&s.r, words[0].text, &s.rows[0]))
        s.rows[0] = (struct row_use){0};
    LIST_PUSH(a, &out->operands, 0);
    for (s.r.at = 1; s.r.at < count; s.r.at++) {
        const struct shell_word *w = &words[s.r.at];
        if (!ended && str_is(w->text, "--")) {
            ended = true;
        } else if (!ended && w->text.len > 1 && w->text.s[0] == '-') {
            take_option(&s);
        } else if (!take_bundle(&s, w) && !take_setting(&s, w)) {
            add_named_option(&s, w->text);
            out->open |= is_options_file(&s, w->text);
            LIST_PUSH(a, &out->operands, s.r.at);
            enter(&s, w);
        }
    }
    out->named = s.r.depth;
    out->bits = s.r.use->row && s.r.use->row->bits;
    out->complete = s.r.use->row && !s.r.use->subcommands;
    out->lists_none = s.r.use->row && !str_has(str_from(s.r.use->row->options), '-');
    out->abbreviates = s.r.use->row && in_mode(&s.r, MODE_ABBREV);
}
