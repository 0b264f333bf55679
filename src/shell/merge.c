/* merge.c - two states that the shell may be in at one point become what holds in both. */
#include "shell/walk.h"

/* Where two lists that grow at their heads become one; NULL: nowhere. */
static const struct binding *common_binding(const struct binding *a, const struct binding *b)
{
    while (a && b && a != b)
        if (a->count > b->count)
            a = a->before;
        else
            b = b->before;
    return a == b ? a : NULL;
}

static const struct function *common_function(const struct function *a, const struct function *b)
{
    while (a && b && a != b)
        if (a->count > b->count)
            a = a->before;
        else
            b = b->before;
    return a == b ? a : NULL;
}

static const struct sure_local *common_local(const struct sure_local *a, const struct sure_local *b)
{
    while (a && b && a != b)
        if (a->count > b->count)
            a = a->before;
        else
            b = b->before;
    return a == b ? a : NULL;
}

static bool is_same_value(const struct value *a, const struct value *b)
{
    return a->known && b->known && !a->array && !b->array && str_eq(a->text, b->text);
}

/* A variable that nobody has set is a number for arithmetic. */
static void merge_variable(struct walk *w, const struct env *now, const struct env *other, struct str name)
{
    struct value v = {0}, was = {0};
    bool is_set = env_lookup(now, name, &v), was_set = env_lookup(other, name, &was);

    if (!(is_set && was_set && is_same_value(&v, &was)))
        env_bind(w, name, (struct value){.number = (!is_set || v.number) && (!was_set || was.number)});
}

/* Those that were set in the list `from`, down to where both lists are one. */
static void merge_variables(struct walk *w, const struct env *now, const struct env *other, const struct binding *from)
{
    const struct binding *b = from, *end = common_binding(now->vars, other->vars);

    for (; b != end && b->name.len && spend(w, 1, 0); b = b->before) {
        merge_variable(w, now, other, b->name);
        if (b->constant)
            env_freeze(w, b->name);
    }
    if (b != end && from != now->vars)
        env_forget_all(w); /* anything may have been set there; what `now` forgets, it has forgotten already */
}

/* A function that one of them has may be a program in the other. */
static void merge_functions(struct walk *w, const struct env *now, const struct env *other)
{
    const struct function *end = common_function(now->functions, other->functions);

    w->unsure_functions |= now->functions != other->functions;
    for (const struct function *f = other->functions; f != end; f = f->before)
        env_define(w, f->name, f->body, false);
}

void env_merge(struct walk *w, const struct env *other)
{
    const struct env now = w->env;

    merge_variables(w, &now, other, now.vars);
    merge_variables(w, &now, other, other->vars);
    merge_functions(w, &now, other);
    w->env.locals = common_local(now.locals, other->locals);
    w->env.all_constants |= other->all_constants;
    w->env.ifs_known &= other->ifs_known && now.ifs_known && str_eq(now.ifs, other->ifs);
    w->env.errexit &= other->errexit;
    w->env.args_known &=
        other->args_known && now.args.items == other->args.items && now.args.count == other->args.count;
    if (now.pushed != other->pushed)
        w->env.pushed = NULL;
    w->env.cwd_skipped |= other->cwd_skipped;
    if (!str_eq(now.cwd_doubt, other->cwd_doubt))
        w->env.cwd_doubt = STR("\x01");
    if (!str_eq(now.cwd, other->cwd) || !str_eq(now.cwd_other, other->cwd_other))
        w->env.cwd = w->env.cwd_other = (struct str){0};
    if (!w->env.gave_up)
        w->env.gave_up = other->gave_up;
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
