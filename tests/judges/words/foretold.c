#include "foretold.h"

#include <string.h>

#include "base/ascii.h"

/* ---- one word ---- */

static bool is_wild(const struct shell_word *word, char c)
{
    return c == WORD_UNKNOWN || (word->may_glob && strchr("*?[]", c));
}

/* A bracket or a parenthesis of a pattern stands for anything here. */
static bool is_any(const struct shell_word *word)
{
    return word->may_glob &&
           (memchr(word->text.s, '[', word->text.len) || memchr(word->text.s, '(', word->text.len));
}

/* Of several slashes in a pattern one is left, or all of them: at its beginning, before the last
 * component, and if nothing matches. */
static bool is_repeated_slash(const struct shell_word *word, size_t at)
{
    return word->may_glob && at && word->text.s[at] == '/' && word->text.s[at - 1] == '/';
}

static bool fits(const struct shell_word *word, size_t at, const char *text)
{
    const struct str want = word->text;

    for (; at < want.len; at++, text++) {
        if (is_repeated_slash(word, at) && fits(word, at + 1, text))
            return true;
        if (is_wild(word, want.s[at])) {
            do
                if (fits(word, at + 1, text))
                    return true;
            while (*text++);
            return false;
        }
        if (*text != want.s[at])
            return false;
    }
    return *text == '\0';
}

static bool all_of(const char *text, bool (*is)(char c))
{
    while (*text && is(*text))
        text++;
    return *text == '\0';
}

static bool is_one(char c)
{
    return !strchr(" \t\n*?[", c);
}
static bool is_plain(char c)
{
    return ascii_is_alnum(c);
}
static bool is_a_digit(char c)
{
    return ascii_is_digit(c);
}

/* What is said of a part that is not known, where the part is the whole word. */
static bool has_shape(unsigned shape, const char *text)
{
    return (!(shape & SHAPE_ONE) || all_of(text, is_one)) &&
           (!(shape & SHAPE_NO_DASH) || *text != '-') &&
           (!(shape & SHAPE_PLAIN) || all_of(text, is_plain)) &&
           (!(shape & SHAPE_DIGITS) || all_of(text, is_a_digit));
}

static bool hides_dash(const struct shell_word *word, const char *text)
{
    return *text == '-' && !word->known && !word->may_dash && word->text.len &&
           word->text.s[0] == WORD_UNKNOWN;
}

static bool is_word(const struct shell_word *word, const char *text)
{
    if (word->known)
        return word->text.len == strlen(text) && memcmp(word->text.s, text, word->text.len) == 0;
    if (hides_dash(word, text))
        return false;
    if (str_is(word->text, WORD_UNKNOWN_TEXT) && !has_shape(word->shape, text))
        return false;
    return is_any(word) || fits(word, 0, text);
}

/* bash has assigned the elements of an array before declare gets its words: only the name is left.
 */
static bool is_declared_array(const struct shell_words *words, size_t at, const char *text)
{
    static const char *const declaring[] = {"declare", "typeset", "local", "export", "readonly"};
    const struct str word = words->items[at].text;
    size_t len = strlen(text);

    if (at == 0 || word.len <= len || memcmp(word.s, text, len) != 0)
        return false;
    if (word.s[len] != '=' && !(word.len > len + 1 && word.s[len] == '+' && word.s[len + 1] == '='))
        return false;
    for (size_t i = 0; i < COUNT(declaring); i++)
        for (size_t j = 0; j < at; j++)
            if (str_is(words->items[j].text, declaring[i]))
                return true;
    return false;
}

/* ---- all words ---- */

static bool are_words(const struct shell_words *words, size_t at, const struct ran *ran,
                      size_t next)
{
    if (at == words->count)
        return next == ran->count;
    const struct shell_word *word = &words->items[at];
    if (word->may_split) {
        size_t most = word->may_vanish && next < ran->count ? next + 1 : ran->count;
        for (size_t end = next; end <= most; end++)
            if (are_words(words, at + 1, ran, end))
                return true;
        return false;
    }
    for (; next < ran->count; next++) {
        const char *text = ran->words[next];
        if (!is_word(word, text) && !is_declared_array(words, at, text))
            return false;
        if (are_words(words, at + 1, ran, next + 1))
            return true;
        if (!word->may_glob)
            return false;
    }
    return false;
}

static bool is_place(struct shell_place place, const char *cwd)
{
    const struct shell_word path = {.text = place.path};

    return place.kind == PLACE_ANYWHERE || (place.kind == PLACE_KNOWN && fits(&path, 0, cwd));
}

static bool is_here(const struct shell_action *action, const char *cwd)
{
    return !*cwd || is_place(action->directory.here, cwd) ||
           (action->directory.other.kind == PLACE_KNOWN && is_place(action->directory.other, cwd));
}

/* xargs without a command runs echo. */
static bool is_of_xargs(const struct shell_action *action, const struct ran *ran)
{
    return ran->kind == SHELL_COMMAND && ran->count && strcmp(ran->words[0], "echo") == 0 &&
           str_is(action->words.items[0].text, "xargs");
}

bool foretold(const struct shell_actions *actions, const struct ran *ran)
{
    for (size_t i = 0; i < actions->count; i++) {
        const struct shell_action *action = &actions->items[i];
        if (action->kind == ran->kind && is_here(action, ran->cwd) &&
            (are_words(&action->words, 0, ran, 0) || is_of_xargs(action, ran)))
            return true;
    }
    return false;
}
