/* stmt.c - JavaScript's statements, without classes, labels, with, async and generators.
 *
 * A statement ends at its semicolon, before a closing brace, or at the end of a line after an
 * expression that cannot continue. A token on the next line that could continue the expression does
 * so, and the expression parser has already taken it. */
#include "programs/javascript/javascript.h"

static void read_statement(struct parser *p, struct node *to);

static void end_statement(struct parser *p)
{
    if (p->covers)
        js_refuse(p);
    if (!js_takes(p, ";") && !js_is(p, "}") && p->now.kind != TOKEN_END && !p->now.line)
        js_refuse(p);
}

static bool ends_here(const struct parser *p)
{
    return p->now.line || p->now.kind == TOKEN_END || js_is(p, ";") || js_is(p, "}");
}

/* (condition), which is only read. */
static struct node *read_condition(struct parser *p)
{
    struct node *n = js_node(p, NODE_LOOK);

    js_expect(p, "(");
    js_add(p, n, js_expression(p));
    js_expect(p, ")");
    return n;
}

/* The body of if, else and loops: not a declaration. */
static void read_body(struct parser *p, struct node *to)
{
    if (p->now.kind == TOKEN_WORD && str_has_word(STR("const let function import"), p->now.text))
        js_refuse(p);
    read_statement(p, to);
}

static void read_loop_body(struct parser *p, struct node *to)
{
    p->loops++;
    read_body(p, to);
    p->loops--;
}

void js_scope(struct parser *p, struct node *to)
{
    js_open(p);
    js_expect(p, "{");
    while (!js_is(p, "}") && p->now.kind != TOKEN_END)
        read_statement(p, to);
    js_expect(p, "}");
    js_close(p);
}

/* ---- declarations ---- */

enum declarer { BY_LET = 0, BY_CONST, BY_VAR };

static enum declarer take_declarer(struct parser *p)
{
    enum declarer by = js_at_word(p, "const") ? BY_CONST : js_at_word(p, "var") ? BY_VAR : BY_LET;

    js_next(p);
    return by;
}

/* One declared pattern with its value, which only a name may lack. */
static void read_declared(struct parser *p, struct node *to, struct node *pattern, enum declarer by)
{
    struct node *value = js_node(p, NODE_CONSTANT);
    bool given = js_takes(p, "=");

    if (given)
        value = js_assignment(p);
    else if (by == BY_CONST || pattern->kind != NODE_NAME)
        js_refuse(p);
    p->global = by == BY_VAR && !p->functions;
    js_add(p, to, js_declare(p, pattern, value, false, false));
    p->global = false;
    if (given && js_required(value).len == 0)
        js_add(p, to, pattern->kind == NODE_ARRAY ? js_around(p, NODE_EACH, value) : value);
}

static void read_declarations(struct parser *p, struct node *to)
{
    enum declarer by = take_declarer(p);

    do
        read_declared(p, to, js_pattern(p), by);
    while (js_takes(p, ","));
    end_statement(p);
}

static void read_function(struct parser *p, struct node *to)
{
    js_add(p, to, js_function(p, true));
}

/* {a, b as c}: members of a module in the tables. */
static void read_imported(struct parser *p, struct str module, struct str *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        js_bind_module(p, members[2 * i + 1], module, members[2 * i]);
}

#define IMPORTS_MAX 32

static size_t read_import_list(struct parser *p, struct str members[2 * IMPORTS_MAX])
{
    size_t count = 0;

    js_expect(p, "{");
    while (!js_is(p, "}") && !p->bad) {
        if (count == IMPORTS_MAX) {
            js_refuse(p);
            break;
        }
        struct str *member = &members[2 * count++];
        member[0] = member[1] = js_take_name(p);
        if (p->now.kind == TOKEN_NAME && str_is(p->now.text, "as")) {
            js_next(p);
            member[1] = js_take_name(p);
        }
        if (!js_is(p, "}"))
            js_expect(p, ",");
    }
    js_expect(p, "}");
    return count;
}

