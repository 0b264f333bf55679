/* evasion_lines.c - commands that an operator or a line starts, in languages that have more ways to
 * do so than calling a function. */
#include "base/ascii.h"
#include "decide/evasion_code.h"

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.len && ascii_is_blank(text.s[at]))
        at++;
    return at;
}

/* The last byte before this one that is no blank; STR_NONE: there is none. */
static size_t last_before(struct str text, size_t at)
{
    while (at > 0 && ascii_is_blank(text.s[at - 1]))
        at--;
    return at ? at - 1 : STR_NONE;
}

static void judge(struct code *c, const struct code_string *s)
{
    if (!s->known) {
        evasion_unknown(c->e);
        return;
    }
    evasion_shell(c->e, s->said, false);
    if (s->said.len != s->text.len)
        evasion_shell(c->e, s->text, false);
}

void code_backtick(struct code *c, size_t at)
{
    struct code_string s;

    if (code_string(c, at, &s))
        judge(c, &s);
}

/* "a" | getline: nothing is joined to the string in front of it. */
static void read_from(struct code *c, size_t bar)
{
    size_t close = last_before(c->text, bar), front;
    struct code_string s;

    if (close == STR_NONE || close != c->closed || c->opened >= close ||
        !code_string(c, c->opened, &s)) {
        evasion_unknown(c->e);
        return;
    }
    front = last_before(c->text, c->opened);
    s.known &= front == STR_NONE || strchr("{;(\n!&|", c->text.s[front]) != NULL;
    judge(c, &s);
}

static void write_to(struct code *c, size_t at)
{
    struct code_string s;

    if (at == c->text.len || !code_string(c, at, &s)) {
        evasion_unknown(c->e);
        return;
    }
    at = skip_blanks(c->text, s.end);
    s.known &= at == c->text.len || strchr("};)\n", c->text.s[at]) != NULL;
    judge(c, &s);
}

void code_pipe(struct code *c, size_t at)
{
    size_t next = at + 1;

    if (str_byte(c->text, next) == '|' || (at && c->text.s[at - 1] == '|'))
        return; /* or */
    next = skip_blanks(c->text, next + (str_byte(c->text, next) == '&'));
    if (str_starts(str_from_byte(c->text, next), STR("getline")))
        read_from(c, at);
    else
        write_to(c, next);
}

/* The name of a file, with a bar at one of its ends. */
static void open_text(struct code *c, struct str text)
{
    struct str name = str_trim(text);

    if (str_starts(name, STR("|")))
        evasion_shell(c->e, str_from_byte(name, 1), false);
    else if (str_ends(name, STR("|")))
        evasion_shell(c->e, str_slice(name, 0, name.len - 1), false);
}

void code_open(struct code *c, size_t at)
{
    struct code_arguments args, after;
    struct code_string s;
    size_t end = at;

    code_arguments(c, at, &args);
    for (; end < c->text.len && c->text.s[end] != ';'; end++) {
        if (!code_string(c, end, &s))
            continue;
        if (!str_is(s.said, "-|") && !str_is(s.said, "|-")) {
            if (!s.known)
                break;
            open_text(c, s.said);
            end = s.end - 1;
            continue;
        }
        code_arguments(c, skip_blanks(c->text, s.end) + 1, &after);
        if (!after.known)
            break;
        evasion_shell(c->e, after.texts.items[0], false);
        return;
    }
    bool moded = args.texts.count && strchr("<>+", str_byte(args.texts.items[0], 0)) != NULL;
    if (args.none || moded || (args.texts.count && end == c->text.len))
        return;
    if (end < c->text.len && c->text.s[end] == ';' && args.texts.count)
        return;
    evasion_unknown(c->e);
}

/* --- sed --- */

void code_sed(struct code *c)
{
    struct str text = c->text;

    for (size_t at = 0; at < text.len; at++) {
        if (text.s[at] == 'e' && code_is_too_long(c))
            return;
        if (text.s[at] != 'e' || (at && !strchr(";{}\n \t/,|#$!0123456789gpiIm", text.s[at - 1])))
            continue;
        size_t from = skip_blanks(text, at + 1), end = from;
        while (end < text.len && text.s[end] != '\n')
            end++;
        if (from == text.len || strchr(";}\n", text.s[from]))
            evasion_unknown(c->e); /* it runs the line that it has read */
        else
            evasion_shell(c->e, str_slice(text, from, end), false);
    }
}

/* --- other languages --- */

/* May a shell make something else of the text than it says: is something filled in, or run by a
 * program that runs others? */
static bool may_hide(struct str text)
{
    struct str word;

    if (str_has(text, '$') || str_has(text, '`') || str_has(text, '|'))
        return true;
    while (str_next_word(&text, &word))
        if (evasion_runs_others(word))
            return true;
    return false;
}

static bool is_mark(struct str line, size_t at)
{
    static const char words[] = "shell .shell .system system run-shell run exec spawn";
    size_t from = at;

    int next = str_byte(line, at + 1);
    if (strchr("=:", line.s[at]) && (next == '"' || next == '\'' || next == '{')) /* "a": "b" */
        return false;
    if (strchr("!=;|", line.s[at]) || (line.s[at] == ':' && !ascii_is_blank(next)))
        return true;
    if (!ascii_is_blank(line.s[at]))
        return false;
    while (from > 0 && !ascii_is_blank(line.s[from - 1]))
        from--;
    return at > from && str_has_word(str_from(words), str_slice(line, from, at));
}

/* Tcl: exec sh -c {a | b}. The braces quote one word. */
static struct str in_braces(struct str line, size_t at)
{
    size_t depth = 0, end = at;

    for (; end < line.len; end++) {
        depth += line.s[end] == '{';
        if (line.s[end] == '}' && --depth == 0)
            break;
    }
    return str_slice(line, at + 1, end);
}

static void look_at_line(struct code *c, struct str line)
{
    size_t at = 0;

    while (at < line.len && strchr(" \t@-+:!", line.s[at]))
        at++;
    if (may_hide(str_from_byte(line, at)))
        evasion_shell(c->e, str_from_byte(line, at), true);
    for (; at + 1 < line.len; at++) {
        bool quotes = line.s[at] == '{' && at > 0 && ascii_is_blank(line.s[at - 1]);
        if (line.s[at] == line.s[at + 1] || !(quotes || is_mark(line, at))) /* ====== */
            continue;
        if (code_is_too_long(c))
            return;
        struct str text = quotes ? in_braces(line, at) : str_from_byte(line, at + 1);
        if (may_hide(text))
            evasion_shell(c->e, text, true);
    }
}

void code_lines(struct code *c)
{
    struct str rest = c->text, line;

    for (bool more = true; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        look_at_line(c, line);
    }
}
