#include "facts/unchanged.h"

#include "facts/program_action.h"

/* Could it create a file that one of its own patterns then matches? */
static bool changes_files(struct facts *f, struct shell_action *from)
{
    switch (from->kind) {
    case SHELL_COMMAND:
        return from->words.count && program_changes(f, from);
    case SHELL_REDIRECT:
        return (from->access & SHELL_WRITES) && !str_is(from->words.items[0].text, "/dev/null");
    case SHELL_ASSIGN:
        break;
    }
    return false;
}

/* Can the disk tell more about it? A Python text may have patterns of its own: glob.glob('*.c'). */
static bool may_match(const struct shell_word *w)
{
    return w->may_glob || w->like.len || str_contains(w->text, STR("glob"));
}

static bool has_patterns(const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t n = 0; n < all->items[i].words.count; n++)
            if (may_match(&all->items[i].words.items[n]))
                return true;
    return false;
}

static bool changes_nothing(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (changes_files(f, &all->items[i]))
            return false;
    return true;
}

bool call_changes_no_file(struct facts *f)
{
    if (f->unchanged == UNCHANGED_UNASKED)
        f->unchanged =
            f->shell && has_patterns(&f->shell->actions) && changes_nothing(f, &f->shell->actions)
                ? UNCHANGED_YES
                : UNCHANGED_NO;
    return f->unchanged == UNCHANGED_YES;
}
