/* project.c - work in the project itself: its repository and its own code.
 *
 * Both run what the project contains (hooks, tests, builds), which the agent may have written. That
 * is a deliberate choice, so that work can continue; one line of policy turns off the second
 * (runners: false). */
#include "facts/project.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/copies_in.h"
#include "facts/destinations.h"
#include "facts/outputs.h"
#include "facts/scratch.h"
#include "facts/sensitive_paths.h"
#include "facts/worktree.h"
#include "shell/shell.h"

/* A bare name: PATH decides which file it means. */
static bool is_elsewhere(const struct facts *f, struct str name)
{
    char found[WORLD_PATH_MAX];
    struct subject_path p = {0};

    if (!f->world->program || !f->world->program(f->world->context, name, found))
        return true; /* a shell builtin, or not found */
    p.written = p.resolved = str_from(found);
    return found[0] == '/' && !path_in_workspace(f, &p) && path_is_of_programs(f, p.resolved);
}

/* Cached: several layers ask about the same action, and a call often runs one program twice. */
static bool was_elsewhere(const struct facts *f, struct str name)
{
    struct decision_cache *found = f->cache;

    if (found->program.len == 0 || !str_eq(found->program, name)) {
        found->elsewhere = is_elsewhere(f, name);
        found->program = name;
    }
    return found->elsewhere;
}

bool project_has_program(const struct facts *f, const struct action *a)
{
    struct str program = a->built ? STR("go") : a->subject.words.items[0];
    struct subject_path p = {0};

    if (!str_has(program, '/'))
        return was_elsewhere(f, program);
    if (a->script == SCRIPT_OLD || a->session_build.state == BUILT_HERE)
        return true; /* the table is not about this program */
    /* With a directory: only where programs are installed and only the owner of the machine
     * writes. */
    if (!path_absolute(f->arena, a->cwd, f->home, program, &p.written))
        return false;
    p.resolved = p.written;
    return !path_in_workspace(f, &p) && path_protected(f, &p);
}

/* In the workspace, and not through a link that leaves it: programs see the link's target. */
static bool leads_inside(const struct facts *f, struct str directory, char room[WORLD_PATH_MAX],
                         struct str *real)
{
    struct subject_path p = {.written = directory};

    if (!path_is_absolute(directory))
        return false;
    p.resolved = *real = facts_resolve(f, directory, room);
    return p.resolved.len && path_in_workspace(f, &p);
}

static bool is_inside(const struct facts *f, struct str directory)
{
    char room[WORLD_PATH_MAX];
    struct str real;

    return leads_inside(f, directory, room, &real);
}

/* After a `cd` that may have failed. */
static bool may_be_outside(const struct facts *f, const struct action *a)
{
    return action_has_other_cwd(a) && !is_inside(f, a->cwd_other.path);
}

/* git checkout HEAD -- FILE: the word before the dashes is a revision. */
static bool is_revision(const struct action *a, struct str name)
{
    const struct strs *words = &a->subject.words;
    size_t dashes = 0, named = 0;

    if (words->count < 4 || !str_is(words->items[0], "git") || !str_is(words->items[1], "checkout"))
        return false;
    while (dashes < words->count && !str_is(words->items[dashes], "--"))
        dashes++;
    for (size_t i = 2; i < words->count; i++)
        if (str_eq_nocase(path_base(words->items[i]), name))
            named += i == 2 && i + 1 == dashes && str_eq(words->items[i], name) ? 1 : 2;
    return named == 1;
}

/* Does this call itself write what makes a directory a repository, or its configuration? */
static bool find_made_repository(const struct facts *f)
{
    static const char *const names[] = {"HEAD", "config", "commondir"};

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct subject_paths *paths = &f->actions.items[i].subject.paths;
        for (size_t n = 0; n < paths->count; n++)
            for (size_t k = 0; (paths->items[n].access & ACCESS_WRITE) && k < COUNT(names); k++)
                if (str_is(path_base(paths->items[n].written), names[k]) &&
                    !is_revision(&f->actions.items[i], str_from(names[k])))
                    return true;
    }
    return false;
}

static bool makes_repository(const struct facts *f)
{
    struct decision_cache *found = f->cache;

    if (found->repository == ANY_UNASKED)
        found->repository = find_made_repository(f) ? ANY_YES : ANY_NO;
    return found->repository == ANY_YES;
}

