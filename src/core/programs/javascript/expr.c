/* expr.c - JavaScript's expressions as a tree, by recursive descent.
 *
 * The tree must be exact about what is called, what is assigned to and where a statement ends.
 * Precedence does not matter: an operator's result is a string, a number or a boolean, and never
 * called. */
#include "programs/javascript/javascript.h"

/* ---- after a value: .name [key] (arguments) ++ ---- */

static bool chains(const struct node *base)
{
    bool link = base->kind == NODE_MEMBER || base->kind == NODE_INDEX || base->kind == NODE_CALL;

    return link && base->known && !base->closed;
}

static struct node *read_member(struct parser *p, struct node *base)
{
    struct node *n = js_around(p, NODE_MEMBER, base);

    if (p->now.kind != TOKEN_NAME && p->now.kind != TOKEN_WORD) {
        js_refuse(p);
        return n;
    }
    n->text = p->now.text;
    n->name = js_name(p, n->text);
    js_next(p);
    return n;
}

/* x['name'] is x.name. */
static struct node *read_index(struct parser *p, struct node *base)
{
    struct node *n = js_around(p, NODE_INDEX, base), *key;

    js_expect(p, "[");
    key = js_expression(p);
    js_expect(p, "]");
    if (key->kind == NODE_STRING && key->known) {
        n->kind = NODE_MEMBER;
        n->text = key->text;
        n->name = js_name(p, n->text);
    } else {
        js_add(p, n, key);
    }
    return n;
}

/* ['a', 'b'].forEach(x => ...): x is each element, provided the function has no name to call itself
 * by and does not get the array as an argument, to which it could add elements. */
static void follow_each(const struct node *call)
{
    const struct node *callee = call->parts, *function = callee->next;
    const struct node *bind =
        function && function->kind == NODE_FUNCTION && function->known && function->text.len == 0
            ? function->parts
            : NULL;

    if (!bind || bind->kind != NODE_BIND || bind->parts->kind != NODE_NAME ||
        callee->kind != NODE_MEMBER || callee->parts->kind != NODE_ARRAY ||
        !str_has_word(STR("forEach map filter flatMap"), callee->text))
        return;
    struct name *name = bind->parts->name;
    if (name->times == 1 && name->bound == BOUND_VARIABLE) {
        name->value = callee->parts;
        name->each = true;
    }
}

static struct node *read_call(struct parser *p, struct node *callee)
{
    struct node *n = js_around(p, NODE_CALL, callee);

    js_arguments(p, n);
    if (!p->bad)
        follow_each(n);
    return n;
}

static struct node *read_links(struct parser *p, struct node *n)
{
    while (!p->bad) {
        bool optional = js_takes(p, "?."), chained = optional || chains(n);
        if (js_is(p, "[")) {
            n = read_index(p, n);
        } else if (js_is(p, "(") && !optional) {
            n = read_call(p, n);
        } else if (optional || js_takes(p, ".")) {
            n = read_member(p, n);
        } else {
            break;
        }
        n->known = chained;
    }
    if (p->now.kind == TOKEN_TEMPLATE)
        js_refuse(p); /* a template after a value would be an argument of it */
    return n;
}

static bool is_target(const struct node *n)
{
    bool place = n->kind == NODE_NAME || n->kind == NODE_MEMBER || n->kind == NODE_INDEX;

    return place && !n->closed && !chains(n);
}

static struct node *update(struct parser *p, struct node *target)
{
    struct node *n = js_around(p, NODE_UPDATE, target);

    if (!is_target(target))
        js_refuse(p);
    else
        js_assign(p, target, NULL, STR("-="));
    return n;
}

static struct node *read_postfix(struct parser *p)
{
    struct node *n = read_links(p, js_atom(p));

    if ((js_is(p, "++") || js_is(p, "--")) && !p->now.line) {
        js_next(p);
        n = update(p, n);
    }
    return n;
}

/* ---- operators ---- */

enum prefix { PREFIX_NONE = 0, PREFIX_TRUTH, PREFIX_NUMBER };

static enum prefix take_prefix(struct parser *p)
{
    if (js_takes(p, "!") || js_takes_word(p, "typeof") || js_takes_word(p, "void"))
        return PREFIX_TRUTH;
    return js_takes(p, "-") || js_takes(p, "+") || js_takes(p, "~") ? PREFIX_NUMBER : PREFIX_NONE;
}

/* -x ** 2 is a syntax error, so the caller must know about the prefix. */
static struct node *read_unary(struct parser *p, bool *prefixed)
{
    enum prefix outer = take_prefix(p);
    struct node *n;

    *prefixed = outer != PREFIX_NONE;
    for (enum prefix inner = outer; inner != PREFIX_NONE;)
        inner = take_prefix(p);
    if (js_is(p, "++") || js_is(p, "--")) {
        js_next(p);
        n = update(p, read_links(p, js_atom(p)));
        *prefixed = true;
    } else {
        n = read_postfix(p);
    }
    if (outer == PREFIX_NONE)
        return n;
    n = js_around(p, outer == PREFIX_NUMBER ? NODE_ARITH : NODE_LOOK, n);
    n->known = outer == PREFIX_NUMBER;
    return n;
}

/* Always gives a number; + may also give a string. */
static bool is_arithmetic(struct str mark)
{
    return str_has_word(STR("- * / % ** & | ^ << >> >>>"), mark);
}

