#include "facts/copies_in.h"

#include "base/path.h"

enum program_brings copies_in_of(const struct action *a)
{
    const bool may = a->program && program_may_say(a->name, COLUMN_BRINGS);
    const struct program_row *shipped = may ? program_by_any_name(a->name) : NULL;
    enum program_brings by_name = shipped ? shipped->brings : BRINGS_NOTHING,
                        by_row = a->row ? a->row->brings : BRINGS_NOTHING;

    return by_name > by_row ? by_name : by_row;
}

static bool find_any(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (copies_in_of(&f->actions.items[i]) != BRINGS_NOTHING)
            return true;
    return false;
}

bool copies_in_any(const struct facts *f)
{
    struct decision_cache *found = f->cache;

    if (found->brings == ANY_UNASKED)
        found->brings = find_any(f) ? ANY_YES : ANY_NO;
    return found->brings == ANY_YES;
}

/* ---- what git has tracked ---- */

/* After `git -C DIRECTORY`. Any other option hides the subcommand, and the command counts as
 * copying in. */
static size_t subcommand_at(const struct strs *words)
{
    return words->count > 3 && str_is(words->items[1], "-C") ? 3 : 1;
}

static bool is_git(const struct action *a, const char *subcommand)
{
    const struct strs *words = &a->subject.words;

    return a->program && str_is(a->name, "git") && words->count > subcommand_at(words) &&
           (!subcommand || str_is(words->items[subcommand_at(words)], subcommand));
}

/* Changes the repository but no files. */
static bool leaves_files(const struct action *a, struct str subcommand)
{
    const struct program_row *row = a->row;

    /* usually the row that explained the action */
    if (!row || strlen(row->name) <= a->name.len ||
        !str_is(subcommand, row->name + a->name.len + 1))
        row = program_subcommand(a->name, subcommand);
    return row && row->leaves_files;
}

/* A new branch at HEAD: the files stay. */
static bool only_names_branch(const struct strs *words, size_t at)
{
    return words->count == at + 3 && !str_starts(words->items[at + 2], STR("-")) &&
           ((str_is(words->items[at], "checkout") && str_is(words->items[at + 1], "-b")) ||
            (str_is(words->items[at], "switch") && str_is(words->items[at + 1], "-c")));
}

bool copies_in_tracked(const struct action *a)
{
    const struct strs *words = &a->subject.words;

    if (!(a->effects & ~(unsigned)(EFFECT_INNER | EFFECT_FETCH)) || !is_git(a, NULL))
        return false;
    size_t at = subcommand_at(words);
    return !leaves_files(a, words->items[at]) && !only_names_branch(words, at);
}

/* A pathspec with marks of its own is no path: '*.json', ':/'. */
static bool has_marks(struct str word)
{
    return str_starts(word, STR(":")) || str_until(word, "*?[") < word.len;
}

/* Does it change nothing but the paths that it names? The first of them may be a revision, unless
 * "--" is in front. */
static bool only_named_paths(const struct action *a)
{
    bool paths = false, marked = false;

    for (size_t i = 1; i < a->subject.words.count; i++)
        if (has_marks(a->subject.words.items[i]))
            return false;
        else
            marked |= str_is(a->subject.words.items[i], "--");
    for (size_t i = 0; i < a->subject.paths.count; i++)
        paths |= (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE)) != 0;
    for (size_t i = 0; i < a->revisions.count; i++)
        paths &= marked || a->revisions.items[i].kind != REVISION_OR_PATH;
    return paths;
}

bool copies_in_rewrites(const struct action *a)
{
    bool removes = a->row && a->row->leaves_files && a->row->spares; /* git rm */

    return (copies_in_tracked(a) || removes) && !a->spares_tree && !only_named_paths(a);
}

/* Is there a repository above it whose files could be written here? */
static bool is_below_repository(const struct facts *f, struct str directory)
{
    for (struct str at = path_dir(directory); at.len > 1; at = path_dir(at))
        if (facts_has(f, at, ".git"))
            return true;
    return facts_has(f, STR("/"), ".git");
}

/* `git worktree add DIRECTORY` creates it, with its own .git, or fails. */
static bool makes_worktree(const struct facts *f, const struct action *a, struct str directory)
{
    if (!is_git(a, "worktree") || f->world->kind(f->world->context, directory.s) != FILE_ABSENT)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!a->subject.paths.items[i].below &&
            str_eq(a->subject.paths.items[i].written, directory))
            return true;
    return false;
}

/* In any order: the command may be a loop. */
static bool is_written(const struct facts *f, const struct action *a, struct str directory)
{
    for (const struct action *by = f->actions.items; by < f->actions.items + f->actions.count; by++)
        if (by != a && copies_in_tracked(by) && !makes_worktree(f, by, directory))
            return true;
    return false;
}

bool copies_in_exposes(const struct facts *f, const struct action *a, struct str directory)
{
    char resolved[WORLD_PATH_MAX];

    if (!path_is_absolute(directory) || f->actions.count < 2)
        return false;
    directory = str_copy(f->arena, directory);
    if (facts_too_many(f))
        return true;
    if (!is_written(f, a, directory) || facts_has(f, directory, ".git"))
        return false;
    return is_below_repository(f, directory) ||
           !f->world->resolve(f->world->context, directory.s, resolved) ||
           is_below_repository(f, str_from(resolved));
}
