#include "facts/losses.h"

#include "base/path.h"
#include "facts/copies_in.h"
#include "facts/drivers.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "shell/shell.h"

#define CHANGES (ACCESS_WRITE | ACCESS_DELETE)

/* ---- paths ---- */

static bool is_below(const struct facts *f, struct str path)
{
    return f->workspace.len && !str_eq(path, f->workspace) && path_is_inside(path, f->workspace);
}

/* What only rules look at, and what is not known to be a path. */
static bool is_counted(const struct subject_path *p)
{
    return (p->access & CHANGES) && !p->uncertain && !p->unlikely && !p->folded && !p->below &&
           !p->listed;
}

/* A name that means the same with a link in the place of the directory: rm does not follow one, but
 * the kernel does where more of the name comes after it. */
static bool names_itself(struct str word)
{
    struct str part, rest = word;

    if (!word.len || word.s[word.len - 1] == '/')
        return false;
    while (rest.len) {
        (void)str_cut(rest, '/', &part, &rest);
        if (str_is(part, "..") || (str_is(part, ".") && !rest.len))
            return false;
    }
    return true;
}

/* -rf, in any spelling: no option that asks, reports or spares something. */
static bool deletes_plainly(const struct strs *words)
{
    bool options = true;

    for (size_t i = 1; i < words->count; i++) {
        const struct str w = words->items[i];
        const bool option = options && w.len > 1 && w.s[0] == '-';
        if (option && !str_is(w, "--") && strspn(w.s + 1, "rRf") < w.len - 1)
            return false;
        if (!option && !names_itself(w))
            return false;
        options = options && !str_is(w, "--");
    }
    return true;
}

/* `rm` with nothing in front of it but a `cd` that has succeeded. */
static bool comes_first(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    const struct shell_action *from = f->shell ? &f->shell->actions.items[action] : NULL;

    if (!from || !a->program || !str_is(a->name, "rm") || a->by_path || !a->recursive ||
        from->loop || from->in_background || from->in_substitution || from->parent >= 0 ||
        !deletes_plainly(&a->subject.words))
        return false;
    return action == 0 ? a->at == 0
                       : action == 1 && f->actions.items[0].at == 0 && from->after == 0 &&
                             str_is(f->actions.items[0].name, "cd");
}

struct finding_losses {
    const struct facts *facts;
    struct losses *out;
    size_t action;
    bool at_once;
};

static void add_path(struct finding_losses *l, struct str path, unsigned access)
{
    const struct facts *f = l->facts;
    /* What is moved may be written afterwards, under its new name. */
    const bool moved = (access & ACCESS_READ) && f->actions.count > 1;

    if (is_below(f, path))
        LIST_PUSH(f->arena, &l->out->paths,
                  ((struct loss){.path = str_copy(f->arena, path),
                                 .tree = (access & ACCESS_DELETE) != 0,
                                 .written = (access & ACCESS_WRITE) || moved,
                                 .at_once = l->at_once && access == ACCESS_DELETE}));
}

/* A link is deleted itself; through it, its target is written. */
static void add_subject(struct finding_losses *l, const struct subject_path *p)
{
    if (!is_counted(p))
        return;
    for (size_t i = 0; p->pattern && p->files && i < p->files->count; i++) {
        struct subject_path one = p->files->items[i];
        one.access = p->access;
        one.pattern = false;
        add_subject(l, &one);
    }
    if (p->pattern)
        return;
    add_path(l, p->written, p->access);
    if ((p->access & ACCESS_WRITE) && p->resolved.len && !str_eq(p->resolved, p->written))
        add_path(l, p->resolved, p->access);
}

/* ---- git ---- */

/* Named files of the work tree are losses by themselves; of a directory, git chooses which. */
static bool names_files(const struct facts *f, const struct action *a)
{
    size_t files = 0;

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!is_counted(p))
            continue;
        if (p->pattern || !is_below(f, p->written) ||
            f->world->kind(f->world->context, p->written.s) != FILE_REGULAR)
            return false;
        files++;
    }
    return files > 0;
}

