/* parse.c - lists, pipelines, simple commands and redirections. */
#include "shell/parse.h"
#include "base/ascii.h"

struct node *node_new(struct parser *p, enum node_kind kind)
{
    struct node *n = ARENA_NEW(p->arena, struct node);

    parse_count_node(p);
    n->kind = kind;
    n->at = lex_place(p, p->tok.at);
    n->start = p->tok.at;
    return n;
}

/* Sets the span: up to the end of the last token that was taken. */
struct node *node_finish(struct parser *p, struct node *n)
{
    size_t end = p->tok.at;

    while (end > n->start && (ascii_is_blank(p->text.s[end - 1]) || p->text.s[end - 1] == '\n'))
        end--;
    n->len = p->inner || end < n->start ? 0 : end - n->start;
    return n;
}

void lex_skip_newlines(struct parser *p)
{
    while (p->tok.kind == TOK_NEWLINE)
        lex_next(p);
}

/* Reserved words that end something; in place of a command they are errors, never commands. */
bool token_names_closer(const struct parser *p)
{
    static const char *const closers[] = {"then", "do",   "done", "fi", "else",
                                          "elif", "esac", "}",    "in", "]]"};

    for (size_t i = 0; i < COUNT(closers); i++)
        if (token_is(p, closers[i]))
            return true;
    return false;
}

static bool begins_command(const struct parser *p)
{
    enum token_kind k = p->tok.kind;

    if (k == TOK_WORD)
        return !token_is_closer(p);
    return k == TOK_FD || k == TOK_REDIRECT || k == TOK_OPEN;
}

/* Is there more than lines that go on? */
static bool goes_on_behind(struct str written, size_t at)
{
    while (str_starts(str_from_byte(written, at), STR("\\\n")))
        at += 2;
    return at < written.len;
}

/* >&-x is `>&-` and the word x for bash, however it is spaced, and >&x- moves a descriptor whose
 * name is in x: of words with a dash at either end only - and 1- are taken. */
static void check_dup(struct parser *p)
{
    const struct word *w = &p->tok.word;
    const struct part *first = w->parts.count ? &w->parts.items[0] : NULL;
    const struct part *last = first ? first + w->parts.count - 1 : NULL;
    struct str text = p->tok.text, plain, written = str_slice(p->text, p->tok.at, p->tok.end);
    bool more = str_starts(written, STR("-")) && goes_on_behind(written, 1); /* >&-'' */

    if (!first ||
        (!more && (str_is(text, "-") || (word_join(p->arena, w, &plain) && str_is(plain, "-")))) ||
        (text.len == 2 && text.s[0] >= '0' && text.s[0] <= '9' && text.s[1] == '-'))
        return;
    if ((first->kind == PART_TEXT && str_starts(first->text, STR("-"))) ||
        (last->kind == PART_TEXT && str_ends(last->text, STR("-"))))
        parse_refuse_at(p, p->tok.at, "a dash in the target of a duplication");
}

static bool is_dup(enum redirect_op op)
{
    return op == REDIRECT_IN_DUP || op == REDIRECT_OUT_DUP;
}

static void parse_redirect(struct parser *p, struct node *n)
{
    struct redirect *r = ARENA_NEW(p->arena, struct redirect);

    parse_count_node(p);
    r->at = lex_place(p, p->tok.at);
    size_t start = p->tok.at;
    if (p->tok.kind == TOK_FD) {
        r->fd = p->tok.text;
        while (r->fd.len > 1 && r->fd.s[0] == '0') /* 00 is 0 */
            r->fd = str_from_byte(r->fd, 1);
        lex_next(p);
    }
    if (p->tok.kind != TOK_REDIRECT) {
        parse_refuse_at(p, p->tok.at, "a redirection without its operator");
        return;
    }
    r->op = p->tok.op;
    r->strip_tabs = p->tok.strip_tabs;
    p->mode = r->op == REDIRECT_HERE_DOC ? WORD_DELIMITER : WORD_PLAIN;
    lex_next(p);
    p->mode = WORD_PLAIN;
    LIST_PUSH(p->arena, &n->redirects, r);
    r->target = p->tok.word;
    if ((p->tok.kind != TOK_WORD &&
         !(p->tok.kind == TOK_FD && is_dup(r->op) && p->tok.text.s[0] != '{')) ||
        p->tok.word.array) {
        parse_refuse_at(p, p->tok.at, "a redirection without its target");
        return;
    }
    r->len = p->inner ? 0 : p->tok.end - start;
    if (is_dup(r->op))
        check_dup(p);
    if (r->op == REDIRECT_HERE_DOC)
        heredoc_delimiter(p, r);
    /* The word was the target: an assignment may follow exactly if it could before. */
    bool assign_ok = p->assign_ok;
    p->tok.kind = TOK_REDIRECT;
    p->assign_ok = assign_ok;
    lex_next(p);
}

