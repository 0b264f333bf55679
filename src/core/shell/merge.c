/* merge.c - the shell may be in one of two states: keeps what is true in both. */
#include "shell/walk.h"

/* Makes `a` the tail that two lists share, NULL if they share none. The lists grow at their heads,
 * and `count` is the length of each. */
#define FIND_COMMON(a, b)                                                                          \
    do {                                                                                           \
        while ((a) && (b) && (a) != (b)) {                                                         \
            if ((a)->count > (b)->count)                                                           \
                (a) = (a)->before;                                                                 \
            else                                                                                   \
                (b) = (b)->before;                                                                 \
        }                                                                                          \
        if ((a) != (b))                                                                            \
            (a) = NULL;                                                                            \
    } while (0)

static bool is_same_value(const struct shell_value *a, const struct shell_value *b)
{
    return a->known && b->known && !a->array && !b->array && str_eq(a->text, b->text);
}

/* A variable that was never set is a number for arithmetic. */
static void merge_variable(struct walk *w, const struct env *now, const struct env *other,
                           struct str name)
{
    struct shell_value v = {0}, was = {0};
    bool is_set = env_lookup(now, name, &v), was_set = env_lookup(other, name, &was);

    if (!(is_set && was_set && is_same_value(&v, &was)))
        env_bind(w, name,
                 (struct shell_value){.number = (!is_set || v.number) && (!was_set || was.number),
                                      .own = v.own && was.own});
}

/* Merges the variables that were set in the list `from`, down to the tail that both lists share. */
static void merge_variables(struct walk *w, const struct env *now, const struct env *other,
                            const struct binding *from)
{
    const struct binding *b = from, *end = now->vars, *theirs = other->vars;

    FIND_COMMON(end, theirs);
    for (; b != end && b->name.len && walk_spend(w, 1, 0); b = b->before) {
        merge_variable(w, now, other, b->name);
        if (b->constant)
            env_freeze(w, b->name);
    }
    if (b != end && from != now->vars)
        env_forget_all(w); /* anything may have been set there; if `from` is the list of `now`, that
                              is forgotten already */
}

/* A function that one of them has may be a program in the other. */
static void merge_functions(struct walk *w, const struct env *now, const struct env *other)
{
    const struct function *end = now->functions, *theirs = other->functions;

    FIND_COMMON(end, theirs);
    w->seen.unsure_functions |= now->functions != other->functions;
    for (const struct function *f = other->functions; f != end; f = f->before)
        env_define(w, f->name, f->body, false);
}

void env_merge_locals(struct walk *w, const struct env *other)
{
    const struct sure_local *both = w->env.locals, *theirs = other->locals;

    FIND_COMMON(both, theirs);
    w->env.locals = both;
}

void env_merge(struct walk *w, const struct env *other)
{
    const struct env now = w->env;
    const bool merging = w->merging;

    w->merging = true;
    merge_variables(w, &now, other, now.vars);
    merge_variables(w, &now, other, other->vars);
    merge_functions(w, &now, other);
    env_merge_locals(w, other);
    w->env.all_constants |= other->all_constants;
    w->env.ifs.known &= ifs_eq(&now.ifs, &other->ifs);
    w->env.errexit &= other->errexit;
    w->env.args.known &= other->args.known && arguments_are_same(&now.args, &other->args);
    if (now.pushed != other->pushed)
        w->env.pushed = &pushed_unknown;
    directory_merge(&w->env.directory, &other->directory);
    w->merging = merging;
}

void env_merge_variables(struct walk *w, const struct variables *then)
{
    struct env before = w->env;

    before.vars = then->vars;
    before.ifs = then->ifs;
    env_merge(w, &before);
}

void env_leave(struct walk *w, const struct env **left)
{
    const struct env now = w->env;

    if (*left)
        env_merge(w, *left);
    struct env *here = ARENA_NEW(w->arena, struct env);
    *here = w->env;
    *left = here;
    w->env = now;
}
