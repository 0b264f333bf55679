/* assigned.c - what a loop may change: a body is walked once for any number of
 * passes, so what it assigns is unknown when it begins. */
#include "shell/walk.h"

/* No command has more option letters before a name: wait -fnpNAME. */
#define OPTION_LETTERS_MAX 8

struct changes {
    struct walk *w;
    bool everything; /* something runs in it that may assign any variable */
    bool directory;  /* it has a cd */
    bool arguments;  /* it has a shift or a set */
    unsigned depth;  /* of eval in eval, and calls of functions */
};

static void collect(struct changes *c, const struct node *n);

/* x stays a number when numbers are all that is put into it. */
static void collect_word(struct changes *c, const struct word *word)
{
    struct shell_value old;
    const struct part *only =
        word->parts.count == word->value_from + 1 ? &word->parts.items[word->value_from] : NULL;
    bool number = only && (only->kind == PART_ARITH ||
                           (only->kind == PART_TEXT && text_is_number(only->text)));

    if (word->array || word->subscript)
        walk_note_array(c->w, word->name);
    if (word->name.len)
        env_bind(c->w, word->name,
                 (struct shell_value){.number = number && !word->append &&
                                                env_lookup(&c->w->env, word->name, &old) &&
                                                old.number,
                                      .own = env_owns(&c->w->env, word->name)});
}

/* NAME, NAME=value, NAME[...]; also after option letters in the same word: -vNAME. */
static void collect_name(struct changes *c, struct str text)
{
    size_t end = 0;

    while (end < text.len && !strchr("=+[", text.s[end]))
        end++;
    text.len = end;
    for (size_t i = 0; i < text.len && i <= OPTION_LETTERS_MAX; i++) {
        env_forget(c->w, str_from_byte(text, i));
        if (text.s[0] != '-')
            return;
    }
}

/* read x, unset "x", printf -vx, mapfile x, export "x=y": every word that could be a name is taken
 * for one, and a word that is not known for all of them. */
static void collect_names(struct changes *c, const struct node *n, size_t command, struct str name)
{
    bool array = str_is(name, "mapfile") || str_is(name, "readarray"), map = false;
    struct str text;

    env_forget_unnamed(c->w);
    for (size_t i = command + 1; i < n->words.count; i++) {
        if (word_static(c->w->arena, &n->words.items[i], &text)) {
            array |= option_names_array(text);
            c->w->seen.other_letters |=
                option_names_letters(text) && str_has_word(STR("declare typeset local"), name);
            map |= option_names_map(text);
            if (array)
                walk_note_array(c->w, str_slice(text, 0, str_index(text, '=')));
            if (map)
                walk_note_map(c->w, str_slice(text, 0, str_index(text, '=')));
            collect_name(c, text);
        } else if (!n->words.items[i].name.len)
            c->everything = true;
    }
}

/* printf and wait set a variable only with an option before it. */
static bool may_name(struct changes *c, const struct node *n, size_t command, struct str name)
{
    const struct word *next = &n->words.items[command + 1];
    struct str text;

    if (!str_is(name, "printf") && !str_is(name, "wait"))
        return true;
    if (n->words.count < command + 2)
        return false;
    if (!word_static(c->w->arena, next, &text))
        return !next->parts.items[0].quoted || str_is(name, "printf"); /* wait "$pid" */
    return (text.len && text.s[0] == '-') ||
           (str_is(name, "printf") && format_counts_printed(text));
}

static void collect_parts(struct changes *c, const struct word_parts *parts);

/* ${x:=value}, ${x:y=1}, ${x[y=1]} */
static void collect_param(struct changes *c, const struct param *p)
{
    bool sets = p->op.len && p->op.s[p->op.len - 1] == '=';

    c->everything |= sets && p->form == PARAM_INDIRECT;
    if (sets)
        env_forget(c->w, p->name);
    if (str_is(p->op, ":"))
        arith_forget(c->w, &p->operand.parts);
    if (p->has_subscript)
        arith_forget(c->w, &p->subscript);
    collect_parts(c, &p->subscript);
    collect_parts(c, &p->operand.parts);
}

/* At any depth. */
static void collect_parts(struct changes *c, const struct word_parts *parts)
{
    for (size_t i = 0; parts && i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        if (part->kind == PART_PARAM && part->param)
            collect_param(c, part->param);
        if (part->kind == PART_ARITH)
            arith_forget(c->w, part->inner);
        collect_parts(c, part->inner);
    }
}

static void collect_from(struct changes *c, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct word *word = &words->items[i];
        collect_parts(c, &word->parts);
        if (word->subscript)
            arith_forget_subscript(c->w, word);
        collect_from(c, &word->elements);
    }
}

static void collect_expansions(struct changes *c, const struct node *n)
{
    collect_from(c, &n->words);
    collect_from(c, &n->assigns);
    for (size_t i = 0; i < n->clauses.count; i++)
        collect_from(c, &n->clauses.items[i].patterns);
    for (size_t i = 0; n->kind == NODE_COND && i < n->words.count; i++)
        arith_forget(c->w, &n->words.items[i].parts); /* [[ x=1 -eq 1 ]] */
    for (size_t i = 0; i < n->redirects.count; i++) {
        collect_parts(c, &n->redirects.items[i]->target.parts);
        struct str name = redirect_variable(n->redirects.items[i]); /* exec {x}>file */
        if (name.len)
            env_forget(c->w, name);
    }
}