static enum program_saves git_loses(const struct facts *f, const struct action *a)
{
    const enum program_saves saves = a->row ? a->row->saves : SAVES_NOT;

    if (saves == SAVES_NOT || (saves != SAVES_ALWAYS && !(a->effects & EFFECT_LOSS)))
        return SAVES_NOT;
    if (saves == SAVES_FILES)
        return names_files(f, a) ? SAVES_REFS : SAVES_TREE;
    return saves == SAVES_ALWAYS ? SAVES_TREE : saves;
}

/* One command may put the work where the next one loses it: git stash && git stash drop. */
static bool has_other_git(const struct facts *f)
{
    size_t count = 0;

    for (size_t i = 0; i < f->actions.count; i++)
        count += f->actions.items[i].program && str_is(f->actions.items[i].name, "git");
    return count > 1;
}

void losses_find(const struct facts *f, struct losses *out)
{
    struct finding_losses l = {.facts = f, .out = out};

    *out = (struct losses){0};
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        const enum program_saves git = git_loses(f, a);
        l.at_once = comes_first(f, i);
        for (size_t k = 0; k < a->subject.paths.count; k++)
            add_subject(&l, &a->subject.paths.items[k]);
        if (git > out->git)
            out->git = git;
    }
    out->git_alone = out->git != SAVES_NOT && f->actions.count == 1;
    if (out->git != SAVES_NOT && has_other_git(f))
        out->git = SAVES_TREE;
}

/* ---- what is covered ---- */

/* A link that this call makes is not on the disk yet: what is removed below it is elsewhere. The
 * workspace itself does not become one. */
static bool stays_in_place(const struct facts *f, struct str path)
{
    return str_eq(path_dir(path), f->workspace) ||
           !((f->effects & (EFFECT_PROJECT | EFFECT_REPO)) || copies_in_any(f));
}

static bool is_git_directory(struct str path)
{
    return str_is(path_base(path), ".git") || str_contains(path, STR("/.git/"));
}

/* Deleted by name, in the workspace, and found there without a link on the way. */
static bool covers_deleted(const struct facts *f, const struct subject_path *p)
{
    return is_below(f, p->written) && str_eq(p->written, p->resolved) && !p->climbs &&
           !is_git_directory(p->written) && stays_in_place(f, p->written) && !path_secret(f, p) &&
           !path_is_driver(f, p);
}

/* Every file that a pattern means must be known. */
static bool covers_pattern(const struct facts *f, const struct subject_path *p)
{
    if (!p->files)
        return false;
    for (size_t i = 0; i < p->files->count; i++)
        if (!covers_deleted(f, &p->files->items[i]))
            return false;
    return true;
}

static bool covers_path(const struct facts *f, const struct action *a, const struct subject_path *p,
                        enum program_saves git)
{
    if (p->below || p->folded || !(p->access & CHANGES))
        return true; /* what is read is another question */
    if (p->fresh || path_unlikely(f, p, a->recursive))
        return true;
    if (p->uncertain || (p->access & ACCESS_RUN))
        return false;
    if (git != SAVES_NOT)
        return !p->pattern && str_eq(p->written, p->resolved) &&
               path_is_inside(p->written, f->workspace) && !is_git_directory(p->written);
    if (p->access != ACCESS_DELETE)
        return false;
    return p->pattern ? covers_pattern(f, p) : covers_deleted(f, p);
}

bool losses_cover(const struct facts *f, size_t action, enum program_saves *git)
{
    const struct action *a = &f->actions.items[action];
    const struct subject_paths *paths = &a->subject.paths;

    *git = git_loses(f, a);
    if (a->unknown || !f->workspace.len || (f->shell && f->shell->actions.items[action].elsewhere))
        return false;
    for (size_t i = 0; i < paths->count; i++)
        if (!covers_path(f, a, &paths->items[i], *git))
            return false;
    return true;
}
