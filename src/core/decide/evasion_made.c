/* evasion_made.c - a file that the call makes and runs, and whose contents nobody can see before.
 */
#include "base/path.h"
#include "decide/evasion.h"
#include "facts/actions.h"
#include "facts/copies_in.h"
#include "facts/fresh.h"
#include "facts/order.h"

/* The path that a word names in this directory. */
static struct str path_of(const struct evasion *e, struct str directory, struct str word)
{
    return path_clean(e->f->arena, path_join(e->f->arena, directory, word));
}

/* Nothing explains what it writes. */
static bool is_unexplained(const struct action *a, const struct shell_action *from)
{
    return from->kind == SHELL_COMMAND &&
           (!a->program || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN)));
}

/* awk '{print > "x"}', split f x: its words have the name. */
static bool mentions(const struct action *a, const struct shell_action *from, struct str name)
{
    for (size_t i = 1; is_unexplained(a, from) && i < from->words.count; i++)
        if (str_contains(from->words.items[i].text, name))
            return true;
    return false;
}

/* May the action put code into the file that is not to be seen in the call? If it must be `named`,
 * it does not count that it may write any file. */
static bool writes_unseen(const struct facts *f, size_t writer, struct str file, bool named)
{
    const struct shell_action *all = f->shell->actions.items;
    const struct action *a = &f->actions.items[writer];
    int by = all[writer].parent;

    if (!action_may_write(a, file))
        return !named && mentions(a, &all[writer], path_base(file));
    if (named && (a->unknown & ACCESS_WRITE))
        return false;
    return !a->redirect || by < 0 || !evasion_prints_own_text(&f->actions.items[by], &all[by]);
}

static bool is_written_unseen(const struct evasion *e, struct str file, bool named)
{
    for (size_t i = 0; i < e->makers.count; i++)
        if (e->makers.items[i] != e->action && writes_unseen(e->f, e->makers.items[i], file, named))
            return true;
    return false;
}

/* at -f x, gdb -x x: any word may name the code. */
static bool is_word_written(const struct evasion *e, const struct action *a)
{
    const struct shell_words *words = &e->f->shell->actions.items[e->action].words;

    for (size_t i = 1; a->cwd.len && i < words->count; i++)
        if (words->items[i].text.len &&
            is_written_unseen(e, path_of(e, a->cwd, words->items[i].text), true))
            return true;
    return false;
}

/* split, ar, tar, a program without a row, git checkout: it makes files that none of its words
 * names. A program of the project makes its own. */
static bool makes_files(const struct action *a, const struct shell_action *from)
{
    if (from->kind != SHELL_COMMAND || from->function)
        return false;
    return is_unexplained(a, from) || copies_in_of(a) == BRINGS_ARCHIVE || copies_in_rewrites(a);
}

/* May it write any file at all, or make one? */
static bool is_maker(const struct action *a, const struct shell_action *from)
{
    if ((a->unknown & (ACCESS_WRITE | ACCESS_DELETE)) || is_unexplained(a, from))
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return true;
    return makes_files(a, from);
}

/* The actions that write or make files are gathered once for a call; few calls have any beside the
 * one that is looked at. */
static bool has_other_maker(struct evasion *e)
{
    const struct actions *all = &e->f->actions;

    if (e->f->shell->actions.count < 2)
        return false; /* there is no other one */
    for (size_t i = 0; !e->knows_makers && i < e->f->shell->actions.count; i++)
        if (is_maker(&all->items[i], &e->f->shell->actions.items[i]))
            LIST_PUSH(e->f->arena, &e->makers, i);
    e->knows_makers = true;
    return e->makers.count > 1 || (e->makers.count && e->makers.items[0] != e->action);
}

static bool is_absent(const struct facts *f, struct str file)
{
    return path_is_absolute(file) && !str_has(file, WORD_UNKNOWN) &&
           f->world->kind(f->world->context, str_copy(f->arena, file).s) == FILE_ABSENT;
}

static bool is_written_by_any(const struct facts *f, struct str file)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_may_write(&f->actions.items[i], file))
            return true;
    return false;
}

/* The file that the action itself is; empty: a program of PATH. */
static struct str own_file(const struct evasion *e, size_t action)
{
    const struct action *a = &e->f->actions.items[action];
    const struct shell_words *words = &e->f->shell->actions.items[action].words;

    return a->by_path && a->cwd.len && words->count && words->items[0].known
               ? path_of(e, a->cwd, words->items[0].text)
               : (struct str){0};
}

/* Is what it runs not there? Then it fails, or something else of the call makes that, and counts.
 */
static bool runs_nothing(const struct evasion *e, size_t action)
{
    const struct subject_paths *paths = &e->f->actions.items[action].subject.paths;
    struct str file = own_file(e, action);

    for (size_t i = 0; !file.len && i < paths->count; i++)
        if (paths->items[i].access & ACCESS_RUN)
            file = paths->items[i].written;
    return file.len && is_absent(e->f, file) && !is_written_by_any(e->f, file);
}

/* The file is not there, and what runs it comes after something that may make it. */
static bool is_made_unseen(struct evasion *e, struct str file)
{
    const struct facts *f = e->f;

    if (!is_absent(f, file) || is_written_by_any(f, file)) /* is_written_unseen() looks at that */
        return false;
    if (evasion_is_spent(e, f->actions.count * sizeof(struct action)))
        return true;
    for (size_t n = 0; n < e->makers.count; n++) {
        const size_t i = e->makers.items[n];
        if (i != e->action && makes_files(&f->actions.items[i], &f->shell->actions.items[i]) &&
            !order_ends_before(f, &f->shell->actions, e->action, i) && !runs_nothing(e, i))
            return true;
    }
    return false;
}

static bool comes_unseen(struct evasion *e, struct str file, bool named)
{
    return is_written_unseen(e, file, named) || is_made_unseen(e, file);
}

bool evasion_is_made(struct evasion *e, struct str directory, struct str word)
{
    return has_other_maker(e) && comes_unseen(e, path_of(e, directory, word), true);
}

static bool is_project(const struct action *a)
{
    return (a->effects & EFFECT_PROJECT) && !(a->effects & (EFFECT_CODE | EFFECT_UNKNOWN));
}

/* ./x. What a compiler writes is as old as its sources are (evasion_files.c). */
static bool is_itself_made(struct evasion *e)
{
    struct str file = own_file(e, e->action);

    for (size_t i = 0; file.len && i < e->makers.count; i++) {
        const size_t w = e->makers.items[i];
        if (w != e->action && !is_project(&e->f->actions.items[w]) &&
            writes_unseen(e->f, w, file, true))
            return true;
    }
    return file.len && is_made_unseen(e, file);
}

/* A script, or a file of the project that says what is run (fresh.h). */
bool evasion_runs_made(struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (!has_other_maker(e))
        return false;
    if (a->fresh.kind == FRESH_WRITTEN && fresh_is_entry(a, path_base(a->fresh.what)) &&
        is_written_unseen(e, a->fresh.what, false))
        return true;
    for (size_t i = 0; i < a->starts_from.count; i++) /* make -f x.mk */
        if (comes_unseen(e, path_of(e, a->cwd, a->starts_from.items[i]), true))
            return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_RUN) && comes_unseen(e, p->written, false))
            return true;
    }
    return is_itself_made(e) ||
           ((!a->program || (a->row && (a->row->effects & EFFECT_CODE))) && is_word_written(e, a));
}
