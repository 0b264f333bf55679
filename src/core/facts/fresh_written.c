/* fresh_written.c - one call that writes a file and runs it as code of the project.
 *
 * A file that is written later is none that an earlier command has run (order.h). */
#include "base/path.h"
#include "facts/fresh_parts.h"
#include "facts/order.h"
#include "facts/outputs.h"
#include "facts/sensitive_paths.h"

/* Texts for people, which no runner takes for code unless it is told to. */
static bool is_notes(struct str name)
{
    static const char *const endings[] = {".csv", ".diff",  ".err", ".log", ".out",
                                          ".pid", ".patch", ".tap", ".txt"};

    for (size_t i = 0; i < COUNT(endings); i++)
        if (str_ends(name, str_from(endings[i])))
            return true;
    return str_has_word(STR("err log out output stderr stdout"), name);
}

/* git writes what a revision holds, which is judged by itself; git mv gives a file another name. */
static bool moves_by_git(const struct action *a)
{
    unsigned access = 0;

    for (size_t i = 0; i < a->subject.paths.count; i++)
        access |= a->subject.paths.items[i].access;
    return (access & ACCESS_WRITE) && (access & ACCESS_DELETE);
}

/* May what it writes be a text of the agent's? Project code writes its own. */
static bool writes_text(const struct action *a)
{
    if (a->redirect)
        return true;
    if (a->assignment || !a->program || (a->effects & EFFECT_PROJECT) ||
        (a->row && a->row->writes_no_text))
        return false;
    return !(a->effects & EFFECT_REPO) || moves_by_git(a);
}

/* A file that one of its words names, or a directory with it. */
static bool is_named(const struct action *runner, const struct subject_path *p)
{
    for (size_t i = 0; i < runner->subject.paths.count; i++) {
        const struct subject_path *q = &runner->subject.paths.items[i];
        if (!q->below && (q->pattern || path_is_inside(p->written, q->written) ||
                          path_is_inside(q->written, p->written)))
            return true;
    }
    return false;
}

/* A directory above the one that it runs in: many tools look for settings there. */
static bool is_above(const struct action *runner, const struct subject_path *p)
{
    struct str directory = runner->directory.len ? runner->directory : runner->cwd;

    return path_is_inside(directory, path_dir(p->written));
}

static bool names_file(const struct action *runner, const struct subject_path *p)
{
    for (size_t i = 0; i < runner->subject.paths.count; i++) {
        const struct subject_path *q = &runner->subject.paths.items[i];
        if (!q->below && !q->pattern && str_eq(q->written, p->written))
            return true;
    }
    return false;
}

static bool may_be_input(const struct facts *f, const struct action *runner,
                         const struct subject_path *p)
{
    if (!(p->access & ACCESS_WRITE) || p->below || str_starts(p->resolved, STR("/dev/")))
        return false;
    struct str name = path_base(p->written);
    bool entry = fresh_is_entry(runner, name);
    if (!path_in_workspace(f, p))
        return is_named(runner, p) || (entry && is_above(runner, p));
    if (entry || p->pattern)
        return true;
    if (runner->row && runner->row->runs_no_source)
        return f->world->kind(f->world->context, p->resolved.s) == FILE_DIRECTORY;
    return names_file(runner, p) || !(is_notes(name) || output_is_report(name));
}

/* The output of the runner itself goes there, and no other's: a shell that starts it might print
 * something first. In a loop the next pass would run it. */
static bool is_own_output(const struct facts *f, const struct shell_actions *all, size_t writer,
                          size_t at)
{
    int parent = all->items[writer].kind == SHELL_REDIRECT ? all->items[writer].parent : -1;

    if (all->items[at].loop)
        return false;
    for (int i = (int)at; parent >= 0 && i >= 0; i = all->items[i].parent) {
        const struct program_row *row = f->actions.items[i].row;
        if (i != (int)at && !(row && row->transparent))
            break;
        if (i == parent)
            return true;
    }
    return false;
}

static const struct subject_path *find_input(const struct facts *f, const struct action *runner,
                                             const struct action *writer)
{
    for (size_t i = 0; i < writer->subject.paths.count; i++)
        if (may_be_input(f, runner, &writer->subject.paths.items[i]))
            return &writer->subject.paths.items[i];
    return NULL;
}

bool fresh_find_written(const struct facts *f, const struct shell_actions *all, size_t at,
                        struct fresh *out)
{
    const struct action *runner = &f->actions.items[at];
    const struct subject_path *p;

    if (f->actions.count == 1 || all->count != f->actions.count)
        return false;
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *writer = &f->actions.items[i];
        if (i == at || !writes_text(writer) || is_own_output(f, all, i, at) ||
            order_ends_before(f, all, at, i) || !(p = find_input(f, runner, writer)))
            continue;
        *out = (struct fresh){.kind = FRESH_WRITTEN, .what = p->written};
        return true;
    }
    return false;
}
