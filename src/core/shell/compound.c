/* compound.c - groups, conditions, loops, functions: one function per grammar rule. */
#include "base/ascii.h"
#include "shell/parse.h"

static void expect(struct parser *p, const char *reserved, const char *why)
{
    if (token_is(p, reserved))
        lex_command(p);
    else
        parse_refuse_at(p, p->tok.at, why);
}

/* newlines, then a list that may not be empty */
static struct node *body_list(struct parser *p)
{
    lex_skip_newlines(p);
    struct node *list = parse_list(p);

    if (!list->kids.count)
        parse_refuse_at(p, p->tok.at, "a command is missing here");
    return list;
}

static void add_kid(struct parser *p, struct node *n, struct node *kid)
{
    LIST_PUSH(p->arena, &n->kids, kid);
}

static struct node *parse_group(struct parser *p)
{
    struct node *n = node_new(p, NODE_GROUP);

    lex_command(p);
    add_kid(p, n, body_list(p));
    expect(p, "}", "a { is not closed");
    return n;
}

static void add_expression(struct parser *p, struct node *n, char close)
{
    struct word w = {.at = lex_place(p, p->pos)};
    struct word *in = ARENA_NEW(p->arena, struct word);
    size_t start = p->pos;

    arith_read(p, in, close);
    struct part *part = word_add(p, &w, PART_ARITH, start);
    part->quoted = true;
    part->text = str_slice(p->text, start, p->pos);
    part->inner = &in->parts;
    LIST_PUSH(p->arena, &n->words, w);
}

/* The two parentheses must touch: `) )` ends a nested subshell for bash. */
static void close_expression(struct parser *p)
{
    if (p->pos + 1 >= p->text.len || p->text.s[p->pos] != ')' || p->text.s[p->pos + 1] != ')')
        parse_refuse(p, "an arithmetic command that does not end in ))");
    else
        p->pos += 2;
    lex_next(p);
}

/* (( expression )): the token is the first parenthesis, p->pos at the second. */
static struct node *parse_arith(struct parser *p)
{
    struct node *n = node_new(p, NODE_ARITH);

    parse_bash_only(p);
    p->pos++;
    add_expression(p, n, ')');
    close_expression(p);
    return n;
}

static struct node *parse_subshell(struct parser *p)
{
    size_t end;

    if (lex_look(p) == '(' && !parens_hold_commands(p, false, &end))
        return parse_arith(p);
    struct node *n = node_new(p, NODE_SUBSHELL);

    lex_next(p);
    add_kid(p, n, body_list(p));
    if (p->tok.kind == TOK_CLOSE)
        lex_next(p);
    else
        parse_refuse_at(p, p->tok.at, "a ( is not closed");
    return n;
}

static struct node *parse_if(struct parser *p)
{
    struct node *n = node_new(p, NODE_IF);

    do {
        lex_command(p); /* if, elif */
        add_kid(p, n, body_list(p));
        expect(p, "then", "an if without then");
        add_kid(p, n, body_list(p));
    } while (token_is(p, "elif"));
    if (token_is(p, "else")) {
        lex_command(p);
        add_kid(p, n, body_list(p));
    }
    expect(p, "fi", "an if is not closed");
    return n;
}

/* do ... done, or { ... } where bash takes that too. */
static void loop_body(struct parser *p, struct node *n, bool braces)
{
    if (braces && token_is(p, "{")) {
        lex_command(p);
        add_kid(p, n, body_list(p));
        expect(p, "}", "a loop is not closed");
        return;
    }
    expect(p, "do", "a loop without do");
    add_kid(p, n, body_list(p));
    expect(p, "done", "a loop is not closed");
}

static struct node *parse_while(struct parser *p)
{
    struct node *n = node_new(p, token_is(p, "while") ? NODE_WHILE : NODE_UNTIL);

    lex_command(p);
    add_kid(p, n, body_list(p));
    loop_body(p, n, false);
    return n;
}

