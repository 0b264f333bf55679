/* evasion_unseen.c - code that the call brings, and that nobody can read before it runs.
 *
 * The project's code and its old scripts are not meant: what they do is as old as they are. */
#include "base/path.h"
#include "decide/evasion.h"
#include "facts/actions.h"
#include "rule/command.h"

static bool runs(const struct action *a)
{
    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_PROJECT)) || a->by_path;
}

static bool is_stream(struct str path)
{
    return str_starts(path, STR("/dev/")) || str_starts(path, STR("/proc/"));
}

/* `. /dev/fd/3`, `python3 <(...)`: the code comes from a descriptor. */
static bool runs_stream(const struct action *a, const struct shell_action *from)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!(p->access & ACCESS_RUN) || !(is_stream(p->written) || is_stream(p->resolved)))
            continue;
        if (from->input != SHELL_INPUT_TEXT || !str_is(p->written, "/dev/stdin"))
            return true;
    }
    return false;
}

/* Is code that it is given in its words, rather than on its standard input? */
static bool has_operand(const struct shell_action *from)
{
    for (size_t i = 1; i < from->words.count; i++) {
        struct str text = from->words.items[i].text;
        if (str_is(text, "-") || is_stream(text))
            return false;
        if (text.len && text.s[0] != '-')
            return true;
    }
    return false;
}

/* What comes through a pipe may be code for a program that gets no code otherwise. */
static bool runs_pipe(const struct action *a, const struct shell_action *from)
{
    if (from->input != SHELL_INPUT_UNKNOWN)
        return false;
    if (a->runs_input || (a->effects & EFFECT_EDITOR))
        return true;
    return a->program && (a->effects & EFFECT_CODE) && !a->script_word &&
           ((a->row && (a->row->effects & EFFECT_CODE)) || !has_operand(from));
}

/* perl -e "$x": the code is a word that is not known. Those after it are its arguments. */
static bool runs_unknown_word(const struct action *a, const struct shell_action *from)
{
    if (!a->program || !(a->effects & EFFECT_CODE) || a->script_word)
        return false;
    for (size_t i = 1; i < from->words.count; i++) {
        const struct shell_word *w = &from->words.items[i];
        bool option = w->text.len > 1 && w->text.s[0] == '-';
        if (!w->known && !w->may_glob)
            return true;
        if (!option)
            return false;
        if (i + 1 < from->words.count && !w[1].known && !w[1].may_glob)
            return true;
    }
    return false;
}

/* Does the command print what its words or its here-document say? */
static bool prints_own_text(const struct action *a, const struct shell_action *from)
{
    for (size_t i = 0; i < from->words.count; i++)
        if (!from->words.items[i].known)
            return false;
    if (!a->program || a->effects || a->subject.paths.count)
        return false;
    return (a->row && a->row->leaves_input) ||
           (from->input == SHELL_INPUT_TEXT && from->words.count == 1 && str_is(a->name, "cat"));
}

/* May the action put code into the file that is not to be seen in the call? */
static bool writes_unseen(const struct facts *f, size_t writer, struct str file)
{
    const struct shell_action *all = f->shell->actions.items;
    const struct action *a = &f->actions.items[writer];
    int by = all[writer].parent;

    if (!action_may_write(a, file))
        return false;
    return !a->redirect || by < 0 || !prints_own_text(&f->actions.items[by], &all[by]);
}

static bool runs_written(const struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        for (size_t w = 0; (p->access & ACCESS_RUN) && w < e->f->shell->actions.count; w++)
            if (w != e->action && writes_unseen(e->f, w, p->written))
                return true;
    }
    return false;
}

void evasion_unseen(struct evasion *e, const struct shell_action *from)
{
    const struct facts *f = e->f;
    const struct action *a = &f->actions.items[e->action];

    if (!runs(a) || from->function)
        return;
    if (runs_stream(a, from) || runs_pipe(a, from) || runs_unknown_word(a, from) ||
        (!facts_too_many(f) && runs_written(e)))
        evasion_unknown(e);
}

/* What people read, and no program runs. */
static bool is_prose(struct str path)
{
    return str_ends(path, STR(".md")) || str_ends(path, STR(".rst")) ||
           str_ends(path, STR(".adoc"));
}

static bool writes_code(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if ((a->subject.paths.items[i].access & ACCESS_WRITE) &&
            !is_prose(a->subject.paths.items[i].written))
            return true;
    return (a->unknown & ACCESS_WRITE) != 0;
}

/* In makefiles, and perhaps in files without a suffix, lines are commands; in all others a command
 * is what a function gets (column `launches` of programs). printf resolves escapes. */
static void look_at_code(struct evasion *e, struct str text, struct str file)
{
    bool lines = file.len && (!str_has(path_base(file), '.') || str_ends(file, STR(".mk")));
    struct str other = evasion_unescape(e->f->arena, text);

    evasion_code(e, text, lines ? NULL : "");
    if (other.len != text.len)
        evasion_code(e, other, lines ? NULL : "");
}

/* The text that a command writes into a file, before another one of the same call runs code. */
static void look_at_written(struct evasion *e, size_t writer)
{
    const struct shell_action *from = &e->f->shell->actions.items[writer];
    const struct subject_paths *paths = &e->f->actions.items[writer].subject.paths;
    struct str file = paths->count ? paths->items[0].written : (struct str){0};

    if (e->f->actions.items[writer].redirect && from->parent >= 0)
        from = &e->f->shell->actions.items[from->parent];
    e->action = writer;
    if (from->kind != SHELL_COMMAND)
        return;
    evasion_words(e, &from->words, NULL);
    for (size_t i = 1; i < from->words.count; i++)
        look_at_code(e, from->words.items[i].text, file);
    if (from->input == SHELL_INPUT_TEXT) {
        evasion_text(e, from->input_text);
        look_at_code(e, from->input_text, file);
    }
}

void evasion_written(struct evasion *e)
{
    const struct shell_actions *all = &e->f->shell->actions;
    size_t last = all->count;

    while (last > 0 && (all->items[last - 1].kind != SHELL_COMMAND ||
                        all->items[last - 1].function || !runs(&e->f->actions.items[last - 1])))
        last--;
    for (size_t i = 0; i + 1 < last; i++)
        if (writes_code(&e->f->actions.items[i]))
            look_at_written(e, i);
}
