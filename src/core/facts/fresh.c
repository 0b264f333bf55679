#include "facts/fresh.h"

#include "base/path.h"
#include "facts/drivers.h"
#include "facts/fresh_parts.h"
#include "facts/revisions.h"

/* ---- what is brought in ---- */

/* Does the call change what the remotes' branches and the tags are? */
static bool call_fetches(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_is_git(&f->actions.items[i]) && (f->actions.items[i].effects & EFFECT_FETCH))
            return true;
    return false;
}

/* A name that git does not know yet may be what the call fetches. */
static bool is_new(enum origin origin, bool fetches)
{
    return origin == ORIGIN_NEW || (fetches && (origin == ORIGIN_REMOTE || origin == ORIGIN_NONE));
}

static void judge_revisions(struct facts *f, struct action *a, bool fetches)
{
    for (size_t i = 0; i < a->revisions.count; i++) {
        const struct program_revision *revision = &a->revisions.items[i];
        enum origin origin = revision_origin(f, a, revision);
        f->by_session = true;
        if (origin == ORIGIN_UNKNOWN && !action_is_fresh(a))
            a->fresh = (struct fresh){.kind = FRESH_REVISION, .what = revision->text};
        a->brings |= origin == ORIGIN_UNKNOWN || is_new(origin, fetches);
    }
}

bool fresh_is_brought(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].brings)
            return true;
    return false;
}

/* ---- what is run ---- */

bool fresh_runs_project(const struct action *a)
{
    return a->program && (a->effects & (EFFECT_PROJECT | EFFECT_INSTALL));
}

static bool is_unagreed(const struct facts *f)
{
    const struct session *past = facts_past(f);

    return past && past->brought > past->agreed;
}

static void judge_run(struct facts *f, const struct shell_actions *all, size_t at, bool brought)
{
    struct action *a = &f->actions.items[at];

    f->by_session = true;
    if (brought || is_unagreed(f))
        a->fresh.kind = FRESH_BROUGHT;
    else if (!fresh_find_written(f, all, at, &a->fresh))
        (void)fresh_find_entry(f, a, &a->fresh);
}

/* ---- what git runs by itself ---- */

/* git mv may give any file the name of a hook. */
static bool find_driver(const struct facts *f, const struct action *a, struct fresh *out)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_WRITE) && !p->below && path_is_driver(f, p) &&
            !path_is_inside(f->workspace, p->written)) {
            *out = (struct fresh){.kind = FRESH_DRIVER, .what = p->written};
            return true;
        }
    }
    return false;
}

/* Hooks in the work tree come with its commits; pre-commit and lefthook have hooks in .git that
 * read a file of the work tree. */
static void judge_hooks(struct facts *f, struct action *a, bool brought)
{
    if (find_driver(f, a, &a->fresh))
        return;
    f->by_session = true;
    if ((is_unagreed(f) || (brought && !a->brings)) && drivers_in_workspace(f))
        a->fresh.kind = FRESH_BROUGHT;
    else
        (void)fresh_find_entry(f, a, &a->fresh);
}

void fresh_find(struct facts *f, const struct shell_actions *all)
{
    bool fetches = call_fetches(f);

    for (size_t i = 0; i < f->actions.count; i++)
        judge_revisions(f, &f->actions.items[i], fetches);
    bool brought = fresh_is_brought(f);
    for (size_t i = 0; i < f->actions.count; i++)
        if (fresh_runs_project(&f->actions.items[i]) && !action_is_fresh(&f->actions.items[i]))
            judge_run(f, all, i, brought);
        else if (action_is_git(&f->actions.items[i]) && !action_is_fresh(&f->actions.items[i]) &&
                 (f->actions.items[i].effects & (EFFECT_REPO | EFFECT_SEND)))
            judge_hooks(f, &f->actions.items[i], brought);
}

struct str fresh_why(const struct facts *f, const struct action *a)
{
    switch (a->fresh.kind) {
    case FRESH_NOT:
        break;
    case FRESH_REVISION:
        return str_format(
            f->arena,
            "%.*s is not a local branch, tag or remote branch, so it may be anyone's code",
            STR_ARG(a->fresh.what));
    case FRESH_BROUGHT:
        return STR("would run code that came from a remote in this session");
    case FRESH_WRITTEN:
        return str_format(f->arena, "would run what this call writes: %.*s",
                          STR_ARG(a->fresh.what));
    case FRESH_ENTRY:
        return str_format(f->arena, "%.*s has changed since the session began",
                          STR_ARG(a->fresh.what));
    case FRESH_UNREAD:
        return str_format(f->arena, "which files %.*s names is not known", STR_ARG(a->fresh.what));
    case FRESH_DRIVER:
        return str_format(f->arena, "git runs %.*s, by its settings", STR_ARG(a->fresh.what));
    }
    return (struct str){0};
}
