/* import_codex.c - Codex's rules: calls of prefix_rule() in a file of Starlark. Of the language
 * only literals are read; anything else refuses the file. */
#include "base/ascii.h"
#include "client/import.h"

struct codex {
    struct import *to;
    struct str text;
    size_t at;
    uint32_t line;
    struct error *err;
    bool failed;
};

struct alternatives LIST_OF(struct strs);

static void refuse(struct codex *c, const char *what)
{
    if (!c->failed)
        fail_at(c->err, STATUS_SYNTAX, c->line, 1, "%s", what);
    c->failed = true;
    c->at = c->text.len; /* every loop ends by itself */
}

static char look(const struct codex *c)
{
    return c->at < c->text.len ? c->text.s[c->at] : '\0';
}

static void skip(struct codex *c)
{
    while (c->at < c->text.len) {
        char ch = look(c);
        if (ch == '#')
            while (c->at < c->text.len && look(c) != '\n')
                c->at++;
        else if (ch == ' ' || ch == '\t' || ch == '\r' || ch == '\n')
            c->line += ch == '\n' ? 1 : 0;
        else
            return;
        if (c->at < c->text.len && ch != '#')
            c->at++;
    }
}

static bool take(struct codex *c, char wanted)
{
    skip(c);
    if (look(c) != wanted)
        return false;
    c->at++;
    return true;
}

static void need(struct codex *c, char wanted, const char *what)
{
    if (!take(c, wanted))
        refuse(c, what);
}

static struct str read_name(struct codex *c)
{
    skip(c);
    size_t start = c->at;

    while (c->at < c->text.len && (ascii_is_alnum(look(c)) || look(c) == '_'))
        c->at++;
    return str_slice(c->text, start, c->at);
}

static struct str read_string(struct codex *c)
{
    struct buf b = buf_in(c->to->arena);
    char quote;

    skip(c);
    quote = look(c);
    if (quote != '"' && quote != '\'') {
        refuse(c, "expected a quoted string");
        return (struct str){0};
    }
    if (str_starts(str_from_byte(c->text, c->at + 1), (struct str){"\"\"", 2}) && quote == '"')
        refuse(c, "strings over several lines are not supported");
    for (c->at++; c->at < c->text.len && look(c) != quote; c->at++) {
        char ch = look(c);
        if (ch == '\n') {
            refuse(c, "this string is not closed");
        } else if (ch == '\\') {
            c->at++;
            ch = look(c);
            if (ch != '\\' && ch != '"' && ch != '\'')
                refuse(c, "an unsupported escape");
        }
        if (!c->failed)
            buf_byte(&b, ch);
    }
    need(c, quote, "this string is not closed");
    return buf_str(&b);
}

/* "a" or ["a", "b"] */
static struct strs read_strings(struct codex *c)
{
    struct strs list = {0};

    if (!take(c, '[')) {
        LIST_PUSH(c->to->arena, &list, read_string(c));
        return list;
    }
    while (!c->failed && !take(c, ']')) {
        LIST_PUSH(c->to->arena, &list, read_string(c));
        if (!take(c, ',')) {
            need(c, ']', "expected ',' or ']'");
            break;
        }
    }
    return list;
}

static struct alternatives read_pattern(struct codex *c)
{
    struct alternatives pattern = {0};

    need(c, '[', "a pattern must be a list");
    while (!c->failed && !take(c, ']')) {
        LIST_PUSH(c->to->arena, &pattern, read_strings(c));
        if (!take(c, ',')) {
            need(c, ']', "expected ',' or ']'");
            break;
        }
    }
    return pattern;
}

/* ---- rules ---- */

static bool is_plain(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.s[i] == ' ' || word.s[i] == '\t' || word.s[i] == '\n' || word.s[i] == ':')
            return false;
    return word.len > 0;
}

struct prefix_rule {
    struct alternatives pattern;
    enum behavior effect;
    struct str justification;
    uint32_t line;
};

