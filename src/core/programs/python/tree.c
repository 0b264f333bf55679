/* tree.c - what every part of the Python parser needs: the current token, nodes, names and their
 * bindings. */
#include "programs/python/python.h"

/* ---- tokens ---- */

void python_refuse(struct parser *p)
{
    p->bad = true;
    p->now = (struct token){.kind = TOKEN_END};
}

void python_next(struct parser *p)
{
    if (!p->bad)
        p->now = python_token(&p->lexer);
    if (p->lexer.bad)
        python_refuse(p);
}

void python_expect(struct parser *p, const char *mark)
{
    if (!python_takes(p, mark))
        python_refuse(p);
}

bool python_enter(struct parser *p)
{
    if (p->depth == PYTHON_DEPTH_MAX)
        python_refuse(p);
    else
        p->depth++;
    return !p->bad;
}

void python_leave(struct parser *p)
{
    p->depth -= p->depth > 0;
}

/* ---- nodes and names ---- */

struct node *python_node(struct parser *p, enum node_kind kind, struct str text)
{
    struct node *n = ARENA_NEW(p->arena, struct node);

    *n = (struct node){.kind = kind, .text = text, .depth = 1};
    return n;
}

void python_add(struct parser *p, struct node *to, struct node *part)
{
    struct node **at = &to->parts;

    if (to->last)
        at = &to->last->next;
    *at = to->last = part;
    if (part->depth >= to->depth)
        to->depth = part->depth + 1;
    if (to->depth > PYTHON_TREE_MAX)
        python_refuse(p); /* a.b.c.d is deep without any brackets */
}

static size_t bucket_of(struct str text)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.s[i]) * 16777619u;
    return hash % NAME_BUCKETS;
}

struct name *python_name(struct parser *p, struct str text)
{
    struct name **slot = &p->names[bucket_of(text)];
    struct name *name = *slot;

    while (name && !str_eq(name->text, text))
        name = name->next;
    if (name)
        return name;
    if (++*p->name_count > PYTHON_NAMES_MAX)
        python_refuse(p);
    name = ARENA_NEW(p->arena, struct name);
    *name = (struct name){.next = *slot, .text = text};
    return *slot = name;
}

/* Not a keyword. A leading underscore marks Python's internals, except "_" alone, the usual name
 * for a value that is not needed. */
struct str python_take_name(struct parser *p)
{
    struct str text = p->now.text;

    if (p->now.kind != TOKEN_NAME || (text.s[0] == '_' && text.len > 1))
        python_refuse(p);
    python_next(p);
    return p->bad ? STR("_") : text;
}

void python_bind(struct parser *p, struct str text, enum name_bound how, const struct node *value,
                 bool each)
{
    struct name *name = python_name(p, text);

    name->bound |= (unsigned)how;
    name->times++;
    name->value = name->times == 1 ? value : NULL;
    name->each = each;
}

struct node *python_named(struct parser *p, struct str text)
{
    struct node *n = python_node(p, NODE_NAME, text);

    n->name = python_name(p, text);
    return n;
}

/* The values of the names in a tuple are unknown. */
static void bind_parts(struct parser *p, const struct node *target)
{
    if (target->kind == NODE_NAME)
        python_bind(p, target->text, BOUND_VARIABLE, NULL, false);
    for (const struct node *part = target->parts; part && target->kind != NODE_SUBSCRIPT;
         part = part->next)
        bind_parts(p, part);
}

static bool is_target(const struct node *n)
{
    bool all = n->kind == NODE_LIST || n->kind == NODE_SPREAD;

    for (const struct node *part = n->parts; all && part; part = part->next)
        all = is_target(part);
    return all || n->kind == NODE_NAME || n->kind == NODE_SUBSCRIPT;
}

struct node *python_bind_target(struct parser *p, struct node *target, const struct node *value,
                                bool each)
{
    struct node *bind = python_node(p, NODE_BIND, (struct str){0});

    if (!is_target(target)) {
        python_refuse(p);
        return bind;
    }
    if (target->kind == NODE_NAME)
        python_bind(p, target->text,
                    value && !each && value->kind == NODE_LAMBDA ? BOUND_FUNCTION : BOUND_VARIABLE,
                    value, each);
    else
        bind_parts(p, target);
    python_add(p, bind, target);
    return bind;
}
