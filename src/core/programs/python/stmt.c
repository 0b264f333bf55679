/* stmt.c - Python's statements, without classes, decorators, async and match. */
#include "programs/python/python.h"

static void read_block(struct parser *p, struct node *to);

static struct node *group(struct parser *p)
{
    return python_node(p, NODE_GROUP, (struct str){0});
}

/* ---- simple statements ---- */

/* a.b.c; each part must be a usable name. */
static struct str read_module(struct parser *p)
{
    struct str path = python_take_name(p);

    while (python_takes(p, ".") && !p->bad) {
        struct str part = python_take_name(p);
        path = str_format(p->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(part));
    }
    if (!python_is_module(path))
        python_refuse(p);
    return path;
}

static void bind_import(struct parser *p, struct str as, enum name_bound how, struct str module,
                        struct str member)
{
    struct name *name = python_name(p, as);

    if (name->bound && (name->bound != (unsigned)how || !str_eq(name->module, module) ||
                        !str_eq(name->member, member)))
        python_refuse(p);
    python_bind(p, as, how, NULL, false);
    name->module = module;
    name->member = member;
}

/* import a.b binds a; import a.b as c binds c to a.b. */
static void read_import(struct parser *p, struct node *to)
{
    (void)to;
    do {
        struct str module = read_module(p), top, rest;
        str_cut(module, '.', &top, &rest);
        if (python_takes_word(p, "as"))
            bind_import(p, python_take_name(p), BOUND_MODULE, module, (struct str){0});
        else
            bind_import(p, top, BOUND_MODULE, top, (struct str){0});
    } while (python_takes(p, ","));
}

static void read_from_one(struct parser *p, struct str module)
{
    struct str member = python_take_name(p), as = member;
    struct str inner = str_format(p->arena, "%.*s.%.*s", STR_ARG(module), STR_ARG(member));

    if (python_takes_word(p, "as"))
        as = python_take_name(p);
    if (python_is_module(inner))
        bind_import(p, as, BOUND_MODULE, inner, (struct str){0});
    else
        bind_import(p, as, BOUND_MEMBER, module, member);
}

static void read_from(struct parser *p, struct node *to)
{
    struct str module = read_module(p);

    (void)to;
    if (!python_takes_word(p, "import"))
        python_refuse(p);
    bool brackets = python_takes(p, "(");
    do
        read_from_one(p, module);
    while (python_takes(p, ",") && !(brackets && python_is(p, ")")));
    if (brackets)
        python_expect(p, ")");
}

static void read_names(struct parser *p, struct node *to)
{
    (void)to;
    do
        python_name(p, python_take_name(p));
    while (python_takes(p, ","));
}

static bool has_spread(const struct node *n)
{
    for (const struct node *part = n->parts; part; part = part->next)
        if (part->kind == NODE_SPREAD || (part->kind == NODE_LIST && has_spread(part)))
            return true;
    return false;
}

static void read_delete(struct parser *p, struct node *to)
{
    struct node *targets = python_targets(p);

    if (has_spread(targets))
        python_refuse(p);
    python_add(p, to, python_bind_target(p, targets, NULL, false));
}

/* x: hint = value */
static void read_hint(struct parser *p, struct node *to, struct node *target)
{
    struct node *value = NULL;

    if (target->kind != NODE_NAME)
        python_refuse(p);
    python_add(p, to, python_expression(p));
    if (python_takes(p, "=")) {
        value = python_expression(p);
        python_add(p, to, value);
    }
    python_add(p, to, python_bind_target(p, target, value, false));
}

static bool takes_augmented(struct parser *p)
{
    static const char *const marks[] = {
        "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", ">>=", "<<="};

    for (size_t i = 0; i < COUNT(marks); i++)
        if (python_takes(p, marks[i]))
            return true;
    return false;
}

/* After x += 1 the value of x is unknown. */
static void read_augmented(struct parser *p, struct node *to, struct node *target)
{
    if (target->kind != NODE_NAME && target->kind != NODE_SUBSCRIPT)
        python_refuse(p);
    python_add(p, to, python_bind_target(p, target, NULL, false));
    python_add(p, to, python_expressions(p));
}

/* a = b = value: all targets are read before it is clear which one is the value. */
static void read_assignment(struct parser *p, struct node *to, struct node *first)
{
    struct node *value = first, *targets = group(p);

    while (python_takes(p, "=")) {
        python_add(p, targets, value);
        value = python_expressions(p);
    }
    struct node *target = targets->parts, *next;
    for (; target; target = next) {
        next = target->next;
        target->next = NULL;
        python_add(p, to, python_bind_target(p, target, value, false));
    }
    python_add(p, to, value);
}

static void read_expression(struct parser *p, struct node *to)
{
    struct node *first = python_expressions(p);

    if (python_is(p, "="))
        read_assignment(p, to, first);
    else if (python_takes(p, ":"))
        read_hint(p, to, first);
    else if (takes_augmented(p))
        read_augmented(p, to, first);
    else
        python_add(p, to, first);
}

static bool ends_statement(const struct parser *p)
{
    return p->now.kind == TOKEN_LINE || p->now.kind == TOKEN_END || python_is(p, ";");
}

static void read_raise(struct parser *p, struct node *to)
{
    if (ends_statement(p))
        return;
    python_add(p, to, python_expression(p));
    if (python_takes_word(p, "from"))
        python_add(p, to, python_expression(p));
}

static void read_assert(struct parser *p, struct node *to)
{
    python_add(p, to, python_expression(p));
    if (python_takes(p, ","))
        python_add(p, to, python_expression(p));
}

