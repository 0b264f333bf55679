#include "facts/scripts.h"

#include "base/path.h"
#include "facts/actions.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"

static bool is_own_file(const struct facts *f, const struct subject_path *p)
{
    if (p->pattern || p->uncertain || p->climbs || p->fresh || p->unlikely || p->resolved.len == 0)
        return false;
    return path_in_workspace(f, p) && !path_secret(f, p) && !project_is_foreign(f, p->written) &&
           !project_is_foreign(f, p->resolved) &&
           f->world->kind(f->world->context, p->resolved.s) == FILE_REGULAR;
}

static enum script_age age_of(const struct facts *f, const struct subject_path *p)
{
    if (!is_own_file(f, p))
        return SCRIPT_NONE;
    const struct session *past = facts_past(f);
    if (!past || past->began <= 0)
        return SCRIPT_TIMELESS;
    return f->world->unchanged && f->world->unchanged(f->world->context, p->written.s, past->began)
               ? SCRIPT_OLD
               : SCRIPT_CHANGED;
}

/* The one file that it runs; NULL if there is none, or more than one. */
static const struct subject_path *file_of(const struct action *a)
{
    const struct subject_path *found = NULL;

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!(p->access & ACCESS_RUN) || p->below)
            continue;
        if (found)
            return NULL;
        found = p;
    }
    return found;
}

static bool is_run_here(const struct shell_action *from, const struct action *a)
{
    return from->kind == SHELL_COMMAND && from->words.count && !from->elsewhere && !a->built &&
           a->session_build.state != BUILT_HERE && a->cwd.len && !action_has_other_cwd(a);
}

/* Does it run a file by its path, or as the only thing that an interpreter runs? */
static bool runs_file(const struct shell_action *from, const struct action *a)
{
    if (!a->script_word && !a->by_path)
        return false;
    return is_run_here(from, a) &&
           (a->script_word || (from->words.items[0].known && !from->words.items[0].may_glob));
}

/* A file that an action runs. */
struct run {
    enum script_age script;
    struct subject_path file;
};

static struct run classify(struct facts *f, const struct shell_action *from, const struct action *a)
{
    struct subject s = {0};
    const struct subject_path *file;

    if (!runs_file(from, a))
        return (struct run){0};
    if (a->script_word) {
        file = file_of(a);
    } else {
        touch_path(f, &s, a->cwd, from->words.items[0].text, ACCESS_READ | ACCESS_RUN);
        file = s.paths.count ? &s.paths.items[0] : NULL;
    }
    return file ? (struct run){age_of(f, file), *file} : (struct run){0};
}

/* May it change files that it does not name? Code could change any script. */
static bool changes_unnamed(const struct action *a, enum script_age script)
{
    if (a->redirect || a->assignment)
        return false;
    if (!a->program)
        return script != SCRIPT_OLD && a->subject.words.count > 0;
    return (a->effects & (EFFECT_REPO | EFFECT_LOSS | EFFECT_UNKNOWN)) != 0;
}

/* Does, or may, another part of the same command change it? Then its age says nothing. */
static bool is_disturbed(const struct facts *f, const struct run *all, size_t at)
{
    const struct subject_path *file = &all[at].file;

    if (facts_too_many(f))
        return true;
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if (i != at && (changes_unnamed(a, all[i].script) || action_may_write(a, file->written) ||
                        action_may_write(a, file->resolved)))
            return true;
    }
    return false;
}

void scripts_find(struct facts *f, const struct shell_actions *all)
{
    size_t first = 0;

    while (first < all->count && !runs_file(&all->items[first], &f->actions.items[first]))
        first++;
    if (first == all->count)
        return;
    struct run *runs = ARENA_ARRAY(f->arena, struct run, all->count + 1);
    for (size_t i = first; i < all->count; i++)
        runs[i] = classify(f, &all->items[i], &f->actions.items[i]);
    /* In separate passes: an old script disturbs no other one, and becomes project code only after
     * all have been compared with each other. */
    for (size_t i = 0; i < all->count; i++)
        f->actions.items[i].script = runs[i].script == SCRIPT_OLD && is_disturbed(f, runs, i)
                                         ? SCRIPT_CHANGED
                                         : runs[i].script;
    for (size_t i = 0; i < all->count; i++)
        if (f->actions.items[i].script == SCRIPT_OLD)
            action_become_project_code(f, &all->items[i], &f->actions.items[i]);
}
