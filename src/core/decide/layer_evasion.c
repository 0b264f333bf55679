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
           (!a->whole || f->exports || str_has(name, '[') || environment_is_dangerous(name, NULL));
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

static void look_at_commands(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (from->kind == SHELL_ASSIGN) {
        if (str_starts(a->name,
                       STR("BASH_"))) /* BASH_CMDS, BASH_ALIASES: other names of programs */
            evasion_doubt(e, rulebook_first_on_commands(e->f->book),
                          "a program could run under another name, and match");
        if (from->words.count > 1 && may_run_value(e->f, a))
            evasion_text(e, from->words.items[1].text);
        return;
    }
    if (from->kind != SHELL_COMMAND)
        return;
    if (!a->name.len || rulebook_may_name(e->f->book, a->name.s[0])) /* it would look for that */
        evasion_command(e, from->words.items, from->words.count);
    if (is_explained(a))
        return;
    evasion_alias(e, from->words.items, from->words.count);
    evasion_unseen(e, from);
    if (!may_run_words(a) || from->function)
        return;
    evasion_words(e, &from->words);
    if (from->input == SHELL_INPUT_TEXT)
        evasion_text(e, from->input_text);
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

const struct said *layer_evasion(const struct facts *f)
{
    struct evasion e = {.f = f};
    bool commands = f->shell && rulebook_first_on_commands(f->book);
    bool paths = f->shell && rulebook_first_on_paths(f->book);

    if (!commands && !paths)
        return NULL;
    for (size_t i = 0; i < f->shell->actions.count; i++) {
        const struct shell_action *from = &f->shell->actions.items[i];
        e.action = i;
        if (commands)
            look_at_commands(&e, from);
        if (paths)
            evasion_paths(&e, from);
    }
    if (commands && f->shell->actions.count > 1)
        evasion_written(&e);
    return say_found(f, &e);
}