bool project_leaves_repositories(const struct facts *f)
{
    return !makes_repository(f);
}

/* No other repository between the directory and the workspace. */
static bool is_ordinary_below(const struct facts *f, struct str workspace, struct str directory)
{
    for (struct str at = directory; path_is_inside(at, workspace) && !str_eq(at, workspace);
         at = path_dir(at)) {
        struct str git = path_join(f->arena, at, STR(".git"));
        struct str head = path_join(f->arena, at, STR("HEAD")),
                   objects = path_join(f->arena, at, STR("objects"));
        if (f->world->kind(f->world->context, git.s) != FILE_ABSENT)
            return false;
        if (f->world->kind(f->world->context, head.s) != FILE_ABSENT &&
            f->world->kind(f->world->context, objects.s) != FILE_ABSENT)
            return false; /* a bare repository */
    }
    return true;
}

static bool brings(const struct action *a)
{
    bool moves = a->program && str_is(a->name, "git") && strs_has(&a->subject.words, STR("mv"));

    return moves || copies_in_of(a) != BRINGS_NOTHING;
}

/* Does this call copy it, or something above it, there? Then it may be an unseen repository. */
static bool is_copied_in(const struct facts *f, struct str directory)
{
    for (size_t i = 0; i < f->actions.count && directory.len && !str_eq(directory, f->workspace);
         i++) {
        const struct action *a = &f->actions.items[i];
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if ((a->subject.paths.items[n].access & ACCESS_WRITE) &&
                path_is_inside(directory, a->subject.paths.items[n].written) && brings(a))
                return true;
    }
    return false;
}

/* Neither in the directory nor above it. */
static bool is_apart(struct str path, struct str directory)
{
    return path.len && directory.len && !path_is_inside(path, directory) &&
           !path_is_inside(directory, path);
}

/* A temporary file outside of the repository, which git finds by its root. */
static bool is_next_to(const struct facts *f, const struct subject_path *p, struct str root)
{
    char real[WORLD_PATH_MAX], common[WORLD_PATH_MAX];

    if (!root.len || f->mode != MODE_ACCEPT_EDITS || p->access != ACCESS_WRITE || p->uncertain ||
        copies_in_any(f) || !path_in_temporary(f, p) ||
        !f->world->resolve(f->world->context, str_copy(f->arena, root).s, real) ||
        !f->world->repository ||
        !f->world->repository(f->world->context, str_copy(f->arena, root).s, common))
        return false;
    const struct str places[] = {root, str_from(real), str_from(common)};
    for (size_t i = 0; i < COUNT(places); i++)
        if (!is_apart(p->written, places[i]) || !is_apart(p->resolved, places[i]))
            return false;
    return true;
}

/* `root`: of a repository next to which temporary files may be written; empty if none. */
static bool makes_nothing_outside(const struct facts *f, const struct action *a, struct str root)
{
    const unsigned local = EFFECT_FETCH | EFFECT_SEND | EFFECT_REPO | EFFECT_LOSS | EFFECT_INNER;

    if (a->assignment)
        return true;
    if ((!a->program && !a->redirect) || (a->effects & ~local) ||
        (a->unknown & ~(unsigned)ACCESS_READ))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->access != ACCESS_READ && !p->below && !path_in_workspace(f, p) &&
            !str_is(p->written, "/dev/null") && !is_next_to(f, p, root))
            return false;
    }
    return true;
}

/* The same for the target of the links, `real`: git searches upwards from there. */
static bool is_ordinary_target(const struct facts *f, struct str directory, struct str real)
{
    char room[WORLD_PATH_MAX];
    struct str workspace = facts_resolve(f, f->workspace, room);

    if (str_eq(workspace, f->workspace) && str_eq(real, directory))
        return true; /* there are none */
    return workspace.len && is_ordinary_below(f, workspace, real);
}

static bool is_in_workspace(const struct facts *f, struct str directory)
{
    char room[WORLD_PATH_MAX];
    struct str real;

    if (!path_is_inside(directory, f->workspace) || !leads_inside(f, directory, room, &real))
        return false;
    return str_eq(directory, f->workspace) || (is_ordinary_below(f, f->workspace, directory) &&
                                               is_ordinary_target(f, directory, real));
}

