/* bind.c - what is declared and assigned to: names, and patterns of names.
 *
 * Parameters of arrow functions and left sides of assignments are read as expressions first: [a,
 * {b: c}] is an array until => or = follows. {a = 1} is valid only as a pattern. */
#include "programs/javascript/javascript.h"

/* ---- recognising patterns ---- */

static bool is_default(const struct node *n)
{
    return n->kind == NODE_ASSIGN && str_is(n->text, "=") && !n->closed;
}

/* [a, b = 1, ...c] and {a, b: c = 1, ...d}, nested; nothing in it may be in parentheses. */
bool js_is_pattern(const struct node *n)
{
    const struct node *inner = is_default(n) ? n->parts : n;

    if (inner->closed)
        return false;
    if (inner->kind == NODE_NAME || inner->kind == NODE_EMPTY)
        return true;
    if (inner->kind != NODE_ARRAY && inner->kind != NODE_OBJECT)
        return false;
    for (const struct node *part = inner->parts; part; part = part->next) {
        bool rest = part->kind == NODE_SPREAD;
        if (part->kind == NODE_COMPUTED ||
            (rest && (part->next || part->parts->kind != NODE_NAME)) ||
            !js_is_pattern(rest || part->kind == NODE_ENTRY ? part->parts : part))
            return false;
    }
    return true;
}

/* ---- modules ---- */

struct str js_required(const struct node *n)
{
    const struct node *argument = n->kind == NODE_CALL ? n->parts->next : NULL;
    struct str module;

    if (!argument || argument->next || argument->kind != NODE_STRING || !argument->known ||
        n->parts->kind != NODE_NAME || !str_is(n->parts->text, "require"))
        return (struct str){0};
    module = js_module(argument->text);
    return js_is_module(module) ? module : (struct str){0};
}

struct str js_module(struct str written)
{
    return str_starts(written, STR("node:")) ? str_from_byte(written, strlen("node:")) : written;
}

void js_bind_module(struct parser *p, struct str as, struct str module, struct str member)
{
    struct name *name = js_name(p, as);
    enum name_bound how = member.len ? BOUND_MEMBER : BOUND_MODULE;

    if (name->bound && (name->bound != (unsigned)how || !str_eq(name->module, module) ||
                        !str_eq(name->member, member)))
        js_refuse(p);
    name->module = module;
    name->member = member;
    js_bind(p, as, how, NULL, false);
}

/* const {a, b: c} = require(...) */
static void bind_members(struct parser *p, struct node *pattern, struct str module)
{
    for (struct node *part = pattern->parts; part; part = part->next) {
        if (part->kind != NODE_ENTRY || part->parts->kind != NODE_NAME) {
            js_refuse(p);
            return;
        }
        js_bind_module(p, part->parts->text, module, part->text);
    }
    pattern->kind = NODE_EMPTY; /* the names record the members */
    pattern->parts = NULL;
}

/* ---- declaring ---- */

struct source {
    const struct node *value;
    bool each, key, part;
    bool assigned; /* assigned, not declared */
};

static void declare_name(struct parser *p, struct node *n, struct source from)
{
    bool whole = !from.part && !from.key;
    bool function =
        whole && !from.each && !from.assigned && from.value && from.value->kind == NODE_FUNCTION;

    if (from.assigned) {
        n->name->bound |= BOUND_VARIABLE;
        n->name->times++;
        n->name->value = NULL;
    } else {
        js_bind(p, n->text, function ? BOUND_FUNCTION : BOUND_VARIABLE, whole ? from.value : NULL,
                from.each);
    }
    js_gain(p, (struct gain){.name = n->name,
                             .value = from.value,
                             .part = from.part || from.each,
                             .key = from.key});
}

static void declare(struct parser *p, struct node *n, struct source from);

static void declare_parts(struct parser *p, struct node *n, struct source from)
{
    from.part = true;
    if (n->kind == NODE_OBJECT && n->known)
        p->covers--;
    n->known = false;
    for (struct node *part = n->parts; part; part = part->next)
        declare(p, part->kind == NODE_SPREAD || part->kind == NODE_ENTRY ? part->parts : part,
                from);
}

