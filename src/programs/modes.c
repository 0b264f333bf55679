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
