/* tree.c - what every part of the JavaScript parser needs: the current token, nodes, names, and
 * where they are declared.
 *
 * A name that is used where no declaration is visible is a global of the runtime, even if the text
 * declares it elsewhere: `{ let child_process } child_process.exec(...)`. So scopes are tracked:
 * when one ends, the names that it declares are resolved, and the others are left to the enclosing
 * scope. `var` counts for its block only. */
#include "programs/javascript/javascript.h"

/* ---- tokens ---- */

void js_refuse(struct parser *p)
{
    p->bad = true;
    p->now = (struct token){.kind = TOKEN_END};
}

void js_next(struct parser *p)
{
    p->ended = p->lexer.at;
    if (!p->bad)
        p->now = js_token(&p->lexer);
    if (p->lexer.bad)
        js_refuse(p);
}

bool js_is(const struct parser *p, const char *mark)
{
    return p->now.kind == TOKEN_MARK && str_is(p->now.text, mark);
}

bool js_takes(struct parser *p, const char *mark)
{
    bool is = js_is(p, mark);

    if (is)
        js_next(p);
    return is;
}

void js_expect(struct parser *p, const char *mark)
{
    if (!js_takes(p, mark))
        js_refuse(p);
}

bool js_at_word(const struct parser *p, const char *word)
{
    return p->now.kind == TOKEN_WORD && str_is(p->now.text, word);
}

bool js_takes_word(struct parser *p, const char *word)
{
    bool is = js_at_word(p, word);

    if (is)
        js_next(p);
    return is;
}

bool js_enter(struct parser *p)
{
    if (p->depth == JS_DEPTH_MAX)
        js_refuse(p);
    else
        p->depth++;
    return !p->bad;
}

void js_leave(struct parser *p)
{
    p->depth -= p->depth > 0;
}

/* ---- nodes ---- */

struct node *js_node(struct parser *p, enum node_kind kind)
{
    struct node *n = ARENA_NEW(p->arena, struct node);

    *n = (struct node){.kind = kind, .depth = 1};
    return n;
}

void js_add(struct parser *p, struct node *to, struct node *part)
{
    struct node **at = &to->parts;

    if (to->last)
        at = &to->last->next;
    *at = to->last = part;
    if (part->depth >= to->depth)
        to->depth = part->depth + 1;
    if (to->depth > JS_TREE_MAX)
        js_refuse(p); /* a.b.c.d is deep without any brackets */
}

struct node *js_around(struct parser *p, enum node_kind kind, struct node *part)
{
    struct node *n = js_node(p, kind);

    js_add(p, n, part);
    return n;
}

/* ---- names ---- */

struct name *js_name(struct parser *p, struct str text)
{
    struct name **slot = &p->names[str_hash(text) % NAME_BUCKETS];
    struct name *name = *slot;

    while (name && !str_eq(name->text, text))
        name = name->next;
    if (name)
        return name;
    if (++p->name_count > JS_NAMES_MAX)
        js_refuse(p);
    name = ARENA_NEW(p->arena, struct name);
    *name = (struct name){.next = *slot, .text = text};
    return *slot = name;
}

struct str js_take_name(struct parser *p)
{
    struct str text = p->now.text;

    if (p->now.kind != TOKEN_NAME)
        js_refuse(p);
    js_next(p);
    return p->bad ? STR("_") : text;
}

struct node *js_named(struct parser *p, struct str text)
{
    struct node *n = js_node(p, NODE_NAME);

    n->text = text;
    n->name = js_name(p, text);
    n->use = p->scope->uses;
    return p->scope->uses = n;
}

/* ---- scopes ---- */

void js_open(struct parser *p)
{
    struct scope *s = ARENA_NEW(p->arena, struct scope);

    s->up = p->scope;
    p->scope = s;
}

void js_close(struct parser *p)
{
    struct scope *s = p->scope;
    struct node *n = s->uses, *next;

    for (const struct bound *b = s->bound; b; b = b->next)
        b->name->seen = s;
    for (; n; n = next) {
        next = n->use;
        if (n->name->seen == s) {
            n->own = true;
        } else if (s->up) {
            n->use = s->up->uses;
            s->up->uses = n;
        }
    }
    p->scope = s->up;
}

void js_gain(struct parser *p, struct gain gain)
{
    LIST_PUSH(p->arena, &p->gains, gain);
}

/* Declares it in the current scope. */
void js_bind(struct parser *p, struct str text, enum name_bound how, const struct node *value,
             bool each)
{
    struct name *name = js_name(p, text);
    struct bound *b = ARENA_NEW(p->arena, struct bound);

    bool taken = !name->checked && js_is_taken(text);
    name->checked = true;
    /* var fs = require('fs') leaves the global as it was */
    if (taken ||
        (p->global && js_is_library(text) && !(how == BOUND_MODULE && str_eq(name->module, text))))
        js_refuse(p);
    *b = (struct bound){.next = p->scope->bound, .name = name};
    p->scope->bound = b;
    name->bound |= (unsigned)how;
    name->times++;
    name->value = name->times == 1 ? value : NULL;
    name->each = each;
}
