/* parse.c - parses rule text.
 *
 * Accepts every text with one clear meaning and refuses the rest with a column and a message: a
 * deny rule that silently matches nothing is worse than an error. */
#include "rule/parse.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/glob.h"
#include "base/utf8_fold.h"
#include "rule/dialect.h"
#include "rule/open.h"
#include "rule/pattern.h"
#include "rule/tool.h"

struct parser {
    struct arena *a;    /* temporary */
    struct arena *keep; /* lives as long as the rule */
    const struct dialect_row *row;
    struct rule *r;
    struct error *err;
    enum status status;
};

/* `at` is an offset in the rule's text. */
__attribute__((format(printf, 3, 4))) static enum status refuse(struct parser *p, size_t at,
                                                                const char *format, ...)
{
    char message[160];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    return fail_at(p->err, STATUS_SYNTAX, 1, (uint32_t)at + 1, "%s", message);
}

/* Adds the place to an error from a glob or path, which does not know it. */
static enum status place(struct parser *p, enum status s, size_t at)
{
    if (s && p->err) {
        p->err->line = 1;
        p->err->column = (uint32_t)at + 1;
    }
    return s;
}

static enum status check_glob(struct parser *p, struct str glob, unsigned flags)
{
    struct glob *compiled;

    return glob_compile(p->a, glob, flags, &compiled, p->err);
}

/* Avoids a copy: most patterns are a part of the rule's text. */
static struct str keep(struct parser *p, struct str s)
{
    if (str_eq(s, p->r->content))
        return p->r->content;
    if (s.len < p->r->content.len && str_starts(p->r->content, s))
        return str_slice(p->r->content, 0, s.len);
    return s.len ? str_copy(p->keep, s) : (struct str){0};
}

/* --- tool names --- */

static bool is_name_byte(const struct parser *p, char c)
{
    if (c == '\0')
        return false;
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80 || strchr("_-./@+", c) != NULL ||
           strchr(p->row->tool_magic, c) != NULL ||
           (strchr(p->row->tool_magic, '[') && strchr("]!^", c));
}

/* `follows` is the byte after the name; 0 for a bare tool. */
static enum status read_tool(struct parser *p, struct str name, char follows)
{
    if (name.len == 0)
        return refuse(p, 0, "expected a tool name before '%c'", follows);
    for (size_t i = 0; i < name.len; i++)
        if (!is_name_byte(p, name.s[i]))
            return (name.s[i] >= ' ' && name.s[i] <= '~')
                       ? refuse(p, i, "'%c' is not allowed in a tool name", name.s[i])
                       : refuse(p, i, "byte 0x%02x is not allowed in a tool name",
                                (unsigned char)name.s[i]);
    p->r->tool = name;

    /* A text rule on a file tool is about that file, whichever tool touches it. */
    const struct rule_tool *tool = rule_tool_find(name);
    if (follows && tool && tool->family)
        p->r->access = (unsigned char)tool->access;
    struct marked m = marked_from(p->a, name, "", p->row->tool_magic);
    p->r->tool_wild = marked_has_magic(&m);
    return p->r->tool_wild ? place(p, check_glob(p, name, 0), 0) : STATUS_OK;
}

/* --- parentheses --- */

/* Do the unescaped parentheses pair up? Ignores those in quotes if `quotes` is set. */
static bool is_balanced(struct str s, bool quotes, size_t *first_extra)
{
    char quote = '\0';
    long depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i];

        if (c == '\\') {
            i++;
        } else if (quote) {
            if (c == quote)
                quote = '\0';
        } else if (quotes && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == '(') {
            depth++;
        } else if (c == ')' && --depth < 0) {
            *first_extra = i;
            return false;
        }
    }
    *first_extra = s.len;
    return depth == 0 && !quote;
}

/* Is the last byte an unescaped ')'? */
static bool is_closed(struct str text)
{
    size_t slashes = 0;

    if (text.len == 0 || text.s[text.len - 1] != ')')
        return false;
    while (slashes + 1 < text.len && text.s[text.len - 2 - slashes] == '\\')
        slashes++;
    return slashes % 2 == 0;
}

