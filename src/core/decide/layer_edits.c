/* layer_edits.c - what acceptEdits allows: writing, moving and removing files of the workspace and
 * in temporary directories. */
#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/copies_in.h"
#include "facts/drivers.h"
#include "facts/outputs.h"
#include "facts/project.h"
#include "facts/scratch.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"
#include "facts/worktree.h"

bool edits_by_tool(const struct call *c)
{
    return c->kind == TOOL_EDIT || c->kind == TOOL_PATCH;
}

/* Where the plan file is once links of its directory are followed; one in its own place is not. */
static struct str plan_file_place(const struct facts *f)
{
    struct str plan = f->call->plan_file;
    char directory[WORLD_PATH_MAX];

    if (!f->world->resolve(f->world->context, str_copy(f->arena, path_dir(plan)).s, directory))
        return plan;
    return path_join(f->arena, str_copy(f->arena, str_from(directory)), path_base(plan));
}

bool edits_plan_file(const struct facts *f, const struct action *a)
{
    if (f->call->plan_file.len == 0 || a->subject.paths.count != 1)
        return false;
    const struct subject_path *p = &a->subject.paths.items[0];
    return !p->pattern && str_eq(p->written, f->call->plan_file) &&
           str_eq(p->resolved, plan_file_place(f));
}

/* A link that this call makes is not on the disk yet: removing something below it would remove a
 * file elsewhere. */
static bool makes_links(const struct facts *f)
{
    return (f->effects & (EFFECT_PROJECT | EFFECT_REPO)) || copies_in_any(f);
}

/* A named file that is not reached through a link. Removing whole directories is more than an edit:
 * uncommitted work in them is in no history. */
static bool removes_file(const struct facts *f, const struct action *a,
                         const struct subject_path *p)
{
    bool empty = a->program && str_is(a->name, "rmdir"); /* whatever directory it is in */

    return !a->recursive && str_eq(p->written, p->resolved) && !path_secret(f, p) &&
           (empty || !makes_links(f)) &&
           (path_in_temporary(f, p) ||
            (path_in_workspace(f, p) && !str_eq(p->written, f->workspace)));
}

/* rm -rf node_modules. The workspace itself does not become a link. */
static bool removes_output(const struct facts *f, const struct subject_path *p)
{
    return (str_eq(path_dir(p->written), f->workspace) || !makes_links(f)) &&
           output_can_be_deleted(f, p);
}

/* Files in a moved directory keep their ctime, so files from outside, or from packages, would pass
 * for old scripts of the project. */
static bool brings_directory(const struct facts *f, const struct action *a,
                             const struct subject_path *p)
{
    if ((path_in_workspace(f, p) && !project_is_foreign(f, p->written)) ||
        f->world->kind(f->world->context, p->written.s) == FILE_REGULAR)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_WRITE) &&
            path_in_workspace(f, &a->subject.paths.items[i]))
            return true;
    return false;
}

/* A moved file still exists. A repository, a worktree and the workspace itself must stay where they
 * are. */
static bool moves_file(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    struct str git = path_join(f->arena, p->written, STR(".git"));

    return !brings_directory(f, a, p) && str_eq(p->written, p->resolved) &&
           (path_in_workspace(f, p) || path_in_temporary(f, p)) &&
           !path_is_inside(f->workspace, p->written) &&
           f->world->kind(f->world->context, git.s) == FILE_ABSENT;
}

static bool is_edit(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    if (p->below || p->fresh || path_unlikely(f, p, a->recursive))
        return true;
    /* cp -r ~ x reads everything that it copies, every secret included */
    if ((p->access & ACCESS_READ) &&
        (path_secret(f, p) || (a->recursive && !path_readable_below(f, p))))
        return false;
    if (a->recursive && tree_doubt(f, a, p))
        return false;
    if (p->access == ACCESS_READ)
        return !p->uncertain;
    if (path_is_driver(f, p))
        return false;
    if (p->access & ACCESS_DELETE)
        return p->access & ACCESS_READ
                   ? moves_file(f, a, p)
                   : removes_file(f, a, p) || removes_output(f, p) || scratch_is_absent(f, p);
    return (path_in_workspace(f, p) || path_in_temporary(f, p)) && !path_overwrites_secret(f, p);
}

/* Shell commands too: a redirection, or a program that only changes files. Commands that change
 * none are left to other layers. */
static bool is_edit_command(const struct action *a)
{
    if (a->redirect)
        return true;
    if (!a->program || (a->effects & ~(unsigned)EFFECT_INNER))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return true;
    return false;
}

bool action_is_edit(const struct facts *f, const struct action *a)
{
    if (a->subject.paths.count == 0 || a->unknown)
        return false;
    if (!edits_by_tool(f->call) &&
        !(is_edit_command(a) && (a->redirect || project_is_genuine(f, a))))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!is_edit(f, a, &a->subject.paths.items[i]))
            return false;
    return true;
}

/* In plan mode the plan file may be written; in acceptEdits, files of the workspace. */
const struct said *layer_edits(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];

    if (f->mode == MODE_PLAN && edits_by_tool(f->call) && edits_plan_file(f, a))
        return say(f, SAY_ALLOW, STR("writes the plan file"));
    if (f->mode != MODE_ACCEPT_EDITS || !action_is_edit(f, a))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}
