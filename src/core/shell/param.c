/* param.c - ${ ... }: the name, the operator, and the operand, which is a word of its own with its
 * own quoting rules.
 */
#include "base/ascii.h"
#include "shell/parse.h"

static const char not_read[] = "a parameter expansion that is not read here";

/* A name, a number, or one of the special parameters; empty when there is none. */
static struct str read_parameter(struct parser *p)
{
    struct buf b = buf_in(p->arena);
    int c = lex_look(p);

    if (ascii_is_name(c)) {
        bool digits = !ascii_is_name_start(c);
        for (; ascii_is_name(lex_look(p)) && !(digits && ascii_is_name_start(lex_look(p)));
             p->pos++)
            buf_byte(&b, p->text.s[p->pos]);
    } else if (c > 0 && strchr("@*#?-$!", c)) {
        buf_byte(&b, (char)c);
        p->pos++;
    }
    return buf_str(&b);
}

static void read_subscript(struct parser *p, struct param *param)
{
    struct word in = {0};
    int c = lex_look(p);

    param->has_subscript = true;
    if ((c == '@' || c == '*') && lex_follows(p, ']')) {
        param->all = true;
        param->star = c == '*';
        p->pos++;
    } else {
        arith_read(p, &in, ']');
        param->subscript = in.parts;
    }
    if (!lex_next_is(p, ']'))
        parse_refuse(p, not_read);
}

static bool begins_plain_param(struct parser *p)
{
    size_t before = p->pos++;
    int c = lex_look(p);

    p->pos = before;
    return ascii_is_name(c) || (c > 0 && strchr("@*#?-!", c));
}

/* A single quote inside "${x:-...}" hides a brace from bash's reader but not a substitution from
 * its expansion. Only text that is the same in both readings is taken, and $x, which is expanded;
 * in a pattern it would not be. */
static void quote_in_quotes(struct parser *p, struct word *w, bool pattern)
{
    size_t start = p->pos++, from = start + pattern;

    for (int c; (c = lex_raw(p)) != '\'';) {
        if (c == '$' && !pattern && begins_plain_param(p)) {
            word_add_text(p, w, str_slice(p->text, from, p->pos), true);
            word_dollar(p, w, true);
            from = p->pos;
        } else if (c < 0 || strchr("$`\\{}\"", c)) {
            parse_refuse_at(p, start, "a single quote inside a quoted parameter expansion");
            return;
        } else {
            p->pos++;
        }
    }
    p->pos++;
    word_add_text(p, w, str_slice(p->text, from, p->pos - pattern), true);
}

/* $'...' in a pattern inside double quotes: bash puts the text in single quotes. What those could
 * not hide is refused; so is every $'...' in another operand, where bash expands the text again. */
static void ansi_in_quotes(struct parser *p, struct word *w, bool pattern)
{
    size_t start = p->pos, first = w->parts.count;

    if (!pattern || p->in_doc || lex_follows(p, '"')) {
        parse_refuse(p, not_read);
        return;
    }
    word_dollar(p, w, false);
    for (size_t i = first; i < w->parts.count; i++)
        for (size_t n = 0; n < w->parts.items[i].text.len; n++)
            if (strchr("$`\\{}\"'", w->parts.items[i].text.s[n]))
                parse_refuse_at(p, start, not_read);
}

static void operand_escape(struct parser *p, struct word *w, bool quoted)
{
    size_t slash = p->pos++;
    int c = lex_raw(p);

    if (c < 0) {
        parse_refuse_at(p, slash, "a backslash at the end of the text");
        return;
    }
    if (quoted && !strchr("$`\"\\}", c))
        word_add_text(p, w, str_slice(p->text, slash, slash + 1), true);
    word_add_text(p, w, str_slice(p->text, p->pos, p->pos + 1), true);
    p->pos++;
}

static void operand_piece(struct parser *p, struct word *w, bool quoted, bool pattern, int c)
{
    if (c == '\\') {
        operand_escape(p, w, quoted);
    } else if (c == '\'') {
        if (quoted)
            quote_in_quotes(p, w, pattern);
        else
            word_single(p, w);
    } else if (c == '"') {
        size_t start = p->pos;
        word_double(p, w, false);
        /* "${x:-"\h"}" is h, and "${x:-\h}" is not */
        if (quoted && str_has(str_slice(p->text, start, p->pos), '\\'))
            parse_refuse_at(p, start, "a backslash in quotes inside a quoted parameter expansion");
    } else if (c == '`') {
        word_backtick(p, w, quoted);
    } else if (c == '$') {
        if (quoted && (lex_follows(p, '\'') || lex_follows(p, '"')))
            ansi_in_quotes(p, w, pattern);
        else
            word_dollar(p, w, quoted);
    } else if ((c == '<' || c == '>') && lex_follows(p, '(')) {
        parse_refuse(
            p, "a process substitution inside a parameter expansion"); /* bash runs it, but finds
                                                                          its end elsewhere */
    } else {
        word_add_text(p, w, str_slice(p->text, p->pos, p->pos + 1), quoted);
        p->pos++;
    }
}

