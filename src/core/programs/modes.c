/* modes.c - what is asked about a row for every word. Of our own rows the index knows it: this runs
 * while Warder is built, and for the rows of policy files. */
#include "programs/reading.h"

/* ORDER: as enum row_mode */
static const char *const mode_words[] = {"+long",  "abbrev",     "again",   "assigns",
                                         "bundle", "expression", "global",  "mixed",
                                         "number", "plus",       "versions"};

unsigned row_mode_named(struct str word)
{
    for (size_t i = 0; i < COUNT(mode_words); i++)
        if (str_is(word, mode_words[i]))
            return 1U << i;
    return 0;
}

/* if=R: no dash, and no word alone. */
static bool has_named(const char *options)
{
    struct str rest = str_from(options), token, name;
    struct option o;

    while (str_next_word(&rest, &token))
        for (bool more = option_parse(token, &o); more;) {
            more = str_cut(o.names, ',', &name, &o.names);
            if (name.len && name.s[0] != '-')
                return true;
        }
    return false;
}

static bool wraps(const struct program_row *row)
{
    struct str rest = str_from(row->operands), token;

    while (str_next_word(&rest, &token)) {
        token.len -= token.s[token.len - 1] == '*';
        if (str_is(token, "I") || str_is(token, "S"))
            return true;
    }
    return false;
}

/* These words come before the options. */
unsigned row_modes(const struct program_row *row)
{
    const char *at = row->options;
    unsigned modes = (has_named(row->options) ? MODE_NAMED : 0U) | (wraps(row) ? MODE_WRAPS : 0U);

    while ((*at >= 'a' && *at <= 'z') || *at == '+') {
        const char *word = at;
        while (*at && *at != ' ')
            at++;
        modes |= row_mode_named((struct str){word, (size_t)(at - word)});
        while (*at == ' ')
            at++;
    }
    return modes;
}

/* The names in a column that lists options, as a set. */
static uint32_t listed(const char *names)
{
    struct str rest = str_from(names ? names : ""), name;
    uint32_t set = 0;

    while (str_next_word(&rest, &name))
        set |= name_bit(name);
    return set;
}

uint32_t row_trees(const struct program_row *row)
{
    return listed(row->follows) | listed(row->unhides) | listed(row->broadens) |
           listed(row->rewrites) | listed(row->spares) | listed(row->takes);
}

/* "@@env" */
struct str row_reader(const struct program_row *row)
{
    const char *text = row->operands;

    while (*text == ' ')
        text++;
    if (text[0] != '@' || text[1] != '@')
        return (struct str){0};
    return (struct str){text + 2, strcspn(text + 2, " ")};
}
