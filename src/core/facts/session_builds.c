#include "facts/session_builds.h"

#include "base/path.h"
#include "base/utf8.h"
#include "facts/actions.h"
#include "facts/call_builds.h"
#include "facts/copies_in.h"
#include "facts/project.h"
#include "facts/session_builds_parts.h"

/* Resolves the path up to its last name. That one must not be a link, which is checked with the
 * file. */
static bool place_of(const struct facts *f, struct str cwd, struct str text, struct str *out)
{
    char directory[WORLD_PATH_MAX];
    struct str raw, name;

    if (!path_expand(f->arena, cwd, f->home, text, &raw))
        return false;
    name = path_base(raw);
    if (name.len == 0 || str_is(name, ".") || str_is(name, "..") || str_ends(raw, STR("/")) ||
        !f->world->resolve(f->world->context, str_copy(f->arena, path_dir(raw)).s, directory))
        return false;
    *out = path_join(f->arena, str_from(directory), name);
    return true;
}

/* ---- what a call may change ---- */

static bool writes_inside(const struct action *a, struct str tree)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (path_is_inside(p->written, tree) || path_is_inside(p->resolved, tree)))
            return true;
    }
    return false;
}

/* git writes in the work tree of the repository that it finds, and nowhere else. If that is
 * unknown, it may write anywhere. */
static struct str checkout_root(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;
    char resolved[WORLD_PATH_MAX];

    if (action_has_other_cwd(a) || !path_is_absolute(directory) ||
        !f->world->resolve(f->world->context, str_copy(f->arena, directory).s, resolved))
        return STR("/");
    for (struct str at = str_copy(f->arena, str_from(resolved)); at.len > 1; at = path_dir(at))
        if (facts_has(f, at, ".git"))
            return at;
    return STR("/");
}

static bool is_checked_out(const struct facts *f, struct str path)
{
    for (size_t i = 0; i < f->checkouts.count; i++)
        if (path_is_inside(path, f->checkouts.items[i]))
            return true;
    return false;
}

/* Are its effects unpredictable? The project's own code does not count: see the header. */
static bool is_opaque(const struct action *a)
{
    const unsigned any =
        EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_PRIVILEGE | EFFECT_SYSTEM | EFFECT_INSTALL;

    if (a->redirect || a->assignment || a->subject.words.count == 0)
        return false;
    return !a->program || (a->effects & any);
}

static bool is_inside_nocase(struct str path, struct str directory)
{
    return directory.len && directory.len <= path.len &&
           str_eq_nocase(str_slice(path, 0, directory.len), directory) &&
           (directory.len == path.len || path.s[directory.len] == '/');
}

/* On a case-insensitive disk X is x. Forgetting once too often only costs a build. */
static bool may_write(const struct action *a, struct str file)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (is_inside_nocase(file, p->written) || is_inside_nocase(file, p->resolved)))
            return true;
    }
    return false;
}

static bool action_touches(const struct action *a, const struct session_program *p)
{
    return action_may_write(a, p->path) || may_write(a, p->path) || is_opaque(a) ||
           (p->tree.len && writes_inside(a, p->tree));
}

/* A tool without a description may write any file. */
static bool tool_touches(const struct facts *f)
{
    switch (f->call->kind) {
    case TOOL_OTHER:
    case TOOL_MCP:
        return f->risk != RISK_LOW;
    case TOOL_STDIN:
        return true;
    case TOOL_EDIT:
    case TOOL_PATCH:
        return f->actions.count == 0 || f->actions.items[0].subject.paths.count == 0;
    case TOOL_SHELL:
    case TOOL_READ:
    case TOOL_SEARCH:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT:
    case TOOL_PLAN_ENTER:
    case TOOL_PLAN_EXIT:
    case TOOL_QUESTION:
    case TOOL_NOTE:
        break;
    }
    return false;
}

/* Changes that are not those of an action but of the tool or the whole call. */
static bool call_touches_otherwise(const struct facts *f, const struct session_program *p)
{
    return !f->understood || tool_touches(f) || is_checked_out(f, p->path);
}

/* `but`: an action to leave out. Does not allocate. */
bool session_build_touched(const struct facts *f, const struct session_program *p, size_t but)
{
    if (call_touches_otherwise(f, p))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != but && action_touches(&f->actions.items[i], p))
            return true;
    return false;
}

/* ---- what is run ---- */

bool session_build_is_same(const struct file_mark *a, const struct file_mark *b)
{
    return a->changed && a->changed == b->changed && a->inode == b->inode && a->device == b->device;
}

/* A new link changes the ctime, too: undo saves by links what a call may overwrite, and removes
 * them again when they are too old. */
static bool is_trusted(const struct session_program *p, const struct file_mark *mark)
{
    int64_t changed = mark->changed / NANOSECONDS;

    return session_build_is_same(&p->seen, mark) ||
           (p->built && changed >= p->built && changed <= p->built + SESSION_BUILD_MS_MAX &&
            mark->written / NANOSECONDS >= p->built);
}

size_t session_build_index(const struct session_programs *list, struct str path)
{
    size_t i = 0;

    while (i < list->count && !str_eq(list->items[i].path, path))
        i++;
    return i;
}

bool session_build_is_right_in(struct str path, struct str directory)
{
    return str_ends(directory, STR("/")) &&
           str_eq(path_dir(path), str_slice(directory, 0, directory.len - 1));
}