static bool takes_contextual(struct parser *p, const char *word)
{
    bool is = p->now.kind == TOKEN_NAME && str_is(p->now.text, word);

    if (is)
        js_next(p);
    return is;
}

/* import x from 'fs', import * as x from 'fs', import {a} from 'fs', import x, {a} from 'fs' */
static void read_import(struct parser *p, struct node *to)
{
    struct str members[2 * IMPORTS_MAX], whole = {0};
    size_t count = 0;
    bool more = true;

    (void)to;
    if (p->functions || p->scope->up)
        js_refuse(p);
    js_next(p);
    if (p->now.kind == TOKEN_NAME) {
        whole = js_take_name(p);
        more = js_takes(p, ",");
    } else if (js_takes(p, "*")) {
        more = false;
        if (!takes_contextual(p, "as"))
            js_refuse(p);
        whole = js_take_name(p);
    }
    if (more)
        count = read_import_list(p, members);
    if (!takes_contextual(p, "from"))
        js_refuse(p);
    struct node *from = js_string(p);
    struct str module = from->known ? js_module(from->text) : (struct str){0};
    if (!js_is_module(module))
        js_refuse(p);
    if (whole.len && !p->bad)
        js_bind_module(p, whole, module, (struct str){0});
    read_imported(p, module, members, p->bad ? 0 : count);
    end_statement(p);
}

/* ---- loops and choices ---- */

/* for (const x of y), for (const x in y): after the pattern. */
static void read_each(struct parser *p, struct node *to, struct node *pattern, enum declarer by)
{
    bool keys = js_at_word(p, "in");

    js_next(p);
    struct node *from = keys ? js_expression(p) : js_assignment(p);
    p->global = by == BY_VAR && !p->functions;
    js_add(p, to, js_declare(p, pattern, from, !keys, keys));
    p->global = false;
    js_add(p, to, js_around(p, NODE_EACH, from));
}

/* for (a; b; c): after the first part; the current token is its semicolon. */
static void read_steps(struct parser *p, struct node *to)
{
    p->head = false;
    js_expect(p, ";");
    if (!js_is(p, ";"))
        js_add(p, to, js_around(p, NODE_LOOK, js_expression(p)));
    js_expect(p, ";");
    if (!js_is(p, ")"))
        js_add(p, to, js_around(p, NODE_LOOK, js_expression(p)));
}

static void read_for_declared(struct parser *p, struct node *to)
{
    enum declarer by = take_declarer(p);
    struct node *pattern = js_pattern(p);

    if (js_at_word(p, "in") || (p->now.kind == TOKEN_NAME && str_is(p->now.text, "of"))) {
        read_each(p, to, pattern, by);
        return;
    }
    p->head = true;
    read_declared(p, to, pattern, by);
    while (js_takes(p, ","))
        read_declared(p, to, js_pattern(p), by);
    read_steps(p, to);
}

static void read_for(struct parser *p, struct node *to)
{
    js_next(p);
    js_expect(p, "(");
    js_open(p);
    if (p->now.kind == TOKEN_WORD && str_has_word(STR("const let var"), p->now.text)) {
        read_for_declared(p, to);
    } else {
        p->head = true;
        if (!js_is(p, ";"))
            js_add(p, to, js_around(p, NODE_LOOK, js_expression(p)));
        read_steps(p, to);
    }
    js_expect(p, ")");
    if (p->covers)
        js_refuse(p);
    read_loop_body(p, to);
    js_close(p);
}

static void read_while(struct parser *p, struct node *to)
{
    js_next(p);
    js_add(p, to, read_condition(p));
    read_loop_body(p, to);
}

static void read_do(struct parser *p, struct node *to)
{
    js_next(p);
    read_loop_body(p, to);
    if (!js_takes_word(p, "while"))
        js_refuse(p);
    js_add(p, to, read_condition(p));
    end_statement(p);
}

static void read_if(struct parser *p, struct node *to)
{
    js_next(p);
    js_add(p, to, read_condition(p));
    read_body(p, to);
    if (js_takes_word(p, "else"))
        read_body(p, to);
}

