/* assigned.c - what a loop may change: a body is walked once for any number of
 * passes, so what it assigns is unknown when it begins. */
#include "shell/walk.h"

struct changes {
    struct walk *w;
    bool everything; /* something runs in it that may assign any variable */
    bool directory;  /* it has a cd */
    bool arguments;  /* it has a shift or a set */
};

static void collect(struct changes *c, const struct node *n);

/* x stays a number when numbers are all that is put into it. */
static void collect_word(struct changes *c, const struct word *word)
{
    struct value old;
    const struct part *only = word->parts.count == word->value_from + 1 ? &word->parts.items[word->value_from] : NULL;
    bool number = only && (only->kind == PART_ARITH || (only->kind == PART_TEXT && is_number(only->text)));

    if (word->name.len)
        env_bind(c->w, word->name,
                 (struct value){.number =
                                    number && !word->append && env_lookup(&c->w->env, word->name, &old) && old.number});
}

/* read x, unset x, printf -v x, mapfile x: every word that could be a name is taken for one. */
static void collect_names(struct changes *c, const struct node *n)
{
    struct str text;

    for (size_t i = 1; i < n->words.count; i++)
        if (word_plain(c->w->arena, &n->words.items[i], &text) && text.s[0] != '-')
            env_forget(c->w, text);
}

static void collect_simple(struct changes *c, const struct node *n)
{
    static const char *const assigning[] = {"read",      "unset",   "printf", "mapfile",
                                            "readarray", "getopts", "let",    "wait"};
    struct str name;

    for (size_t i = 0; i < n->assigns.count; i++)
        collect_word(c, &n->assigns.items[i]);
    for (size_t i = 1; i < n->words.count; i++)
        collect_word(c, &n->words.items[i]);
    if (!n->words.count)
        return;
    if (!word_static(c->w->arena, &n->words.items[0], &name)) {
        c->everything = c->directory = c->arguments = true;
        return;
    }
    c->everything |= str_is(name, "eval") || str_is(name, "source") || str_is(name, ".") || str_is(name, "command") ||
                     str_is(name, "builtin") || env_function(&c->w->env, name);
    c->directory |= str_is(name, "cd") || str_is(name, "pushd") || str_is(name, "popd") || c->everything;
    c->w->unsure_functions |= str_is(name, "unset");
    c->arguments |= str_is(name, "shift") || str_is(name, "set") || c->everything;
    for (size_t i = 0; i < COUNT(assigning); i++)
        if (str_is(name, assigning[i]))
            collect_names(c, n);
}

static void collect_arith(struct changes *c, const struct node *n)
{
    for (size_t i = 0; i < n->words.count; i++)
        for (size_t j = 0; j < n->words.items[i].parts.count; j++)
            arith_value(c->w, n->words.items[i].parts.items[j].inner, n->at);
}

static void collect(struct changes *c, const struct node *n)
{
    if (!n)
        return;
    if (n->kind == NODE_SIMPLE)
        collect_simple(c, n);
    if (n->kind == NODE_ARITH || n->kind == NODE_FOR_ARITH)
        collect_arith(c, n);
    if (n->name.len && (n->kind == NODE_FOR || n->kind == NODE_SELECT))
        env_forget(c->w, n->name);
    bool directory = c->directory;
    for (size_t i = 0; i < n->kids.count; i++)
        collect(c, n->kids.items[i]);
    for (size_t i = 0; i < n->clauses.count; i++)
        collect(c, n->clauses.items[i].body);
    if (n->kind == NODE_SUBSHELL)
        c->directory = directory;
}

void forget_assigned(struct walk *w, const struct node *body)
{
    struct changes c = {.w = w};

    collect(&c, body);
    if (c.everything) {
        env_forget_all(w);
        w->unsure_functions = true;
    }
    if (c.arguments)
        w->env.args_known = false;
    if (c.directory)
        w->env.cwd = w->env.cwd_other = (struct str){0};
}
