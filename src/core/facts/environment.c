#include "facts/environment.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/actions.h"
#include "programs/variables.h"

/* Values that name programs which do nothing, and switches that are files only if they look like
 * one. */
static const struct {
    const char *name, *value;
} harmless_values[] = {
    {"*EDITOR", "true"}, {"*EDITOR", ":"},    {"*PAGER", "cat"},      {"GIT_TRACE*", "0"},
    {"GIT_TRACE*", "1"}, {"GIT_TRACE*", "2"}, {"GIT_TRACE*", "true"},
};

unsigned environment_uses(const struct facts *f, struct str name, unsigned by_table)
{
    const struct tool_entries *said = &f->book->variables;

    for (size_t i = 0; i < said->count; i++)
        if (variable_fits(said->items[i].name.s, name) && !variable_surely_steers(name))
            return by_table & VARIABLE_STEERS ? by_table & ~(unsigned)VARIABLE_STEERS
                                              : by_table | VARIABLE_HARMLESS;
    return by_table;
}

static bool is_plain(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!ascii_is_alnum(value.s[i]) && (!value.s[i] || !strchr("_.,:+-", value.s[i])))
            return false;
    return value.len == 0 || value.s[0] != '-';
}

/* postgres://localhost/test */
static bool is_on_this_machine(struct str url)
{
    struct str rest = {0};
    size_t n = 0;

    while (n < url.len && ascii_is_alnum(url.s[n]))
        n++;
    if (n == 0 || !str_starts(str_from_byte(url, n), STR("://")))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (!ascii_is_alnum(url.s[i]) && (!url.s[i] || !strchr("_.:/@?=&-", url.s[i])))
            return false;
    rest = str_from_byte(url, n + 3);
    if (str_has(rest, '@'))
        rest = str_from_byte(rest, str_last_index(rest, '@') + 1);
    if (str_starts(rest, STR("localhost")))
        rest = str_from_byte(rest, strlen("localhost"));
    else if (str_starts(rest, STR("127.0.0.1")))
        rest = str_from_byte(rest, strlen("127.0.0.1"));
    else
        return false;
    return rest.len == 0 || rest.s[0] == ':' || rest.s[0] == '/';
}

bool environment_is_safe_for_code(const struct action *assignment, struct str value)
{
    return assignment->uses & (VARIABLE_TEXT | VARIABLE_HARMLESS) || is_plain(value) ||
           is_on_this_machine(value);
}

static bool has_harmless_value(struct str name, struct str value)
{
    for (size_t i = 0; i < COUNT(harmless_values); i++)
        if (str_is(value, harmless_values[i].value) && variable_fits(harmless_values[i].name, name))
            return true;
    return false;
}

bool environment_is_dangerous(const struct action *assignment, const struct str *value)
{
    return (assignment->uses & (VARIABLE_STEERS | VARIABLE_HARMLESS)) == VARIABLE_STEERS &&
           !(value && has_harmless_value(assignment->subject.words.items[0], *value));
}

/* declare -x, typeset -gx: letters after one dash. */
static bool has_export_letter(const struct strs *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (str_starts(words->items[i], STR("-")) && str_has(words->items[i], 'x'))
            return true;
    return false;
}

/* NAME, NAME=value or NAME+=value; a word that is not known may be any name. */
static bool names(struct str word, struct str name)
{
    return str_has(word, WORD_UNKNOWN) ||
           (str_starts(word, name) &&
            (word.len == name.len || word.s[name.len] == '=' || word.s[name.len] == '+'));
}

static bool is_exported_by(const struct action *a, struct str name)
{
    const struct strs *words = &a->subject.words;

    if (!a->program || words->count == 0 ||
        (!str_is(words->items[0], "export") && !has_export_letter(words)))
        return false;
    for (size_t i = 1; i < words->count; i++)
        if (names(words->items[i], name))
            return true;
    return false;
}

bool environment_reaches_programs(const struct facts *f, const struct action *assignment)
{
    if (!assignment->whole || facts_too_many(f))
        return true;
    for (size_t i = 0; f->exports && i < f->actions.count; i++)
        if (is_exported_by(&f->actions.items[i], assignment->subject.words.items[0]))
            return true;
    return false;
}

/* Is nothing of this name there, and does the call make nothing there? */
static bool is_no_file(const struct facts *f, struct str cwd, struct str name)
{
    struct str path;

    if (!path_absolute(f->arena, cwd, f->home, name, &path) ||
        f->world->kind(f->world->context, path.s) != FILE_ABSENT)
        return false;
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_may_write(&f->actions.items[i], path))
            return false;
    return true;
}

static bool is_name_byte(char c)
{
    return ascii_is_alnum(c) || (c && strchr("._+-", c));
}

/* The whole value, and each part of a list or an expression. */
static bool names_no_file(const struct facts *f, struct str cwd, struct str value)
{
    for (size_t i = 0, end; i < value.len; i = end + 1) {
        for (end = i; end < value.len && is_name_byte(value.s[end]);)
            end++;
        if (end > i && !is_no_file(f, cwd, str_slice(value, i, end)))
            return false;
    }
    return value.len == 0 || is_no_file(f, cwd, value);
}

/* One word that begins like a name or a pattern, and holds nothing of a path or a command. */
static bool is_single_word(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!is_name_byte(value.s[i]) && (!value.s[i] || !strchr(":,=@%#()[]{}*?^|", value.s[i])))
            return false;
    return value.len == 0 || !strchr("-|@#", value.s[0]);
}

bool environment_has_capital(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.s[i] >= 'A' && name.s[i] <= 'Z')
            return true;
    return false;
}

bool environment_is_safe_for_all(const struct facts *f, const struct action *assignment)
{
    const struct strs *words = &assignment->subject.words;
    struct str name = words->items[0], value = words->count > 1 ? words->items[1] : STR("");
    unsigned uses = assignment->uses;

    if (!environment_has_capital(name))
        return true;
    if (assignment->set)
        return false;
    if (assignment->number || (uses & (VARIABLE_TEXT | VARIABLE_HARMLESS)))
        return true;
    if (!is_single_word(value) && !is_on_this_machine(value))
        return false;
    return (uses & VARIABLE_TRANSPARENT) || (names_no_file(f, assignment->cwd, value) &&
                                             (!action_has_other_cwd(assignment) ||
                                              names_no_file(f, assignment->cwd_other.path, value)));
}