void parse_redirects(struct parser *p, struct node *n)
{
    while (p->tok.kind == TOK_FD || p->tok.kind == TOK_REDIRECT)
        parse_redirect(p, n);
}

bool name_is_declaring(struct str name)
{
    return str_is(name, "declare") || str_is(name, "typeset") || str_is(name, "local") ||
           str_is(name, "export") || str_is(name, "readonly");
}

static void take_word(struct parser *p, struct node *n)
{
    bool assigns = p->tok.word.name.len > 0 && p->tok.word.value_from;

    if (assigns && !n->words.count) {
        LIST_PUSH(p->arena, &n->assigns, p->tok.word);
    } else {
        if (p->tok.word.array && !p->declaring)
            parse_refuse_at(p, p->tok.at, "an array in place of an argument");
        if (!n->words.count &&
            (token_is_closer(p) || token_begins_compound(p) || token_is(p, "!") ||
             (n->redirects.count && (token_is(p, "time") || token_is(p, "coproc")))))
            parse_refuse_at(
                p, p->tok.at,
                "a reserved word as the name of a command"); /* `>x if` runs a program "if" */
        if (!n->words.count)
            p->declaring = name_declares(p->tok.text) || str_is(p->tok.text, "let") ||
                           str_is(p->tok.text, "eval");
        LIST_PUSH(p->arena, &n->words, p->tok.word);
        words_read_plain(p, &n->words); /* plain words need no token */
    }
    lex_next(p);
}

/* From here on a pattern like !(x) is one word. */
static void note_shopt(struct parser *p, const struct node *n)
{
    struct str text;

    if (n->words.count < 3 || !word_static(p->arena, &n->words.items[0], &text) ||
        !str_is(text, "shopt"))
        return;
    if (!word_static(p->arena, &n->words.items[1], &text) || !str_is(text, "-s"))
        return;
    for (size_t i = 2; i < n->words.count; i++)
        if (word_static(p->arena, &n->words.items[i], &text) && str_is(text, "extglob"))
            p->tree->extended_glob = true;
}

/* bash takes nearly every word for the name of a function; we take those that stay as they are when
 * they are called. */
bool name_is_plain(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_name((unsigned char)name.s[i]) && !((unsigned char)name.s[i] & 0x80) &&
            !strchr("-.:/+@%,!#", name.s[i]))
            return false;
    return name.len > 0;
}

static bool is_function_name(const struct parser *p, const struct node *n, struct str *name)
{
    if (n->words.count != 1 || n->assigns.count || n->redirects.count ||
        !word_plain(p->arena, &n->words.items[0], name))
        return false;
    return name_is_plain(*name);
}

struct node *parse_simple(struct parser *p)
{
    return parse_simple_after(p, node_new(p, NODE_SIMPLE));
}

/* The rest of a command whose first words may have been read already. */
struct node *parse_simple_after(struct parser *p, struct node *n)
{
    struct str name = {0};

    for (;;) {
        if (p->tok.kind == TOK_WORD)
            take_word(p, n);
        else if (p->tok.kind == TOK_FD || p->tok.kind == TOK_REDIRECT)
            parse_redirect(p, n);
        else
            break;
    }
    if (parse_refused(p) && p->tok.word.parts.count)
        LIST_PUSH(p->arena, &n->words,
                  p->tok.word); /* keeps what was read: a deny rule may still match it */
    if (p->tok.kind == TOK_OPEN) {
        if (is_function_name(p, n, &name))
            return parse_function(p, str_copy(p->arena, name));
        parse_refuse_at(p, p->tok.at, "an unexpected parenthesis");
    }
    note_shopt(p, n);
    return node_finish(p, n);
}

static struct node *parse_command(struct parser *p)
{
    struct node *n;

    if (!parse_enter(p)) {
        parse_leave(p);
        return node_new(p, NODE_SIMPLE);
    }
    if (token_is(p, "coproc"))
        n = parse_coproc(p);
    else if (token_begins_compound(p))
        n = parse_compound(p);
    else if (token_is(p, "!") || !begins_command(p)) {
        parse_refuse_at(p, p->tok.at, "a command is missing here");
        n = node_new(p, NODE_SIMPLE);
    } else
        n = parse_simple(p);
    parse_leave(p);
    return n;
}

/* ! and time before a pipeline, in any number. */
static void parse_keywords(struct parser *p, struct node *n)
{
    for (;;) {
        if (token_is(p, "!")) {
            n->negated = !n->negated;
            lex_command(p);
        } else if (token_is(p, "time")) {
            n->timed = true;
            lex_command(p);
            if (token_is(p, "-p")) {
                n->time_posix = true;
                lex_command(p);
            }
            if (token_is(p, "--")) {
                n->time_posix = true; /* so does bash */
                lex_command(p);
            }
        } else {
            return;
        }
        n->has_keyword = true;
    }
}

