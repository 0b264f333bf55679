/* expr.c - Python's expressions as a tree, by recursive descent.
 *
 * The tree must be exact about what is an argument, what is called and what is assigned to.
 * Everything else (operators, displays) is just a group of its parts. */
#include "programs/python/python.h"

/* ---- atoms ---- */

/* for x in y if z ..., after the expression that it repeats. */
void python_loops(struct parser *p, struct node *to)
{
    while (python_takes_word(p, "for")) {
        struct node *target = python_targets(p);
        if (!python_takes_word(p, "in"))
            python_refuse(p);
        struct node *from = python_choice(p);
        python_add(p, to, python_bind_target(p, target, from, true));
        python_add(p, to, from);
        while (python_takes_word(p, "if"))
            python_add(p, to, python_choice(p));
    }
}

struct node *python_starred(struct parser *p, const char *star)
{
    struct node *n = python_node(p, NODE_SPREAD, (struct str){0});

    python_expect(p, star);
    python_add(p, n, python_binary(p));
    return n;
}

struct node *python_condition(struct parser *p)
{
    struct node *n = python_expression(p);

    if (!python_is(p, ":=") || n->kind != NODE_NAME)
        return n;
    python_next(p);
    struct node *both = python_node(p, NODE_GROUP, (struct str){0}), *value = python_expression(p);
    python_add(p, both, python_bind_target(p, n, value, false));
    python_add(p, both, value);
    return both;
}

static struct node *element(struct parser *p)
{
    return python_is(p, "*") ? python_starred(p, "*") : python_condition(p);
}

/* ( ) and [ ] */
static struct node *read_brackets(struct parser *p, const char *end)
{
    struct node *n = python_node(p, NODE_LIST, (struct str){0});
    bool round = n->known = end[0] == ')';

    python_next(p);
    if (python_takes(p, end))
        return n;
    struct node *first = element(p);
    python_add(p, n, first);
    if (python_is_word(p, "for") && first->kind != NODE_SPREAD) {
        n->kind = NODE_GROUP;
        python_loops(p, n);
    } else if (round && !python_is(p, ",")) {
        python_expect(p, end);
        if (first->kind == NODE_SPREAD)
            python_refuse(p);
        return first;
    }
    while (n->kind == NODE_LIST && python_takes(p, ",") && !python_is(p, end))
        python_add(p, n, element(p));
    python_expect(p, end);
    return n;
}

/* One entry of { }: a value, *x, key: value or **x. True if it makes the braces a dictionary. */
static bool read_entry(struct parser *p, struct node *to)
{
    if (python_is(p, "**")) {
        python_add(p, to, python_starred(p, "**"));
        return true;
    }
    if (python_is(p, "*")) {
        python_add(p, to, python_starred(p, "*"));
        return false;
    }
    python_add(p, to, python_expression(p));
    if (!python_takes(p, ":"))
        return false;
    python_add(p, to, python_expression(p));
    return true;
}

static struct node *read_braces(struct parser *p)
{
    struct node *n = python_node(p, NODE_GROUP, (struct str){0});

    python_next(p);
    if (python_takes(p, "}"))
        return n;
    bool dict = read_entry(p, n);
    if (python_is_word(p, "for") && n->parts->kind != NODE_SPREAD)
        python_loops(p, n);
    else
        while (python_takes(p, ",") && !python_is(p, "}") && !p->bad)
            if (read_entry(p, n) != dict)
                python_refuse(p);
    python_expect(p, "}");
    return n;
}

/* None, True, False; and __name__, the only name with leading underscores that may be used. */
static struct node *read_constant(struct parser *p)
{
    struct node *n = python_node(p, NODE_CONSTANT, p->now.text);

    if (p->now.kind == TOKEN_WORD && !str_has_word(STR("None True False"), p->now.text))
        python_refuse(p);
    python_next(p);
    return n;
}

static struct node *read_atom(struct parser *p)
{
    struct node *n;