/* for (( a; b; c )): the token is the first parenthesis. */
static struct node *parse_for_arith(struct parser *p, struct node *n)
{
    n->kind = NODE_FOR_ARITH;
    parse_bash_only(p);
    if (lex_look(p) != '(') {
        parse_refuse(p, "a for without a name");
        return n;
    }
    p->pos++;
    for (int i = 0; i < 3; i++) {
        add_expression(p, n, i < 2 ? ';' : ')');
        if (i < 2 && !lex_next_is(p, ';'))
            parse_refuse(p, "a for loop with fewer than three expressions");
    }
    close_expression(p);
    if (p->tok.kind == TOK_SEMI)
        lex_next(p);
    lex_skip_newlines(p);
    loop_body(p, n, true);
    return n;
}

static void parse_in(struct parser *p, struct node *n)
{
    n->has_in = true;
    p->assign_ok = p->declaring = false;
    lex_next(p);
    for (; p->tok.kind == TOK_WORD; lex_next(p))
        LIST_PUSH(p->arena, &n->words, p->tok.word);
    if (p->tok.kind != TOK_SEMI && p->tok.kind != TOK_NEWLINE)
        parse_refuse_at(p, p->tok.at, "a list of words that is not ended");
    lex_next(p);
    lex_skip_newlines(p);
}

static struct node *parse_for(struct parser *p)
{
    struct node *n = node_new(p, token_is(p, "for") ? NODE_FOR : NODE_SELECT);

    if (n->kind == NODE_SELECT)
        parse_bash_only(p);
    lex_next(p);
    if (n->kind == NODE_FOR && p->tok.kind == TOK_OPEN)
        return parse_for_arith(p, n);
    if (p->tok.kind != TOK_WORD || !name_is_identifier(p->tok.text)) {
        parse_refuse_at(p, p->tok.at, "a loop without a plain name");
        return n;
    }
    n->name = p->tok.text;
    lex_next(p);
    if (p->tok.kind == TOK_SEMI) {
        lex_next(p);
        lex_skip_newlines(p);
    } else {
        lex_skip_newlines(p);
        if (token_is(p, "in"))
            parse_in(p, n);
    }
    loop_body(p, n, true);
    return n;
}

static void parse_patterns(struct parser *p, struct clause *c)
{
    bool open = p->tok.kind == TOK_OPEN;

    if (open)
        lex_next(p);
    if (open && token_is(p, "esac"))
        parse_refuse_at(p, p->tok.at, "esac in place of a pattern");
    for (;;) {
        if (p->tok.kind != TOK_WORD) {
            parse_refuse_at(p, p->tok.at, "a case without a pattern");
            return;
        }
        LIST_PUSH(p->arena, &c->patterns, p->tok.word);
        lex_next(p);
        if (p->tok.kind != TOK_PIPE)
            break;
        lex_next(p);
    }
    if (p->tok.kind != TOK_CLOSE)
        parse_refuse_at(p, p->tok.at, "a pattern that is not ended by )");
    p->in_pattern = false;
    lex_next(p);
}

static void parse_clause(struct parser *p, struct node *n)
{
    struct clause c = {0};

    parse_patterns(p, &c);
    c.body = parse_inner_list(p);
    c.end = STR(";;");
    if (p->tok.kind == TOK_CASE_END) {
        c.end = p->tok.text;
        p->in_pattern = true;
        lex_next(p);
        lex_skip_newlines(p);
    } else if (!token_is(p, "esac")) {
        parse_refuse_at(p, p->tok.at, "a case clause that is not ended");
    }
    LIST_PUSH(p->arena, &n->clauses, c);
}

static struct node *parse_case(struct parser *p)
{
    struct node *n = node_new(p, NODE_CASE);

    p->assign_ok = false;
    lex_next(p);
    if (p->tok.kind != TOK_WORD)
        parse_refuse_at(p, p->tok.at, "a case without a word");
    LIST_PUSH(p->arena, &n->words, p->tok.word);
    lex_next(p);
    lex_skip_newlines(p);
    p->in_pattern = true;
    expect(p, "in", "a case without in");
    lex_skip_newlines(p);
    while (!token_is(p, "esac") && !parse_refused(p))
        parse_clause(p, n);
    p->in_pattern = false;
    expect(p, "esac", "a case is not closed");
    return n;
}

