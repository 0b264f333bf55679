/* atom.c - primary expressions: names, literals, brackets, functions, templates, new. */
#include "programs/javascript/javascript.h"

/* ---- literals ---- */

static struct node *literal(struct parser *p, enum node_kind kind)
{
    struct node *n = js_node(p, kind);

    n->text = p->now.text;
    js_next(p);
    return n;
}

static struct node *decoded(struct parser *p, struct str body)
{
    struct node *n = js_node(p, NODE_STRING);
    bool bad = false;

    n->known = js_decode(p->arena, body, &n->text, &bad);
    if (bad)
        js_refuse(p);
    return n;
}

struct node *js_string(struct parser *p)
{
    struct str written = p->now.text;

    if (p->now.kind != TOKEN_STRING) {
        js_refuse(p);
        return js_node(p, NODE_EMPTY);
    }
    js_next(p);
    return decoded(p, str_slice(written, 1, written.len - 1));
}

static size_t begins_at(const struct parser *p)
{
    return (size_t)(p->now.text.s - p->lexer.text.s);
}

/* A slash where a value is expected. */
static struct node *read_regex(struct parser *p)
{
    size_t from = begins_at(p), len = js_regex_length(str_from_byte(p->lexer.text, from));

    if (len == 0)
        js_refuse(p);
    p->lexer.at = from + len;
    js_next(p);
    return js_node(p, NODE_REGEX);
}

/* Up to the backtick or ${; false if there is neither. */
static bool skip_text(const struct lexer *l, size_t *at)
{
    for (; *at < l->text.len; ++*at) {
        char c = l->text.s[*at], next = *at + 1 < l->text.len ? l->text.s[*at + 1] : '\0';
        if (c == '`' || (c == '$' && next == '{'))
            return true;
        *at += c == '\\';
    }
    return false;
}

/* The text between the fields is scanned from the lexer's position: after the backtick, or after
 * the brace that closes a field. */
static struct node *read_template(struct parser *p)
{
    struct node *n = js_node(p, NODE_LOOK);

    while (!p->bad) {
        size_t from = p->lexer.at, at = from;
        if (!skip_text(&p->lexer, &at)) {
            js_refuse(p);
            break;
        }
        struct node *text = decoded(p, str_slice(p->lexer.text, from, at));
        bool end = p->lexer.text.s[at] == '`';
        p->lexer.at = at + (end ? 1 : 2);
        js_next(p);
        if (end)
            return n->parts ? n : text;
        js_add(p, n, js_expression(p));
        if (!js_is(p, "}"))
            js_refuse(p);
    }
    return n;
}

/* ---- brackets ---- */

static struct node *read_spread(struct parser *p)
{
    js_expect(p, "...");
    return js_around(p, NODE_SPREAD, js_assignment(p));
}

static struct node *read_array(struct parser *p)
{
    struct node *n = js_node(p, NODE_ARRAY);

    js_next(p);
    while (!js_is(p, "]") && !p->bad) {
        if (js_is(p, ","))
            js_add(p, n, js_node(p, NODE_EMPTY));
        else
            js_add(p, n, js_is(p, "...") ? read_spread(p) : js_assignment(p));
        if (!js_is(p, "]"))
            js_expect(p, ",");
    }
    js_expect(p, "]");
    return n;
}

/* {a} and {a = 1}; the second is valid only as a pattern. */
static struct node *read_short(struct parser *p, struct node *object, struct str key)
{
    struct node *n = js_named(p, key), *both;

    if (!js_takes(p, "="))
        return n;
    both = js_around(p, NODE_ASSIGN, n);
    both->text = STR("=");
    js_add(p, both, js_assignment(p));
    p->covers += !object->known;
    object->known = true;
    return both;
}

static struct node *read_computed(struct parser *p)
{
    struct node *n = js_node(p, NODE_COMPUTED);

    js_expect(p, "[");
    js_add(p, n, js_assignment(p));
    js_expect(p, "]");
    js_expect(p, ":");
    js_add(p, n, js_assignment(p));
    return n;
}

/* Methods are refused, and with them getters. */
static struct node *read_entry(struct parser *p, struct node *object)
{
    struct node *n = js_node(p, NODE_ENTRY), *key;
    bool name = p->now.kind == TOKEN_NAME;

    if (name || p->now.kind == TOKEN_WORD || p->now.kind == TOKEN_NUMBER) {
        n->text = p->now.text;
        js_next(p);
    } else {
        key = js_string(p);
        if (!key->known)
            js_refuse(p);
        n->text = key->text;
    }
    n->name = js_name(p, n->text);
    if (js_takes(p, ":"))
        js_add(p, n, js_assignment(p));
    else if (name && !p->bad)
        js_add(p, n, read_short(p, object, n->text));
    else
        js_refuse(p);
    return n;
}

static struct node *read_object(struct parser *p)
{
    struct node *n = js_node(p, NODE_OBJECT);

    js_next(p);
    while (!js_is(p, "}") && !p->bad) {
        struct node *part = js_is(p, "...") ? read_spread(p)
                            : js_is(p, "[") ? read_computed(p)
                                            : read_entry(p, n);
        js_add(p, n, part);
        if (!js_is(p, "}"))
            js_expect(p, ",");
    }
    js_expect(p, "}");
    return n;
}

/* (a, b): the value of the last one, unless an arrow follows. */
static struct node *read_parens(struct parser *p)
{
    struct node *list = js_node(p, NODE_PARENS), *n;
    bool comma = true; /* a comma was last, or the parentheses are empty */