static bool is_own(const struct facts *f, struct str directory)
{
    struct decision_cache *found = f->cache;

    if (found->directory.len == 0 || !str_eq(found->directory, directory)) {
        found->own = is_in_workspace(f, directory) || worktree_is_same_repository(f, directory);
        found->directory = directory;
    }
    return found->own;
}

bool project_is_own_directory(const struct facts *f, struct str directory)
{
    return f->workspace.len && path_is_absolute(directory) && is_own(f, directory);
}

/* What mktemp creates exists by then. */
static bool is_absent(const struct facts *f, struct str directory)
{
    return !str_has(directory, WORD_UNKNOWN) && !path_is_inside(directory, f->workspace) &&
           !path_unwatched(f, directory) &&
           f->world->kind(f->world->context, directory.s) == FILE_ABSENT;
}

static bool is_own_or_absent(const struct facts *f, struct str directory, struct str absent)
{
    return str_eq(directory, absent) || is_own(f, directory) || is_absent(f, directory);
}

/* In a directory that does not exist git only fails, unless the same call creates one. A `cd` to it
 * fails too, and what follows may then run in the previous directory, which must be our own as
 * well. */
static bool stays_absent(const struct facts *f, struct str directory)
{
    if (!is_absent(f, directory))
        return false;
    for (size_t i = 0; i < f->actions.count; i++) {
        struct str cwd = f->actions.items[i].cwd;
        if (cwd.len == 0 || !is_own_or_absent(f, cwd, directory) ||
            !makes_nothing_outside(f, &f->actions.items[i], (struct str){0}))
            return false;
    }
    return is_own_or_absent(f, f->call->cwd, directory);
}

/* git reads the configuration of the repository it is in, and configuration can run programs. */
bool project_is_own_repository(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;

    if (f->workspace.len == 0 || directory.len == 0 || facts_too_many(f) || makes_repository(f) ||
        is_copied_in(f, directory) || is_copied_in(f, a->cwd_other.path) ||
        copies_in_exposes(f, a, directory) || copies_in_exposes(f, a, a->cwd_other.path))
        return false;
    if (action_has_other_cwd(a) &&
        !(path_is_absolute(a->cwd_other.path) &&
          (is_own(f, a->cwd_other.path) || stays_absent(f, a->cwd_other.path))))
        return false; /* not absolute: could be anywhere */
    return is_own(f, directory) || stays_absent(f, directory);
}

/* Where a file with code is expected, data:text/javascript,... contains the code itself, and so
 * does {"a": "configuration"}. */
static bool is_no_file(struct str path)
{
    static const char *const marks[] = {"/data:", "/file:", "/http:", "/https:", "/{"};

    for (size_t i = 0; (str_has(path, ':') || str_has(path, '{')) && i < COUNT(marks); i++)
        if (str_contains(path, str_from(marks[i])))
            return true;
    return false;
}

/* Everything the pattern matches is below the directory before its wildcards. */
static bool is_pattern_inside(const struct facts *f, struct str pattern)
{
    size_t end = 0;

    while (end < pattern.len && !strchr("*?[{(\\", pattern.s[end]))
        end++;
    while (end > 0 && pattern.s[end - 1] != '/')
        end--;
    return path_is_inside(pattern, f->workspace) ||
           (end > 1 && is_inside(f, str_slice(pattern, 0, end - 1)));
}

/* git rm and git mv without --force remove only committed files, which git can restore. A worktree
 * is more than that: it contains files that git ignores. */
static bool is_recoverable(const struct facts *f, const struct action *a,
                           const struct subject_path *p)
{
    return (a->effects & EFFECT_REPO) && path_in_workspace(f, p) &&
           !path_is_inside(f->workspace, p->written) && !worktree_is_root(f, p->written);
}

/* Reads only what may be read, writes only in the workspace, deletes nothing. With `reads_too` it
 * reads nothing outside either, because code is read too. */
