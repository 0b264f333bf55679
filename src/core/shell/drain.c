/* drain.c - who else reads from the standard input that a loop reads its lines from.
 *
 * `find | while read -r f; do head -c 3; cat "$f"; done`: head takes the beginning of the next line
 * away, and what read then gets is no path that find has found. So each command in there must be
 * known to leave the input alone, or nothing is said of the lines. Files are not opened either, but
 * for the one that the line names: a link may lead to the input.
 */
#include "shell/walk.h"

struct drain {
    struct walk *w;
    struct str line; /* the variable that holds the line */
};

static bool drains(struct drain *d, const struct node *n);

/* "$f", with or without quotes. */
static bool is_line(const struct drain *d, const struct word *word)
{
    const struct part *part = word->parts.items;

    return word->parts.count == 1 && part->kind == PART_PARAM && part->param->form == PARAM_PLAIN &&
           !part->param->op.len && !part->param->has_subscript && d->line.len &&
           str_eq(part->param->name, d->line);
}

static bool has_only(struct str word, const char *letters)
{
    for (size_t i = 1; i < word.len; i++)
        if (!strchr(letters, word.s[i]))
            return false;
    return word.len > 1;
}

/* grep -c x "$f": options, what comes before the file, and the file at the end. */
static bool opens_line(const struct drain *d, const struct node *n, const char *opens)
{
    size_t words = 0, operands = (size_t)(opens[0] - '0');
    struct str text;

    for (size_t i = 1; i + 1 < n->words.count; i++) {
        if (!word_static(d->w->arena, &n->words.items[i], &text))
            return false;
        if (str_starts(text, STR("-")) ? !has_only(text, opens + 1) : ++words == operands)
            return false;
    }
    return words + 1 == operands && is_line(d, &n->words.items[n->words.count - 1]);
}

/* read NAME..., without options that say how many bytes. */
static bool reads_lines(struct drain *d, const struct node *n)
{
    struct str text;

    for (size_t i = 1; i < n->words.count; i++) {
        if (!word_static(d->w->arena, &n->words.items[i], &text) ||
            (str_starts(text, STR("-")) && !str_is(text, "-r")))
            return false;
        d->line = i == 1 || i == 2 ? text : (struct str){0};
    }
    return true;
}

/* git log and its like, which have no list of things to look at on their input. */
static bool subcommand_leaves_input(const struct drain *d, struct str program, const struct node *n)
{
    struct arena *a = d->w->arena;
    struct str text;

    if (n->words.count < 2 || !word_static(a, &n->words.items[1], &text))
        return false;
    const struct program_row *row = program_subcommand(program, text);
    for (size_t i = 2; i < n->words.count; i++)
        if (word_static(a, &n->words.items[i], &text) &&
            (str_is(text, "-") || str_contains(text, STR("stdin")) ||
             str_contains(text, STR("batch"))))
            return false;
    return row && row->leaves_input;
}

/* It has an input of its own, and not by another name of this one (< /dev/stdin). */
static bool has_input(const struct drain *d, const struct node *n)
{
    struct str text;

    for (size_t i = 0; i < n->redirects.count; i++) {
        const struct redirect *r = n->redirects.items[i];
        bool own = r->op == REDIRECT_HERE_DOC || r->op == REDIRECT_HERE_STR;
        if (r->op == REDIRECT_IN)
            own = is_line(d, &r->target) ||
                  (word_static(d->w->arena, &r->target, &text) && str_is(text, "/dev/null"));
        if (own && (!r->fd.len || str_is(r->fd, "0")))
            return true;
    }
    return false;
}

static bool simple_drains(struct drain *d, const struct node *simple)
{
    struct node copy;
    const struct node *n = node_without_braces(d->w, simple, &copy);
    struct str name;

    if (!n->words.count || has_input(d, n))
        return false;
    if (!word_static(d->w->arena, &n->words.items[0], &name) || env_function(&d->w->env, name))
        return true;
    name = base_name(name);
    if (str_is(name, "read"))
        return !reads_lines(d, n);
    const struct program_row *row = program_named(name);
    if (row && row->leaves_input)
        return row->opens && !opens_line(d, n, row->opens);
    return !subcommand_leaves_input(d, name, n);
}

/* Substitutions have the same input. */
static bool parts_drain(struct drain *d, const struct word_parts *parts)
{
    for (size_t i = 0; parts && i < parts->count; i++) {
        const struct part *part = &parts->items[i];
        if ((part->body && drains(d, part->body)) || parts_drain(d, part->inner) ||
            (part->param && (parts_drain(d, &part->param->subscript) ||
                             parts_drain(d, &part->param->operand.parts))))
            return true;
    }
    return false;
}

static bool words_drain(struct drain *d, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (parts_drain(d, &words->items[i].parts) || words_drain(d, &words->items[i].elements))
            return true;
    return false;
}

static bool own_words_drain(struct drain *d, const struct node *n)
{
    if (words_drain(d, &n->words) || words_drain(d, &n->assigns))
        return true;
    for (size_t i = 0; i < n->redirects.count; i++)
        if (parts_drain(d, &n->redirects.items[i]->target.parts))
            return true;
    for (size_t i = 0; i < n->clauses.count; i++)
        if (words_drain(d, &n->clauses.items[i].patterns) ||
            (n->clauses.items[i].body && drains(d, n->clauses.items[i].body)))
            return true;
    return false;
}

static bool drains(struct drain *d, const struct node *n)
{
    if (!walk_spend(d->w, 1 + n->words.count, n->at) || n->kind == NODE_FUNCTION ||
        n->kind == NODE_COPROC || n->kind == NODE_SELECT || own_words_drain(d, n))
        return true;
    if (n->kind == NODE_SIMPLE)
        return simple_drains(d, n);
    size_t kids = n->kind == NODE_PIPELINE && n->kids.count
                      ? 1
                      : n->kids.count; /* the others read from the pipe */
    for (size_t i = 0; !has_input(d, n) && i < kids; i++)
        if (drains(d, n->kids.items[i]))
            return true;
    return false;
}

bool node_drains_input(struct walk *w, const struct node *n)
{
    struct drain d = {.w = w};

    /* a simple command has its input for itself, once its words are there */
    return n->kind == NODE_SIMPLE ? own_words_drain(&d, n) : drains(&d, n);
}
