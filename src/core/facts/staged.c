#include "facts/staged.h"

#include "base/glob.h"
#include "base/path.h"
#include "base/rare.h"
#include "base/utf8.h"
#include "facts/order.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"
#include "facts/trees.h"
#include "shell/shell.h"

/* ---- what git is given ---- */

/* What tree_unignored_secret() has found, as a path. */
static struct str path_found(const struct facts *f, const char *found)
{
    const char *path = found ? strstr(found, ": /") : NULL;

    if (!found)
        return (struct str){0};
    return path && utf8_valid(str_from(path + 2)) ? str_copy(f->arena, str_from(path + 2))
                                                  : GIVEN_UNKNOWN;
}

/* May it change which files git ignores? */
static bool changes_ignored(const struct action *a)
{
    if ((a->unknown & (ACCESS_WRITE | ACCESS_DELETE)) ||
        (action_is_git(a) && (a->effects & EFFECT_REPO) && !a->row->leaves_files &&
         !a->spares_tree))
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (p->pattern || p->below || str_eq_nocase(path_base(p->written), STR(".gitignore"))))
            return true;
    }
    return false;
}

/* May another part of the call do so before this action ends? */
static bool was_ignored_otherwise(const struct facts *f, const struct action *a)
{
    size_t at = (size_t)(a - f->actions.items);

    if (facts_too_many(f))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != at && changes_ignored(&f->actions.items[i]) &&
            !order_ends_before(f, &f->shell->actions, at, i))
            return true;
    return false;
}

struct str staged_work_tree(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;

    if (!path_is_absolute(directory) || path_is_inside(directory, f->workspace))
        return f->workspace;
    for (struct str d = directory; d.len > 1; d = path_dir(d))
        if (facts_has(f, d, ".git"))
            return d;
    return directory;
}

static struct str tree_secret(const struct facts *f, const struct action *a, struct str directory)
{
    return path_found(f, tree_unignored_secret(f, directory, was_ignored_otherwise(f, a)));
}

/* A pathspec that may be more than the name of a file: ":/", "*.c". */
static bool is_pathspec(const struct subject_path *p)
{
    for (size_t i = 0; i < p->written.len; i++)
        if (strchr(":*?[\\", p->written.s[i]))
            return true;
    return p->pattern;
}

/* What is not there yet, this call makes; nothing of it is a secret but by its name. */
static struct str secret_of(const struct facts *f, const struct action *a,
                            const struct subject_path *p)
{
    enum file_kind kind =
        p->pattern ? FILE_UNKNOWN : f->world->kind(f->world->context, p->written.s);

    if (kind == FILE_DIRECTORY)
        return tree_secret(f, a, p->written);
    if (path_secret(f, p))
        return utf8_valid(p->written) && !p->pattern ? p->written : GIVEN_UNKNOWN;
    return kind != FILE_REGULAR && is_pathspec(p) ? tree_secret(f, a, staged_work_tree(f, a))
                                                  : (struct str){0};
}

static bool keeps_contents(const struct action *a)
{
    return action_is_git(a) && (a->effects & EFFECT_REPO);
}

/* A secret that another part of the call reads may reach git through a pipe, a redirection or a
 * file. */
static struct str read_beside(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        for (size_t n = 0; n < f->actions.items[i].subject.paths.count; n++) {
            const struct subject_path *p = &f->actions.items[i].subject.paths.items[n];
            if ((p->access & ACCESS_READ) && !p->below && !p->listed && path_secret(f, p))
                return utf8_valid(p->written) && !p->pattern ? p->written : GIVEN_UNKNOWN;
        }
    return (struct str){0};
}

static struct str given_by(const struct facts *f, const struct action *a)
{
    struct str secret = {0};

    if (a->takes_tree || (a->unknown & ACCESS_READ))
        secret = tree_secret(f, a, staged_work_tree(f, a));
    for (size_t i = 0; !secret.len && i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_READ) && !a->subject.paths.items[i].below)
            secret = secret_of(f, a, &a->subject.paths.items[i]);
    return secret;
}

static struct str call_gives(const struct facts *f)
{
    struct str secret = {0};
    bool kept = false;

    for (size_t i = 0; !secret.len && i < f->actions.count; i++)
        if (keeps_contents(&f->actions.items[i])) {
            kept = true;
            secret = given_by(f, &f->actions.items[i]);
        }
    return kept && !secret.len ? read_beside(f) : secret;
}

/* ---- what it prints of that ---- */

/* A subcommand that no row knows may print anything. */
static bool is_unknown_git(const struct action *a)
{
    return a->row && (a->effects & EFFECT_UNKNOWN) &&
           (action_is_git(a) || strcmp(a->row->name, "git") == 0) &&
           program_has_subcommands(str_from(a->row->name));
}