/* Says why the rule is not closed: no ')', text after the last one, or the last one is escaped. */
static enum status refuse_open(struct parser *p, struct str text, size_t open)
{
    size_t last = str_last_index(text, ')');

    if (last == STR_NONE || last < open)
        return refuse(p, open, "the parenthesis that opens here is not closed");
    if (last + 1 < text.len)
        return refuse(p, last + 1, "unexpected text after the closing parenthesis");
    return refuse(p, last, "this ')' is escaped, so the rule is not closed");
}

/* `open` is the offset of the '('. */
static enum status cut_content(struct parser *p, struct str text, size_t open, struct str *content)
{
    size_t extra;

    if (!is_closed(text))
        return refuse_open(p, text, open);
    *content = str_slice(text, open + 1, text.len - 1);
    if (str_trim(*content).len == 0)
        return refuse(p, open,
                      "empty parentheses match nothing: write %.*s for every call of the tool",
                      (int)(open < 60 ? open : 60), text.s);
    if (is_balanced(*content, true, &extra) || is_balanced(*content, false, &extra))
        return STATUS_OK;
    if (extra < content->len)
        return refuse(p, open + 1 + extra,
                      "this ')' ends the rule, but text follows; a literal one is written \\)");
    return refuse(p, open,
                  "the parenthesis that opens here is not closed; a literal one is written \\(");
}

/* --- the content, after the tool name --- */

static bool is_field_name(struct str s)
{
    if (s.len == 0 || !(ascii_is_letter(s.s[0]) || s.s[0] == '_'))
        return false;
    for (size_t i = 1; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && s.s[i] != '_' && s.s[i] != '-')
            return false;
    return true;
}

static enum status read_domain(struct parser *p, struct str host, size_t at)
{
    struct str h = str_lower(p->keep, host);

    if (h.len > 1 && h.s[h.len - 1] == '.')
        h.len--;
    for (size_t i = 0; i < h.len; i++)
        if (!ascii_is_alnum(h.s[i]) && (unsigned char)h.s[i] < 0x80 &&
            (h.s[i] == '\0' || !strchr("-._*", h.s[i])))
            return refuse(p, at + i, "a domain is a host name: no scheme, port or path");
    if (h.len == 0 || h.s[0] == '.')
        return refuse(p, at, "expected a host name after 'domain:'");
    p->r->pattern = h;
    if (str_is(h, "*")) {
        p->r->matcher = MATCH_ANY;
        return STATUS_OK;
    }
    p->r->matcher = MATCH_DOMAIN;
    return place(p, check_glob(p, open_domain(p->a, h), GLOB_PATH | GLOB_NOCASE), at);
}

/* `field:pattern`. If the field is the command of a shell tool or the path of a file tool, this is
 * the only reading. */
static enum status read_field(struct parser *p, struct str content, size_t at,
                              const struct rule_tool *tool)
{
    struct str field = {0}, pattern = {0};

    if (!p->row->fields || !str_cut(content, ':', &field, &pattern) || !is_field_name(field) ||
        pattern.len == 0)
        return STATUS_OK;

    struct marked m = marked_from(p->a, pattern, p->row->escapes, p->row->magic);
    struct str glob = marked_glob(p->a, &m);
    enum status s = check_glob(p, glob, 0);
    if (s)
        return place(p, s, at + field.len + 1);
    struct rule_more *more = rule_add_more(p->keep, p->r);
    more->field = field;
    more->field_pattern = str_eq(glob, pattern) ? pattern : str_copy(p->keep, glob);
    if (tool && ((tool->content == CONTENT_COMMAND && rule_field_is_command(field)) ||
                 (tool->content == CONTENT_PATH && rule_field_is_path(field)))) {
        p->r->matcher = MATCH_FIELD;
        p->r->access = (unsigned char)(tool->family ? tool->access : 0);
        p->r->pattern = marked_has_magic(&m) ? (struct str){0} : keep(p, marked_text(&m));
        s = check_glob(p, utf8_fold(p->a, glob), GLOB_NOCASE);
    }
    return place(p, s, at + field.len + 1);
}

