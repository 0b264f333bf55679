#include "decide/made.h"

#include "base/path.h"
#include "base/utf8.h"
#include "decide/actions.h"
#include "decide/built.h"
#include "layer/bringing.h"
#include "layer/layer.h"
#include "layer/workshop.h"

#define NANOSECONDS ((int64_t)1000000) /* in a millisecond */

/* Where the path leads, up to its last name: that one must be no link, which is seen when the file is looked at. */
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

/* git writes in the tree of the repository that it finds, and nowhere else. */
static struct str checkout_root(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;
    char resolved[WORLD_PATH_MAX];

    if (a->cwd_other.len || !path_is_absolute(directory) ||
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

/* Does it what nobody can say beforehand? The project's own code is not meant: see above. */
static bool is_opaque(const struct action *a)
{
    const unsigned any = EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_PRIVILEGE | EFFECT_SYSTEM | EFFECT_INSTALL;

    if (a->redirect || a->assignment || a->subject.words.count == 0)
        return false;
    return !a->program || (a->effects & any);
}

static bool is_inside_alike(struct str path, struct str directory)
{
    return directory.len && directory.len <= path.len && str_eq_nocase(str_slice(path, 0, directory.len), directory) &&
           (directory.len == path.len || path.s[directory.len] == '/');
}

/* On a disk that does not tell cases apart X is x. To forget once too often costs a build. */
static bool writes_alike(const struct action *a, struct str file)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (is_inside_alike(file, p->written) || is_inside_alike(file, p->resolved)))
            return true;
    }
    return false;
}

static bool action_touches(const struct action *a, const struct session_program *p)
{
    return action_may_write(a, p->path) || writes_alike(a, p->path) || is_opaque(a) ||
           (p->tree.len && writes_inside(a, p->tree));
}

/* Tools that are not described may write any file. */
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

#define NO_ACTION ((size_t)-1)

/* Not by one of its actions, but by what it is, or all of it does. */
static bool call_touches_otherwise(const struct facts *f, const struct session_program *p)
{
    return !f->understood || tool_touches(f) || is_checked_out(f, p->path);
}

/* `but`: an action that does not count. Needs no memory. */
static bool call_touches(const struct facts *f, const struct session_program *p, size_t but)
{
    if (call_touches_otherwise(f, p))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != but && action_touches(&f->actions.items[i], p))
            return true;
    return false;
}

/* ---- what is run ---- */

static bool is_same(const struct file_mark *a, const struct file_mark *b)
{
    return a->changed && a->changed == b->changed && a->inode == b->inode && a->device == b->device;
}

static bool is_believed(const struct session_program *p, const struct file_mark *mark)
{
    int64_t changed = mark->changed / NANOSECONDS;

    return is_same(&p->seen, mark) || (p->built && changed >= p->built && changed <= p->built + MADE_WITHIN);
}

static size_t find_program(const struct session_programs *list, struct str path)
{
    size_t i = 0;

    while (i < list->count && !str_eq(list->items[i].path, path))
        i++;
    return i;
}

static bool is_right_in(struct str path, struct str directory)
{
    return str_ends(directory, STR("/")) && str_eq(path_dir(path), str_slice(directory, 0, directory.len - 1));
}

/* By its own name, or else by its directory's. NULL: the session knows nothing of it. */
static const struct session_program *known_program(const struct session_programs *list, struct str path)
{
    size_t i = find_program(list, path);

    for (size_t n = 0; i == list->count && n < list->count; n++)
        if (is_right_in(path, list->items[n].path))
            i = n;
    return i < list->count ? &list->items[i] : NULL;
}

static bool is_run(const struct shell_action *from, const struct action *a)
{
    if (!a->by_path || a->script_word || a->runs_input || (a->effects & (EFFECT_CODE | EFFECT_INNER)))
        return false; /* by its name an interpreter: what it is given would be the code */
    return from->kind == SHELL_COMMAND && from->words.count && from->words.items[0].known &&
           !from->words.items[0].may_glob && !from->elsewhere && !a->built && a->cwd.len && a->cwd_other.len == 0;
}

