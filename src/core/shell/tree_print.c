/* tree_print.c - the canonical form of a tree.
 *
 * Quoted bytes are put between «», so that 'a', "a" and \a print alike; blanks
 * in arithmetic are dropped. Tests compare the form with what bash itself prints
 * for the same text, and it helps to debug a rule. */
#include "shell/tree.h"

struct printer {
    struct buf *out;
    unsigned level;
};

static void print_node(struct printer *p, const struct node *n);
static void print_word(struct printer *p, const struct word *w);

static void line(struct printer *p, const char *text)
{
    buf_byte(p->out, '\n');
    for (unsigned i = 0; i < p->level; i++)
        buf_text(p->out, "  ");
    buf_text(p->out, text);
}

static void print_body(struct printer *p, const char *label, const struct node *body)
{
    buf_text(p->out, label);
    p->level++;
    if (body)
        print_node(p, body);
    p->level--;
    line(p, ")");
}

static void print_parts(struct printer *p, const struct word_parts *parts, bool squeeze);

static void print_param(struct printer *p, const struct part *part)
{
    const struct param *param = part->param;
    static const char *const forms[] = {"", "#", "!", "!"};

    buf_format(p->out, "%s%s", part->quoted ? "$Q{" : "${", forms[param->form]);
    buf_add(p->out, param->name);
    if (param->has_subscript) {
        buf_byte(p->out, '[');
        if (param->all)
            buf_byte(p->out, '@');
        print_parts(p, &param->subscript, true);
        buf_byte(p->out, ']');
    }
    buf_add(p->out, param->op);
    print_parts(p, &param->operand.parts, str_is(param->op, ":"));
    buf_byte(p->out, '}');
}

static void print_expansion(struct printer *p, const struct part *part)
{
    switch (part->kind) {
    case PART_TEXT:
        break;
    case PART_PARAM:
        print_param(p, part);
        break;
    case PART_COMMAND:
    case PART_BACKTICK:
        print_body(p, part->quoted ? "$Q(" : "$(", part->body);
        break;
    case PART_PROCESS_IN:
        print_body(p, "<(", part->body);
        break;
    case PART_PROCESS_OUT:
        print_body(p, ">(", part->body);
        break;
    case PART_ARITH:
        buf_text(p->out, "$((");
        if (str_trim(part->text).len)
            print_parts(p, part->inner, true);
        else
            buf_byte(p->out, '1'); /* for ((;;)) */
        buf_text(p->out, "))");
        break;
    }
}

static void print_text(struct printer *p, struct str text, bool squeeze)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (squeeze && (c == ' ' || c == '\t' || c == '\n'))
            continue;
        if (c == '\n')
            buf_text(p->out, "\\n");
        else
            buf_byte(p->out, c);
    }
}

/* Adjacent texts with the same quoting are one; squeeze: in arithmetic, where blanks and quotes
 * mean nothing. */
static void print_parts(struct printer *p, const struct word_parts *parts, bool squeeze)
{
    bool open = false;

    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        bool quoted = part->kind == PART_TEXT && part->quoted && !squeeze;
        if (open != quoted)
            buf_text(p->out, quoted ? "«" : "»");
        open = quoted;
        if (part->kind == PART_TEXT)
            print_text(p, part->text, squeeze);
        else
            print_expansion(p, part);
    }
    if (open)
        buf_text(p->out, "»");
}

static void print_words(struct printer *p, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        buf_byte(p->out, ' ');
        print_word(p, &words->items[i]);
    }
}

static void print_word(struct printer *p, const struct word *w)
{
    print_parts(p, &w->parts, false);
    if (w->array) {
        buf_byte(p->out, '(');
        print_words(p, &w->elements);
        buf_text(p->out, " )");
    }
}

/* ORDER enum redirect_op */
static const char *const redirect_names[] = {"<",  ">",  ">>",  ">|", "<>", "<&",
                                             ">&", "&>", "&>>", "<<", "<<<"};

const char *redirect_op_name(enum redirect_op op)
{
    return redirect_names[op];
}

static bool is_descriptor(const struct word *w)
{
    const struct part *first = w->parts.count ? &w->parts.items[0] : NULL;

    return w->parts.count == 1 && first->kind == PART_TEXT && first->text.len &&
           strchr("-0123456789", first->text.s[0]);
}

static bool closes(const struct word *w)
{
    return w->parts.count == 1 && w->parts.items[0].kind == PART_TEXT &&
           str_is(w->parts.items[0].text, "-");
}

static const char *default_fd(enum redirect_op op)
{
    switch (op) {
    case REDIRECT_OUT:
    case REDIRECT_APPEND:
    case REDIRECT_CLOBBER:
    case REDIRECT_OUT_DUP:
        return "1";
    case REDIRECT_ALL:
    case REDIRECT_ALL_APP:
        return "";
    case REDIRECT_IN:
    case REDIRECT_BOTH:
    case REDIRECT_IN_DUP:
    case REDIRECT_HERE_DOC:
    case REDIRECT_HERE_STR:
        return "0";
    }
    return "";
}

