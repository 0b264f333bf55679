/* layer_project.c - the two layers that allow work in the project: on its repository, and running
 * its code. */
#include "base/ascii.h"
#include "base/path.h"
#include "decide/layer.h"
#include "facts/fresh.h"
#include "facts/project.h"
#include "facts/scratch.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

/* Not ".", "src/", ":/" or "*.c", which are paths but not files. */
static bool is_branch_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && !strchr("._/-@~^#+", s.s[i]))
            return false;
    return s.len && s.s[0] != '-' && s.s[0] != '.' && s.s[s.len - 1] != '/';
}

/* A single file: not a directory, not everything, not a pattern. */
static bool is_file_name(struct str s)
{
    if (str_starts(s, STR(".")) && s.len > 1 && ascii_is_alnum(s.s[1]))
        s = str_from_byte(s, 1); /* .gitignore */
    return is_branch_name(s);
}

static bool is_file(const struct facts *f, const struct subject_path *p)
{
    enum file_kind kind =
        p->pattern ? FILE_UNKNOWN : f->world->kind(f->world->context, p->written.s);

    return !path_is_inside(f->workspace, p->written) &&
           (kind == FILE_REGULAR || kind == FILE_ABSENT);
}

/* Options that choose which version of a file to discard. */
static bool chooses_side(struct str word)
{
    static const char *const names[] = {"--", "--ours",     "--theirs", "--staged",
                                        "-S", "--worktree", "-W"};

    return STR_IN(word, names);
}

/* Discarding edits of a file, or one side of a conflict, is itself an edit, as long as the files
 * are named one by one. */
static bool restores_files(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;
    size_t at = words->count > 3 && str_is(words->items[1], "-C") ? 3 : 1, files = 0;

    if (f->mode != MODE_ACCEPT_EDITS || words->count < at + 2 ||
        (!str_is(words->items[at], "checkout") && !str_is(words->items[at], "restore")))
        return false;
    for (size_t i = at + 1; i < words->count; i++)
        if (!is_file_name(words->items[i]) && !chooses_side(words->items[i]))
            return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->below || p->access == ACCESS_READ)
            continue;
        if (!is_file(f, p))
            return false;
        files++;
    }
    return files > 0;
}

/* "git checkout x" restores a file of that name if there is one; otherwise it only changes the
 * branch. */
static unsigned effects_of(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;
    struct str path;

    if (words->count == 3 && str_is(words->items[1], "checkout") &&
        is_branch_name(words->items[2]) &&
        path_absolute(f->arena, a->cwd, f->home, words->items[2], &path) &&
        f->world->kind(f->world->context, path.s) == FILE_ABSENT)
        return a->effects & ~(unsigned)EFFECT_LOSS;
    return restores_files(f, a) ? a->effects & ~(unsigned)EFFECT_LOSS : a->effects;
}

/* git stash -u puts files that git does not track where later commands print them without their
 * names. It takes those of the whole worktree. */
static bool takes_secrets(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; a->recursive && i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->access == ACCESS_READ && !p->below &&
            (!str_eq(p->written, f->workspace) || tree_doubt(f, a, p)))
            return true;
    }
    return false;
}

const struct said *layer_repository(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    unsigned effects = a->program ? effects_of(f, a) : 0;

    if (effects && str_is(a->name, "git") && project_has_program(f, a) && scratch_may_change(f, a))
        return say(f, SAY_ALLOW, STR("repository in a temporary directory"));
    if (!(effects & EFFECT_REPO) || (effects & ~(unsigned)(EFFECT_REPO | EFFECT_FETCH)) ||
        f->mode == MODE_PLAN)
        return NULL;
    if (action_is_fresh(a) || !project_has_program(f, a) || !project_is_own_repository(f, a) ||
        !project_stays_inside(f, a, false) || takes_secrets(f, a))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}

/* Names the trusted file, and why it is trusted. */
static struct str file_reason(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_RUN) && !p->below)
            return str_format(
                f->arena, "%.*s %s", STR_ARG(p->written),
                a->session_build.state == BUILT_HERE
                    ? "was built from this project by an earlier call of the session"
                    : "is a script of this project, unchanged since the session began");
    }
    return (struct str){0};
}

const struct said *layer_project(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    bool by_file = a->script == SCRIPT_OLD || a->session_build.state == BUILT_HERE;

    if (action_is_fresh(a) || !project_runs_code(f, a))
        return NULL;
    return say(f, SAY_ALLOW, by_file ? file_reason(f, a) : (struct str){0});
}
