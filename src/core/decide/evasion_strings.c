/* evasion_strings.c - strings and arguments, in the languages that people write inline. */
#include "base/ascii.h"
#include "decide/evasion_code.h"

/* Arguments by name that change nothing about which command is run. */
static const char modifiers[] =
    "shell check text capture_output encoding universal_newlines cwd timeout stdout stderr errors "
    "stdio maxBuffer bufsize close_fds";
/* Perl and Ruby: what follows is no argument. */
static const char ends[] = "or and if unless while until for foreach do then end";
static const char values[] = "True False None true false null undefined";

static char closing(char open)
{
    switch (open) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    case '<':
        return '>';
    default:
        return open;
    }
}

/* Letters in front of a quote: f"..." of Python has values in it, r"..." no escapes. */
static struct str prefix_of(struct str text, size_t quote)
{
    size_t from = quote;

    while (from > 0 && ascii_is_name(text.s[from - 1]))
        from--;
    return str_slice(text, from, quote);
}

/* Is a part of the string filled at run time? */
static bool is_filled(const struct code *c, struct str text, char quote, struct str prefix)
{
    bool doubles = quote == '"' && code_has(c, '$');

    if (str_has(text, WORD_UNKNOWN) || str_contains(text, STR("#{")))
        return true;
    if ((str_has(prefix, 'f') || str_has(prefix, 'F')) && prefix.len < 3 && str_has(text, '{'))
        return true;
    return (quote == '`' || doubles) && (str_has(text, '$') || str_has(text, '@'));
}

/* Escapes that name a byte: \x74, \164, \u0074, and those that change case. */
static bool is_coded(struct str text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.s[i] != '\\')
            continue;
        char next = text.s[++i];
        if (ascii_is_digit(next) || strchr("xuUNcLlQEoN", next))
            return true;
    }
    return false;
}

static struct str unescaped(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    if (!str_has(text, '\\'))
        return text;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (c == '\\' && i + 1 < text.len) {
            c = text.s[++i];
            if (c == '\n')
                continue;
            c = c == 'n' || c == 'r' ? '\n' : c == 't' ? '\t' : c;
        }
        buf_byte(&b, c);
    }
    return buf_str(&b);
}

/* Where the string ends that begins here: at its closing mark, in pairs if that is a bracket. */
static size_t find_end(struct str text, size_t at, char open, struct str close)
{
    size_t depth = 0;

    for (; at < text.len; at++) {
        if (text.s[at] == '\\') {
            at++;
        } else if (str_starts(str_from_byte(text, at), close)) {
            if (depth-- == 0)
                return at;
        } else if (text.s[at] == open && close.s[0] != open) {
            depth++;
        }
    }
    return text.len;
}

/* q{...}, qq/.../, qw(...), %x(...): where the mark is that opens it; 0: this is none. */
static size_t opening(struct str text, size_t at)
{
    size_t next = at + 1;

    if (text.s[at] != 'q' && text.s[at] != '%')
        return 0;
    if (next < text.len && strchr("qwxWQ", text.s[next]))
        next++;
    else if (text.s[at] == '%')
        return 0;
    if (next < text.len && text.s[at] == 'q' && ascii_is_blank(text.s[next]))
        next++;
    return next < text.len && strchr("({[</|!~#^,\"'", text.s[next]) ? next : 0;
}

static bool is_quote(int c)
{
    return c == '"' || c == '\'' || c == '`';
}

bool code_string(const struct code *c, size_t at, struct code_string *out)
{
    struct str text = c->text;
    size_t open = is_quote(str_byte(text, at)) ? at : opening(text, at);

    if (open == 0 && !is_quote(str_byte(text, at)))
        return false;
    char mark[] = {closing(text.s[open]), closing(text.s[open]), closing(text.s[open])};
    struct str close = {mark, 1};
    if (open == at && str_starts(str_from_byte(text, at), (struct str){mark, 3}))
        close.len = 3; /* """...""" */
    size_t from = open + close.len, end = find_end(text, from, text.s[open], close);
    bool single = open == at ? text.s[at] == '\'' : text.s[open] == '\'' || text.s[at + 1] != 'q';
    out->text = str_slice(text, from, end);
    out->end = end + close.len < text.len ? end + close.len : text.len;
    out->known = end < text.len && !is_coded(out->text) &&
                 !is_filled(c, out->text,
                            single       ? '\''
                            : open == at ? text.s[at]
                                         : '"',
                            open == at ? prefix_of(text, at) : (struct str){0});
    if (open != at && (text.s[at] == '%' || text.s[at + 1] == 'x'))
        out->known &= !str_has(out->text, '$') && !str_has(out->text, '@');
    out->said = unescaped(c->e->f->arena, out->text);
    return true;
}

