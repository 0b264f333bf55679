#include "decide/reversible.h"

#include "base/path.h"
#include "decide/layer.h"
#include "decide/why.h"
#include "facts/fresh.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

/* ---- whether anything is saved ---- */

static bool is_on(const struct facts *f)
{
    return f->saves && f->undo && f->call->kind == TOOL_SHELL && f->understood &&
           f->workspace.len && !facts_too_many(f) &&
           (f->mode == MODE_DEFAULT || f->mode == MODE_ACCEPT_EDITS);
}

/* What is moved from elsewhere into a directory of the workspace, and deleted with it, is in no
 * trash: whatever the call takes away must be in the workspace or temporary. */
static bool takes_only_own(const struct facts *f, const struct action *a)
{
    if (a->unknown & ACCESS_DELETE)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!(p->access & ACCESS_DELETE) || p->below || p->folded || p->fresh || p->unlikely)
            continue;
        if (p->uncertain || (p->pattern && !p->files) ||
            (!path_in_workspace(f, p) && !path_in_temporary(f, p)))
            return false;
    }
    return true;
}

static bool fits_as_a_whole(const struct facts *f)
{
    struct decision_cache *cache = f->cache;

    if (cache->fits_undo == ANY_UNASKED) {
        cache->fits_undo = ANY_YES;
        for (size_t i = 0; i < f->actions.count; i++)
            if (!takes_only_own(f, &f->actions.items[i]))
                cache->fits_undo = ANY_NO;
    }
    return cache->fits_undo == ANY_YES;
}

static bool is_saved(const struct facts *f)
{
    struct decision_cache *cache = f->cache;
    struct losses losses;

    if (cache->saved == ANY_UNASKED) {
        losses_find(f, &losses);
        cache->saved =
            f->saves(f->recall_context, f->arena, &losses, &cache->unsaved) ? ANY_YES : ANY_NO;
    }
    return cache->saved == ANY_YES;
}

bool reversible_is_saved(const struct facts *f)
{
    return is_on(f) && is_saved(f);
}

/* ---- actions ---- */

static bool reads_public(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!(p->access & ACCESS_READ) || p->below || p->folded)
            continue;
        if (p->uncertain || path_shows_secret(f, p) ||
            (a->recursive && (tree_doubt(f, a, p) || !path_readable_below(f, p))))
            return false;
    }
    return true;
}

/* A linked work tree elsewhere is the same repository, and its files are not saved. */
static bool is_below_workspace(const struct facts *f, struct str directory)
{
    return path_is_absolute(directory) && path_is_inside(directory, f->workspace);
}

/* git reset, clean, checkout, branch -D ... of the session's own repository, which is the whole
 * workspace: one that begins above it has files elsewhere. */
static bool is_git_here(const struct facts *f, const struct action *a)
{
    char common[WORLD_PATH_MAX];
    struct str git = str_join(f->arena, f->workspace, STR("/.git"));

    if (!is_below_workspace(f, a->directory.len ? a->directory : a->cwd) ||
        (action_has_other_cwd(a) && !is_below_workspace(f, a->cwd_other.path)))
        return false;
    return project_is_own_repository(f, a) && f->world->repository &&
           f->world->repository(f->world->context, f->workspace.s, common) && str_is(git, common) &&
           f->world->kind(f->world->context, git.s) == FILE_DIRECTORY;
}

static bool is_reversible(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    enum program_saves git;
    bool loses = false;

    if (!is_on(f) || a->redirect || a->assignment || !a->program || a->subject.hosts.count ||
        action_is_fresh(a) || !project_has_program(f, a) || !losses_cover(f, action, &git) ||
        !reads_public(f, a))
        return false;
    if (git != SAVES_NOT)
        return !(a->effects & ~(unsigned)(EFFECT_LOSS | EFFECT_REPO)) && is_git_here(f, a);
    for (size_t i = 0; i < a->subject.paths.count; i++)
        loses |= (a->subject.paths.items[i].access & ACCESS_DELETE) != 0;
    return loses && !(a->effects & ~(unsigned)EFFECT_INNER) && !str_is(a->name, "git");
}

struct str reversible_why(const struct facts *f, size_t action)
{
    enum program_saves git;

    (void)losses_cover(f, action, &git);
    return git != SAVES_NOT ? program_effects_text(f->arena, EFFECT_LOSS) : why_action(f, action);
}

struct str reversible_problem(const struct facts *f, size_t action)
{
    if (!is_reversible(f, action) || !fits_as_a_whole(f) || is_saved(f))
        return (struct str){0};
    struct str why = reversible_why(f, action);
    return str_format(f->arena, "%.*s, and that cannot be saved: %.*s", STR_ARG(why),
                      STR_ARG(f->cache->unsaved));
}

/* ---- the verdict ---- */

bool reversible_clears(const struct facts *f, size_t action)
{
    return is_reversible(f, action) && fits_as_a_whole(f) && is_saved(f);
}

void reversible_judge(const struct facts *f, const char *const *cleared_by, struct reversible *out)
{
    *out = (struct reversible){0};
    for (size_t i = 0; !out->yes && i < f->actions.count; i++) {
        if (cleared_by[i] != layers[LAYER_REVERSIBLE].name)
            continue;
        out->yes = true;
        out->why = reversible_why(f, i);
    }
}
