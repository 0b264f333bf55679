/* format.c - strings of a Python text, and the expressions in the fields of f-strings.
 *
 * A string ends where it ended before 3.12: at the first quote that is not escaped. The text in
 * braces is read by a separate parser, and must end inside the braces. */
#include "programs/python/python.h"

/* !r, then a colon or the end. */
static void read_conversion(struct parser *p, struct lexer *l)
{
    char c = l->at < l->text.len ? l->text.s[l->at] : '\0';
    char next = l->at + 1 < l->text.len ? l->text.s[l->at + 1] : '\0';

    if (!c || !strchr("rsa", c) || (next != ':' && next != '}'))
        python_refuse(p);
    l->at++;
}

static void read_field(struct parser *p, struct node *to, struct str body, size_t *at, bool nested);

/* After the colon: plain bytes, and nested fields. */
static void read_format(struct parser *p, struct node *to, struct str body, size_t *at, bool nested)
{
    while (!p->bad) {
        char c = *at < body.len ? body.s[*at] : '\0';
        char next = *at + 1 < body.len ? body.s[*at + 1] : '\0';
        if (!c || strchr("\\'\"\n", c) || (c == '{' && (nested || next == '{'))) {
            python_refuse(p);
        } else if (c == '{') {
            ++*at;
            read_field(p, to, body, at, true);
        } else if (c == '}') {
            ++*at;
            return;
        } else {
            ++*at;
        }
    }
}

/* After the expression: = ! : } */
static void read_field_end(struct parser *p, struct parser *inner, struct node *to, struct str body,
                           size_t *at, bool nested)
{
    struct lexer *l = &inner->lexer;

    python_takes(inner, "=");
    if (python_is(inner, "!")) {
        read_conversion(inner, l);
        python_next(inner);
    }
    bool colon = python_is(inner, ":");
    if (inner->bad || (!colon && !python_is(inner, "}"))) {
        python_refuse(p);
        return;
    }
    *at = l->at;
    if (colon)
        read_format(p, to, body, at, nested);
}

/* After the opening brace. A separate parser reads the expression; it shares the names. */
static void read_field(struct parser *p, struct node *to, struct str body, size_t *at, bool nested)
{
    struct parser inner = {
        .arena = p->arena, .depth = p->depth, .names = p->names, .name_count = p->name_count};

    if (!python_enter(p))
        return;
    inner.lexer = (struct lexer){.text = body, .at = *at, .field = true, .begun = true};
    inner.depth = p->depth;
    python_next(&inner);
    python_add(p, to, python_expression(&inner));
    if (inner.bad)
        python_refuse(p);
    else
        read_field_end(p, &inner, to, body, at, nested);
    python_leave(p);
}

/* The bytes of an f-string. Refused: a backslash before a brace, and \N{...}; versions of Python
 * and raw strings disagree about both. */
static void read_fields(struct parser *p, struct node *to, const struct literal *l)
{
    struct str body = l->body;

    for (size_t at = 0; at < body.len && !p->bad;) {
        char c = body.s[at], next = at + 1 < body.len ? body.s[at + 1] : '\0';
        if ((c == '\\' && strchr("N{}", next)) || (c == '}' && next != '}'))
            python_refuse(p);
        else if (c == '\\' || ((c == '{' || c == '}') && next == c))
            at += 2;
        else
            at++;
        if (c == '{' && next != '{')
            read_field(p, to, body, &at, false);
    }
}

/* One string, or several adjacent ones; the value is known only if every part is. */
struct node *python_strings(struct parser *p)
{
    struct node *n = python_node(p, NODE_STRING, (struct str){0});
    bool bytes = false, first = true;

    n->known = true;
    while (p->now.kind == TOKEN_STRING) {
        struct literal l;
        struct str value = {0};
        if (!python_literal(p->now.text, &l) || (!first && bytes != l.bytes))
            python_refuse(p);
        bytes = l.bytes;
        n->known &= first && !l.fields && python_decode(p->arena, &l, &value);
        n->text = value;
        first = false;
        if (l.fields) {
            n->kind = NODE_FORMAT;
            read_fields(p, n, &l);
        }
        python_next(p);
    }
    return n;
}