static enum status read_path_content(struct parser *p, struct str content, size_t at,
                                     const struct rule_tool *tool)
{
    /* All other escapes belong to the gitignore syntax. */
    struct marked m = marked_from(p->a, content, "()", "");

    p->r->matcher = MATCH_PATH;
    p->r->access = (unsigned char)tool->access;
    p->r->pattern = keep(p, marked_text(&m));
    if (str_is(p->r->pattern, "*")) {
        p->r->matcher = MATCH_ANY;
        return STATUS_OK;
    }
    p->r->path = ARENA_NEW(p->keep, struct rule_path);
    return place(p, rule_path_read(p->keep, p->a, p->r->pattern, p->r->path, p->err), at);
}

/* `x:*` where the dialect's document knows no mark for a prefix. */
static enum status keep_letter(struct parser *p, const struct marked *m)
{
    struct rule_more *more = rule_add_more(p->keep, p->r);

    more->letter = str_copy(p->keep, marked_glob(p->a, m));
    return check_glob(p, more->letter, p->row->flags);
}

static enum status read_text(struct parser *p, struct str content, size_t at, bool command)
{
    struct marked m = marked_from(p->a, content, p->row->escapes, p->row->magic), bare;
    struct rule_reading plain;
    enum status s = pattern_read(p->a, &m, p->row, &plain, p->err);

    if (s)
        return place(p, s, at);
    p->r->matcher = plain.matcher;
    p->r->pattern = keep(p, plain.pattern);
    p->r->tail = plain.tail;
    if (p->r->dialect == DIALECT_FNMATCH && plain.matcher != MATCH_ANY &&
        str_ends(content, STR(":*")) && (s = keep_letter(p, &m)))
        return place(p, s, at);
    if (plain.matcher == MATCH_ANY || !command || !pattern_unquote(p->a, &m, &bare) ||
        bare.len == 0)
        return STATUS_OK;
    struct rule_more *more = rule_add_more(p->keep, p->r);
    s = pattern_read(p->a, &bare, p->row, &more->unquoted, p->err);
    more->unquoted.pattern = str_copy(p->keep, more->unquoted.pattern);
    more->has_unquoted = true;
    return place(p, s, at);
}

/* Bash(curl:*) looks like a rule about curl. Where ':*' marks no prefix it would be about commands
 * that contain a ':', and about nothing most people write. run_shell() is mini's own spelling. */
static enum status check_prefix_mark(struct parser *p, struct str content, size_t at)
{
    const struct rule_tool *tool = rule_tool_find(p->r->tool);

    if (p->row->prefix || !tool || tool->content != CONTENT_COMMAND ||
        !str_ends(content, STR(":*")))
        return STATUS_OK;
    if (p->r->dialect == DIALECT_DOUBLESTAR)
        return refuse(p, at + content.len - 2,
                      "':*' does not mark a prefix in this profile: leave it out, and the rest "
                      "matches anywhere; write [:] for a literal ':'");
    if (p->r->dialect == DIALECT_TRAILING && !str_is(p->r->tool, "run_shell"))
        return refuse(p, at + content.len - 2,
                      "':*' does not mark a prefix in this profile: leave the ':' out; for a "
                      "literal one, the tool is called run_shell");
    return STATUS_OK;
}

/* `at` is the offset of the content. */
static enum status read_content(struct parser *p, struct str content, size_t at)
{
    const struct rule_tool *tool = rule_tool_find(p->r->tool);
    enum rule_content kind = tool ? tool->content : CONTENT_TEXT;
    static const struct str domain = {"domain:", 7};

    if (check_prefix_mark(p, content, at))
        return STATUS_SYNTAX;
    p->r->content = content;
    if (p->row->domains && kind == CONTENT_URL && str_starts(content, domain))
        return read_domain(p, str_from_byte(content, domain.len), at + domain.len);
    enum status s = read_field(p, content, at, tool);
    if (s || p->r->matcher == MATCH_FIELD)
        return s;
    if (p->row->paths && kind == CONTENT_PATH)
        return read_path_content(p, content, at, tool);
    return read_text(p, content, at, kind == CONTENT_COMMAND && p->r->dialect == DIALECT_WARDER);
}

