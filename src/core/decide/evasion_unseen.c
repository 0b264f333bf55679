/* evasion_unseen.c - code that the call brings, and that nobody can read before it runs.
 *
 * The project's code and its old scripts are not meant: what they do is as old as they are. */
#include "base/path.h"
#include "decide/evasion.h"
#include "facts/actions.h"
#include "facts/environment.h"
#include "facts/fresh.h"
#include "programs/variables.h"
#include "rule/command.h"

static bool runs(const struct action *a)
{
    return !a->program || a->by_path ||
           (a->effects & (EFFECT_CODE | EFFECT_MODULES | EFFECT_PROJECT | EFFECT_EDITOR));
}

static bool is_stream(struct str path)
{
    return str_starts(path, STR("/dev/")) || str_starts(path, STR("/proc/"));
}

/* Does a part of the word name a descriptor: /dev/fd/63, --file=/dev/stdin? */
static bool names_stream(struct str word)
{
    static const char *const places[] = {"/dev/fd/", "/dev/stdin", "/proc/self/fd",
                                         "/proc/thread-self/fd"};

    for (size_t i = 0; str_has(word, '/') && i < COUNT(places); i++)
        if (str_contains(word, str_from(places[i])))
            return true;
    return false;
}

/* Does the command print what its words or its here-document say? */
bool evasion_prints_own_text(const struct action *a, const struct shell_action *from)
{
    for (size_t i = 0; i < from->words.count; i++)
        if (!from->words.items[i].known)
            return false;
    if (!a->program || a->effects || a->subject.paths.count)
        return false;
    return (a->row && a->row->leaves_input) ||
           (from->input == SHELL_INPUT_TEXT && from->words.count == 1 && str_is(a->name, "cat"));
}

static void look_at_input(struct evasion *e, const struct shell_action *from)
{
    if (from->input != SHELL_INPUT_TEXT)
        return;
    evasion_text(e, from->input_text);
    evasion_code(e, from->input_text, NULL);
}

/* What a command prints that only says what its words say. */
static void look_at_printed(struct evasion *e, const struct shell_action *from)
{
    evasion_words(e, &from->words, NULL);
    for (size_t i = 1; i < from->words.count; i++)
        evasion_code(e, evasion_unescape(e->f->arena, from->words.items[i].text), NULL);
    look_at_input(e, from);
}

/* Is the command in a substitution among the words of the action, or of one that wraps it (nice
 * bash
 * <(...))? */
static bool is_substituted(const struct shell_actions *all, const struct shell_action *from,
                           size_t action)
{
    int at = (int)action;

    while (at >= 0 && at != from->parent)
        at = all->items[at].parent;
    return from->in_substitution && at >= 0;
}

/* make -f <(echo '...'), MAKEFILES=<(echo '...') make: looks at what is printed there. False: that
 * is not known, or comes from elsewhere. */
static bool look_at_substitutions(struct evasion *e)
{
    const struct shell_actions *all = &e->f->shell->actions;
    bool seen = false;

    for (size_t i = 0; i < all->count; i++) {
        if (i == e->action || !is_substituted(all, &all->items[i], e->action))
            continue;
        if (!evasion_prints_own_text(&e->f->actions.items[i], &all->items[i]))
            return false;
        look_at_printed(e, &all->items[i]);
        seen = true;
    }
    return seen;
}

/* `. /dev/fd/3`, `python3 <(...)`, `make -f /dev/stdin`: the code comes from a descriptor. What
 * comes behind the name of a script is data. */
static bool runs_stream(struct evasion *e, const struct action *a, const struct shell_action *from)
{
    size_t last = a->script_word ? a->script_word + 1 : from->words.count;

    for (size_t i = 1; i < last; i++) {
        if (!names_stream(from->words.items[i].text))
            continue;
        if (from->input == SHELL_INPUT_TEXT && !str_has(from->words.items[i].text, WORD_UNKNOWN))
            look_at_input(e, from);
        else if (!look_at_substitutions(e))
            return true;
    }
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_RUN) && is_stream(p->resolved) && !names_stream(p->written))
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
    if (a->runs_input || a->awaits || (a->effects & EFFECT_EDITOR) || strs_has(&a->codes, STR("-")))
        return true;
    return a->program && (a->effects & EFFECT_CODE) && !a->script_word &&
           ((a->row && (a->row->effects & EFFECT_CODE)) || !has_operand(from));
}

