/* expand.c - what begins with a dollar or a backtick, and process substitution. */
#include "base/ascii.h"
#include "shell/parse.h"

/* The list between ( and ), with a fresh token state. Begins at the byte after the opening
 * parenthesis. */
static struct node *substitution(struct parser *p)
{
    struct parser outer = *p;
    struct node *body = NULL;
    size_t start = p->pos;

    p->tok = (struct token){0};
    p->outer_docs |= outer.pending.count > 0;
    p->pending = (struct redirects){0};
    p->mode = WORD_PLAIN;
    p->in_array = p->in_doc = p->in_pattern = false;
    p->parens++;
    if (parse_enter(p)) {
        lex_next(p);
        body = parse_inner_list(p);
    }
    if (p->tok.kind != TOK_CLOSE)
        parse_refuse_at(p, parse_refused(p) ? p->pos : start, "a substitution is not closed");
    if (p->pending.count)
        parse_refuse(p, "a here-document whose body is not inside its substitution");

    size_t end = p->pos;
    *p = outer;
    p->pos = end;
    return body;
}

static void end_part(struct parser *p, struct word *w, size_t index, size_t start)
{
    if (!p->inner && index < w->parts.count)
        w->parts.items[index].len = p->pos - start;
}

static void add_command(struct parser *p, struct word *w, bool quoted, enum part_kind kind,
                        size_t at)
{
    struct part *part = word_add(p, w, kind, at);
    size_t index = w->parts.count - 1;

    part->quoted = quoted;
    part->body = substitution(p);
    end_part(p, w, index, at);
}

void word_process(struct parser *p, struct word *w)
{
    size_t at = p->pos;
    enum part_kind kind = lex_look(p) == '<' ? PART_PROCESS_IN : PART_PROCESS_OUT;

    if (p->mode == WORD_DELIMITER) {
        parse_refuse(p, "the delimiter of a here-document is not plain");
        return;
    }
    p->pos++;
    lex_next_is(p, '(');
    parse_bash_only(p);
    add_command(p, w, false, kind, at);
}

/* A backtick body ends at the first backtick without a backslash, even inside quotes. Then one
 * layer of backslashes is removed, and the rest is a text of its own. */
static struct str backtick_text(struct parser *p, bool quoted)
{
    struct buf b = buf_in(p->arena);
    size_t start = p->pos - 1;

    for (int c; (c = lex_look(p)) != '`'; p->pos++) {
        if (c == '\\') {
            p->pos++;
            c = lex_raw(p);
            if (c == '"' && p->in_doc)
                parse_refuse(p, "an escaped quote in backticks in a here-document");
            if (c != '$' && c != '`' && c != '\\' && !(c == '"' && quoted))
                buf_byte(&b, '\\');
        }
        if (c < 0) {
            parse_refuse_at(p, start, "a backtick is not closed");
            break;
        }
        buf_byte(&b, (char)c);
    }
    if (!parse_refused(p))
        p->pos++;
    return buf_str(&b);
}

void word_backtick(struct parser *p, struct word *w, bool quoted)
{
    size_t at = p->pos++;

    if (p->mode == WORD_DELIMITER) {
        parse_refuse(p, "the delimiter of a here-document is not plain");
        return;
    }
    struct str text = backtick_text(p, quoted);
    struct part *part = word_add(p, w, PART_BACKTICK, at);
    size_t index = w->parts.count - 1;

    part->quoted = quoted;
    part->body = parse_inner_text(p, text, at);
    end_part(p, w, index, at);
}

static bool is_arith_byte(int c)
{
    return ascii_is_name(c) || (c > 0 && strchr(" \t\n+-*/%<>=!&|^~?:,#@.()[]", c));
}

/* In $(( )) and (( )) `<(` compares with a parenthesis; elsewhere it may be a substitution. */
static bool is_process(struct parser *p, int c, char close)
{
    return (c == '<' || c == '>') && close != ')' && close != ';' && lex_follows(p, '(');
}

static const char arith_not_read[] = "an arithmetic expression that is not read here";

/* The alphabet is narrow on purpose: no backslashes, braces or semicolons. Then our count of
 * parentheses is bash's. What bash takes for a nested subshell, `((a); b)`, does not come here. */
