/* flow.c - which values are wild.
 *
 * o[k] with an unknown key may be anything that the object has, inherited members included:
 * 'constr' + 'uctor' leads to Object, and from there to Function. Such a value is wild. It may be
 * printed, compared, converted to a string or a number, or kept in a name, which then is wild in
 * the whole text. It is never an argument of an unknown function, never returned, thrown, stored,
 * written to or called. A key that is certainly a number only leads to elements.
 *
 * A member whose name the language does not use is not wild: o[k].version is data, whatever o[k]
 * is. */
#include "programs/javascript/javascript.h"

enum js_member js_kind(const struct node *member)
{
    struct name *name = member->name;

    if (!name->looked_up)
        name->kind = js_member(name->text);
    name->looked_up = true;
    return name->kind;
}

/* ---- numbers ---- */

static bool is_number(const struct node *n);

/* All of them; parts that are only read do not count. */
static bool are_numbers(const struct node *from)
{
    for (const struct node *n = from; n; n = n->next)
        if (n->kind != NODE_LOOK && !is_number(n))
            return false;
    return true;
}

/* A number, undefined, null or a boolean: never the name of a member that matters. */
static bool is_number(const struct node *n)
{
    switch (n->kind) {
    case NODE_NUMBER:
    case NODE_CONSTANT:
    case NODE_UPDATE:
        return true;
    case NODE_NAME:
        return n->own && n->name->bound == BOUND_VARIABLE && !n->name->loose;
    case NODE_ARITH:
        return n->known && (n->text.len == 0 || are_numbers(n->parts));
    case NODE_CHOICE:
        return are_numbers(n->parts);
    case NODE_ASSIGN:
        return str_has_word(STR("-= *= /= %= **= <<= >>= >>>= &= |= ^="), n->text);
    case NODE_GROUP:
    case NODE_EMPTY:
    case NODE_STRING:
    case NODE_LOOK:
    case NODE_ARRAY:
    case NODE_OBJECT:
    case NODE_ENTRY:
    case NODE_COMPUTED:
    case NODE_SPREAD:
    case NODE_PARENS:
    case NODE_REGEX:
    case NODE_FUNCTION:
    case NODE_CALL:
    case NODE_NEW:
    case NODE_INSTANCE:
    case NODE_MEMBER:
    case NODE_INDEX:
    case NODE_BIND:
    case NODE_EACH:
    case NODE_RETURN:
    case NODE_STATEMENT:
        break;
    }
    return false;
}

static bool gains_number(const struct gain *g)
{
    if (g->number && !g->value)
        return true;
    return g->value && (!g->part || g->number) && !g->key && is_number(g->value);
}

/* ---- wild values ---- */

static bool is_wild_link(const struct node *n)
{
    if (!js_is_wild(n->parts))
        return false;
    enum js_member kind = js_kind(n);
    return kind == MEMBER_METHOD || kind == MEMBER_CHANGES || kind == MEMBER_STATIC;
}

static bool is_any_wild(const struct node *from)
{
    for (const struct node *n = from; n; n = n->next)
        if (js_is_wild(n))
            return true;
    return false;
}

bool js_is_wild(const struct node *n)
{
    switch (n->kind) {
    case NODE_NAME:
        return n->name->wild;
    case NODE_INDEX:
        return !is_number(n->parts->next) || js_is_wild(n->parts);
    case NODE_MEMBER:
        return is_wild_link(n);
    case NODE_CHOICE:
        return is_any_wild(n->parts);
    case NODE_ASSIGN:
        /* a = b is b; a ||= b is one of the two; a += b is a new value */
        return str_has_word(STR("= &&= ||= ?\?="), n->text) && is_any_wild(n->parts);
    case NODE_GROUP:
    case NODE_EMPTY:
    case NODE_CONSTANT:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_LOOK:
    case NODE_ARITH:
    case NODE_ARRAY:
    case NODE_OBJECT:
    case NODE_ENTRY:
    case NODE_COMPUTED:
    case NODE_SPREAD:
    case NODE_PARENS:
    case NODE_REGEX:
    case NODE_FUNCTION:
    case NODE_CALL:
    case NODE_NEW:
    case NODE_INSTANCE:
    case NODE_UPDATE:
    case NODE_BIND:
    case NODE_EACH:
    case NODE_RETURN:
    case NODE_STATEMENT:
        break;
    }
    return false;
}

static bool gains_wild(const struct gain *g)
{
    return g->value && !g->key && !g->number && js_is_wild(g->value);
}

/* ---- the fixed point ---- */

static bool loosen(struct parser *p)
{
    bool changed = false;

    for (size_t i = 0; i < p->gains.count; i++) {
        struct gain *g = &p->gains.items[i];
        if (!g->name->loose && !gains_number(g))
            g->name->loose = changed = true;
    }
    return changed;
}

static bool spread(struct parser *p)
{
    bool changed = false;

    for (size_t i = 0; i < p->gains.count; i++) {
        struct gain *g = &p->gains.items[i];
        if (!g->name->wild && gains_wild(g))
            g->name->wild = changed = true;
    }
    return changed;
}

static bool settles(struct parser *p, bool (*step)(struct parser *p))
{
    for (size_t i = 0; i < JS_ROUNDS_MAX; i++)
        if (!step(p))
            return true;
    return false;
}

bool js_settle(struct parser *p)
{
    return settles(p, loosen) && settles(p, spread);
}
