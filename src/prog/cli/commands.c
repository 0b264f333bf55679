/* commands.c - the list of all commands, and how one is found.
 *
 * Help, `warder help --json` and the completion of the shell are made of it; the tests compare the
 * manual with it. */
#include <string.h>

#include "base/nearest.h"
#include "base/str.h"
#include "cli/command.h"
#include "cli/output.h"

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
    NULL,
};

/* How many of the words are the name of the command; 0 when they are not. */
static size_t words_of(const struct command *c, size_t count, const char *const *words)
{
    struct str rest = str_from(c->name), word;
    bool more = true;
    size_t used = 0;

    while (more) {
        more = str_cut(rest, ' ', &word, &rest);
        if (used == count || !str_is(word, words[used]))
            return 0;
        used++;
    }
    return used;
}

const struct command *command_find(size_t count, const char *const *words, size_t *used)
{
    const struct command *found = NULL;

    *used = 0;
    for (const struct command *const *c = commands; *c; c++) {
        size_t n = words_of(*c, count, words);
        if (n > *used) {
            *used = n;
            found = *c;
        }
    }
    return found;
}

bool command_is_family(const char *word)
{
    size_t len = strlen(word);

    for (const struct command *const *c = commands; *c; c++)
        if (strncmp((*c)->name, word, len) == 0 && (*c)->name[len] == ' ')
            return true;
    return false;
}

void complain_of_command(struct arena *a, const char *first, const char *second)
{
    struct str typed = str_format(a, "%s%s%s", first, second ? " " : "", second ? second : "");
    struct nearest near = nearest_to(typed);

    for (const struct command *const *c = commands; *c; c++) {
        struct str name = str_from((*c)->name), family, rest;
        nearest_try(&near, name);
        if (!second && str_cut(name, ' ', &family, &rest))
            nearest_try(&near, family);
    }
    if (near.best.len)
        complain("unknown command \"%s\"; did you mean %.*s?", typed.s, STR_ARG(near.best));
    else
        complain("unknown command \"%s\"", typed.s);
}