    js_next(p);
    while (!js_is(p, ")") && !p->bad) {
        js_add(p, list, js_is(p, "...") ? read_spread(p) : js_assignment(p));
        comma = js_takes(p, ",");
        if (!comma)
            break;
    }
    js_expect(p, ")");
    if (p->bad || js_is(p, "=>"))
        return list;
    if (comma)
        js_refuse(p);
    if (list->parts == list->last) {
        n = list->parts;
        n = n ? n : js_node(p, NODE_EMPTY);
    } else {
        n = js_node(p, NODE_CHOICE);
        for (struct node *part = list->parts, *next; part; part = next) {
            next = part->next;
            part->next = NULL;
            if (part->kind == NODE_SPREAD)
                js_refuse(p);
            js_add(p, n, next ? js_around(p, NODE_LOOK, part) : part);
        }
    }
    if (n->kind == NODE_SPREAD)
        js_refuse(p);
    n->closed = true;
    return n;
}

void js_arguments(struct parser *p, struct node *to)
{
    js_expect(p, "(");
    while (!js_is(p, ")") && !p->bad) {
        js_add(p, to, js_is(p, "...") ? read_spread(p) : js_assignment(p));
        if (!js_is(p, ")"))
            js_expect(p, ",");
    }
    js_expect(p, ")");
}

/* new Date, new Map(x): only a name may follow. */
static struct node *read_new(struct parser *p)
{
    struct node *n = js_node(p, NODE_NEW);

    js_next(p);
    js_add(p, n, js_named(p, js_take_name(p)));
    if (js_is(p, "("))
        js_arguments(p, n);
    else if (js_is(p, ".") || js_is(p, "[") || js_is(p, "?.") || p->now.kind == TOKEN_TEMPLATE)
        js_refuse(p);
    return n;
}

/* ---- functions ---- */

struct places {
    unsigned loops, choices;
    bool head;
};

static struct places enter_function(struct parser *p)
{
    struct places outside = {p->loops, p->choices, p->head};

    p->loops = p->choices = 0;
    p->head = false;
    p->functions++;
    return outside;
}

static void leave_function(struct parser *p, struct places outside)
{
    p->loops = outside.loops;
    p->choices = outside.choices;
    p->head = outside.head;
    p->functions--;
}

struct node *js_function(struct parser *p, bool declared)
{
    struct node *n = js_node(p, NODE_FUNCTION), *list = js_node(p, NODE_PARENS);
    struct places outside = enter_function(p);

    js_next(p);
    bool named = declared || p->now.kind == TOKEN_NAME;
    n->text = named ? js_take_name(p) : (struct str){0};
    if (declared)
        js_bind(p, n->text, BOUND_FUNCTION, NULL, false);
    js_open(p);
    if (named && !declared)
        js_bind(p, n->text, BOUND_FUNCTION, NULL, false);
    js_expect(p, "(");
    while (!js_is(p, ")") && !p->bad) {
        js_add(p, list, js_parameter(p));
        if (!js_is(p, ")"))
            js_expect(p, ",");
    }
    js_expect(p, ")");
    js_parameters(p, n, list);
    js_scope(p, n); /* the defaults of the parameters do not see what the body declares */
    js_close(p);
    leave_function(p, outside);
    return n;
}

struct node *js_arrow(struct parser *p, struct node *parameters)
{
    struct node *n = js_node(p, NODE_FUNCTION);
    struct places outside = enter_function(p);

    if (parameters->kind == NODE_NAME && !parameters->closed)
        parameters = js_around(p, NODE_PARENS, parameters);
    if (parameters->kind != NODE_PARENS || p->now.line)
        js_refuse(p);
    js_next(p);
    js_open(p);
    js_parameters(p, n, parameters);
    if (js_is(p, "{"))
        js_scope(p, n);
    else
        js_add(p, n, js_around(p, NODE_RETURN, js_assignment(p)));
    js_close(p);
    leave_function(p, outside);
    return n;
}

/* ---- dispatch ---- */

static struct node *read_word(struct parser *p)
{
    if (js_at_word(p, "true") || js_at_word(p, "false") || js_at_word(p, "null"))
        return literal(p, NODE_CONSTANT);
    if (js_at_word(p, "function"))
        return js_function(p, false);
    if (js_at_word(p, "new"))
        return read_new(p);
    js_refuse(p);
    return js_node(p, NODE_EMPTY);
}

static struct node *read_mark(struct parser *p)
{
    if (js_is(p, "("))
        return read_parens(p);
    if (js_is(p, "["))
        return read_array(p);
    if (js_is(p, "{"))
        return read_object(p);
    if (js_is(p, "/") || js_is(p, "/="))
        return read_regex(p);
    js_refuse(p);
    return js_node(p, NODE_EMPTY);
}

static struct node *read_atom(struct parser *p)
{
    switch (p->now.kind) {
    case TOKEN_NAME:
        return js_named(p, js_take_name(p));
    case TOKEN_WORD:
        return read_word(p);
    case TOKEN_NUMBER:
        return literal(p, NODE_NUMBER);
    case TOKEN_STRING:
        return js_string(p);
    case TOKEN_TEMPLATE:
        return read_template(p);
    case TOKEN_MARK:
        return read_mark(p);
    case TOKEN_END:
        break;
    }
    js_refuse(p);
    return js_node(p, NODE_EMPTY);
}

struct node *js_atom(struct parser *p)
{
    struct node *n = js_enter(p) ? read_atom(p) : js_node(p, NODE_EMPTY);

    js_leave(p);
    return n;
}
