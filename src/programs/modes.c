/* modes.c - what is asked about a row for every word. Of our own rows the index knows it: this runs while Warder is
 * built, and for the rows of policy files. */
#include "programs/reading.h"

/* ORDER: as enum row_mode */
static const char *const mode_words[] = {"+long", "abbrev", "bundle", "expression", "global",
                                         "mixed", "number", "plus",   "versions"};

unsigned row_mode_named(struct str word)
{
    for (size_t i = 0; i < COUNT(mode_words); i++)
        if (str_is(word, mode_words[i]))
            return 1U << i;
    return 0;
}

/* These words stand in front of the options: most rows are longer than what is asked of them here. */
unsigned row_modes(const struct program_row *row)
{
    const char *at = row->options;
    unsigned modes = 0;

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

/* {-e,-f}, at the brace: are these names of options, of which one must have been given? They are added to the set. */
static bool needs_option(const char *at, uint32_t *names)
{
    struct str name = {at + 1, strcspn(at + 1, ",} |")};

    for (;; name = (struct str){name.s + name.len + 1, strcspn(name.s + name.len + 1, ",} |")}) {
        if (name.len < 2 || name.s[0] != '-')
            return false;
        *names |= name_bit(name);
        if (name.s[name.len] != ',')
            return name.s[name.len] == '}';
    }
}

/* Behind all forms that begin with such a condition; 0, and every name is in the set, when there is no other form. */
size_t row_plain_form(const struct program_row *row, uint32_t *conditions)
{
    const char *at = row->operands;

    *conditions = 0;
    for (;;) {
        at += strspn(at, " ");
        if (*at != '{' || !needs_option(at, conditions))
            return (size_t)(at - row->operands);
        at += strcspn(at, "|");
        if (!*at) {
            *conditions = UINT32_MAX;
            return 0;
        }
        at++;
    }
}
