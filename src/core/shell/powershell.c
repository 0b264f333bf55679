/* powershell.c - which texts PowerShell reads as bash does: few. There a backquote escapes, not a
 * backslash; a word ends after its quotes; lists and variables have other signs; and echo passes
 * lines on. */
#include "base/ascii.h"
#include "shell/shell.h"

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* A word in quotes is all in quotes, on one line, and nothing in it is expanded by either shell. */
static bool skip_quoted(struct str text, size_t *at)
{
    char quote = text.s[*at];
    const char *refused = quote == '"' ? "$`\\" : "";
    size_t i = *at + 1;

    while (i < text.len && text.s[i] != quote && text.s[i] >= ' ' && text.s[i] <= '~' &&
           !is_one_of(text.s[i], refused))
        i++;
    *at = i + 1;
    return i < text.len && text.s[i] == quote &&
           (*at == text.len || is_one_of(text.s[*at], " ;\n"));
}

static bool is_plain(char c)
{
    return ascii_is_alnum(c) || is_one_of(c, "_./:=+-");
}

/* -a.b becomes two words there, and `type` prints a file. */
static bool is_plain_word(struct str word)
{
    bool option = str_starts(word, STR("-")) && !str_starts(word, STR("--"));

    return !str_is(word, "type") && !(option && (str_has(word, '.') || str_has(word, ':')));
}

static bool skip_word(struct str text, size_t *at)
{
    size_t from = *at;

    while (*at < text.len && is_plain(text.s[*at]))
        ++*at;
    return *at > from && is_plain_word(str_slice(text, from, *at)) &&
           (*at == text.len || is_one_of(text.s[*at], " ;\n"));
}

bool shell_is_powershell_too(struct str text)
{
    for (size_t i = 0; i < text.len;) {
        struct str rest = str_from_byte(text, i);
        if (is_one_of(text.s[i], " ;\n"))
            i++;
        else if (str_starts(rest, STR("&& ")) || str_starts(rest, STR("|| ")))
            i += 2;
        else if (text.s[i] == '\'' || text.s[i] == '"') {
            if (!skip_quoted(text, &i))
                return false;
        } else if (!skip_word(text, &i)) {
            return false;
        }
    }
    return true;
}
