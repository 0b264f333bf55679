/* rule_git.c - deny and ask rules on paths, for files that git prints, takes or writes without
 * being given their names: git show, git add -A, git checkout ., git rm 'sub/[star]'.
 *
 * What git tracks and a rule forbids to read, a command that prints what git keeps may print. What
 * it neither tracks nor ignores, git add takes. What it tracks and a rule forbids to write, a
 * command that rewrites the work tree may write. Which commands those are, the rows of git say;
 * which files, the index. */
#include "base/glob.h"
#include "base/path.h"
#include "decide/rule_below.h"
#include "facts/copies_in.h"
#include "facts/staged.h"
#include "facts/tracked.h"
#include "rule/index.h"

struct scope {
    const struct facts *f;
    const struct action *action;
    struct str tree;
    enum { PRINTED, TAKEN, WRITTEN, REMOVED } as;
    bool ignored; /* what git ignores is taken as well */
    bool none;    /* no rule is about a file in the work tree */
};

static bool is_given(const struct action *a, const char *names)
{
    struct str rest = str_from(names), name;

    while (str_next_word(&rest, &name))
        if (strs_has(&a->subject.words, name))
            return true;
    return false;
}

/* A pathspec that is more than the name of a file: ":/", "*.c". */
static bool is_pathspec(struct str path)
{
    return str_until(path, "*?[\\") != path.len || str_contains(path, STR("/:"));
}

/* The stars of git stand for slashes, too. ":(icase)x" and its like could be anything. */
static bool pathspec_meets(const struct scope *s, struct str pathspec, struct str path)
{
    struct glob *g, *below;

    if (str_contains(pathspec, STR("/:")))
        return true;
    return glob_compile(s->f->arena, pathspec, GLOB_NOCASE, &g, NULL) != STATUS_OK ||
           glob_match_or(g, path, true) ||
           glob_compile(s->f->arena, str_join(s->f->arena, pathspec, STR("/*")), GLOB_NOCASE,
                        &below, NULL) != STATUS_OK ||
           glob_match_or(below, path, true);
}

/* Is it one of the words? A secret that git was given is a path of the action, too (staged.h). */
static bool is_word(const struct scope *s, const struct subject_path *p)
{
    const struct action *a = s->action;
    struct str path;

    for (size_t i = 2; i < a->subject.words.count; i++)
        if (path_absolute(s->f->arena, a->directory.len ? a->directory : a->cwd, s->f->home,
                          a->subject.words.items[i], &path) &&
            str_eq(path, p->written))
            return true;
    return false;
}

/* Does the command name what it acts on? A revision is no file. */
static bool is_named(const struct scope *s, const struct subject_path *p)
{
    return !p->below && is_word(s, p) &&
           (p->pattern || is_pathspec(p->written) ||
            s->f->world->kind(s->f->world->context, p->written.s) != FILE_ABSENT);
}

static bool meets(const struct scope *s, const struct subject_path *p, struct str path)
{
    return p->pattern || path_is_inside(path, p->written) ||
           (p->resolved.len && path_is_inside(path, p->resolved)) ||
           path_is_inside(p->written, path) ||
           (is_pathspec(p->written) && pathspec_meets(s, p->written, path));
}

/* The patch that git apply reads does not say what it writes. */
static bool is_in_scope(const struct scope *s, struct str path)
{
    const struct subject_paths *paths = &s->action->subject.paths;
    const unsigned access =
        s->as == PRINTED || s->as == TAKEN ? ACCESS_READ : ACCESS_WRITE | ACCESS_DELETE;
    bool named = false;

    for (size_t i = 0; i < paths->count; i++) {
        if (!(paths->items[i].access & access) || !is_named(s, &paths->items[i]))
            continue;
        if (meets(s, &paths->items[i], path))
            return true;
        named = true;
    }
    return !named;
}

static bool is_ignored(const struct facts *f, struct str path)
{
    return f->world->ignored && f->world->ignored(f->world->context, str_copy(f->arena, path).s);
}

/* A rule that forbids to read also forbids to write; but whoever forbids to read a tracked file
 * does not mean every git checkout. */
static bool is_on_writing(const struct rule *r)
{
    return !r->access || (r->access & (ACCESS_WRITE | ACCESS_DELETE));
}