/* perl -e "$x": the code is a word that is not known. Those after it are its arguments. */
static bool runs_unknown_word(const struct action *a, const struct shell_action *from)
{
    if (!a->program || !(a->effects & EFFECT_CODE) || a->script_word)
        return false;
    bool any = a->row && (a->row->effects & EFFECT_CODE); /* git difftool -y -x "$x" */
    for (size_t i = 1; i < from->words.count; i++) {
        const struct shell_word *w = &from->words.items[i];
        bool option = w->text.len > 1 && w->text.s[0] == '-';
        if (!w->known && !w->may_glob)
            return true;
        if (!option && !any)
            return false;
        if (i + 1 < from->words.count && !w[1].known && !w[1].may_glob)
            return true;
    }
    return false;
}

/* git rebase -x 'git show': where a row knows of no language, a shell reads it. */
static void look_at_value(struct evasion *e, const struct action *a, struct str code)
{
    evasion_text(e, code);
    if (rulebook_first_on_paths(e->f->book) && a->row && !a->row->launches)
        evasion_shell(e, code, true);
}

void evasion_unseen(struct evasion *e, const struct shell_action *from)
{
    const struct facts *f = e->f;
    const struct action *a = &f->actions.items[e->action];

    for (size_t i = 0; i < a->codes.count; i++)
        look_at_value(e, a, a->codes.items[i]);
    if (a->unseen || (a->row && a->row->runs_found))
        evasion_unknown(e);
    if (!runs(a) || from->function)
        return;
    evasion_files(e);
    if (runs_stream(e, a, from) || runs_pipe(a, from) || runs_unknown_word(a, from) ||
        (!facts_too_many(f) && evasion_runs_made(e)))
        evasion_unknown(e);
}

/* EDITOR=$x git commit, PYTHONSTARTUP=<(...) python3 */
void evasion_unseen_value(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];
    const struct shell_word *value = &from->words.items[1];

    if (!environment_is_dangerous(a, NULL))
        return;
    if (value->known) { /* LD_PRELOAD=./x.so, NODE_OPTIONS='-r ./x' */
        if (value->text.len && evasion_is_made(e, from->directory.here.path, value->text))
            evasion_unknown(e);
        evasion_files_named(e, from->directory.here.path, value->text);
        return;
    }
    if (names_stream(value->text) && look_at_substitutions(e))
        return;
    if (names_stream(value->text) ||
        ((a->uses & VARIABLE_COMMAND) && value->text.len && value->text.s[0] == WORD_UNKNOWN))
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
    for (size_t i = 1; i < from->words.count; i++) {
        look_at_code(e, from->words.items[i].text, file);
        evasion_names_in(e, from->words.items[i].text);
    }
    if (from->input == SHELL_INPUT_TEXT) {
        evasion_text(e, from->input_text);
        look_at_code(e, from->input_text, file);
        evasion_names_in(e, from->input_text);
    }
}

/* It runs code, or sets a variable that may name a file of code. */
static bool may_run_written(const struct facts *f, size_t at)
{
    const struct shell_action *from = &f->shell->actions.items[at];
    const struct action *a = &f->actions.items[at];

    return from->kind == SHELL_COMMAND
               ? runs(a) && !from->function
               : from->kind == SHELL_ASSIGN && environment_is_dangerous(a, NULL);
}

void evasion_written(struct evasion *e)
{
    const struct shell_actions *all = &e->f->shell->actions;
    size_t last = all->count;

    while (last > 0 && !may_run_written(e->f, last - 1))
        last--;
    for (size_t i = 0; i + 1 < last; i++)
        if (writes_code(&e->f->actions.items[i]))
            look_at_written(e, i);
}