/* Where the command is after `command` and `builtin`; past the end when an option or an unknown
 * word follows. */
static size_t find_command(struct changes *c, const struct node *n, struct str *name)
{
    size_t i = 0;

    for (; i < n->words.count; i++) {
        if (!word_static(c->w->arena, &n->words.items[i], name))
            return n->words.count;
        if (i && str_is(*name, "--"))
            continue;
        if (i && str_starts(*name, STR("-")))
            return n->words.count;
        if (!name_precedes_command(*name))
            break;
    }
    return i;
}

/* eval with a text that is known changes what that text changes. */
static void collect_text(struct changes *c, const struct node *n, size_t from)
{
    struct buf b = buf_in(c->w->arena);
    struct tree tree;
    struct str word;

    for (size_t i = from; i < n->words.count; i++) {
        c->everything |= !word_static(c->w->arena, &n->words.items[i], &word);
        buf_format(&b, "%s%.*s", i > from ? " " : "", STR_ARG(word));
    }
    if (c->everything || c->depth >= SHELL_TEXT_DEPTH_MAX ||
        !walk_spend(c->w, b.len / SHELL_STEP_BYTES, n->at)) {
        c->everything = true;
        return;
    }
    shell_parse(c->w->arena, buf_str(&b), &tree);
    c->everything |= tree.why != NULL;
    c->depth++;
    collect(c, tree.root);
    c->depth--;
}

/* A function changes what its body changes. */
static void collect_call(struct changes *c, struct str name)
{
    bool sure = false;

    for (const struct function *f = env_function(&c->w->env, name); f && !sure;
         f = env_function_before(f)) {
        c->everything |= c->depth >= SHELL_TEXT_DEPTH_MAX;
        if (c->everything)
            return;
        c->depth++;
        collect(c, f->body);
        c->depth--;
        sure = f->sure;
    }
}

/* IFS= read -r x */
static bool is_for_read(const struct changes *c, const struct node *n, const struct word *assign)
{
    struct str name;

    return n->words.count && str_is(assign->name, "IFS") &&
           word_static(c->w->arena, &n->words.items[0], &name) && str_is(name, "read") &&
           !env_function(&c->w->env, name);
}

static void collect_simple(struct changes *c, const struct node *simple)
{
    struct node copy;
    const struct node *n = node_without_braces(c->w, simple, &copy);
    static const char *const assigning[] = {"read",    "unset", "printf",  "mapfile", "readarray",
                                            "getopts", "let",   "wait",    "export",  "declare",
                                            "typeset", "local", "readonly"};
    struct str name;

    for (size_t i = 0; i < n->assigns.count; i++)
        if (!is_for_read(c, n, &n->assigns.items[i]))
            collect_word(c, &n->assigns.items[i]);
    for (size_t i = 1; i < n->words.count; i++)
        collect_word(c, &n->words.items[i]);
    if (!n->words.count)
        return;
    size_t command = find_command(c, n, &name);
    if (command >= n->words.count) {
        c->everything = c->directory = c->arguments = true;
        return;
    }
    if (str_is(name, "eval"))
        collect_text(c, n, command + 1);
    collect_call(c, name);
    c->everything |= str_is(name, "source") || str_is(name, ".");
    c->directory |= name_moves(name) || c->everything;
    c->w->seen.unsure_functions |= str_is(name, "unset");
    c->w->seen.interrupted |= str_is(name, "trap");
    c->w->seen.other_globs |= str_is(name, "shopt") || c->everything;
    c->arguments |= str_is(name, "shift") || str_is(name, "set") || c->everything;
    for (size_t i = 0; i < COUNT(assigning); i++)
        if (str_is(name, assigning[i]) && may_name(c, n, command, name))
            collect_names(c, n, command, name);
}

static void collect_arith(struct changes *c, const struct node *n)
{
    for (size_t i = 0; i < n->words.count; i++)
        for (size_t j = 0; j < n->words.items[i].parts.count; j++)
            arith_value(c->w, n->words.items[i].parts.items[j].inner, n->at);
}

static void collect(struct changes *c, const struct node *n)
{
    if (!n || !walk_spend(c->w, 1 + n->words.count, n->at))
        return;
    collect_expansions(c, n);
    if (n->kind == NODE_SIMPLE)
        collect_simple(c, n);
    if (n->kind == NODE_ARITH || n->kind == NODE_FOR_ARITH)
        collect_arith(c, n);
    if (n->name.len && (n->kind == NODE_FOR || n->kind == NODE_SELECT))
        env_forget(c->w, n->name);
    if (n->kind == NODE_SELECT)
        env_forget_unnamed(c->w);
    bool directory = c->directory;
    for (size_t i = 0; i < n->kids.count; i++)
        collect(c, n->kids.items[i]);
    for (size_t i = 0; i < n->clauses.count; i++)
        collect(c, n->clauses.items[i].body);
    if (n->kind == NODE_SUBSHELL)
        c->directory = directory;
}

void env_forget_assigned(struct walk *w, const struct node *body)
{
    struct changes c = {.w = w};

    collect(&c, body);
    if (c.everything) {
        env_forget_all(w);
        w->seen.unsure_functions = true;
    }
    if (c.arguments)
        w->env.args.known = false;
    if (c.directory)
        directory_forget(&w->env.directory);
}