static bool counts(const void *to, const struct rule *r, struct str path, bool directory)
{
    const struct scope *s = to;

    if (path_is_inside(path, path_join(s->f->arena, s->tree, STR(".git"))) || !is_in_scope(s, path))
        return false;
    const bool tracked = tracked_in(s->f, s->tree, path, directory);
    switch (s->as) {
    case PRINTED:
        return tracked;
    case TAKEN:
        return (!tracked || directory) && (s->ignored || !is_ignored(s->f, path));
    case WRITTEN:
        return tracked && is_on_writing(r);
    case REMOVED:
        return (!tracked || directory) && is_on_writing(r) &&
               (s->ignored || !is_ignored(s->f, path));
    }
    return true;
}

/* The project may be a part of a repository. */
static struct str top(const struct facts *f, struct str tree)
{
    for (struct str d = tree; d.len > 1; d = path_dir(d))
        if (facts_has(f, d, ".git"))
            return str_copy(f->arena, d);
    return tree;
}

static const struct rule *look(struct scope *s, unsigned as, unsigned access)
{
    const struct below_filter filter = {s, counts};
    const struct rule_index *x = s->f->book->index;

    if (!s->tree.len) { /* most commands need none */
        s->tree = top(s->f, staged_work_tree(s->f, s->action));
        s->none = x && !rule_index_may_forbid_below(x, s->tree, &s->f->env);
    }
    s->as = as;
    if (s->none || !path_is_absolute(s->tree))
        return NULL;
    return rule_below_some(s->f, s->action, s->tree, access, &filter);
}

static bool is_command(const struct action *a, const char *name)
{
    return strcmp(a->row->name, name) == 0;
}

/* git diff --stat: what is printed of files is their names, and how much of them. */
static bool prints_names(const struct action *a)
{
    static const char only[] = "--stat --numstat --shortstat --summary --dirstat --name-only "
                               "--name-status --quiet -s --no-patch";
    const struct strs *words = &a->subject.words;

    for (size_t i = 2; i < words->count; i++) {
        const struct str word = words->items[i];
        if (str_starts(word, STR("-")) && !str_has_word(str_from(only), word) &&
            !str_starts(word, STR("--stat=")))
            return false;
    }
    return is_given(a, only);
}

/* A rule is about all lines of a file, and not only about those with secrets. */
static bool prints(const struct action *a)
{
    if (action_is_git(a) && a->row->shows == SHOWS_LINES)
        return true;
    return staged_prints(a) && !(a->effects & EFFECT_SEND) && !prints_names(a);
}

/* git add DIRECTORY, git stash -u: contents of files that were not tracked before. */
static bool takes_new(const struct scope *s)
{
    const struct action *a = s->action;

    if (is_command(a, "git add") || is_command(a, "git stage"))
        return !is_given(a, "-n --dry-run -u --update");
    return strncmp(a->row->name, "git stash", 9) == 0 && a->broad;
}

static bool removes_new(const struct scope *s)
{
    return (is_command(s->action, "git clean") && (s->action->effects & EFFECT_LOSS)) ||
           (strncmp(s->action->row->name, "git stash", 9) == 0 && s->action->broad);
}

/* A path that it writes or deletes, and that is a directory or a pathspec: git checkout -- sub. */
static bool writes_named(const struct scope *s)
{
    const struct subject_paths *paths = &s->action->subject.paths;

    for (size_t i = 0; i < paths->count; i++)
        if ((paths->items[i].access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            is_named(s, &paths->items[i]))
            return true;
    return false;
}

static bool rewrites(const struct scope *s)
{
    const struct action *a = s->action;

    if (!action_is_git(a))
        return a->effects & EFFECT_UNKNOWN; /* a subcommand that no row knows */
    return (a->effects & (EFFECT_REPO | EFFECT_LOSS)) && !is_command(a, "git clean") &&
           (copies_in_rewrites(a) || (writes_named(s) && !a->row->leaves_files));
}

static const struct rule *rule_for(struct scope *s)
{
    const struct action *a = s->action;
    const struct rule *r = NULL;

    if (prints(a))
        r = look(s, PRINTED, ACCESS_READ);
    if (!r && action_is_git(a) && takes_new(s))
        r = look(s, TAKEN, ACCESS_READ);
    if (!r && action_is_git(a) && removes_new(s))
        r = look(s, REMOVED, ACCESS_WRITE | ACCESS_DELETE);
    if (!r && rewrites(s))
        r = look(s, WRITTEN, ACCESS_WRITE | ACCESS_DELETE);
    return r;
}

const struct rule *rule_in_repository(const struct facts *f, const struct action *a)
{
    if (!action_is_any_git(a))
        return NULL;
    struct scope s = {.f = f, .action = a};
    s.ignored = is_given(a, "-f --force -x -X -a --all");
    return rule_for(&s);
}