/* Up to the first unquoted closing brace: braces do not nest here. */
static void read_operand(struct parser *p, struct word *w, bool quoted, bool pattern)
{
    for (int c; (c = lex_look(p)) != '}';) {
        if (c < 0) {
            parse_refuse(p, "a parameter expansion is not closed");
            return;
        }
        operand_piece(p, w, quoted, pattern, c);
    }
}

static void read_slice(struct parser *p, struct param *param)
{
    param->op = STR(":");
    arith_read(p, &param->operand, '}');
}

static struct str take(struct parser *p, size_t len)
{
    struct buf b = buf_in(p->arena);

    for (; len; len--) {
        buf_byte(&b, (char)lex_look(p));
        p->pos++;
    }
    return buf_str(&b);
}

/* Returns false when there is no such operator. */
static bool read_transform(struct parser *p, struct param *param)
{
    if (!lex_follows(p, 'P') && !lex_follows(p, 'Q') && !lex_follows(p, 'E') &&
        !lex_follows(p, 'A') && !lex_follows(p, 'a') && !lex_follows(p, 'U') &&
        !lex_follows(p, 'u') && !lex_follows(p, 'L') && !lex_follows(p, 'K') &&
        !lex_follows(p, 'k'))
        return false;
    param->op = take(p, 2);
    return lex_look(p) == '}';
}

static bool read_operator(struct parser *p, struct param *param, bool quoted)
{
    int c = lex_look(p);

    if (c == ':') {
        p->pos++;
        c = lex_look(p);
        if (c > 0 && strchr("-=?+", c)) {
            param->op = str_join(p->arena, STR(":"), take(p, 1));
            read_operand(p, &param->operand, quoted, false);
        } else {
            read_slice(p, param);
        }
    } else if (c > 0 && strchr("-=?+", c)) {
        param->op = take(p, 1);
        read_operand(p, &param->operand, quoted, false);
    } else if (c > 0 && strchr("#%/^,~", c)) {
        if (c != '#' && c != '%')
            parse_bash_only(p);
        param->op = take(p, lex_follows(p, c) ? 2 : 1);
        read_operand(p, &param->operand, quoted, c != '~');
    } else {
        return c == '@' && read_transform(p, param);
    }
    return true;
}

/* ${#x} and ${!x}; `${#}` and `${!}` are parameters themselves. */
static enum param_form read_form(struct parser *p)
{
    int c = lex_look(p);

    if ((c != '#' && c != '!') || lex_follows(p, '}'))
        return PARAM_PLAIN;
    p->pos++;
    return c == '#' ? PARAM_LENGTH : PARAM_INDIRECT;
}

static void read_names_form(struct parser *p, struct param *param)
{
    int c = lex_look(p);

    if (param->form != PARAM_INDIRECT)
        return;
    if (param->has_subscript && param->all) {
        param->form = PARAM_NAMES;
    } else if ((c == '*' || c == '@') && lex_follows(p, '}')) {
        param->form = PARAM_NAMES;
        param->op = take(p, 1);
    }
}

/* False: it is none of the forms that have a meaning, or none whose meaning is known here. */
static bool read_inside(struct parser *p, struct param *param, bool quoted)
{
    param->form = read_form(p);
    param->name = read_parameter(p);
    if (!param->name.len)
        return false;
    if (lex_next_is(p, '['))
        read_subscript(p, param);
    read_names_form(p, param);
    if (lex_look(p) == '}')
        return true;
    return param->form != PARAM_LENGTH && param->form != PARAM_NAMES &&
           read_operator(p, param, quoted) && lex_look(p) == '}';
}

/* Any other text up to the brace. bash reads it to its end, too, and only then complains. After a
 * blank or a bar newer versions run it as a list of commands. */
static void read_odd(struct parser *p, struct param *param, bool quoted)
{
    int c = lex_look(p);

    *param = (struct param){.odd = true};
    if (c > 0 && strchr(" \t\n|(", c))
        parse_refuse(p, not_read);
    read_operand(p, &param->operand, quoted, false);
}

/* Begins at the byte after the opening brace. */
void word_brace_param(struct parser *p, struct word *w, bool quoted, size_t at)
{
    struct param *param = ARENA_NEW(p->arena, struct param);
    size_t start = p->pos;

    if (parse_enter(p) && !read_inside(p, param, quoted) && !parse_refused(p)) {
        p->pos = start;
        read_odd(p, param, quoted);
    }
    if (!lex_next_is(p, '}'))
        parse_refuse(p, "a parameter expansion is not closed");
    parse_leave(p);

    struct part *part = word_add(p, w, PART_PARAM, at);
    part->quoted = quoted;
    part->param = param;
    if (!p->inner)
        part->len = p->pos - at;
}