/* --- the spellings --- */

static enum status read_parens(struct parser *p, struct str text)
{
    size_t open = str_index(text, '(');
    struct str content = {0};
    enum status s;

    if (open == STR_NONE) {
        size_t close = str_index(text, ')');
        return close == STR_NONE ? read_tool(p, text, '\0')
                                 : refuse(p, close, "this ')' closes nothing");
    }
    if ((s = read_tool(p, str_slice(text, 0, open), '(')) ||
        (s = cut_content(p, text, open, &content)))
        return s;
    return read_content(p, content, open + 1);
}

/* A glob on the first argument: "git *" does not match "git" here, and there is no prefix mark. */
static enum status read_colon(struct parser *p, struct str text, size_t colon)
{
    const struct dialect_row *row = dialect_row(DIALECT_FIRST_ARG);
    struct str glob = str_from_byte(text, colon + 1);
    struct rule_reading plain;
    enum status s = read_tool(p, str_slice(text, 0, colon), ':');

    if (s)
        return s;
    if (glob.len == 0)
        return refuse(p, colon, "expected a pattern after ':'");
    p->r->colon = true;
    p->r->content = glob;
    struct marked m = marked_from(p->a, glob, row->escapes, row->magic);
    if ((s = pattern_read(p->a, &m, row, &plain, p->err)))
        return place(p, s, colon + 1);
    p->r->matcher = plain.matcher;
    p->r->pattern = keep(p, plain.pattern);
    return STATUS_OK;
}

static enum status read_warder(struct parser *p, struct str text)
{
    size_t colon = str_index(text, ':'), open = str_index(text, '(');

    if (p->row->colon && colon != STR_NONE && (open == STR_NONE || colon < open))
        return read_colon(p, text, colon);
    return read_parens(p, text);
}

static enum status read_first_arg(struct parser *p, struct str text)
{
    size_t colon = str_index(text, ':'), open = str_index(text, '(');

    if (open != STR_NONE && (colon == STR_NONE || open < colon))
        return refuse(p, open, "these rules are written Tool:glob, not Tool(content)");
    return colon == STR_NONE ? read_tool(p, text, '\0') : read_colon(p, text, colon);
}

/* "Bash", "Edit": no command is called like that, though one may be called like "bash" or "grep".
 */
static bool is_bare_tool(struct str text)
{
    return text.len && text.s[0] >= 'A' && text.s[0] <= 'Z' && rule_tool_find(text);
}

/* Also one that is not closed, which is then refused. */
static bool is_tool_with_content(struct str text)
{
    size_t open = str_index(text, '(');

    return open != STR_NONE &&
           (is_bare_tool(str_slice(text, 0, open)) ||
            (text.s[text.len - 1] == ')' && is_field_name(str_slice(text, 0, open))));
}

static enum status read_action(struct parser *p, struct str text)
{
    if (is_tool_with_content(text) || is_bare_tool(text) || str_starts(text, STR("mcp__"))) {
        p->r->dialect = DIALECT_WARDER;
        p->row = dialect_row(DIALECT_WARDER);
        return read_warder(p, text);
    }
    p->r->content = text;
    return read_text(p, text, 0, false);
}

/* The spec's regular expression: a name of letters and '_', then everything up to the last byte,
 * without escapes. */
static enum status read_trailing(struct parser *p, struct str text)
{
    size_t open = str_index(text, '(');

    if (open == STR_NONE || text.s[text.len - 1] != ')')
        return read_parens(p, text);
    enum status s = read_tool(p, str_slice(text, 0, open), '(');
    if (s)
        return s;
    p->r->content = p->r->pattern = str_slice(text, open + 1, text.len - 1);
    if (p->r->content.len == 0)
        return refuse(p, open, "empty parentheses match nothing");
    if ((s = check_prefix_mark(p, p->r->content, open + 1)))
        return s;
    p->r->matcher = MATCH_EXACT;
    if (str_ends(p->r->pattern, STR("*"))) {
        p->r->matcher = MATCH_STARTS;
        p->r->pattern.len--;
    }
    return STATUS_OK;
}

