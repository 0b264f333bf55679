/* unlisted.c - an option that no row lists, under an allow rule whose star stands for it.
 *
 * Programs get new options, and most of them say how to print something. But where a program has
 * options that run code, write files or read settings, a new one may do that, too. */
#include "base/ascii.h"
#include "programs/reading.h"

/* Words in names of options whose value is a command, a file or settings. */
static bool names_more_than_data(struct str name)
{
    const struct str words =
        STR("agent browser cmd code command conf config configuration cwd debugger dir directory "
            "driver editor engine entry env environment eval exec execute executable extension "
            "file files filter format-command from helper hook hooks home import include init "
            "install interpreter lib library load loader log mod module open out output "
            "override pager path plugin plugins post prefix preload prepare preprocessor profile "
            "program project proxy rc reporter require root rsh run runner save script server "
            "settings setup shell source target template tool toolchain transform transformer "
            "user viewer with wrapper write");
    struct str rest = name, part, tail;

    while (rest.len && rest.s[0] == '-')
        rest = str_from_byte(rest, 1);
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, '-', &part, &tail);
        if (str_has_word(words, part))
            return true;
    }
    return false;
}

/* --no-config: nothing is switched on. */
static bool switches_off(struct str word)
{
    return !str_has(word, '=') &&
           (str_starts(word, STR("--no-")) || str_starts(word, STR("--without-")));
}

/* A dot of a number, or at the end of a sentence: in the name of a file another letter follows. */
static bool is_plain_dot(struct str value, size_t at)
{
    return at + 1 == value.len || value.s[at + 1] == ' ' || ascii_is_digit(value.s[at + 1]);
}

/* Numbers and words: no path, nothing that a shell would expand. */
static bool is_plain_value(struct str value)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.s[i];
        if (!ascii_is_alnum(c) && !strchr(" _-,:+%", c) && !(c == '.' && is_plain_dot(value, i)))
            return false;
    }
    return true;
}

/* The word after it may be its value. */
static bool is_plain_next(const struct reading *r)
{
    const struct shell_word *w = &r->words[r->at + 1];

    return r->at + 1 >= r->count || w->text.s[0] == '-' || (w->known && is_plain_value(w->text));
}

/* Has any of these rows an option that does more than say how the program works? */
static bool is_risky(const struct reading *r)
{
    for (size_t i = 0; i < r->depth; i++)
        if (program_has_risky_options(r->rows[i].row))
            return true;
    return !*r->rows[0].row->options;
}

/* git difftool: nobody has read its options, and some run what they are given. */
static bool is_unread(const struct program_row *row)
{
    return (row->effects & EFFECT_CODE) && !str_has(str_from(row->options), '-');
}

bool option_is_plain(const struct reading *r)
{
    const struct shell_word *w = &r->words[r->at];
    struct str name, value;
    bool is_long = str_starts(w->text, STR("--")), joined = str_cut(w->text, '=', &name, &value);

    if (!is_risky(r))
        return true;
    if (!w->known || is_unread(r->use->row) ||
        (is_long && names_more_than_data(name) && !switches_off(w->text)) || !is_plain_value(value))
        return false;
    if (!is_long && w->text.len > 2)
        return is_plain_value(str_from_byte(w->text, 2));
    return joined || is_plain_next(r);
}
