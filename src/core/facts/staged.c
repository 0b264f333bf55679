#include "facts/staged.h"

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

/* What was committed, or differs from a commit: that counts if it was added by the same call. */
static bool prints_added(const struct action *a)
{
    return shows(a) == SHOWS_COMMITS || (shows(a) == SHOWS_CHANGES && has_operand(a));
}

static bool call_adds(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (shows(&f->actions.items[i]) == ADDS_FILES)
            return true;
    return false;
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
        if (prints_index(a) || (prints_added(a) && call_adds(f)))
            add_secret(f, a);
    }
}