static struct made look_at(const struct facts *f, const struct shell_action *from, const struct action *a)
{
    struct made made = {.state = MADE_UNKNOWN};
    const struct session_program *p;

    if (!f->session || !f->world->compiled || !place_of(f, a->cwd, from->words.items[0].text, &made.path) ||
        !(p = known_program(&f->session->programs, made.path)))
        return made;
    bool compiled = f->world->compiled(f->world->context, made.path.s, &made.mark);
    made.state = compiled && is_believed(p, &made.mark) ? MADE_HERE : MADE_CHANGED;
    return made;
}

/* A subcommand that the program of the table does not have: this is another one of its name, of which nothing is known
 * but where it comes from. */
static bool is_namesake(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;

    return a->program && a->effects == EFFECT_UNKNOWN && words->count > 1 && !str_starts(words->items[1], STR("-")) &&
           program_has_subcommands(a->name) && !program_added(f->book->programs, a->name) &&
           !program_shipped(str_format(f->arena, "%.*s %.*s", STR_ARG(a->name), STR_ARG(words->items[1])));
}

void made_find(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        if (!is_run(&all->items[i], a))
            continue;
        a->made = look_at(f, &all->items[i], a);
        if (a->made.state != MADE_HERE)
            continue;
        if (is_namesake(f, a))
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

/* It is the project's code, and so is what comes out of it: `go run` of the same package would be cleared. */
static bool builds_project(struct facts *f, const struct shell_action *from, size_t at, const struct build *build)
{
    if (!layer_project(f, at))
        return false;
    if (!build->package.text.len)
        return true;
    const struct action as = action_with_words(f, from, build_as_run(f, from, build));
    return as.program && (as.effects & EFFECT_PROJECT) && !(as.effects & ~(unsigned)EFFECT_PROJECT) &&
           workshop_is_project_code(f, &as);
}

static void add_build(struct facts *f, const struct shell_action *from, size_t at)
{
    struct session_program p = {0};
    struct build build;

    if (!build_read(f, from, &build) || !place_of(f, from->cwd, build.output, &p.path) ||
        (build.tree.len && !place_of(f, from->cwd, build.tree, &p.tree)) || !builds_project(f, from, at, &build) ||
        call_touches(f, &p, at))
        return;
    if (build.any)
        p.path = str_format(f->arena, "%.*s/", STR_ARG(p.path));
    if (can_be_kept(p.path) && can_be_kept(p.tree))
        LIST_PUSH(f->arena, &f->builds, p);
}

/* ---- what is run and built in one call ---- */

/* Whether that build comes before it or not, works or not: what lies there is the project's code. */
static bool builds_again(struct facts *f, const struct shell_action *from, size_t at, struct str program)
{
    struct build build;
    struct str path;

    return build_read(f, from, &build) && !build.any && place_of(f, from->cwd, build.output, &path) &&
           str_eq(path, program) && builds_project(f, from, at, &build);
}

static bool is_disturbed(struct facts *f, const struct shell_actions *all, size_t at)
{
    struct session_program p = *known_program(&f->session->programs, f->actions.items[at].made.path);

    p.path = f->actions.items[at].made.path;
    if (call_touches_otherwise(f, &p))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != at && action_touches(&f->actions.items[i], &p) && !builds_again(f, &all->items[i], i, p.path))
            return true;
    return false;
}

static void find_checkouts(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (bringing_tracked(&f->actions.items[i]))
            LIST_PUSH(f->arena, &f->checkouts, checkout_root(f, &f->actions.items[i]));
}

void made_settle(struct facts *f, const struct shell_actions *all)
{
    find_checkouts(f);
    for (size_t i = 0; f->by_making && i < all->count; i++) {
        struct made *made = &f->actions.items[i].made;
        if (made->state == MADE_HERE && is_disturbed(f, all, i))
            made->state = MADE_CHANGED;
        if (build_is_named(&all->items[i]))
            add_build(f, &all->items[i], i);
    }
}

/* ---- what the session keeps ---- */