/* The token is the parenthesis after the name, or what follows `function name`. */
struct node *parse_function(struct parser *p, struct str name)
{
    struct node *n = node_new(p, NODE_FUNCTION);

    n->name = name;
    if (p->tok.kind == TOK_OPEN) {
        lex_next(p);
        if (p->tok.kind != TOK_CLOSE)
            parse_refuse_at(p, p->tok.at, "an unexpected parenthesis");
        lex_next(p);
    }
    lex_skip_newlines(p);
    if (!token_begins_compound(p) || token_is(p, "function")) {
        parse_refuse_at(p, p->tok.at, "a function without a body");
        return n;
    }
    add_kid(p, n, parse_compound(p));
    return node_finish(p, n);
}

static struct node *parse_function_keyword(struct parser *p)
{
    parse_bash_only(p);
    lex_next(p);
    struct str name = p->tok.text;

    if (p->tok.kind != TOK_WORD || !name_is_plain(name)) {
        parse_refuse_at(p, p->tok.at, "a function without a plain name");
        return node_new(p, NODE_FUNCTION);
    }
    lex_next(p);
    return parse_function(p, name);
}

static bool refuse_in_coproc(struct parser *p)
{
    if (!token_is(p, "!") && !token_is(p, "time") && !token_is(p, "coproc") && !token_is_closer(p))
        return false;
    parse_refuse_at(p, p->tok.at, "a reserved word in a coproc");
    return true;
}

/* coproc NAME compound, coproc compound, or coproc and a simple command; only what follows a word
 * tells which. */
struct node *parse_coproc(struct parser *p)
{
    struct node *n = node_new(p, NODE_COPROC);

    parse_bash_only(p);
    lex_command(p);
    if (refuse_in_coproc(p))
        return n;
    if (p->tok.kind == TOK_WORD && !token_begins_compound(p) && name_is_identifier(p->tok.text)) {
        struct node *simple = node_new(p, NODE_SIMPLE);
        struct token first = p->tok;
        lex_next(p);
        if (refuse_in_coproc(p))
            return n;
        if (!token_begins_compound(p)) {
            LIST_PUSH(p->arena, &simple->words, first.word);
            add_kid(p, n, parse_simple_after(p, simple));
            return node_finish(p, n);
        }
        n->name = first.text;
    }
    if (token_begins_compound(p))
        add_kid(p, n, parse_compound(p));
    else if (p->tok.kind == TOK_WORD || p->tok.kind == TOK_FD || p->tok.kind == TOK_REDIRECT)
        add_kid(p, n, parse_simple(p));
    else
        parse_refuse_at(p, p->tok.at, "a coproc without a command");
    return node_finish(p, n);
}

static const struct {
    const char *word;
    struct node *(*parse)(struct parser *);
} compounds[] = {
    {"{", parse_group},     {"if", parse_if},   {"while", parse_while},
    {"until", parse_while}, {"for", parse_for}, {"case", parse_case},
    {"select", parse_for},  {"[[", parse_cond}, {"function", parse_function_keyword},
};

bool token_names_compound(const struct parser *p)
{
    for (size_t i = 0; i < COUNT(compounds); i++)
        if (token_is(p, compounds[i].word))
            return true;
    return false;
}

static struct node *dispatch(struct parser *p)
{
    for (size_t i = 0; p->tok.reserved && i < COUNT(compounds); i++)
        if (token_is(p, compounds[i].word))
            return compounds[i].parse(p);
    return parse_subshell(p);
}

struct node *parse_compound(struct parser *p)
{
    struct node *n;

    if (!parse_enter(p)) {
        parse_leave(p);
        return node_new(p, NODE_GROUP);
    }
    n = dispatch(p);
    parse_redirects(p, n);
    parse_leave(p);
    return node_finish(p, n);
}