void arith_read(struct parser *p, struct word *w, char close)
{
    int parens = 0, brackets = 0;

    for (int c; (c = lex_look(p)) >= 0;) {
        if (c == close && (close == ']' ? brackets : parens) == 0)
            return;
        parens += (c == '(') - (c == ')');
        brackets += (c == '[') - (c == ']');
        if (parens < 0 || brackets < 0)
            break;
        if (c == '$' && (lex_follows(p, '"') || lex_follows(p, '\'')))
            break;
        if (c == '$') {
            word_dollar(p, w, true);
        } else if (c == '`') {
            word_backtick(p, w, true);
        } else if (c == '"') {
            word_double(p, w, false);
        } else if (c == '\'') {
            word_plain_single(p, w, true, arith_not_read);
        } else if (is_arith_byte(c) && !is_process(p, c, close)) {
            word_add_text(p, w, str_slice(p->text, p->pos, p->pos + 1), true);
            p->pos++;
        } else {
            break;
        }
    }
    parse_refuse(p, arith_not_read);
}

static bool continues(struct str text, size_t at)
{
    return str_starts(str_from_byte(text, at), STR("\\\n"));
}

/* Past a quotation that holds no other; 0: it may. */
static size_t skip_quotes(struct str text, size_t at)
{
    char quote = text.s[at];
    bool escapes = quote == '\'' && text.s[at - 1] == '$'; /* $'...' */

    for (at++; at < text.len && text.s[at] != quote; at++)
        if (escapes && text.s[at] == '\\' && !ascii_is_name(str_byte(text, at + 1)))
            return 0;
        else if (quote == '"' && strchr("`\\({", text.s[at]) && !continues(text, at))
            return 0;
    return at < text.len ? at + 1 : 0;
}

/* Is the word here, wherever the line goes on in it? */
static bool is_here(struct str text, size_t at, const char *word)
{
    for (; *word; word++, at++) {
        while (continues(text, at))
            at += 2;
        if (at >= text.len || text.s[at] != *word)
            return false;
    }
    return true;
}

/* Something that makes counting and reading differ: bash does the one to decide and the other to
 * run. Those are backslashes, backticks, comments, here-documents and the patterns of a case. */
static bool is_uncountable(struct str text, size_t at)
{
    if (text.s[at] == '\\' && at + 1 < text.len && ascii_is_name((unsigned char)text.s[at + 1]))
        return false; /* quotes a letter, which counts as nothing either way */
    return strchr("\\`#", text.s[at]) || is_here(text, at, "<<") || is_here(text, at, "esac");
}

/* bash counts parentheses. (( is arithmetic if the second one is closed by the first of `))`; $((
 * is, if what the first one holds is in one pair of parentheses. With a newline right after that
 * first closing one bash 5.2 loses the word that follows, so this is not read. */
bool parens_hold_commands(const struct parser *p, bool substitution, size_t *end)
{
    const struct str text = p->text;
    size_t second = 0; /* after what closes the second one */
    int open = 1;

    for (size_t i = p->pos; i < text.len;) {
        char c = text.s[i];
        if (continues(text, i)) {
            second += second == i ? 2 : 0;
            i += 2;
            continue;
        }
        if (is_uncountable(text, i))
            return false;
        if (c == '\'' || c == '"') {
            i = skip_quotes(text, i);
            if (!i)
                return false;
            continue;
        }
        i++;
        open += (c == '(') - (c == ')');
        if (c == ')' && open == 1 && !second)
            second = i;
        if (second && !substitution)
            return i < text.len && !strchr(")\\\n", text.s[i]);
        if (!open) {
            *end = i;
            return second + 1 != i;
        }
    }
    return false;
}

/* Begins at the byte after $(( . */
static void add_arith(struct parser *p, struct word *w, bool quoted, size_t at)
{
    struct word *in = ARENA_NEW(p->arena, struct word);
    size_t start = p->pos;

    if (parse_enter(p))
        arith_read(p, in, ')');
    parse_leave(p);

    struct part *part = word_add(p, w, PART_ARITH, at);
    part->quoted = quoted;
    part->inner = &in->parts;
    part->text = str_slice(p->text, start, p->pos);
    if (lex_raw(p) == ')')
        p->pos++;
    if (lex_raw(p) != ')')
        parse_refuse(p, "an arithmetic expansion that does not end in ))");
    else
        p->pos++;
    end_part(p, w, w->parts.count - 1, at);
}

