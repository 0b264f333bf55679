#include "facts/scratch.h"

#include "base/path.h"
#include "facts/copies_in.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"

/* No repository between it and the root, which git would find if this one was not created after
 * all. */
static bool is_in_no_repository(const struct facts *f, struct str directory)
{
    for (struct str at = path_dir(directory); at.len > 1; at = path_dir(at))
        if (facts_has(f, at, ".git") || (facts_has(f, at, "HEAD") && facts_has(f, at, "objects")))
            return false;
    return true;
}

static bool is_temporary(const struct facts *f, struct str directory)
{
    char resolved[WORLD_PATH_MAX];
    struct subject_path p = {.written = directory};

    if (!path_is_absolute(directory) ||
        !f->world->resolve(f->world->context, str_copy(f->arena, directory).s, resolved))
        return false;
    p.resolved = str_from(resolved);
    return path_in_temporary(f, &p);
}

static struct str directory_of(const struct action *a)
{
    return a->directory.len ? a->directory : a->cwd;
}

/* git init, with options that only name things. */
static bool is_init(const struct action *a)
{
    const struct strs *words = &a->subject.words;
    size_t at = words->count > 3 && str_is(words->items[1], "-C") ? 3 : 1;

    if (!a->program || words->count <= at || !str_is(words->items[0], "git") ||
        !str_is(words->items[at], "init") || (a->effects & ~(unsigned)EFFECT_REPO))
        return false;
    for (size_t i = at + 1; i < words->count; i++)
        if (str_starts(words->items[i], STR("-")) && !str_is(words->items[i], "-q") &&
            !str_is(words->items[i], "-b") && !str_is(words->items[i], "--quiet") &&
            !str_is(words->items[i], "--bare"))
            return false;
    return true;
}

/* Where it creates the repository. */
static struct str init_directory(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_WRITE) && !a->subject.paths.items[i].below)
            return a->subject.paths.items[i].written;
    return directory_of(a);
}

/* Where it acts if a `cd` or a mktemp failed: nowhere else, or in the session's own repository. */
static bool else_own_repository(const struct facts *f, const struct action *a)
{
    return !action_has_other_cwd(a) || project_is_own_directory(f, a->cwd_other.path);
}

static bool writes_inside(const struct action *a, struct str root)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_WRITE) && !str_eq(p->written, root) &&
            (path_is_inside(p->written, root) || path_is_inside(p->resolved, root)))
            return true;
    }
    return false;
}

/* In a bare repository configuration and hooks are ordinary files. */
static bool is_bare_and_written(const struct facts *f, const struct action *init, struct str root)
{
    if (!strs_has(&init->subject.words, STR("--bare")))
        return false;
    for (const struct action *a = f->actions.items; a < f->actions.items + f->actions.count; a++)
        if (a != init && writes_inside(a, root))
            return true;
    return false;
}

/* Below its root a repository could be hidden among the files that git writes. */
static bool is_root_or_quiet(const struct facts *f, const struct action *a, struct str root,
                             struct str directory)
{
    for (const struct action *by = f->actions.items; by < f->actions.items + f->actions.count; by++)
        if (by != a && copies_in_tracked(by) && !str_eq(directory, root))
            return false;
    return true;
}

bool scratch_is_new(const struct facts *f, const struct action *a)
{
    struct str directory = is_init(a) ? init_directory(a) : directory_of(a);

    if (f->mode != MODE_ACCEPT_EDITS || facts_too_many(f) || !else_own_repository(f, a) ||
        directory.len == 0 || !is_temporary(f, directory) || copies_in_any(f) ||
        !project_leaves_repositories(f))
        return false;
    for (const struct action *made = f->actions.items; made <= a; made++) {
        struct str root =
            is_init(made) && else_own_repository(f, made) ? init_directory(made) : (struct str){0};
        if (root.len && path_is_inside(directory, root) && is_temporary(f, root) &&
            f->world->kind(f->world->context, str_copy(f->arena, root).s) == FILE_ABSENT &&
            is_in_no_repository(f, root) && !is_bare_and_written(f, made, root) &&
            is_root_or_quiet(f, a, root, directory))
            return true;
    }
    return false;
}

/* No hooks except git's samples. */
static bool has_no_hooks(const struct facts *f, struct str directory)
{
    char common[WORLD_PATH_MAX], names[WORLD_PATH_MAX];

    if (!f->world->repository || !f->world->list ||
        !f->world->repository(f->world->context, str_copy(f->arena, directory).s, common) ||
        !f->world->list(f->world->context, path_join(f->arena, str_from(common), STR("hooks")).s,
                        names, sizeof(names)))
        return false;
    for (const char *name = names; *name; name += strlen(name) + 1)
        if (!str_ends(str_from(name), STR(".sample")))
            return false;
    return true;
}

static bool stays_there(const struct facts *f, const struct action *a)
{
    if (a->unknown || a->subject.hosts.count)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->below)
            continue;
        if (p->uncertain || path_secret(f, p) ||
            (p->access != ACCESS_READ && !path_in_temporary(f, p) &&
             !(action_has_other_cwd(a) && path_in_workspace(f, p))))
            return false;
    }
    return true;
}

bool scratch_may_change(const struct facts *f, const struct action *a)
{
    unsigned more = a->effects & ~(unsigned)EFFECT_REPO;
    struct str directory = directory_of(a);

    if (f->mode != MODE_ACCEPT_EDITS || !(a->effects & (EFFECT_REPO | EFFECT_LOSS)) ||
        !stays_there(f, a))
        return false;
    if (scratch_is_new(f, a))
        return !(more & ~(unsigned)(action_has_other_cwd(a) ? 0 : EFFECT_LOSS));
    return !more && !action_has_other_cwd(a) && is_temporary(f, directory) &&
           project_is_plain(f, directory) && has_no_hooks(f, directory) &&
           project_leaves_repositories(f) && !copies_in_any(f) &&
           !copies_in_exposes(f, a, directory);
}

/* It moves nothing there, and all its effects are known. */
static bool leaves_alone(const struct action *a, struct str directory)
{
    bool removes = a->program && str_is(a->name, "rm");

    if ((!a->program && !a->redirect && !a->assignment) || (a->unknown & ~(unsigned)ACCESS_READ) ||
        (a->effects & ~(unsigned)(EFFECT_REPO | EFFECT_LOSS | EFFECT_INNER)))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_DELETE) && !removes &&
            !path_is_inside(a->subject.paths.items[i].written, directory))
            return false;
    return true;
}

static bool makes(const struct action *a, struct str directory)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_WRITE) &&
            str_eq(a->subject.paths.items[i].written, directory))
            return true;
    return false;
}

bool scratch_is_absent(const struct facts *f, const struct subject_path *p)
{
    if (facts_too_many(f) || p->pattern || !path_in_temporary(f, p) ||
        !str_eq(path_base(p->written), path_base(p->resolved)) ||
        path_in_temporary(f, &(struct subject_path){.written = path_dir(p->written),
                                                    .resolved = path_dir(p->resolved)}) ||
        f->world->kind(f->world->context, p->written.s) != FILE_ABSENT || copies_in_any(f))
        return false;
    bool made = false;
    for (size_t i = 0; i < f->actions.count; i++) {
        if (!leaves_alone(&f->actions.items[i], p->written))
            return false;
        made |= makes(&f->actions.items[i], p->written);
    }
    return made;
}
