/* cond.c - [[ ... ]].
 *
 * For us its structure does not matter, only its words: they are kept in order,
 * with operators and parentheses among them as plain texts. */
#include "shell/parse.h"

static void add_text(struct parser *p, struct node *n, const char *text)
{
    struct word w = {.at = lex_place(p, p->tok.at)};

    word_add_text(p, &w, str_from(text), false);
    LIST_PUSH(p->arena, &n->words, w);
}

static void take_text(struct parser *p, struct node *n, const char *text)
{
    add_text(p, n, text);
    lex_next(p);
}

static void take_word(struct parser *p, struct node *n)
{
    if (p->tok.kind != TOK_WORD || token_is(p, "]]")) {
        parse_refuse_at(p, p->tok.at, "a word is missing in [[ ]]");
        return;
    }
    LIST_PUSH(p->arena, &n->words, p->tok.word);
    lex_next(p);
}

static bool is_unary(const struct parser *p)
{
    return p->tok.kind == TOK_WORD && p->tok.text.len == 2 && p->tok.text.s[0] == '-' &&
           strchr("abcdefghknoprstuvwxzGLNORS", p->tok.text.s[1]);
}

static bool is_binary(const struct parser *p)
{
    static const char *const words[] = {"-eq", "-ne", "-lt", "-le", "-gt",
                                        "-ge", "-nt", "-ot", "-ef"};

    for (size_t i = 0; i < COUNT(words); i++)
        if (token_is(p, words[i]))
            return true;
    return false;
}

/* The word after these is read in a mode of its own, which must be set before the word is read. */
static bool take_match(struct parser *p, struct node *n)
{
    bool regex = token_is(p, "=~");

    if (!regex && !token_is(p, "==") && !token_is(p, "=") && !token_is(p, "!="))
        return false;
    p->mode = regex ? WORD_REGEX : WORD_PATTERN;
    take_word(p, n);
    p->mode = WORD_PLAIN;
    take_word(p, n);
    return true;
}

/* A word alone is tested for being not empty; bash prints the operator, so we keep it too. */
static void mark_lone_word(struct parser *p, struct node *n, size_t first)
{
    struct word alone = n->words.items[first];
    struct word test = {.at = alone.at};

    word_add_text(p, &test, STR("-n"), false);
    n->words.items[first] = test;
    LIST_PUSH(p->arena, &n->words, alone);
    if (p->tok.kind == TOK_NEWLINE)
        parse_refuse_at(p, p->tok.at,
                        "a newline after a word in [[ ]]"); /* bash wants an operator there */
}

static void parse_comparison(struct parser *p, struct node *n)
{
    size_t first = n->words.count;

    take_word(p, n);
    if (take_match(p, n))
        return;
    if (is_binary(p)) {
        take_word(p, n);
        take_word(p, n);
    } else if (p->tok.kind == TOK_REDIRECT &&
               (p->tok.op == REDIRECT_IN || p->tok.op == REDIRECT_OUT)) {
        take_text(p, n, p->tok.op == REDIRECT_IN ? "<" : ">");
        take_word(p, n);
    } else if (first < n->words.count) {
        mark_lone_word(p, n, first);
    }
}

static void parse_or(struct parser *p, struct node *n);

static void parse_term(struct parser *p, struct node *n)
{
    lex_skip_newlines(p);
    if (!parse_enter(p)) {
        parse_leave(p);
        return;
    }
    if (token_is(p, "!")) {
        lex_next(p);
        if (token_is(p, "!"))
            lex_next(p); /* twice is nothing */
        else
            add_text(p, n, "!");
        parse_term(p, n);
    } else if (p->tok.kind == TOK_OPEN) {
        take_text(p, n, "(");
        parse_or(p, n);
        if (p->tok.kind != TOK_CLOSE)
            parse_refuse_at(p, p->tok.at, "a ( in [[ ]] is not closed");
        take_text(p, n, ")");
    } else if (is_unary(p)) {
        take_word(p, n);
        /* `[[ -f ]]` and `[[ -f = x ]]`: the operator is a word there. */
        if (token_is(p, "]]") || p->tok.kind != TOK_WORD || token_is(p, "==") || token_is(p, "="))
            parse_refuse_at(p, p->tok.at, "an operator in place of a word in [[ ]]");
        take_word(p, n);
    } else {
        parse_comparison(p, n);
    }
    lex_skip_newlines(p);
    parse_leave(p);
}

static void parse_or(struct parser *p, struct node *n)
{
    for (;;) {
        parse_term(p, n);
        if (p->tok.kind == TOK_AND)
            take_text(p, n, "&&");
        else if (p->tok.kind == TOK_OR)
            take_text(p, n, "||");
        else
            return;
    }
}

struct node *parse_cond(struct parser *p)
{
    struct node *n = node_new(p, NODE_COND);

    parse_bash_only(p);
    p->assign_ok = false;
    lex_next(p);
    parse_or(p, n);
    if (token_is(p, "]]"))
        lex_next(p);
    else
        parse_refuse_at(p, p->tok.at, "a [[ is not closed");
    return n;
}
