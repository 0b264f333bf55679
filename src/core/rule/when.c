#include "rule/when.h"

#include "base/glob.h"
#include "base/path.h"

static enum when_answer answer(bool yes)
{
    return yes ? WHEN_YES : WHEN_NO;
}

static enum when_answer one_of(struct arena *a, const struct strs *globs, struct str text)
{
    if (!globs->count)
        return WHEN_YES;
    if (!text.len)
        return WHEN_UNKNOWN;
    for (size_t i = 0; i < globs->count; i++) {
        struct glob *g = NULL;
        if (glob_compile(a, globs->items[i], 0, &g, NULL) == STATUS_OK && glob_match(g, text))
            return WHEN_YES;
    }
    return WHEN_NO;
}

static enum when_answer in_project(struct arena *a, const struct strs *projects,
                                   const struct rule_env *env)
{
    if (!projects->count)
        return WHEN_YES;
    if (!env->project.len || env->project_unproved)
        return WHEN_UNKNOWN; /* a caller that only claims it may claim any */
    for (size_t i = 0; i < projects->count; i++) {
        struct str path;
        if (env->project_id.len && str_eq(projects->items[i], env->project_id))
            return env->name_unproved ? WHEN_UNKNOWN : WHEN_YES;
        if (strchr("/~", projects->items[i].s[0]) &&
            path_absolute(a, env->project, env->home, projects->items[i], &path) &&
            path_is_inside(env->project, path))
            return WHEN_YES;
    }
    return WHEN_NO;
}

/* The .git of a linked worktree is a file. */
static enum when_answer in_worktree(struct arena *a, const struct rule_when *w,
                                    const struct rule_env *env)
{
    if (!w->in_worktree && !w->not_in_worktree)
        return WHEN_YES;
    if (!env->world || !env->project.len)
        return WHEN_UNKNOWN;
    switch (env->world->kind(env->world->context, path_join(a, env->project, STR(".git")).s)) {
    case FILE_REGULAR:
        return answer(w->in_worktree);
    case FILE_DIRECTORY:
    case FILE_ABSENT:
        return answer(w->not_in_worktree);
    case FILE_UNKNOWN:
    case FILE_OTHER:
        break;
    }
    return WHEN_UNKNOWN;
}

/* Both ends are whole seconds, so in the last one nobody knows whether the time has passed. */
static enum when_answer is_young(const struct rule_when *w, const struct rule_env *env)
{
    const int64_t age = env->now - env->began;

    if (!env->began || age < 0 || age == w->for_seconds)
        return WHEN_UNKNOWN;
    return answer(age < w->for_seconds);
}

static enum when_answer in_time(const struct rule_when *w, const struct rule_env *env)
{
    if ((w->until || w->for_seconds) && !env->now)
        return WHEN_UNKNOWN;
    if (w->until && env->now >= w->until)
        return WHEN_NO;
    return w->for_seconds ? is_young(w, env) : WHEN_YES;
}

enum when_answer rule_when_holds(struct arena *a, const struct rule_when *w,
                                 const struct rule_env *env)
{
    const enum when_answer all[] = {
        answer(!w->modes || (w->modes >> env->mode & 1)),
        one_of(a, &w->agents, env->agent),
        one_of(a, &w->clients, env->client),
        in_project(a, &w->projects, env),
        in_worktree(a, w, env),
        in_time(w, env),
    };
    enum when_answer result = WHEN_YES;

    for (size_t i = 0; i < COUNT(all); i++) {
        if (all[i] == WHEN_NO)
            return WHEN_NO;
        if (all[i] == WHEN_UNKNOWN)
            result = WHEN_UNKNOWN;
    }
    return result;
}

/* What the caller only claims allows nothing. */
static bool is_in_scope(const struct rule *r, const struct rule_env *env)
{
    const bool allow = r->effect == BEHAVIOR_ALLOW;
    struct str scope = rule_more(r)->scope;

    if (allow && env->project_unproved && source_is_project(r->source))
        return false;
    return !scope.len || (str_eq(scope, env->project_id) && !(allow && env->name_unproved)) ||
           (str_eq(scope, env->project) && !(allow && env->project_unproved));
}

bool rule_counts(struct arena *a, const struct rule *r, const struct rule_env *env)
{
    const struct rule_more *more = rule_more(r);

    if (more->session.len && !str_eq(more->session, env->session))
        return false;
    if (!is_in_scope(r, env))
        return false;
    if (!more->when)
        return true;
    switch (rule_when_holds(a, more->when, env)) {
    case WHEN_NO:
        return false;
    case WHEN_YES:
        return true;
    case WHEN_UNKNOWN:
        break;
    }
    return r->effect != BEHAVIOR_ALLOW;
}

bool rule_is_on_age(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    for (size_t i = 0; i < more->unless_count; i++)
        if (rule_is_on_age(&more->unless[i]))
            return true;
    return more->when && more->when->for_seconds;
}
