#include "facts/staged.h"

#include "base/path.h"
#include "facts/touch.h"
#include "facts/trees.h"

static enum program_shows shows(const struct action *a)
{
    return a->row ? a->row->shows : SHOWS_NOTHING;
}

static bool has_operand(const struct action *a)
{
    for (size_t i = 2; i < a->subject.words.count && !str_is(a->subject.words.items[i], "--"); i++)
        if (!str_starts(a->subject.words.items[i], STR("-")))
            return true;
    return false;
}

/* git diff --cached, git commit -v */
static bool prints_index(const struct action *a)
{
    return a->broad && (shows(a) == SHOWS_INDEX || shows(a) == SHOWS_CHANGES);
}

/* What was committed, or differs from a commit: that counts if it was added by the same call, or
 * may have been added earlier in the session. */
static bool prints_added(const struct action *a)
{
    return (shows(a) == SHOWS_COMMITS && (a->broad || !a->row->broadens)) ||
           (shows(a) == SHOWS_CHANGES && has_operand(a));
}

static bool call_adds(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (shows(&f->actions.items[i]) == ADDS_FILES)
            return true;
    return false;
}

/* Whatever git adds, commits or stashes is written to its index. A linked worktree has its own. */
static bool session_adds(const struct facts *f)
{
    const struct session *past = facts_past(f);
    char common[WORLD_PATH_MAX];

    if (!past || past->began <= 0 || !f->world->repository || !f->world->unchanged ||
        !f->world->repository(f->world->context, f->workspace.s, common))
        return false;
    struct str index = path_join(f->arena, str_from(common), STR("index"));
    return facts_has(f, str_from(common), "worktrees") ||
           !f->world->unchanged(f->world->context, index.s, past->began);
}

static void add_secret(struct facts *f, struct action *a)
{
    const char *found = tree_unignored_secret(f, f->workspace);
    const char *path = found ? strstr(found, ": /") : NULL;

    if (path)
        touch_path(f, &a->subject, f->workspace, str_from(path + 2), ACCESS_READ);
    else if (found)
        a->unknown |= ACCESS_READ;
}

void staged_find(struct facts *f)
{
    for (size_t i = 0; f->workspace.len && i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        if (prints_index(a) || (prints_added(a) && (call_adds(f) || session_adds(f))))
            add_secret(f, a);
    }
}