static bool is_operator(const struct parser *p)
{
    if (js_at_word(p, "in") || js_at_word(p, "instanceof"))
        return true;
    return p->now.kind == TOKEN_MARK &&
           (is_arithmetic(p->now.text) ||
            str_has_word(STR("+ < > <= >= == != === !=="), p->now.text));
}

/* After instanceof: the name of a class, and nothing that could continue the expression. */
static struct node *read_class(struct parser *p)
{
    struct node *n = js_around(p, NODE_INSTANCE, js_named(p, js_take_name(p)));

    if (js_is(p, "(") || js_is(p, "[") || js_is(p, ".") || js_is(p, "?.") ||
        p->now.kind == TOKEN_TEMPLATE)
        js_refuse(p);
    return n;
}

/* A chain of binary operators: a - b * c. */
static struct node *read_chain(struct parser *p, struct node *first, bool prefixed)
{
    struct node *n = js_around(p, NODE_ARITH, first);
    bool plus = false, truth = false, less = false;

    while (is_operator(p)) {
        struct str mark = p->now.text;
        if ((str_is(mark, "**") && prefixed) || (str_is(mark, "in") && p->head))
            js_refuse(p);
        js_next(p);
        /* read as TypeScript, a<b>(c) and f(a<b, c>(d)) contain calls */
        if (str_starts(mark, STR(">")) && (less || (p->less && js_is(p, "("))))
            js_refuse(p);
        if (str_starts(mark, STR("<")))
            p->less = less = true;
        plus |= str_is(mark, "+");
        truth |= !str_is(mark, "+") && !is_arithmetic(mark);
        if (str_is(mark, "instanceof")) {
            js_add(p, n, read_class(p));
            prefixed = false;
        } else {
            js_add(p, n, read_unary(p, &prefixed));
        }
    }
    n->known = !truth;
    n->text = plus ? STR("+") : (struct str){0};
    return n;
}

static struct node *read_binary(struct parser *p)
{
    bool prefixed = false;
    struct node *first = read_unary(p, &prefixed);

    return is_operator(p) ? read_chain(p, first, prefixed) : first;
}

/* a && b is b or something falsy, which is not an object. */
static struct node *read_and(struct parser *p, bool *mixed)
{
    struct node *last = read_binary(p), *n;

    if (!js_is(p, "&&"))
        return last;
    *mixed = true;
    n = js_node(p, NODE_CHOICE);
    while (js_takes(p, "&&")) {
        js_add(p, n, js_around(p, NODE_LOOK, last));
        last = read_binary(p);
    }
    js_add(p, n, last);
    return n;
}

/* || between those, or ?? between values; never both. */
static struct node *read_or(struct parser *p)
{
    bool mixed = false;
    struct node *first = read_and(p, &mixed), *n;

    if (!js_is(p, "||") && !js_is(p, "?\?"))
        return first;
    bool or = js_is(p, "||");
    if (! or &&mixed)
        js_refuse(p);
    n = js_around(p, NODE_CHOICE, first);
    while (js_takes(p, or ? "||" : "?\?"))
        js_add(p, n, or ? read_and(p, &mixed) : read_binary(p));
    if (js_is(p, "||") || js_is(p, "?\?") || js_is(p, "&&"))
        js_refuse(p);
    return n;
}

static struct node *read_choice(struct parser *p)
{
    struct node *condition = read_or(p), *n;

    if (!js_takes(p, "?"))
        return condition;
    n = js_around(p, NODE_CHOICE, js_around(p, NODE_LOOK, condition));
    js_add(p, n, js_assignment(p));
    js_expect(p, ":");
    js_add(p, n, js_assignment(p));
    return n;
}

/* ---- assignments ---- */

static bool is_assigned(const struct parser *p)
{
    return p->now.kind == TOKEN_MARK &&
           str_has_word(STR("= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ?\?="),
                        p->now.text);
}

static struct node *read_assigned(struct parser *p, struct node *target)
{
    struct node *n = js_node(p, NODE_ASSIGN), *value;
    bool pattern = (target->kind == NODE_ARRAY || target->kind == NODE_OBJECT) && !target->closed;

    if (!pattern && !is_target(target)) {
        js_refuse(p);
        return n;
    }
    n->text = p->now.text;
    js_next(p);
    value = js_assignment(p);
    js_add(p, n, target);
    js_add(p, n, value);
    js_assign(p, target, value, n->text);
    return n;
}

struct node *js_assignment(struct parser *p)
{
    struct node *n;

    if (!js_enter(p))
        return js_node(p, NODE_EMPTY);
    n = read_choice(p);
    if (js_is(p, "=>"))
        n = js_arrow(p, n);
    else if (n->kind == NODE_PARENS)
        js_refuse(p);
    else if (is_assigned(p))
        n = read_assigned(p, n);
    js_leave(p);
    return n;
}

struct node *js_expression(struct parser *p)
{
    struct node *last = js_assignment(p), *n;

    if (!js_is(p, ","))
        return last;
    n = js_node(p, NODE_CHOICE);
    while (js_takes(p, ",")) {
        js_add(p, n, js_around(p, NODE_LOOK, last));
        last = js_assignment(p);
    }
    js_add(p, n, last);
    return n;
}
