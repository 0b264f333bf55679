/* args.c - arguments of calls and parameters of functions, in the order Python requires. */
#include "programs/python/python.h"

static struct node *read_argument(struct parser *p)
{
    if (python_is(p, "*") || python_is(p, "**")) {
        bool dict = python_is(p, "**");
        struct node *n = python_starred(p, dict ? "**" : "*");
        n->known = dict;
        return n;
    }
    struct node *n = python_condition(p);
    if (n->kind != NODE_NAME || !python_takes(p, "="))
        return n;
    struct node *keyword = python_node(p, NODE_KEYWORD, n->text);
    python_add(p, keyword, python_expression(p));
    return keyword;
}

/* Values, then keywords; *x may follow a keyword, but not **x. */
static void read_arguments(struct parser *p, struct node *to)
{
    bool named = false, spread = false;

    while (!python_is(p, ")") && !p->bad) {
        struct node *n = read_argument(p);
        bool star = n->kind == NODE_SPREAD && !n->known, stars = n->kind == NODE_SPREAD && n->known;
        bool name = n->kind == NODE_KEYWORD || stars;
        if ((star && spread) || (!star && !name && named))
            python_refuse(p);
        named |= name;
        spread |= stars;
        python_add(p, to, n);
        if (!python_takes(p, ","))
            break;
    }
}

/* f(x for x in y): a generator must be the only argument. */
static void read_generator(struct parser *p, struct node *call)
{
    struct node *first = call->parts->next, *loop = python_node(p, NODE_GROUP, (struct str){0});

    if (!python_is_word(p, "for") || !first || first->next || first->kind == NODE_KEYWORD ||
        first->kind == NODE_SPREAD)
        return; /* the missing closing bracket refuses the text */
    call->last = call->parts;
    call->last->next = NULL;
    python_add(p, loop, first);
    python_loops(p, loop);
    python_add(p, call, loop);
}

struct node *python_call(struct parser *p, struct node *callee)
{
    struct node *n = python_node(p, NODE_CALL, (struct str){0});

    python_add(p, n, callee);
    python_expect(p, "(");
    read_arguments(p, n);
    read_generator(p, n);
    python_expect(p, ")");
    return n;
}

/* What the parameter list has had so far: Python restricts the order. */
struct order {
    bool star, all, defaults, some; /* a star, two stars, a default, any parameter */
    bool slash;
};

static void read_parameter(struct parser *p, struct node *to, bool hints, struct order *o,
                           bool may_default)
{
    python_bind(p, python_take_name(p), BOUND_VARIABLE, NULL, false);
    if (hints && python_takes(p, ":"))
        python_add(p, to, python_expression(p));
    bool has = may_default && python_takes(p, "=");
    if (has)
        python_add(p, to, python_expression(p));
    if (may_default && !has && o->defaults && !o->star)
        python_refuse(p);
    o->defaults |= has;
    o->some = true;
}

static void read_any_parameter(struct parser *p, struct node *to, bool hints, struct order *o)
{
    if (o->all || (o->star && python_is(p, "*")))
        python_refuse(p);
    if (python_takes(p, "/")) {
        if (o->slash || o->star || !o->some)
            python_refuse(p);
        o->slash = true;
    } else if (python_takes(p, "**")) {
        o->all = true;
        read_parameter(p, to, hints, o, false);
    } else if (python_takes(p, "*")) {
        o->star = true;
        bool alone =
            python_takes(p, ","); /* a bare star: the parameters after it are keyword-only */
        read_parameter(p, to, hints, o, alone);
    } else {
        read_parameter(p, to, hints, o, true);
    }
}

/* Defaults and hints are evaluated when the function is defined. */
struct node *python_parameters(struct parser *p, const char *end, bool hints)
{
    struct node *n = python_node(p, NODE_GROUP, (struct str){0});
    struct order o = {0};

    while (!python_is(p, end) && !p->bad) {
        read_any_parameter(p, n, hints, &o);
        if (!python_takes(p, ","))
            break;
    }
    return n;
}
