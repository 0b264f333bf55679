/* pattern.c - what a search prints: which lines its pattern can match, as far as that matters for
 * secrets that lie below the directory that is searched. */
#include "base/ascii.h"
#include "programs/reading.h"

#define WORD_MIN 3 /* letters that a line must contain; fewer choose nothing */

/* Words that lines with secrets contain. */
static const struct str telling[] = {STR("key"),   STR("token"),  STR("secret"), STR("passw"),
                                     STR("pwd"),   STR("cred"),   STR("auth"),   STR("bearer"),
                                     STR("begin"), STR("private")};

/* A part of one of these finds the same lines: oken, assw. */
static const char told[] =
    "authorization bearer credential passphrase passwd password private secret token";

static bool is_name_byte(char c)
{
    return ascii_is_alnum(c) || c == '_';
}

static bool begins_telling(struct str text)
{
    for (size_t i = 0; i < COUNT(telling); i++)
        if (telling[i].len <= text.len && telling[i].s[0] == ascii_lower(text.s[0]) &&
            str_eq_nocase(str_slice(text, 0, telling[i].len), telling[i]))
            return true;
    return false;
}

static bool is_telling(struct str word)
{
    for (size_t at = 0; at < word.len; at++)
        if (begins_telling(str_from_byte(word, at)))
            return true;
    return false;
}

/* It has no blank, so it is not found across two of them. */
static bool is_part(struct str word)
{
    const char first = ascii_lower(word.s[0]), *end = told + strlen(told);

    for (const char *at = told; (at = strchr(at, first)) && (size_t)(end - at) >= word.len; at++)
        if (str_eq_nocase((struct str){at, word.len}, word))
            return true;
    return false;
}

/* The end of a bracket expression. A "]" in the first place is an ordinary character. */
static size_t after_brackets(struct str pattern, size_t at)
{
    at += at + 1 < pattern.len && pattern.s[at + 1] == '^' ? 2 : 1;
    for (at++; at < pattern.len && pattern.s[at] != ']';)
        at++;
    return at;
}

/* What a repetition may leave out: the last byte of the word in front of it. */
static bool is_optional(struct str pattern, size_t at)
{
    return at < pattern.len &&
           (strchr("*?{", pattern.s[at]) ||
            (pattern.s[at] == '\\' && at + 1 < pattern.len && strchr("?{", pattern.s[at + 1])));
}

/* What follows a backslash and is no literal text: \x44, \u{44}, \p{L}, \1. */
static size_t after_escape(struct str pattern, size_t at)
{
    char c = at + 1 < pattern.len ? pattern.s[at + 1] : '\0';
    size_t end = at + 2;

    if (!ascii_is_digit(c) && !(c && strchr("xuUoNcpPkg", c)))
        return end;
    if (end < pattern.len && pattern.s[end] == '{')
        while (end < pattern.len && pattern.s[end++] != '}')
            continue;
    while (end < pattern.len && ascii_is_alnum(pattern.s[end]))
        end++;
    return end;
}

/* Does it ask for a word that says what is searched, and that is none of the above? The longest
 * one. A group that may be left out, or that must not match, leaves that open. */
static bool selects(struct str pattern, struct str *longest)
{
    *longest = (struct str){0};
    for (size_t i = 0, end; i < pattern.len; i = end) {
        char c = pattern.s[i];
        end = i + 1;
        if (c == '[') {
            end = after_brackets(pattern, i) + 1;
        } else if ((c == '(' && end < pattern.len && pattern.s[end] == '?') ||
                   (c == ')' && is_optional(pattern, end))) {
            return false;
        } else if (c == '\\') {
            end = after_escape(pattern, i);
            if (end <= pattern.len && pattern.s[i + 1] == ')' && is_optional(pattern, end))
                return false;
        } else if (is_name_byte(c)) {
            while (end < pattern.len && is_name_byte(pattern.s[end]))
                end++;
            struct str word = str_slice(pattern, i, end - is_optional(pattern, end));
            if (is_telling(word))
                return false;
            if (word.len >= WORD_MIN && word.len > longest->len && !is_part(word))
                *longest = word;
        }
    }
    return longest->len > 0;
}

/* A search for several patterns prints what any of them matches: a newline separates them, and
 * inside one so does a bar, with or without a backslash. */
bool program_pattern_selects(struct arena *a, struct str pattern, struct strs *words)
{
    struct str word;
    size_t from = 0;

    for (size_t i = 0; i <= pattern.len; i++)
        if (i == pattern.len || pattern.s[i] == '|' || pattern.s[i] == '\n') {
            if (!selects(str_slice(pattern, from, i), &word))
                return false;
            LIST_PUSH(a, words, word);
            from = i + 1;
        }
    return true;
}

void read_pattern(struct reading *r, struct piece p)
{
    if (!p.known || !program_pattern_selects(r->arena, p.text, &r->out->chosen))
        r->out->searches_all = true;
    else
        r->out->selects = true;
}
