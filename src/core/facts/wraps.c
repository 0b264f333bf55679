#include "facts/wraps.h"

#include "base/ascii.h"

#define SUBCOMMANDS_MAX 2 /* words between the name and the "--" */

static bool is_name(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alnum(word.s[i]) && word.s[i] != '_' && word.s[i] != '-')
            return false;
    return word.len > 0 && ascii_is_letter(word.s[0]);
}

/* The word where the command inside begins: the second one, or the one after the "--". */
static size_t inner_begins(const struct strs *words)
{
    for (size_t i = 1; i < words->count && i <= SUBCOMMANDS_MAX + 1; i++) {
        if (str_is(words->items[i], "--"))
            return i + 1;
        if (!is_name(words->items[i]))
            break;
    }
    return 1;
}

/* A row of a policy, or of a shell's own words, proves nothing: `exec`, `test`, and whatever was
 * taught before. */
static const struct program_row *explained(const struct facts *f, const struct strs *words,
                                           size_t from)
{
    size_t count = words->count - from;
    struct shell_word *inner = ARENA_ARRAY(f->arena, struct shell_word, count + 1);
    struct program_use use = {0};

    for (size_t i = 0; i < count; i++)
        inner[i] = (struct shell_word){.text = words->items[from + i], .known = true};
    if (!is_name(inner[0].text))
        return NULL;
    program_explain(f->arena, inner, count, NULL, &use);
    return use.row && !use.row->only_shells && !(use.effects & EFFECT_UNKNOWN) ? use.row : NULL;
}

bool action_may_wrap(const struct facts *f, const struct action *a, struct wrap *out)
{
    const struct strs *words = &a->subject.words;
    size_t begins = inner_begins(words), subcommands = begins > 1 ? begins - 1 : begins;
    struct buf b = buf_in(f->arena);

    if (!a->subject.shell || a->program || a->by_path || !is_name(a->name) ||
        begins >= words->count)
        return false;
    for (size_t i = 0; i < words->count; i++)
        if (str_has(words->items[i], WORD_UNKNOWN))
            return false;
    const struct program_row *row = explained(f, words, begins);
    if (!row)
        return false;
    buf_add(&b, a->name);
    for (size_t i = 1; i < subcommands; i++)
        buf_format(&b, " %.*s", STR_ARG(words->items[i]));
    *out = (struct wrap){buf_str(&b), str_from(row->name)};
    return true;
}

bool wrap_is_used(struct str name, const struct strs *words)
{
    struct str word;

    for (size_t i = 0; str_next_word(&name, &word); i++)
        if (i >= words->count || !str_eq(words->items[i], word))
            return false;
    return true;
}
