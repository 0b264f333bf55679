/* layer_evasion.c - a deny or ask rule holds for other spellings of what it names, and for commands
 * that another program runs.
 *
 * People allow `Bash` and deny a list of commands. Such a list must not end where the analysis of
 * the shell ends. */
#include "decide/evasion.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/environment.h"
#include "programs/variables.h"
#include "rule/command.h"

/* Its words may be code, or a command that it runs: the rows say of all others that they are data.
 * What a wrapper runs is an action of its own. */
static bool may_run_words(const struct action *a)
{
    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_EDITOR));
}

/* Do programs see the variable, or does the shell itself run its value? */
static bool may_run_value(const struct facts *f, const struct action *a)
{
    struct str name = a->subject.words.items[0];

    return !a->idle &&
           (!a->whole || f->exports || str_has(name, '[') || environment_is_dangerous(a, NULL));
}

/* A program of its row alone, which runs and reads nothing that its words could name otherwise:
 * neither evasion_alias() nor evasion_unseen() nor may_run_words() is about it, nor, but for git,
 * evasion_paths(). That is so for most commands. */
static bool is_explained(const struct action *a)
{
    return a->program && !a->by_path &&
           !(a->effects & (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_EDITOR | EFFECT_PROJECT |
                           EFFECT_NETWORK | EFFECT_MODULES));
}

/* EDITOR, GIT_SSH_COMMAND: a shell reads the value. */
static void look_at_value(struct evasion *e, const struct shell_action *from)
{
    struct str value = from->words.items[1].text;

    evasion_text(e, value);
    evasion_unseen_value(e, from);
    if (!environment_is_dangerous(&e->f->actions.items[e->action], NULL))
        return;
    evasion_prefix(e, value); /* GIT_SSH=x */
    if (from->words.items[1].known)
        evasion_shell(e, value, false);
}

/* The text that the program reads. A wrapper leaves its standard input to what it starts. */
static const struct shell_action *reads_from(const struct facts *f, const struct shell_action *from)
{
    const struct shell_action *at = from;

    while (at->input != SHELL_INPUT_TEXT && at->parent >= 0 && !at->in_substitution)
        at = &f->shell->actions.items[at->parent];
    return at->input == SHELL_INPUT_TEXT ? at : from;
}

/* Is its text code, and not only a word that nothing explains? What a shell and other wrappers run
 * are actions of their own. */
static bool runs_code(const struct action *a)
{
    bool runs = !a->program || (a->effects & (EFFECT_CODE | EFFECT_EDITOR)) ||
                (a->row && a->row->launches && !strchr(a->row->launches, 'e'));

    return runs && !(a->row && program_is_wrapper(a->name) && program_runs_operands(a->row));
}

static void look_at_code(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];
    const char *ways = a->row ? a->row->launches : NULL;

    for (size_t i = 1; i < from->words.count; i++)
        evasion_code(e, from->words.items[i].text, ways);
    if (!a->program && !program_named(a->name))
        return; /* the input of such a program is data, as a rule */
    from = reads_from(e->f, from);
    if (from->input == SHELL_INPUT_TEXT)
        evasion_code(e, from->input_text, ways);
}

static void look_at_assignment(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (str_starts(a->name, STR("BASH_"))) /* BASH_CMDS, BASH_ALIASES: other names of programs */
        evasion_doubt(e, evasion_first(e), "a program could run under another name, and match");
    if (from->words.count > 1 && may_run_value(e->f, a))
        look_at_value(e, from);
    evasion_variable(e);
}

/* Other spellings of the command itself, which rules on commands are about. */
static void look_at_spellings(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];

    evasion_command(e, from->words.items, from->words.count);
    if (!a->name.len || rulebook_may_name(e->f->book, a->name.s[0])) /* it would look for that */
        evasion_plain(e, from->words.items, from->words.count);
    if (is_explained(a))
        return;
    evasion_settings(e, from);
    evasion_alias(e, from->words.items, from->words.count);
}

/* What it runs: texts of which rules of both kinds may be about something. */
static void look_inside(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (is_explained(a))
        return;
    evasion_unseen(e, from);
    if (!may_run_words(a) || from->function)
        return;
    const struct shell_action *input = reads_from(e->f, from);
    if (runs_code(a))
        look_at_code(e, from);
    if (input->input == SHELL_INPUT_TEXT)
        evasion_text(e, input->input_text);
    evasion_words(e, &from->words, input->input == SHELL_INPUT_TEXT ? &input->input_text : NULL);
}

static void look_at_commands(struct evasion *e, const struct shell_action *from)
{
    if (from->kind == SHELL_ASSIGN) {
        look_at_assignment(e, from);
    } else if (from->kind == SHELL_COMMAND) {
        if (rulebook_first_on_commands(e->f->book))
            look_at_spellings(e, from);
        look_inside(e, from);
    }
}

static const struct said *say_found(const struct facts *f, const struct evasion *e)
{
    struct said *said;

    if (e->sure) {
        said = say_rule(f, e->sure->effect == BEHAVIOR_DENY ? SAY_DENY : SAY_ASK, e->sure,
                        e->sure_action);
        said->immune = e->sure->effect != BEHAVIOR_DENY;
        return said;
    }
    if (!e->perhaps)
        return NULL;
    said = say_rule(f, SAY_ASK, e->perhaps, e->perhaps_action);
    said->reason = str_format(f->arena, "%s: %.*s", e->why, STR_ARG(said->reason));
    said->immune = true;
    return said;
}

void evasion_look(struct evasion *e)
{
    const struct shell_actions *all = &e->f->shell->actions;
    bool paths = rulebook_first_on_paths(e->f->book) != NULL;

    if (!evasion_first(e))
        return;
    for (size_t i = 0; i < all->count; i++) {
        e->action = i;
        look_at_commands(e, &all->items[i]);
        if (paths)
            evasion_paths(e, &all->items[i]);
    }
    if (all->count > 1)
        evasion_written(e);
}

const struct said *layer_evasion(const struct facts *f)
{
    size_t texts = 0, work = 0;
    struct evasion e = {.f = f, .texts = &texts, .work = &work};

    if (!f->shell)
        return NULL;
    evasion_look(&e);
    return say_found(f, &e);
}