/* The descriptor is always written out; >&file is &>file. */
static void print_operator(struct printer *p, const struct redirect *r)
{
    enum redirect_op op = r->op;

    if (op == REDIRECT_OUT_DUP && (!r->fd.len || str_is(r->fd, "1")) &&
        !is_descriptor(&r->target)) {
        buf_text(p->out, "&> ");
        return;
    }
    buf_add(p->out, r->fd.len ? r->fd : str_from(default_fd(op)));
    if (op == REDIRECT_IN_DUP && closes(&r->target))
        op = REDIRECT_OUT_DUP; /* 0<&- and 0>&- are the same */
    buf_text(p->out, redirect_names[op]);
    buf_text(p->out, r->inert ? "inert " : " ");
}

static void print_redirects(struct printer *p, const struct node *n)
{
    for (size_t i = 0; i < n->redirects.count; i++) {
        line(p, "redirect ");
        print_operator(p, n->redirects.items[i]);
        print_word(p, &n->redirects.items[i]->target);
    }
    if (n->join == JOIN_PIPE_ERR)
        line(p, "redirect 2>& 1"); /* which is what |& means */
}

/* ORDER enum node_kind */
static const char *const node_names[] = {
    "command", "list",   "and-or",    "pipeline", "group",    "subshell", "if",   "while", "until",
    "for",     "select", "for-arith", "case",     "function", "coproc",   "cond", "arith"};

const char *node_kind_name(enum node_kind kind)
{
    return node_names[kind];
}

/* ORDER enum node_join */
static const char *const join_names[] = {"", "", " &", " &&", " ||", " |", " |"};

static void print_clauses(struct printer *p, const struct node *n)
{
    for (size_t i = 0; i < n->clauses.count; i++) {
        line(p, "pattern");
        print_words(p, &n->clauses.items[i].patterns);
        buf_byte(p->out, ' ');
        buf_add(p->out, n->clauses.items[i].end);
        p->level++;
        if (n->clauses.items[i].body)
            print_node(p, n->clauses.items[i].body);
        p->level--;
    }
}

/* An else that holds one more if is an elif. */
static const struct node *else_if(const struct node *body)
{
    const struct node *kid = body->kids.count == 1 ? body->kids.items[0] : NULL;

    return kid && kid->kind == NODE_IF && !kid->redirects.count && kid->join != JOIN_BACKGROUND
               ? kid
               : NULL;
}

static void print_if(struct printer *p, const struct node *n)
{
    while (n) {
        size_t pairs = n->kids.count / 2 * 2;
        for (size_t i = 0; i < pairs; i++)
            print_node(p, n->kids.items[i]);
        const struct node *rest = n->kids.count > pairs ? n->kids.items[pairs] : NULL;
        n = rest ? else_if(rest) : NULL;
        if (rest && !n) {
            line(p, "else");
            print_node(p, rest);
        }
    }
}

static void print_head(struct printer *p, const struct node *n)
{
    line(p, node_names[n->kind]);
    if (n->negated)
        buf_text(p->out, " !");
    if (n->timed)
        buf_text(p->out, n->time_posix ? " time -p" : " time");
    if (n->name.len)
        buf_byte(p->out, ' ');
    buf_add(p->out, n->kind == NODE_COPROC && !n->name.len ? STR(" COPROC") : n->name);
    if (n->has_in)
        buf_text(p->out, " in");
    else if (n->kind == NODE_FOR || n->kind == NODE_SELECT)
        buf_text(p->out, " in $Q{@}");
    if (n->assigns.count)
        buf_text(p->out, " assign");
    print_words(p, &n->assigns);
    if (n->words.count && n->kind == NODE_SIMPLE)
        buf_text(p->out, " run");
    print_words(p, &n->words);
    buf_text(p->out, join_names[n->join]);
}

/* bash writes every function body as a group. */
static void print_function_body(struct printer *p, const struct node *body)
{
    if (body->kind != NODE_GROUP) {
        line(p, "group");
        p->level++;
        line(p, "list");
        p->level++;
    }
    print_node(p, body);
    p->level -= body->kind != NODE_GROUP ? 2 : 0;
}

static void print_node(struct printer *p, const struct node *n)
{
    if (n->kind == NODE_PIPELINE && n->kids.count == 1 && !n->negated && !n->timed) {
        struct node kid = *n->kids.items[0]; /* ! ! a */
        kid.join = n->join;
        print_node(p, &kid);
        return;
    }
    print_head(p, n);
    p->level++;
    print_redirects(p, n);
    print_clauses(p, n);
    if (n->kind == NODE_IF) {
        print_if(p, n);
    } else if (n->kind == NODE_FUNCTION && n->kids.count) {
        print_function_body(p, n->kids.items[0]);
    } else {
        for (size_t i = 0; i < n->kids.count; i++)
            print_node(p, n->kids.items[i]);
    }
    p->level--;
}

void shell_print(struct buf *out, const struct node *root)
{
    struct printer p = {.out = out};

    if (root)
        print_node(&p, root);
    buf_byte(out, '\n');
}