/* Every action was cleared, and nobody was asked: neither a person nor a mode that clears everything. */
static bool is_cleared(const struct verdict *v)
{
    bool clears = false;

    for (size_t i = 0; i < LAYER_COUNT; i++)
        clears |= layers[i].clear && v->layer == layers[i].name;
    for (size_t i = 0; clears && i < v->facts->actions.count; i++)
        clears = v->cleared_by[i] != NULL;
    return clears && v->behavior == BEHAVIOR_ALLOW;
}

const struct session_programs *made_by(const struct verdict *v)
{
    static const struct session_programs none;

    return v->facts && is_cleared(v) ? &v->facts->builds : &none;
}

static void forget(struct session_programs *list, const struct facts *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (!call_touches(f, &list->items[i], NO_ACTION))
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static void put(struct arena *a, struct session_programs *list, struct session_program p)
{
    if (list->count == SESSION_PROGRAMS_MAX) {
        list->count--;
        memmove(list->items, list->items + 1, list->count * sizeof(*list->items));
    }
    p.path = str_copy(a, p.path);
    p.tree = str_copy(a, p.tree);
    LIST_PUSH(a, list, p);
}

/* The build has been run: from now on it is this file, and no other. */
static void see(struct arena *a, struct session_programs *list, const struct made *made)
{
    const struct session_program *known = known_program(list, made->path);
    size_t i = find_program(list, made->path);

    if (!known)
        return; /* another call took it off meanwhile */
    if (i == list->count)
        put(a, list, (struct session_program){.path = made->path, .tree = known->tree});
    struct session_program *p = &list->items[find_program(list, made->path)];
    p->seen = made->mark;
    if (made->mark.changed / NANOSECONDS >= p->built)
        p->built = 0;
}

/* A directory's build may have built every file in it again. */
static void add(struct arena *a, struct session_programs *list, const struct session_program *build, int64_t now)
{
    size_t at = find_program(list, build->path);

    if (at == list->count) {
        put(a, list, *build);
        at = list->count - 1;
    }
    list->items[at].built = now;
    for (size_t i = 0; i < list->count; i++)
        if (is_right_in(list->items[i].path, build->path))
            list->items[i].built = now;
}

void made_keep(struct arena *a, struct session *s, const struct verdict *v, int64_t now)
{
    if (!v->facts || v->behavior == BEHAVIOR_DENY)
        return;
    forget(&s->programs, v->facts);
    for (size_t i = 0; is_cleared(v) && i < v->facts->actions.count; i++)
        if (v->facts->actions.items[i].made.state == MADE_HERE)
            see(a, &s->programs, &v->facts->actions.items[i].made);
    for (size_t i = 0; i < made_by(v)->count; i++)
        add(a, &s->programs, &made_by(v)->items[i], now);
}

/* Is it there as it was seen last? */
static bool is_seen(const struct session_programs *list, const struct made *made)
{
    size_t i = find_program(list, made->path);

    return i < list->count && is_same(&list->items[i].seen, &made->mark) && !list->items[i].built;
}

bool made_changes(const struct session *s, const struct verdict *v)
{
    const struct facts *f = v->facts;

    if (!f || v->behavior == BEHAVIOR_DENY)
        return false;
    for (size_t i = 0; i < s->programs.count; i++)
        if (call_touches(f, &s->programs.items[i], NO_ACTION))
            return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].made.state == MADE_HERE && !is_seen(&s->programs, &f->actions.items[i].made))
            return true;
    return made_by(v)->count > 0;
}

bool made_same(const struct session *s, const struct session *other)
{
    if (s->programs.count != other->programs.count)
        return false;
    for (size_t i = 0; i < s->programs.count; i++) {
        const struct session_program *p = &s->programs.items[i], *q = &other->programs.items[i];
        if (!str_eq(p->path, q->path) || !str_eq(p->tree, q->tree) || p->built != q->built ||
            p->seen.changed != q->seen.changed || p->seen.inode != q->seen.inode || p->seen.device != q->seen.device)
            return false;
    }
    return true;
}