static void read_return(struct parser *p, struct node *to)
{
    if (!ends_statement(p))
        python_add(p, to, python_expressions(p));
}

static void read_yield(struct parser *p, struct node *to)
{
    if (python_takes_word(p, "from"))
        python_add(p, to, python_expression(p));
    else
        read_return(p, to);
}

static void read_nothing(struct parser *p, struct node *to)
{
    (void)p;
    (void)to;
}

static void read_simple(struct parser *p, struct node *to)
{
    static const struct {
        const char *word;
        void (*read)(struct parser *p, struct node *to);
    } statements[] = {{"assert", read_assert}, {"break", read_nothing},  {"continue", read_nothing},
                      {"del", read_delete},    {"from", read_from},      {"global", read_names},
                      {"import", read_import}, {"nonlocal", read_names}, {"pass", read_nothing},
                      {"raise", read_raise},   {"return", read_return},  {"yield", read_yield}};

    for (size_t i = 0; p->now.kind == TOKEN_WORD && i < COUNT(statements); i++)
        if (python_takes_word(p, statements[i].word)) {
            statements[i].read(p, to);
            return;
        }
    read_expression(p, to);
}

static void read_line(struct parser *p, struct node *to)
{
    do
        read_simple(p, to);
    while (python_takes(p, ";") && p->now.kind != TOKEN_LINE);
    if (p->now.kind != TOKEN_LINE)
        python_refuse(p);
    python_next(p);
}

/* ---- compound statements ---- */

static void read_else(struct parser *p, struct node *to)
{
    if (python_takes_word(p, "else"))
        read_block(p, to);
}

static void read_if(struct parser *p, struct node *to)
{
    do {
        python_add(p, to, python_condition(p));
        read_block(p, to);
    } while (python_takes_word(p, "elif"));
    read_else(p, to);
}

static void read_while(struct parser *p, struct node *to)
{
    python_add(p, to, python_condition(p));
    read_block(p, to);
    read_else(p, to);
}

static void read_for(struct parser *p, struct node *to)
{
    struct node *target = python_targets(p);

    if (!python_takes_word(p, "in"))
        python_refuse(p);
    struct node *from = python_expressions(p);
    python_add(p, to, python_bind_target(p, target, from, true));
    python_add(p, to, from);
    read_block(p, to);
    read_else(p, to);
}

static void read_with(struct parser *p, struct node *to)
{
    do {
        struct node *value = python_expression(p);
        python_add(p, to, value);
        if (python_takes_word(p, "as"))
            python_add(p, to, python_bind_target(p, python_binary(p), NULL, false));
    } while (python_takes(p, ","));
    read_block(p, to);
}

static void read_handler(struct parser *p, struct node *to)
{
    if (!python_is(p, ":")) {
        struct node *classes = python_node(p, NODE_COMPARE, (struct str){0});
        python_add(p, classes, python_expression(p));
        python_add(p, to, classes);
        if (python_takes_word(p, "as"))
            python_bind(p, python_take_name(p), BOUND_VARIABLE, NULL, false);
    }
    read_block(p, to);
}

static void read_try(struct parser *p, struct node *to)
{
    bool handled = false, bare = false;

    read_block(p, to);
    while (python_takes_word(p, "except")) {
        if (bare)
            python_refuse(p); /* the bare `except:` must be the last one */
        handled = true;
        bare = python_is(p, ":");
        read_handler(p, to);
    }
    if (handled)
        read_else(p, to);
    if (python_takes_word(p, "finally"))
        read_block(p, to);
    else if (!handled)
        python_refuse(p);
}

static void read_def(struct parser *p, struct node *to)
{
    python_bind(p, python_take_name(p), BOUND_FUNCTION, NULL, false);
    python_expect(p, "(");
    python_add(p, to, python_parameters(p, ")", true));
    python_expect(p, ")");
    if (python_takes(p, "->"))
        python_add(p, to, python_expression(p));
    read_block(p, to);
}

static void read_statement(struct parser *p, struct node *to)
{
    static const struct {
        const char *word;
        void (*read)(struct parser *p, struct node *to);
    } statements[] = {{"if", read_if},     {"for", read_for}, {"while", read_while},
                      {"with", read_with}, {"try", read_try}, {"def", read_def}};
    struct node *n = group(p);

    for (size_t i = 0; p->now.kind == TOKEN_WORD && i < COUNT(statements); i++)
        if (python_takes_word(p, statements[i].word)) {
            statements[i].read(p, n);
            python_add(p, to, n);
            return;
        }
    read_line(p, n);
    python_add(p, to, n);
}

static void read_block(struct parser *p, struct node *to)
{
    struct node *n = group(p);

    python_expect(p, ":");
    if (!python_enter(p))
        return;
    if (p->now.kind != TOKEN_LINE) {
        read_line(p, n);
    } else {
        python_next(p);
        if (p->now.kind != TOKEN_INDENT)
            python_refuse(p);
        python_next(p);
        while (p->now.kind != TOKEN_DEDENT && !p->bad)
            read_statement(p, n);
        python_next(p);
    }
    python_add(p, to, n);
    python_leave(p);
}

struct node *python_parse(struct arena *a, struct str text, struct name **names)
{
    size_t count = 0;
    struct parser p = {.arena = a, .lexer = {.text = text}, .names = names, .name_count = &count};
    struct node *n;

    if (!python_bytes_fit(text))
        return NULL;
    n = group(&p);
    python_next(&p);
    while (p.now.kind != TOKEN_END && !p.bad)
        read_statement(&p, n);
    return p.bad ? NULL : n;
}