bool project_stays_inside(const struct facts *f, const struct action *a, bool reads_too)
{
    if (a->unknown || a->subject.hosts.count)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->below || path_unlikely(f, p, a->recursive) ||
            (p->access == ACCESS_WRITE && (p->fresh || str_is(p->resolved, "/dev/null"))) ||
            (a->session_build.state == BUILT_HERE && (p->access & ACCESS_RUN)))
            continue;
        if (p->uncertain || path_secret(f, p) ||
            ((p->access & ACCESS_DELETE) && !is_recoverable(f, a, p)))
            return false;
        if (p->access == ACCESS_WRITE && f->mode == MODE_ACCEPT_EDITS && path_in_temporary(f, p))
            continue;
        if (reads_too && is_no_file(p->written))
            return false;
        /* Formatters and generators rewrite their arguments; a program that is run is not
         * rewritten, and is not written unseen. */
        if (reads_too && path_protected(f, p) && !path_may_be_formatted(f, p) &&
            !(a->script == SCRIPT_OLD && (p->access & ACCESS_RUN)))
            return false;
        if ((reads_too || p->access != ACCESS_READ) && !p->pattern && !path_in_workspace(f, p))
            return false;
        if (p->pattern &&
            (p->access != ACCESS_READ || (reads_too && !is_pattern_inside(f, p->written))))
            return false;
    }
    return true;
}

bool project_is_own_code(const struct facts *f, const struct action *a)
{
    return is_inside(f, a->directory.len ? a->directory : a->cwd) && !may_be_outside(f, a) &&
           project_stays_inside(f, a, true) && outputs_may_be_written(f, a) &&
           !destinations_may_be_new(f, a);
}

bool project_is_foreign(const struct facts *f, struct str path)
{
    static const char *const names[] = {
        ".git",          ".tox",         ".venv",         "bower_components",
        "dist-packages", "node_modules", "site-packages", "temp",
        "third_party",   "tmp",          "vendor",        "venv"};
    struct str rest = path, name;

    if (!path_relative(f->workspace, path, &rest))
        rest = path; /* a linked worktree or an additional directory */
    for (bool more = true; more;) {
        more = str_cut(rest, '/', &name, &rest);
        for (size_t i = 0; i < COUNT(names); i++)
            if (str_is(name, names[i]))
                return true;
    }
    return false;
}

bool project_is_plain(const struct facts *f, struct str directory)
{
    struct subject_path p = {.written = directory, .resolved = directory};

    return path_is_absolute(directory) && f->world->plain && !path_secret(f, &p) &&
           !path_in_workspace(f, &p) && !path_unwatched(f, directory) &&
           f->world->plain(f->world->context, str_copy(f->arena, directory).s);
}

/* The directory with its .git; else the one that git is started in. */
static struct str root_of(const struct facts *f, struct str directory)
{
    for (struct str at = directory; at.len > 1; at = path_dir(at))
        if (facts_has(f, at, ".git"))
            return at;
    return directory;
}

/* Another repository that git only reads, and in which nothing would be run. This call writes
 * nothing to it. */
static bool looks_at_plain(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;

    if (facts_too_many(f) || (a->effects & ~(unsigned)(EFFECT_INNER | EFFECT_FETCH)) ||
        !project_is_plain(f, directory) || copies_in_exposes(f, a, directory) ||
        copies_in_exposes(f, a, a->cwd_other.path) ||
        (action_has_other_cwd(a) && !project_is_plain(f, a->cwd_other.path) &&
         !(path_is_absolute(a->cwd_other.path) && is_own(f, a->cwd_other.path))))
        return false;
    struct str root = action_has_other_cwd(a) ? (struct str){0} : root_of(f, directory);
    for (size_t i = 0; i < f->actions.count; i++)
        if (!makes_nothing_outside(f, &f->actions.items[i], root))
            return false;
    return true;
}

bool project_is_genuine(const struct facts *f, const struct action *a)
{
    return project_has_program(f, a) &&
           (!str_is(a->name, "git") || project_is_own_repository(f, a) || looks_at_plain(f, a) ||
            scratch_is_new(f, a));
}

bool project_runs_code(const struct facts *f, const struct action *a)
{
    const unsigned own = EFFECT_PROJECT | EFFECT_REPO | EFFECT_FETCH | EFFECT_INNER;

    if (f->book->runners_off || !a->program || !(a->effects & EFFECT_PROJECT) ||
        (a->effects & ~own))
        return false;
    return project_has_program(f, a) && project_is_own_code(f, a);
}