    switch (p->now.kind) {
    case TOKEN_NAME:
        if (str_is(p->now.text, "__name__"))
            return read_constant(p);
        return python_named(p, python_take_name(p));
    case TOKEN_WORD:
        return read_constant(p);
    case TOKEN_STRING:
        return python_strings(p);
    case TOKEN_NUMBER:
        n = python_node(p, NODE_NUMBER, p->now.text);
        python_next(p);
        return n;
    case TOKEN_MARK:
        if (python_is(p, "("))
            return read_brackets(p, ")");
        if (python_is(p, "["))
            return read_brackets(p, "]");
        if (python_is(p, "{"))
            return read_braces(p);
        break;
    case TOKEN_END:
    case TOKEN_LINE:
    case TOKEN_INDENT:
    case TOKEN_DEDENT:
        break;
    }
    bool dots = python_takes(p, "...");
    if (!dots)
        python_refuse(p);
    return python_node(p, NODE_CONSTANT, (struct str){0});
}

/* ---- after an atom: .name [key] (arguments) ---- */

/* One item of a subscript: a value, or a slice. */
static struct node *read_place(struct parser *p)
{
    struct node *n = python_node(p, NODE_SLICE, (struct str){0});
    bool value = false;
    unsigned colons = 0;

    while (!python_is(p, "]") && !python_is(p, ",") && !p->bad) {
        if (python_takes(p, ":")) {
            if (!value)
                python_add(p, n, python_node(p, NODE_GROUP, (struct str){0}));
            value = false;
            colons++;
        } else if (value) {
            python_refuse(p);
        } else {
            python_add(p, n, python_expression(p));
            value = true;
        }
    }
    if (colons == 0 && !value)
        python_refuse(p);
    if (colons > 2)
        python_refuse(p);
    return colons == 0 && n->parts ? n->parts : n;
}

static struct node *read_subscript(struct parser *p, struct node *base)
{
    struct node *n = python_node(p, NODE_SUBSCRIPT, (struct str){0}), *first, *places;

    python_add(p, n, base);
    python_expect(p, "[");
    first = places = read_place(p);
    if (python_is(p, ",")) {
        places = python_node(p, NODE_LIST, (struct str){0});
        python_add(p, places, first);
        while (python_takes(p, ",") && !python_is(p, "]"))
            python_add(p, places, read_place(p));
    }
    python_expect(p, "]");
    python_add(p, n, places);
    return n;
}

/* type(x).__name__ is the only dunder attribute that may be read. */
static struct node *read_attribute(struct parser *p, struct node *base)
{
    bool own = p->now.kind == TOKEN_NAME && str_is(p->now.text, "__name__");
    struct node *n = python_node(p, NODE_ATTRIBUTE, own ? p->now.text : (struct str){0});

    if (own)
        python_next(p);
    else
        n->text = python_take_name(p);
    n->name = python_name(p, n->text);
    python_add(p, n, base);
    return n;
}

static struct node *read_postfix(struct parser *p)
{
    struct node *n = read_atom(p);

    while (!p->bad) {
        if (python_is(p, "("))
            n = python_call(p, n);
        else if (python_is(p, "["))
            n = read_subscript(p, n);
        else if (python_takes(p, "."))
            n = read_attribute(p, n);
        else
            break;
    }
    return n;
}

/* ---- operators ---- */

/* All binary operators except comparisons. Precedence does not matter: the result of an operator is
 * never called and never a path. */
static bool takes_operator(struct parser *p)
{
    static const char *const marks[] = {"+",  "-", "*", "/", "//", "%",
                                        "**", "|", "&", "^", "<<", ">>"};

    for (size_t i = 0; p->now.kind == TOKEN_MARK && i < COUNT(marks); i++)
        if (python_takes(p, marks[i]))
            return true;
    return false;
}

static struct node *read_unary(struct parser *p)
{
    struct node *n;

    if (!python_is(p, "-") && !python_is(p, "+") && !python_is(p, "~"))
        return read_postfix(p);
    n = python_node(p, NODE_GROUP, (struct str){0});
    while (python_takes(p, "-") || python_takes(p, "+") || python_takes(p, "~"))
        continue;
    python_add(p, n, read_postfix(p));
    return n;
}

struct node *python_binary(struct parser *p)
{
    struct node *first =
                    python_enter(p) ? read_unary(p) : python_node(p, NODE_GROUP, (struct str){0}),
                *n = first;