/* A node is made only where there is something to join: most pipelines are one command. */
static struct node *join_to(struct parser *p, struct node *n, enum node_kind kind,
                            struct node *first)
{
    if (!n) {
        n = node_new(p, kind);
        n->at = first->at;
        n->start = first->start;
    }
    LIST_PUSH(p->arena, &n->kids, first);
    return n;
}

/* `!` and `time` may stand alone. (bash prints nothing for `! !`, so nobody can compare it.) */
static bool ends_keywords(const struct parser *p, const struct node *n)
{
    return (n->negated || n->timed) && (p->tok.kind == TOK_NEWLINE || p->tok.kind == TOK_SEMI ||
                                        (p->tok.kind == TOK_END && !parse_refused(p)));
}

static struct node *parse_pipeline(struct parser *p)
{
    struct node *n = NULL;

    if (token_is(p, "!") || token_is(p, "time")) {
        n = node_new(p, NODE_PIPELINE);
        parse_keywords(p, n);
    }
    if (n && ends_keywords(p, n))
        return node_finish(p, join_to(p, n, NODE_PIPELINE, node_new(p, NODE_SIMPLE)));
    for (;;) {
        struct node *kid = parse_command(p);
        if (p->tok.kind != TOK_PIPE && p->tok.kind != TOK_PIPE_ERR)
            return n ? node_finish(p, join_to(p, n, NODE_PIPELINE, kid)) : kid;
        kid->join = p->tok.kind == TOK_PIPE ? JOIN_PIPE : JOIN_PIPE_ERR;
        n = join_to(p, n, NODE_PIPELINE, kid);
        lex_next(p);
        lex_skip_newlines(p);
    }
}

static struct node *parse_and_or(struct parser *p)
{
    struct node *n = NULL;

    for (;;) {
        struct node *kid = parse_pipeline(p);
        if (p->tok.kind != TOK_AND && p->tok.kind != TOK_OR)
            return n ? node_finish(p, join_to(p, n, NODE_AND_OR, kid)) : kid;
        kid->join = p->tok.kind == TOK_AND ? JOIN_AND : JOIN_OR;
        n = join_to(p, n, NODE_AND_OR, kid);
        lex_next(p);
        lex_skip_newlines(p);
    }
}

struct node *parse_list(struct parser *p)
{
    struct node *n = node_new(p, NODE_LIST);

    while (begins_command(p)) {
        struct node *kid = parse_and_or(p);
        LIST_PUSH(p->arena, &n->kids, kid);
        if (p->tok.kind == TOK_SEMI || p->tok.kind == TOK_AMPERSAND) {
            kid->join = p->tok.kind == TOK_SEMI ? JOIN_SEMI : JOIN_BACKGROUND;
            lex_next(p);
        } else if (p->tok.kind != TOK_NEWLINE) {
            break;
        }
        kid->ends_line = p->tok.kind == TOK_NEWLINE;
        lex_skip_newlines(p);
    }
    return node_finish(p, n);
}

/* The inside of a substitution; NULL when there is nothing. */
struct node *parse_inner_list(struct parser *p)
{
    lex_skip_newlines(p);
    return begins_command(p) || parse_refused(p) ? parse_list(p) : NULL;
}

static struct node *parse_all(struct parser *p)
{
    lex_next(p);
    struct node *root = parse_inner_list(p);

    if (root)
        root->whole = true;
    if (p->tok.kind != TOK_END)
        parse_refuse_at(p, p->tok.at, "a token that does not belong here");
    if (p->pending.count)
        heredoc_bodies(p); /* what waits for one gets an empty body */
    return root;
}

/* A text inside the text, such as that in backticks. All places in it are that of the outer
 * construct. */
struct node *parse_inner_text(struct parser *p, struct str text, size_t at)
{
    struct parser in = {.arena = p->arena,
                        .text = text,
                        .tree = p->tree,
                        .depth = p->depth,
                        .inner = true,
                        .origin = lex_place(p, at)};
    struct node *body = NULL;

    if (parse_enter(&in))
        body = parse_all(&in);
    return body;
}

void shell_parse(struct arena *a, struct str text, struct tree *out)
{
    struct parser p = {.arena = a, .text = text, .tree = out};

    *out = (struct tree){0};
    if (text.len > SHELL_TEXT_MAX) {
        p.text.len =
            SHELL_TEXT_MAX; /* the part that fits is still read: a deny rule may match it */
        out->root = parse_all(&p);
        parse_refuse_at(&p, SHELL_TEXT_MAX, "the text is too long");
        return;
    }
    out->root = parse_all(&p);
}