/* By its own name, or else by its directory's. NULL if the session does not know it. */
const struct session_program *session_build_known(const struct session_programs *list,
                                                  struct str path)
{
    size_t i = session_build_index(list, path);

    for (size_t n = 0; i == list->count && n < list->count; n++)
        if (session_build_is_right_in(path, list->items[n].path))
            i = n;
    return i < list->count ? &list->items[i] : NULL;
}

static bool is_run(const struct shell_action *from, const struct action *a)
{
    if (!a->by_path || a->script_word || a->runs_input ||
        (a->effects & (EFFECT_CODE | EFFECT_INNER)))
        return false; /* named like an interpreter: its arguments would be the code */
    return from->kind == SHELL_COMMAND && from->words.count && from->words.items[0].known &&
           !from->words.items[0].may_glob && !from->elsewhere && !a->built && a->cwd.len &&
           !action_has_other_cwd(a);
}

static struct session_build find_build(const struct facts *f, const struct shell_action *from,
                                       const struct action *a)
{
    struct session_build made = {.state = BUILT_UNKNOWN};
    const struct session *past = facts_past(f);
    const struct session_program *p;

    if (!past || !f->world->compiled ||
        !place_of(f, a->cwd, from->words.items[0].text, &made.path) ||
        !(p = session_build_known(&past->programs, made.path)))
        return made;
    bool compiled = f->world->compiled(f->world->context, made.path.s, &made.mark);
    made.state = compiled && is_trusted(p, &made.mark) ? BUILT_HERE : BUILT_CHANGED;
    return made;
}

/* A subcommand that the program in the table does not have: this is another program of the same
 * name, and only its origin is known. */
static bool is_other_program(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;

    return a->program && a->effects == EFFECT_UNKNOWN && words->count > 1 &&
           !str_starts(words->items[1], STR("-")) && program_has_subcommands(a->name) &&
           !program_added(f->book->programs, a->name) &&
           !program_shipped(
               str_format(f->arena, "%.*s %.*s", STR_ARG(a->name), STR_ARG(words->items[1])));
}

void session_builds_find(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        if (!is_run(&all->items[i], a))
            continue;
        a->session_build = find_build(f, &all->items[i], a);
        if (a->session_build.state != BUILT_HERE)
            continue;
        if (is_other_program(f, a))
            a->effects = 0;
        action_become_project_code(f, &all->items[i], a);
    }
}

/* ---- what is built ---- */

static bool can_be_kept(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if ((unsigned char)path.s[i] < 0x20 || path.s[i] == 0x7f)
            return false;
    return path.len <= SESSION_PROGRAM_PATH_MAX && utf8_valid(path);
}

/* It is the project's code, and so is its output: `go run` of the same package would be cleared. */
static bool builds_project(struct facts *f, const struct shell_action *from, size_t at,
                           const struct build *build)
{
    if (!project_runs_code(f, &f->actions.items[at]))
        return false;
    if (!build->package.text.len)
        return true;
    const struct action as = action_with_words(f, from, build_as_run(f, from, build));
    return as.program && (as.effects & EFFECT_PROJECT) &&
           !(as.effects & ~(unsigned)EFFECT_PROJECT) && project_is_own_code(f, &as);
}

static void add_build(struct facts *f, const struct shell_action *from, size_t at)
{
    struct session_program p = {0};
    struct build build;

    if (!build_read(f, from, &build) ||
        !place_of(f, from->directory.here.path, build.output, &p.path) ||
        (build.tree.len && !place_of(f, from->directory.here.path, build.tree, &p.tree)) ||
        !builds_project(f, from, at, &build) || session_build_touched(f, &p, at))
        return;
    if (build.any)
        p.path = str_format(f->arena, "%.*s/", STR_ARG(p.path));
    if (can_be_kept(p.path) && can_be_kept(p.tree))
        LIST_PUSH(f->arena, &f->builds, p);
}

/* ---- what is run and built in one call ---- */

/* Whether that build comes before it or not, succeeds or not: the file is the project's code. */
static bool builds_again(struct facts *f, const struct shell_action *from, size_t at,
                         struct str program)
{
    struct build build;
    struct str path;

    return build_read(f, from, &build) && !build.any &&
           place_of(f, from->directory.here.path, build.output, &path) && str_eq(path, program) &&
           builds_project(f, from, at, &build);
}

static bool is_disturbed(struct facts *f, const struct shell_actions *all, size_t at)
{
    struct session_program p =
        *session_build_known(&facts_past(f)->programs, f->actions.items[at].session_build.path);

    p.path = f->actions.items[at].session_build.path;
    if (call_touches_otherwise(f, &p))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != at && action_touches(&f->actions.items[i], &p) &&
            !builds_again(f, &all->items[i], i, p.path))
            return true;
    return false;
}

static void find_checkouts(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (copies_in_tracked(&f->actions.items[i]))
            LIST_PUSH(f->arena, &f->checkouts, checkout_root(f, &f->actions.items[i]));
}

void session_builds_settle(struct facts *f, const struct shell_actions *all)
{
    find_checkouts(f);
    for (size_t i = 0; f->trust_builds && i < all->count; i++) {
        struct session_build *made = &f->actions.items[i].session_build;
        if (made->state == BUILT_HERE && is_disturbed(f, all, i))
            made->state = BUILT_CHANGED;
        if (build_is_named(&all->items[i]))
            add_build(f, &all->items[i], i);
    }
}