static void add_old_arith(struct parser *p, struct word *w, bool quoted, size_t at)
{
    parse_bash_only(p);

    struct word *in = ARENA_NEW(p->arena, struct word);
    size_t start = p->pos;

    if (parse_enter(p))
        arith_read(p, in, ']');
    parse_leave(p);

    struct part *part = word_add(p, w, PART_ARITH, at);
    part->quoted = quoted;
    part->inner = &in->parts;
    part->text = str_slice(p->text, start, p->pos);
    if (lex_raw(p) == ']')
        p->pos++;
    end_part(p, w, w->parts.count - 1, at);
}

static struct str read_name(struct parser *p)
{
    struct buf b = buf_in(p->arena);
    size_t start = p->pos, count = 0;

    for (; ascii_is_name(lex_look(p)); p->pos++) {
        if (p->pos != start + count)
            break; /* a continuation inside: go on byte by byte */
        count++;
    }
    if (p->pos == start + count)
        return str_slice(p->text, start, p->pos);
    buf_add(&b, str_slice(p->text, start, start + count));
    for (; ascii_is_name(lex_look(p)); p->pos++)
        buf_byte(&b, p->text.s[p->pos]);
    return buf_str(&b);
}

static bool is_special(int c)
{
    return c > 0 && strchr("@*#?-$!0123456789", c) != NULL;
}

/* "$$(": while bash looks for the end of a quote or of ${...}, the second dollar begins something;
 * when it expands them, it does not. */
static void check_process_id(struct parser *p, const struct param *param, size_t at)
{
    int c = lex_look(p);

    if (str_is(param->name, "$") && (c == '(' || c == '{' || c == '['))
        parse_refuse_at(p, at, "a bracket after $$");
}

static void add_param(struct parser *p, struct word *w, bool quoted, size_t at)
{
    struct param *param = ARENA_NEW(p->arena, struct param);

    if (ascii_is_name_start(lex_look(p))) {
        param->name = read_name(p);
    } else {
        param->name = str_slice(p->text, p->pos, p->pos + 1);
        p->pos++;
        check_process_id(p, param, at);
    }
    struct part *part = word_add(p, w, PART_PARAM, at);
    part->quoted = quoted;
    part->param = param;
    end_part(p, w, w->parts.count - 1, at);
}

/* After $( . */
static void add_parens(struct parser *p, struct word *w, bool quoted, size_t at)
{
    bool twice = lex_look(p) == '(';
    size_t end = 0;

    if (twice && parens_hold_commands(p, true, &end)) {
        add_command(p, w, quoted, PART_COMMAND, at);
        if (p->pos != end)
            parse_refuse_at(p, at, "a substitution whose end bash may see elsewhere");
    } else if (twice) {
        p->pos++;
        add_arith(p, w, quoted, at);
    } else {
        add_command(p, w, quoted, PART_COMMAND, at);
    }
}

/* The delimiter of a here-document is not expanded. Of what could hold a blank or a quote, only
 * ${name} is read. */
static void delimiter_dollar(struct parser *p, struct word *w, bool quoted, size_t at)
{
    int c = lex_look(p);
    size_t end = p->pos + 1;

    while (end < p->text.len && ascii_is_name((unsigned char)p->text.s[end]))
        end++;
    bool name = c == '{' && end > p->pos + 1 && end < p->text.len && p->text.s[end] == '}';
    if (c > 0 && strchr("{([\"'`", c) && !name)
        parse_refuse_at(p, at, "the delimiter of a here-document is not plain");
    else
        word_add_text(p, w, str_slice(p->text, at, at + 1), quoted);
}

/* At a dollar sign. In quotes $' and $" are a dollar and something else. */
void word_dollar(struct parser *p, struct word *w, bool quoted)
{
    size_t at = p->pos++;
    int c = lex_look(p);

    if (p->mode == WORD_DELIMITER && !p->in_doc) {
        delimiter_dollar(p, w, quoted, at);
    } else if (c == '(') {
        p->pos++;
        add_parens(p, w, quoted, at);
    } else if (c == '{') {
        p->pos++;
        word_brace_param(p, w, quoted, at);
    } else if (c == '[') {
        p->pos++;
        add_old_arith(p, w, quoted, at);
    } else if (ascii_is_name_start(c) || is_special(c)) {
        add_param(p, w, quoted, at);
    } else if (c == '\'' && !quoted) {
        word_ansi(p, w);
    } else if (c == '"' && !quoted) {
        parse_bash_only(p);
        word_double(p, w, true);
    } else {
        word_add_text(p, w, str_slice(p->text, at, at + 1), quoted);
    }
}
