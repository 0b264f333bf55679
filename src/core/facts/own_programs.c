#include "facts/own_programs.h"

#include "base/ascii.h"
#include "base/path.h"

/* The subcommands of Warder that an agent may run: they change and approve nothing. */
#define QUESTIONS "check explain parse log help --help --version"
/* ... and those of `warder log`; without one it lists. */
#define LOG_QUESTIONS "list show export verify head"
#define HELPS         "--help --version"

static bool is_one_of(struct str word, const char *list)
{
    return word.len && str_has_word(str_from(list), word);
}

static bool asks_log(const struct strs *words)
{
    return words->count < 3 || str_starts(words->items[2], STR("-")) ||
           is_one_of(words->items[2], LOG_QUESTIONS);
}

bool own_program_misused(const struct action *a)
{
    const struct strs *words = &a->subject.words;

    if (str_is(a->name, "warder"))
        return words->count < 2 || !is_one_of(words->items[1], QUESTIONS) ||
               (str_is(words->items[1], "log") && !asks_log(words));
    if (str_is(a->name, "warder-serve") || str_is(a->name, "warder-hook"))
        return words->count != 2 || !is_one_of(words->items[1], HELPS);
    return false;
}

/* ---- commands for a person ---- */

/* What they begin with; `warder check` may be in any text. */
#define PERSONS                                                                                    \
    "allow approve console deny doctor grants hook import init install learn log mcp pause "       \
    "policy resume "                                                                               \
    "review rules run serve state tidy token trust undo uninstall untrust"

#define OWN_NAME "warder"

const char own_program_command[] = "a command of Warder";

static bool is_name_byte(char c)
{
    return ascii_is_alnum(c) || c == '-' || c == '_' || c == '.';
}

/* The next run of bytes that names are made of, from *at on. */
static struct str next_name(struct str text, size_t *at)
{
    size_t from = *at;

    while (from < text.len && !is_name_byte(text.s[from]))
        from++;
    for (*at = from; *at < text.len && is_name_byte(text.s[*at]);)
        ++*at;
    return str_slice(text, from, *at);
}

bool own_program_commanded(struct str text)
{
    bool named = false;

    if (text.len <= strlen(OWN_NAME) || !str_contains(text, STR(OWN_NAME)))
        return false;
    for (size_t at = 0; at < text.len;) {
        struct str name = next_name(text, &at);
        if (named && is_one_of(name, PERSONS))
            return true;
        named = str_is(name, OWN_NAME);
    }
    return false;
}

bool own_program_commanded_by(const struct shell_words *words)
{
    for (size_t i = 1; i + 1 < words->count; i++)
        if (str_ends(words->items[i].text, STR(OWN_NAME)) &&
            str_is(path_base(words->items[i].text), OWN_NAME) &&
            is_one_of(words->items[i + 1].text, PERSONS))
            return true;
    return false;
}

/* ---- ending them ---- */

/* As they are in a list of processes. */
static const char *const names[] = {"warder-serve", "warder serve", "warder-hook", "warder hook"};

static bool is_literal(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || strchr("-_ /:,@=", c);
}

/* Can the regular expression match a part of the name? Its literal runs must occur there in this
 * order; whatever is between them may match anything. */
static bool may_match(struct str pattern, struct str name)
{
    for (size_t i = 0; i < pattern.len; i++) {
        size_t end = i, at = 0;
        while (end < pattern.len && pattern.s[end] && is_literal(pattern.s[end]))
            end++;
        if (end == i)
            continue;
        struct str run = str_slice(pattern, i, end);
        while (at + run.len <= name.len && !str_eq_nocase(str_slice(name, at, at + run.len), run))
            at++;
        if (at + run.len > name.len)
            return false;
        name = str_from_byte(name, at + run.len);
        i = end;
    }
    return true;
}

static bool names_warder(struct str word)
{
    struct str part;

    if (word.len == 0 || word.s[0] == '-' || word.s[0] == WORD_UNKNOWN)
        return false;
    for (bool more = true; more;) {
        more = str_cut(word, '|', &part, &word);
        for (size_t i = 0; i < COUNT(names); i++)
            if (may_match(part, str_from(names[i])))
                return true;
    }
    return false;
}

static bool any_names_warder(const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++)
        if (names_warder(a->subject.words.items[i]))
            return true;
    return false;
}

/* warder, warder.service, warder-serve.socket */
static bool is_unit(struct str word)
{
    struct str name, kind;

    str_cut(word, '.', &name, &kind);
    return str_is(name, "warder") || str_is(name, "warder-serve") || str_is(name, "warder-hook");
}

static bool has_unit(const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++)
        if (is_unit(a->subject.words.items[i]))
            return true;
    return false;
}

/* Numbers of processes that another command finds: pgrep, or ps with a search. */
static bool takes_found(const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++)
        if (str_has(a->subject.words.items[i], WORD_UNKNOWN))
            return true;
    return false;
}

bool own_program_stopped(const struct facts *f, const struct action *a)
{
    if (!(a->effects & (EFFECT_PROCESS | EFFECT_SYSTEM)))
        return false;
    if (!(a->effects & EFFECT_PROCESS))
        return has_unit(a);
    if (any_names_warder(a))
        return true;
    for (size_t i = 0; takes_found(a) && i < f->actions.count; i++)
        if (f->actions.items[i].subject.shell && any_names_warder(&f->actions.items[i]))
            return true;
    return false;
}