/* The default that names of the pattern get when there is no value for them. */
static void gain_default(struct parser *p, const struct node *n, const struct node *value)
{
    if (n->kind == NODE_NAME)
        js_gain(p, (struct gain){.name = n->name, .value = value, .part = true});
    for (const struct node *part = n->kind == NODE_NAME ? NULL : n->parts; part; part = part->next)
        gain_default(p, part, value);
}

/* The parts that a pattern takes out of a value are unknown. */
static void declare(struct parser *p, struct node *n, struct source from)
{
    if (is_default(n)) {
        from.part = true;
        gain_default(p, n->parts, n->parts->next);
        declare(p, n->parts, from);
    } else if (n->kind == NODE_NAME) {
        declare_name(p, n, from);
    } else if (n->kind == NODE_ARRAY || n->kind == NODE_OBJECT) {
        declare_parts(p, n, from);
    }
}

struct node *js_declare(struct parser *p, struct node *pattern, const struct node *value, bool each,
                        bool key)
{
    struct node *bind = js_node(p, NODE_BIND);
    struct str module = value && !each && !key ? js_required(value) : (struct str){0};

    if (p->bad || !js_is_pattern(pattern)) { /* a refused pattern may lack parts */
        js_refuse(p);
        return bind;
    }
    if (module.len == 0)
        declare(p, pattern, (struct source){.value = value, .each = each, .key = key});
    else if (pattern->kind == NODE_NAME)
        js_bind_module(p, pattern->text, module, (struct str){0});
    else
        bind_members(p, pattern, module);
    js_add(p, bind, pattern);
    return bind;
}

/* The left side of an assignment operator. */
void js_assign(struct parser *p, struct node *target, const struct node *value, struct str operator)
{
    bool plain = str_is(operator, "="), keeps = str_has_word(STR("&&= ||= ?\?="), operator);

    if (p->bad || target->kind == NODE_MEMBER || target->kind == NODE_INDEX)
        return;
    if (target->closed || !js_is_pattern(target) || (target->kind != NODE_NAME && !plain) ||
        is_default(target)) {
        js_refuse(p);
        return;
    }
    /* x += 1 gives a number if x was one, otherwise a string */
    bool number = !plain && !keeps && !str_is(operator, "+=");
    declare(p, target,
            (struct source){
                .value = number ? NULL : value, .part = str_is(operator, "+="), .assigned = true});
    if (number || str_is(operator, "+="))
        p->gains.items[p->gains.count - 1].number = true;
}

/* ---- reading ---- */

/* A pattern with brackets is read as an expression; js_is_pattern() refuses what is not a
 * pattern. */
struct node *js_pattern(struct parser *p)
{
    if (js_is(p, "[") || js_is(p, "{"))
        return js_atom(p);
    return js_named(p, js_take_name(p));
}

/* One parameter of a function that is not an arrow. */
struct node *js_parameter(struct parser *p)
{
    bool rest = js_takes(p, "...");
    struct node *pattern = js_pattern(p), *n = pattern;

    if (!rest && js_takes(p, "=")) {
        n = js_around(p, NODE_ASSIGN, pattern);
        n->text = STR("=");
        js_add(p, n, js_assignment(p));
    }
    return rest ? js_around(p, NODE_SPREAD, n) : n;
}

/* All parameters, each a pattern. Arguments are never wild; defaults may be. */
void js_parameters(struct parser *p, struct node *function, struct node *list)
{
    size_t count = 0;

    for (struct node *n = list->parts, *next; n && !p->bad; n = next) {
        next = n->next;
        n->next = NULL;
        if (n->kind == NODE_SPREAD && (next || n->parts->kind != NODE_NAME))
            js_refuse(p);
        function->known = ++count <= 2 && n->kind != NODE_SPREAD;
        js_add(p, function,
               js_declare(p, n->kind == NODE_SPREAD ? n->parts : n, NULL, false, false));
    }
}
