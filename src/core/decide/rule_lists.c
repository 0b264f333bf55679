/* rule_lists.c - names of files that come from a list: tar -T, zip -@, cpio, wc --files0-from.
 *
 * No word of the command has them, and what is in the list then is not known before run time. The
 * column `names_in` of the rows says how a program takes such a list. */
#include "decide/rule_below.h"
#include "programs/command_options.h"
#include "shell/shell.h"

static bool begins_so(const struct shell_words *words, struct str mark)
{
    for (size_t i = 1; i < words->count; i++)
        if (words->items[i].text.len > mark.len && str_starts(words->items[i].text, mark))
            return true;
    return false;
}

static bool is_given(const struct command_options *given, struct str name)
{
    for (size_t i = 0; i < given->options.count; i++)
        if (program_option_named(given->options.items[i].names, name))
            return true;
    return false;
}

static bool has_list(const struct facts *f, const struct shell_words *words, struct str column)
{
    struct command_options given;
    struct str rest = column, name;
    bool read = false;

    while (str_next_word(&rest, &name)) {
        if (str_is(name, "*") || (str_ends(name, STR("@")) && begins_so(words, name)))
            return true;
        if (!read)
            command_options(f->arena, words->items, words->count, f->book->programs, &given);
        read = true;
        if (is_given(&given, name))
            return true;
    }
    return false;
}

/* gcc @x: every reader of files that knows such operands says so in its row. */
static bool takes_response_files(const struct program_row *row)
{
    return strstr(row->operands, "@input") || strstr(row->operands, "@code") ||
           (row->options_in && strstr(row->options_in, "@"));
}

/* --files-from, --paths-from-stdin, --file-list: no row says what it is. */
static bool sounds_like_list(struct str word)
{
    static const char *const things[] = {"file", "path", "name", "list"};
    const struct str name = str_slice(word, 0, str_until(word, "="));

    if (!str_starts(word, STR("--")))
        return false;
    if (str_contains(name, STR("filelist")) || str_contains(name, STR("file-list")))
        return true;
    for (size_t i = 0; i < COUNT(things); i++)
        if (str_contains(name, STR("from")) && str_contains(name, str_from(things[i])))
            return true;
    return false;
}

static bool any_sounds_so(const struct shell_words *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (sounds_like_list(words->items[i].text))
            return true;
    return false;
}

bool rule_names_are_listed(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];

    if (!f->shell || a->redirect || a->assignment || f->shell->actions.count <= action)
        return false;
    const struct shell_words *words = &f->shell->actions.items[action].words;
    const struct program_row *row = a->row ? a->row : program_by_any_name(a->name);
    if (!row)
        return any_sounds_so(words);
    return (row->names_in && has_list(f, words, str_from(row->names_in))) ||
           (begins_so(words, STR("@")) && takes_response_files(row));
}