static void read_cases(struct parser *p, struct node *to)
{
    bool others = false;

    while (!js_is(p, "}") && !p->bad) {
        if (js_takes_word(p, "case")) {
            js_add(p, to, js_around(p, NODE_LOOK, js_expression(p)));
        } else {
            if (others || !js_takes_word(p, "default"))
                js_refuse(p);
            others = true;
        }
        js_expect(p, ":");
        while (!js_at_word(p, "case") && !js_at_word(p, "default") && !js_is(p, "}") && !p->bad)
            read_statement(p, to);
    }
}

static void read_switch(struct parser *p, struct node *to)
{
    js_next(p);
    js_add(p, to, read_condition(p));
    js_expect(p, "{");
    js_open(p);
    p->choices++;
    read_cases(p, to);
    p->choices--;
    js_close(p);
    js_expect(p, "}");
}

static void read_try(struct parser *p, struct node *to)
{
    js_next(p);
    js_scope(p, to);
    bool caught = js_takes_word(p, "catch");
    if (caught) {
        js_open(p);
        if (js_takes(p, "(")) {
            js_add(p, to, js_declare(p, js_pattern(p), NULL, false, false));
            js_expect(p, ")");
        }
        js_scope(p, to);
        js_close(p);
    }
    if (js_takes_word(p, "finally"))
        js_scope(p, to);
    else if (!caught)
        js_refuse(p);
}

/* ---- leaving ---- */

static void read_return(struct parser *p, struct node *to)
{
    if (!p->functions)
        js_refuse(p);
    js_next(p);
    if (!ends_here(p))
        js_add(p, to, js_around(p, NODE_RETURN, js_expression(p)));
    end_statement(p);
}

static void read_throw(struct parser *p, struct node *to)
{
    js_next(p);
    if (p->now.line)
        js_refuse(p);
    js_add(p, to, js_around(p, NODE_RETURN, js_expression(p)));
    end_statement(p);
}

static void read_jump(struct parser *p, struct node *to)
{
    (void)to;
    if (!p->loops && (js_at_word(p, "continue") || !p->choices))
        js_refuse(p);
    js_next(p);
    if (!ends_here(p))
        js_refuse(p); /* a label */
    end_statement(p);
}

/* ---- dispatch ---- */

static void read_expression(struct parser *p, struct node *to)
{
    js_add(p, to, js_around(p, NODE_STATEMENT, js_expression(p)));
    end_statement(p);
}

static void read_any(struct parser *p, struct node *to)
{
    static const struct {
        const char word[9];
        void (*read)(struct parser *p, struct node *to);
    } statements[] = {
        {"const", read_declarations},
        {"let", read_declarations},
        {"var", read_declarations},
        {"function", read_function},
        {"import", read_import},
        {"for", read_for},
        {"while", read_while},
        {"do", read_do},
        {"if", read_if},
        {"switch", read_switch},
        {"try", read_try},
        {"return", read_return},
        {"throw", read_throw},
        {"break", read_jump},
        {"continue", read_jump},
    };

    for (size_t i = 0; p->now.kind == TOKEN_WORD && i < COUNT(statements); i++)
        if (js_at_word(p, statements[i].word)) {
            statements[i].read(p, to);
            return;
        }
    if (js_is(p, "{"))
        js_scope(p, to);
    else if (!js_takes(p, ";"))
        read_expression(p, to);
}

static void read_statement(struct parser *p, struct node *to)
{
    struct node *n = js_node(p, NODE_GROUP);

    if (!js_enter(p))
        return;
    read_any(p, n);
    js_add(p, to, n);
    js_leave(p);
}

struct node *js_parse(struct parser *p, struct arena *a, struct str text)
{
    struct node *all;

    *p = (struct parser){.arena = a, .lexer = {.text = text}};
    all = js_node(p, NODE_GROUP);
    if (!js_bytes_fit(text))
        return NULL;
    js_open(p);
    js_next(p);
    while (p->now.kind != TOKEN_END)
        read_statement(p, all);
    js_close(p);
    return p->bad || p->covers ? NULL : all;
}