/* --- the arguments of a function --- */

struct arguments {
    const struct code *c;
    struct code_arguments *out;
    size_t at, depth;
    bool glued;  /* what comes next belongs to the last string */
    size_t most; /* arguments that are read; 0: all */
};

static void add_text(struct arguments *r, const struct code_string *s)
{
    struct arena *a = r->c->e->f->arena;
    struct strs *texts = &r->out->texts, *raw = &r->out->raw;

    r->out->known &= s->known;
    if (r->glued && texts->count) {
        texts->items[texts->count - 1] = str_join(a, texts->items[texts->count - 1], s->said);
        raw->items[raw->count - 1] = str_join(a, raw->items[raw->count - 1], s->text);
        r->out->joined = true;
    } else {
        LIST_PUSH(a, texts, s->said);
        LIST_PUSH(a, raw, s->text);
    }
    r->glued = true;
    r->at = s->end;
}

/* Its value: up to the next comma, or the bracket that ends the arguments. */
static void skip_value(struct arguments *r)
{
    struct str text = r->c->text;
    size_t depth = 0;
    struct code_string s;

    while (r->at < text.len) {
        char c = text.s[r->at];
        if (depth == 0 && strchr(",)}];\n", c))
            return;
        depth += strchr("([{", c) != NULL;
        depth -= depth && strchr(")]}", c);
        r->at = is_quote(c) && code_string(r->c, r->at, &s) ? s.end : r->at + 1;
    }
}

static bool read_name(struct arguments *r, bool brackets)
{
    struct str text = r->c->text;
    size_t end = r->at;

    while (end < text.len && ascii_is_name(text.s[end]))
        end++;
    struct str name = str_slice(text, r->at, end);
    size_t next = end;
    if (!brackets && str_has_word(str_from(ends), name))
        return false;
    while (next < text.len && ascii_is_blank(text.s[next]))
        next++;
    int after = str_byte(text, next), then = str_byte(text, next + 1);
    bool named = (after == '=' && then != '=' && then != '>' && then != '~') ||
                 (after == ':' && then != ':');
    if (is_quote(str_byte(text, end)) && name.len < 3 && !str_is(name, "q")) {
        r->at = end; /* r"..." */
        return true;
    }
    r->at = end;
    if (named && str_has_word(str_from(modifiers), name)) {
        r->at = next + 1;
        skip_value(r);
    } else if (!str_has_word(str_from(values), name)) {
        r->out->known = false;
    }
    r->glued = false;
    return true;
}

/* One step; false: the arguments end here. */
static bool read_argument(struct arguments *r, bool brackets)
{
    struct str text = r->c->text;
    char c = text.s[r->at];
    struct code_string s;

    if (code_string(r->c, r->at, &s)) {
        add_text(r, &s);
        return true;
    }
    if (ascii_is_name_start(c))
        return read_name(r, brackets);
    r->at++;
    if (strchr("([{", c)) {
        r->depth++;
    } else if (strchr(")]}", c)) {
        if (r->depth == 0 || (--r->depth == 0 && brackets))
            return false;
    } else if (c == ',') {
        if (r->depth == brackets && r->most && --r->most == 0)
            return false;
        r->glued = false;
    } else if (c == ';' || (c == '\n' && !brackets)) {
        return false;
    } else if (!ascii_is_space(c) && !ascii_is_digit(c) && !(r->glued && (c == '+' || c == '.'))) {
        r->out->known = false;
    }
    return true;
}

void code_first_arguments(const struct code *c, size_t at, size_t most, struct code_arguments *out)
{
    struct arguments r = {.c = c, .out = out, .most = most};
    bool escaped = false;

    *out = (struct code_arguments){.known = true};
    while (at < c->text.len && ascii_is_space(c->text.s[at]))
        at++;
    r.at = at;
    bool brackets = str_byte(c->text, at) == '(';
    while (r.at < c->text.len && read_argument(&r, brackets))
        ;
    out->none = out->known && out->texts.count == 0;
    out->known &= out->texts.count > 0;
    for (size_t i = 0; i < out->raw.count; i++)
        escaped |= str_has(out->raw.items[i], '\\');
    if (!escaped)
        out->raw.count = 0;
}

void code_arguments(const struct code *c, size_t at, struct code_arguments *out)
{
    code_first_arguments(c, at, 0, out);
}