static enum status read_spelling(struct parser *p, struct str text)
{
    switch (p->r->dialect) {
    case DIALECT_WARDER:
    case DIALECT_FNMATCH:
    case DIALECT_DOUBLESTAR:
        return read_warder(p, text);
    case DIALECT_FIRST_ARG:
        return read_first_arg(p, text);
    case DIALECT_ACTION:
        return read_action(p, text);
    case DIALECT_TRAILING:
        return read_trailing(p, text);
    }
    return fail(p->err, STATUS_USAGE, "no such dialect");
}

static void read_rule(void *arg)
{
    struct parser *p = arg;

    /* Copied, because the rule outlives the text it came from. */
    p->r->text = str_copy(p->keep, p->r->text);
    p->status = read_spelling(p, p->r->text);
}

static void read_in_scratch(void *arg)
{
    struct parser *p = arg;

    arena_reset(p->a);
    if (!arena_try(p->a, read_rule, p))
        p->status = fail(p->err, STATUS_NOMEM, "out of memory for a rule");
}

enum status rule_parse_lean(struct arena *a, struct arena *scratch, struct str text,
                            enum dialect dialect, struct rule *out, struct error *err)
{
    struct parser p = {.a = scratch, .keep = a, .row = dialect_row(dialect), .r = out, .err = err};
    struct str trimmed = str_trim(text);

    *out = (struct rule){.dialect = dialect, .text = trimmed};
    if (text.len > RULE_MAX_TEXT)
        return fail_at(err, STATUS_LIMIT, 1, RULE_MAX_TEXT, "the rule is longer than %d bytes",
                       RULE_MAX_TEXT);
    if (trimmed.len == 0)
        return fail_at(err, STATUS_SYNTAX, 1, 1, "the rule is empty");
    if (str_has(text, '\0'))
        return fail_at(err, STATUS_SYNTAX, 1, (uint32_t)str_index(text, '\0') + 1,
                       "a rule must not contain a NUL byte");
    if (!arena_try(a, scratch == a ? read_rule : read_in_scratch, &p))
        return fail(err, STATUS_NOMEM, "out of memory for a rule");
    if (p.status && err && err->column > 0)
        err->column += (uint32_t)(trimmed.s - text.s);
    return p.status;
}

enum status rule_parse(struct arena *a, struct str text, enum dialect dialect, struct rule *out,
                       struct error *err)
{
    return rule_parse_lean(a, a, text, dialect, out, err);
}

const struct rule_more *rule_more(const struct rule *r)
{
    static const struct rule_more none;

    return r->more ? r->more : &none;
}

struct rule_more *rule_add_more(struct arena *a, struct rule *r)
{
    if (!r->more)
        r->more = ARENA_NEW(a, struct rule_more);
    return r->more;
}

const struct rule_about *rule_about(const struct rule *r)
{
    static const struct rule_about none;

    return r->about ? r->about : &none;
}

struct rule_about *rule_add_about(struct arena *a, struct rule *r)
{
    if (!r->about)
        r->about = ARENA_NEW(a, struct rule_about);
    return r->about;
}

bool rule_is_long_form(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    return more->flags.count > 0 || more->paths.count > 0 || more->regex.len > 0 ||
           more->terms.len > 0;
}

bool rule_is_on_effects(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    for (size_t i = 0; i < more->unless_count; i++)
        if (rule_more(&more->unless[i])->does)
            return true;
    return more->does != 0;
}

struct str rule_print(struct arena *a, const struct rule *r)
{
    struct buf b = buf_in(a);

    buf_add(&b, r->tool);
    if (r->tool.len == 0) {
        buf_add(&b, r->content);
    } else if (r->content.len > 0) {
        buf_byte(&b, r->colon ? ':' : '(');
        buf_add(&b, r->content);
        if (!r->colon)
            buf_byte(&b, ')');
    }
    return buf_str(&b);
}