static void add_combination(struct codex *c, const struct prefix_rule *r, size_t number)
{
    struct buf b = buf_in(c->to->arena);

    for (size_t i = 0; i < r->pattern.count; i++) {
        const struct strs *choice = &r->pattern.items[i];
        struct str word = choice->items[number % choice->count];
        number /= choice->count;
        /* Joined by blanks, two words look like one with a blank in it. */
        if (!is_plain(word) && r->effect == BEHAVIOR_ALLOW) {
            import_note(c->to, r->line, true,
                        "an allow is left out: the word \"%.*s\" cannot be expressed",
                        STR_ARG(word));
            return;
        }
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, word);
    }
    import_add(c->to, r->effect, import_prefix(c->to, r->effect, buf_str(&b)), r->justification);
}

static void add_prefix_rule(struct codex *c, const struct prefix_rule *r)
{
    size_t count = r->pattern.count ? 1 : 0;

    for (size_t i = 0; i < r->pattern.count; i++) {
        count *= r->pattern.items[i].count;
        if (count == 0 || count > IMPORT_COMBINATIONS_MAX)
            break;
    }
    if (count == 0) {
        refuse(c, "a pattern needs words");
        return;
    }
    if (count > IMPORT_COMBINATIONS_MAX) {
        if (r->effect == BEHAVIOR_ALLOW)
            import_note(c->to, r->line, true, "an allow of more than %u combinations is left out",
                        IMPORT_COMBINATIONS_MAX);
        else
            import_ask_tool(c->to, r->line, "Bash", "a pattern of too many combinations");
        return;
    }
    for (size_t n = 0; n < count; n++)
        add_combination(c, r, n);
}

static void read_decision(struct codex *c, enum behavior *out)
{
    struct str word = read_string(c);

    if (str_is(word, "allow"))
        *out = BEHAVIOR_ALLOW;
    else if (str_is(word, "prompt"))
        *out = BEHAVIOR_ASK;
    else if (str_is(word, "forbidden"))
        *out = BEHAVIOR_DENY;
    else
        refuse(c, "a decision must be allow, prompt or forbidden");
}

/* match and not_match are the file's own tests: lists of texts, or of lists of them. */
static void skip_examples(struct codex *c)
{
    (void)read_pattern(c);
}

static void read_prefix_rule(struct codex *c)
{
    struct prefix_rule r = {.effect = BEHAVIOR_ALLOW, .line = c->line};

    need(c, '(', "expected '('");
    while (!c->failed && !take(c, ')')) {
        struct str name = read_name(c);
        need(c, '=', "arguments must have names here");
        if (str_is(name, "pattern"))
            r.pattern = read_pattern(c);
        else if (str_is(name, "decision"))
            read_decision(c, &r.effect);
        else if (str_is(name, "justification"))
            r.justification = read_string(c);
        else if (str_is(name, "match") || str_is(name, "not_match"))
            skip_examples(c);
        else
            refuse(c, "prefix_rule has no such argument");
        if (!take(c, ',')) {
            need(c, ')', "expected ',' or ')'");
            break;
        }
    }
    if (!c->failed)
        add_prefix_rule(c, &r);
}

static void skip_host_executable(struct codex *c)
{
    uint32_t line = c->line;

    need(c, '(', "expected '('");
    while (!c->failed && !take(c, ')')) {
        (void)read_name(c);
        need(c, '=', "arguments must have names here");
        (void)read_strings(c);
        if (!take(c, ',')) {
            need(c, ')', "expected ',' or ')'");
            break;
        }
    }
    import_note(c->to, line, false,
                "host_executable has no counterpart: a program's directory counts by itself");
}

enum status import_codex(struct import *to, struct str text, struct error *err)
{
    struct codex c = {.to = to, .text = text, .line = 1, .err = err};

    for (skip(&c); c.at < c.text.len; skip(&c)) {
        struct str name = read_name(&c);
        if (str_is(name, "prefix_rule"))
            read_prefix_rule(&c);
        else if (str_is(name, "host_executable"))
            skip_host_executable(&c);
        else
            refuse(&c, "only calls of prefix_rule and host_executable are read");
    }
    return c.failed ? STATUS_SYNTAX : STATUS_OK;
}
