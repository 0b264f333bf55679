#include "facts/own_reach.h"

#include "base/path.h"
#include "facts/own_places.h"

/* What one action can print as names of files. */
enum prints {
    PRINTS_NOTHING, /* it reads no directory */
    PRINTS_OTHERS,  /* none of our places */
    PRINTS_OURS,
};

static bool is_find(const struct action *a)
{
    return a->program && str_is(a->name, "find");
}

static bool finds_ours(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    /* hidden names are skipped: nearly all of our places have one */
    if (a->row && a->row->unhides && !a->unhidden)
        return false;
    if (!is_find(a))
        return own_place_in_workspace(f, NULL) != NULL;
    const struct selection which = selection_of_find(f, &a->subject.words, p->written);
    return own_place_in_workspace(f, &which) != NULL;
}

/* A path below the workspace leads to none of them, unless it is one. */
static enum prints printed_by(const struct facts *f, const struct action *a)
{
    enum prints prints = PRINTS_NOTHING;

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->below || !(p->access & ACCESS_READ))
            continue;
        if (p->pattern || (path_is_inside(f->workspace, p->written) && finds_ours(f, a, p)))
            return PRINTS_OURS;
        /* what a file contains may be the name of any */
        if (a->recursive)
            prints = PRINTS_OTHERS;
    }
    return prints;
}

/* xargs takes what any command before it has printed. */
static bool reaches_by_input(const struct facts *f, const struct action *a, const struct action *by)
{
    bool bounded = false;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *from = &f->actions.items[i];
        enum prints prints = from == a || from == by ? PRINTS_NOTHING : printed_by(f, from);
        if (prints == PRINTS_OURS)
            return true;
        bounded |= prints == PRINTS_OTHERS;
    }
    return !bounded;
}

const char *own_reach(const struct facts *f, const struct shell_action *from,
                      const struct action *a)
{
    const struct action *by = &f->actions.items[from->parent];
    const char *what = f->workspace.len && (is_find(by) || (by->row && by->row->appends))
                           ? own_place_in_workspace(f, NULL)
                           : NULL;

    if (!what || facts_too_many(f))
        return what;
    if (is_find(by) ? printed_by(f, by) != PRINTS_OTHERS : reaches_by_input(f, a, by))
        return what;
    return NULL;
}