bool staged_prints(const struct action *a)
{
    if (is_unknown_git(a))
        return true;
    if (!action_is_git(a))
        return false;
    switch (a->row->shows) {
    case SHOWS_OBJECTS:
        return a->broad || !a->row->broadens;
    case SHOWS_LINES:
        return !a->selects;
    case SHOWS_CHANGES:
        return true;
    case SHOWS_INDEX:
        return a->broad;
    case SHOWS_NOTHING:
        break;
    }
    return false;
}

/* git diff --cached, git commit -v */
static bool prints_index(const struct action *a)
{
    return action_is_git(a) && a->broad &&
           (a->row->shows == SHOWS_INDEX || a->row->shows == SHOWS_CHANGES);
}

static bool has_operand(const struct action *a)
{
    for (size_t i = 2; i < a->subject.words.count && !str_is(a->subject.words.items[i], "--"); i++)
        if (!str_starts(a->subject.words.items[i], STR("-")))
            return true;
    return false;
}

static bool call_adds(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].row && f->actions.items[i].row->takes &&
            (f->actions.items[i].effects & EFFECT_REPO))
            return true;
    return false;
}

/* Whatever git adds, commits or stashes, whoever told it to, is written to its index. A linked
 * worktree has its own. */
static bool is_added_to(const struct facts *f)
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

/* A secret in the tree counts that perhaps was added. git diff alone compares with the index. */
static bool may_be_added(const struct facts *f, const struct action *a)
{
    if (action_is_git(a) && a->row->shows == SHOWS_CHANGES && !has_operand(a))
        return prints_index(a);
    return prints_index(a) || call_adds(f) || is_added_to(f);
}

/* Whole directories, from the workspace on, with what is hidden in them. */
static bool reads_workspace(const struct facts *f, const struct action *a, struct str path)
{
    return a->recursive && !a->lists && !a->selects && !action_is_git(a) &&
           !(a->row && a->row->unhides && !a->unhidden) && path_is_inside(f->workspace, path);
}

/* .g*, {.git,x} or two stars: may one part of the pattern be .git? */
static bool matches_git(const struct facts *f, struct str pattern)
{
    struct str part;
    struct glob *g;

    for (bool more = true; more;) {
        more = str_cut(pattern, '/', &part, &pattern);
        if (strpbrk(str_copy(f->arena, part).s, "*?[{\\") &&
            (str_starts(part, STR("**")) || str_has(part, '{') ||
             glob_compile(f->arena, part, GLOB_NOCASE, &g, NULL) != STATUS_OK ||
             glob_match_or(g, STR(".git"), true)))
            return true;
    }
    return false;
}

/* Paths have many slashes and few dots. */
static bool is_in_git(struct str path)
{
    return str_contains(path, STR(".git")) &&
           (str_contains(path, STR("/.git/")) || str_ends(path, STR("/.git")));
}

static bool is_git_file(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    struct str real = p->resolved.len ? p->resolved : p->written;

    return (p->access & ACCESS_READ) && !p->below && !p->listed &&
           (is_in_git(real) || (p->pattern && matches_git(f, p->written)) ||
            reads_workspace(f, a, real));
}

/* Reads files of git itself: objects, and patches that it works on. */
static bool reads_git_files(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; !a->lists && i < a->subject.paths.count; i++)
        if (is_git_file(f, a, &a->subject.paths.items[i]))
            return true;
    return false;
}

static void add_secret(struct facts *f, struct action *a, struct str secret)
{
    if (str_eq(secret, GIVEN_UNKNOWN))
        a->unknown |= ACCESS_READ;
    else if (secret.len)
        touch_path(f, &a->subject, f->workspace, secret, ACCESS_READ);
}

static struct str given_before(struct facts *f)
{
    const struct session *past = facts_past(f);

    f->by_session = true;
    return past ? past->given : (struct str){0};
}

static void judge_printing(struct facts *f, struct action *a)
{
    struct str secret = f->gives.len ? f->gives : given_before(f);

    if (!secret.len && f->workspace.len && may_be_added(f, a))
        secret = path_found(f, tree_unignored_secret(f, f->workspace, false));
    add_secret(f, a, secret);
}

/* Does it have to do with git: run it, or read what is in .git? */
static bool is_about_git(const struct facts *f, const struct action *a)
{
    return action_is_any_git(a) ||
           (a->subject.paths.count && f->workspace.len && reads_git_files(f, a));
}

RARE static void find_given(struct facts *f)
{
    if (f->workspace.len && !f->gives.len)
        f->gives = call_gives(f);
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        if (staged_prints(a))
            judge_printing(f, a);
        else if (f->workspace.len && reads_git_files(f, a))
            add_secret(f, a, f->gives.len ? f->gives : given_before(f));
    }
}

void staged_find(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (is_about_git(f, &f->actions.items[i])) {
            find_given(f);
            return;
        }
}
