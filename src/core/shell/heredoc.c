/* heredoc.c - here-documents: the delimiter, the lines up to it, and what is expanded in them. */
#include "shell/parse.h"

/* The current token is the word after << or <<-. */
void heredoc_delimiter(struct parser *p, struct redirect *r)
{
    const struct word *w = &p->tok.word;

    if (!word_static(p->arena, w, &r->delimiter))
        parse_refuse_at(p, p->tok.at, "the delimiter of a here-document is not plain");
    else if (str_has(r->delimiter, '\n'))
        parse_refuse_at(p, p->tok.at, "the delimiter of a here-document has a newline in it");
    for (size_t i = 0; i < w->parts.count; i++)
        r->inert |= w->parts.items[i].quoted;
    LIST_PUSH(p->arena, &p->pending, r);
}

/* A line with a backslash in it: at its end it joins the next line. */
static struct str read_joined_lines(struct parser *p)
{
    struct buf b = buf_in(p->arena);
    size_t start = p->pos;
    bool joined = false;

    while (lex_raw(p) >= 0 && lex_raw(p) != '\n') {
        if (lex_raw(p) == '\\' && p->pos + 1 < p->text.len) {
            if (p->text.s[p->pos + 1] == '\n') {
                buf_add(&b, str_slice(p->text, start, p->pos));
                joined = true;
                start = p->pos + 2;
            }
            p->pos++;
        }
        p->pos++;
    }
    struct str last = str_slice(p->text, start, p->pos);
    if (joined)
        buf_add(&b, last);
    if (lex_raw(p) == '\n')
        p->pos++;
    return joined ? buf_str(&b) : last;
}

/* One line as bash reads it here, without its newline. If the body is expanded, continued lines are
 * joined before they are compared with the delimiter. */
static struct str read_line(struct parser *p, bool inert)
{
    struct str line, rest;
    bool more = str_cut(str_from_byte(p->text, p->pos), '\n', &line, &rest);

    if (!inert && str_has(line, '\\'))
        return read_joined_lines(p);
    p->pos += line.len + more;
    return line;
}

static struct str without_tabs(struct str line)
{
    while (line.len && line.s[0] == '\t')
        line = str_from_byte(line, 1);
    return line;
}

/* bash takes what is there when the text ends before the delimiter. In parentheses it goes on
 * looking for their end, and after a backslash it reads past the end. */
static bool may_end_here(const struct parser *p, const struct redirect *r)
{
    struct str text = p->text;

    text.len -= str_ends(text, STR("\n"));
    return !p->parens && (r->inert || !str_ends(text, STR("\\")));
}

static struct str read_body(struct parser *p, const struct redirect *r)
{
    struct buf body = buf_in(p->arena);
    size_t start = p->pos;

    for (;;) {
        if (lex_raw(p) < 0) {
            p->tree->unclosed_at = lex_place(p, start) + 1;
            if (!may_end_here(p, r))
                parse_refuse_at(p, start, "a here-document is not closed");
            break;
        }
        struct str line = read_line(p, r->inert);
        if (r->strip_tabs)
            line = without_tabs(line);
        if (str_eq(line, r->delimiter))
            break;
        /* For compatibility bash ends the document here when a parenthesis is still open around it.
         */
        if (p->parens && str_starts(line, r->delimiter) && str_has(line, ')')) {
            parse_refuse_at(p, start,
                            "the delimiter of a here-document and a parenthesis on one line");
            break;
        }
        buf_add(&body, line);
        buf_byte(&body, '\n');
    }
    return buf_str(&body);
}

static void body_escape(struct parser *p, struct word *w)
{
    size_t slash = p->pos++;
    int c = lex_raw(p);

    if (c == '$' || c == '`' || c == '\\')
        slash++;
    word_add_text(p, w, str_slice(p->text, slash, p->pos + 1), true);
    p->pos += c >= 0;
}

/* Like the inside of double quotes, but a double quote is nothing special. */
static void expand_body(struct parser *p, struct word *w)
{
    for (int c; (c = lex_look(p)) >= 0;) {
        if (c == '\\') {
            body_escape(p, w);
        } else if (c == '$') {
            word_dollar(p, w, true);
        } else if (c == '`') {
            word_backtick(p, w, true);
        } else {
            word_add_text(p, w, str_slice(p->text, p->pos, p->pos + 1), true);
            p->pos++;
        }
    }
}

static void set_body(struct parser *p, struct redirect *r, struct str body, size_t at)
{
    struct parser in = *p;

    r->target = (struct word){.at = lex_place(p, at), .len = p->inner ? 0 : p->pos - at};
    if (r->inert) {
        word_add_text(p, &r->target, body, true);
        return;
    }
    in.text = body;
    in.pos = 0;
    in.origin = lex_place(p, at);
    in.inner = in.in_doc = true;
    in.pending = (struct redirects){0};
    in.parens = 0;
    if (parse_enter(&in))
        expand_body(&in, &r->target);
    if (!r->target.parts.count)
        word_add_text(p, &r->target, body, true);
}

void heredoc_bodies(struct parser *p)
{
    for (size_t i = 0; i < p->pending.count; i++) {
        struct redirect *r = p->pending.items[i];
        size_t at = p->pos;
        struct str body = read_body(p, r);
        set_body(p, r, body, at);
    }
    p->pending.count = 0;
}
