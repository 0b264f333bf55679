/* evasion_unseen.c - code that the call brings, and that nobody can read before it runs.
 *
 * The project's code and its old scripts are not meant: what they do is as old as they are. */
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

static bool names_and_matches(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct rule_env room;

    return r->effect == BEHAVIOR_ALLOW && str_eq(rule_program(r), a->name) &&
           rule_matches(f->arena, r, &a->subject, facts_env(f, a, &room));
}

/* Someone who allows a program by its name allows what it runs. The index has listed the rules that
 * may match. */
static bool is_named(const struct facts *f, const struct action *a)
{
    const struct rules *all = &f->book->rules;
    size_t count = f->book->index ? a->rules.count : all->count;

    for (size_t i = 0; i < count; i++)
        if (names_and_matches(f, &all->items[f->book->index ? a->rules.items[i] : i], a))
            return true;
    return false;
}

void evasion_unseen(struct evasion *e, const struct shell_action *from)
{
    const struct facts *f = e->f;
    const struct action *a = &f->actions.items[e->action];

    if (!runs(a) || from->function)
        return;
    if ((runs_stream(a, from) || runs_pipe(a, from) || runs_unknown_word(a, from) ||
         (!facts_too_many(f) && runs_written(e))) &&
        !is_named(f, a))
        evasion_doubt(e, rulebook_first_on_commands(f->book),
                      "what this runs is not known before run time, and could match");
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

/* The text that a command writes into a file, before another one of the same call runs code. */
static void look_at_written(struct evasion *e, size_t writer)
{
    const struct shell_action *from = &e->f->shell->actions.items[writer];

    if (e->f->actions.items[writer].redirect && from->parent >= 0)
        from = &e->f->shell->actions.items[from->parent];
    e->action = writer;
    if (from->kind == SHELL_COMMAND)
        evasion_words(e, &from->words);
    if (from->kind == SHELL_COMMAND && from->input == SHELL_INPUT_TEXT)
        evasion_text(e, from->input_text);
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