    if (!p->bad && takes_operator(p)) {
        n = python_node(p, NODE_GROUP, (struct str){0});
        python_add(p, n, first);
        do
            python_add(p, n, read_unary(p));
        while (takes_operator(p));
    }
    python_leave(p);
    return n;
}

/* < > == != in, not in, is, is not */
static bool takes_comparison(struct parser *p)
{
    static const char *const marks[] = {"<", ">", "==", ">=", "<=", "!="};

    for (size_t i = 0; p->now.kind == TOKEN_MARK && i < COUNT(marks); i++)
        if (python_takes(p, marks[i]))
            return true;
    if (python_takes_word(p, "is")) {
        python_takes_word(p, "not");
        return true;
    }
    if (python_takes_word(p, "not")) {
        if (!python_is_word(p, "in"))
            python_refuse(p);
    }
    return python_takes_word(p, "in");
}

static struct node *read_comparison(struct parser *p)
{
    while (python_takes_word(p, "not"))
        continue;
    struct node *first = python_binary(p), *n = first;
    if (takes_comparison(p)) {
        n = python_node(p, NODE_COMPARE, (struct str){0});
        python_add(p, n, first);
        do
            python_add(p, n, python_binary(p));
        while (takes_comparison(p));
    }
    return n;
}

/* and, or, not */
struct node *python_choice(struct parser *p)
{
    struct node *first = read_comparison(p), *n = first;

    if (python_is_word(p, "and") || python_is_word(p, "or")) {
        n = python_node(p, NODE_GROUP, (struct str){0});
        python_add(p, n, first);
        while (python_takes_word(p, "and") || python_takes_word(p, "or"))
            python_add(p, n, read_comparison(p));
    }
    return n;
}

static struct node *read_lambda(struct parser *p)
{
    struct node *n;

    if (p->lexer.field && !p->lexer.brackets)
        python_refuse(p); /* its colon would end the field */
    python_next(p);
    n = python_parameters(p, ":", false);
    n->kind = NODE_LAMBDA;
    python_expect(p, ":");
    python_add(p, n, python_expression(p));
    return n;
}

struct node *python_expression(struct parser *p)
{
    struct node *n = NULL, *first;

    if (!python_enter(p))
        return python_node(p, NODE_GROUP, (struct str){0});
    if (python_is_word(p, "lambda")) {
        n = read_lambda(p);
    } else {
        n = first = python_choice(p);
        if (python_takes_word(p, "if")) {
            n = python_node(p, NODE_GROUP, (struct str){0});
            python_add(p, n, first);
            python_add(p, n, python_choice(p));
            if (!python_takes_word(p, "else"))
                python_refuse(p);
            python_add(p, n, python_expression(p));
        }
    }
    python_leave(p);
    return n;
}

/* ---- lists without brackets ---- */

static bool begins_expression(const struct parser *p)
{
    static const char *const marks[] = {"(", "[", "{", "-", "+", "~", "*", "..."};

    if (p->now.kind == TOKEN_WORD)
        return str_has_word(STR("None True False lambda not"), p->now.text);
    for (size_t i = 0; i < COUNT(marks); i++)
        if (python_is(p, marks[i]))
            return true;
    return p->now.kind == TOKEN_NAME || p->now.kind == TOKEN_STRING || p->now.kind == TOKEN_NUMBER;
}

static struct node *read_list(struct parser *p, struct node *(*one)(struct parser *p))
{
    struct node *first = python_is(p, "*") ? python_starred(p, "*") : one(p), *n = first;

    if (python_is(p, ",")) {
        n = python_node(p, NODE_LIST, (struct str){0});
        n->known = true;
        python_add(p, n, first);
        while (python_takes(p, ",") && begins_expression(p))
            python_add(p, n, python_is(p, "*") ? python_starred(p, "*") : one(p));
    } else if (first->kind == NODE_SPREAD) {
        python_refuse(p);
    }
    return n;
}

struct node *python_expressions(struct parser *p)
{
    return read_list(p, python_expression);
}

struct node *python_targets(struct parser *p)
{
    return read_list(p, python_binary);
}
