/* lint_shape.c - rules that are a piece of something else, and paths that are nearly everything. */
#include "base/glob.h"
#include "rule/lint_parts.h"

const char lint_mangled[] = "mangled";

/* Words of the shell's grammar: they begin no simple command, and rules are about those. */
static bool is_grammar(struct str word)
{
    static const char *const words[] = {
        "!",    "{",    "}",  "[[",  "]]", "((", "))",   "case",   "do",    "done",  "elif",
        "else", "esac", "fi", "for", "if", "in", "then", "select", "until", "while", "function"};

    return STR_IN(word, words);
}

/* A quote that is never closed: the rest of the command was cut off. */
static bool is_cut_in_quotes(struct str text)
{
    char quote = '\0';

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (c == '\\' && quote != '\'')
            i++;
        else if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
    }
    return quote != '\0';
}

void lint_check_mangled(struct lint *l, size_t i, const struct rule *r)
{
    struct str rest = r->content, word;

    if (lint_content(r) != CONTENT_COMMAND || r->matcher == MATCH_FIELD ||
        !str_next_word(&rest, &word))
        return;
    if (is_grammar(word))
        lint_find(l, i, lint_mangled, "a piece of a longer command: no command begins with %.*s",
                  STR_ARG(word));
    else if (str_is(word, "EOF"))
        lint_find(l, i, lint_mangled, "the end of a quoted text, not a command");
    else if (str_contains(r->content, STR("__NEW_LINE"))) /* as a client writes a line break */
        lint_find(l, i, lint_mangled, "has __NEW_LINE in it, which no command has");
    else if (is_cut_in_quotes(r->content))
        lint_find(l, i, lint_mangled, "a quote is not closed: a piece of a longer command");
}

/* All of the home, or of the disk: nobody means the keys in it. */
void lint_check_home(struct lint *l, size_t i, const struct rule *r)
{
    const struct rule_path *p = r->path;
    struct str name = p ? p->pattern : (struct str){0};

    if (r->effect != BEHAVIOR_ALLOW || r->matcher != MATCH_PATH || !p || rule_is_long_form(r) ||
        (p->anchor != ANCHOR_HOME && p->anchor != ANCHOR_ROOT))
        return;
    name = str_from_byte(name, str_starts(name, STR("/")));
    if (str_is(name, "**") || str_is(name, "*") || str_is(name, "**/*") || !name.len)
        lint_find(l, i, lint_wider, "covers all of the %s, keys and settings too",
                  p->anchor == ANCHOR_HOME ? "home" : "disk");
}
