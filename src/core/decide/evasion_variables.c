/* evasion_variables.c - variables that say what an option says: HUSKY=0 is --no-verify.
 *
 * They reach every program that the call starts, and every command that those start in turn. */
#include "base/ascii.h"
#include "decide/evasion.h"
#include "facts/environment.h"
#include "programs/command_options.h"
#include "rule/command.h"

static bool assigns(const struct facts *f, struct str program, struct str names)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if (a->assignment && command_option_set_by(program, a->name, names) &&
            environment_reaches_programs(f, a))
            return true;
    }
    return false;
}

/* os.environ["HUSKY"] = "0": is such a variable named in the text? */
static bool names_variable(struct str text, struct str program, struct str names)
{
    for (size_t at = 0, end; at < text.len; at = end + 1) {
        for (end = at; end < text.len && ascii_is_name(text.s[end]);)
            end++;
        if (end > at && command_option_set_by(program, str_slice(text, at, end), names))
            return true;
    }
    return false;
}

static bool is_named_in(const struct evasion *e, struct str program, struct str names)
{
    const struct shell_action *from = &e->f->shell->actions.items[e->action];

    for (size_t i = 1; i < from->words.count; i++)
        if (names_variable(from->words.items[i].text, program, names))
            return true;
    return from->input == SHELL_INPUT_TEXT && names_variable(from->input_text, program, names);
}

bool evasion_variable_says(const struct evasion *e, struct str program, struct str names)
{
    if (assigns(e->f, program, names))
        return true;
    for (e = e->outer; e; e = e->outer) /* the text that this command stands in */
        if (assigns(e->f, program, names) || is_named_in(e, program, names))
            return true;
    return false;
}

/* ---- what the call runs may be such a command, and nobody reads it ---- */

static bool runs_other(const struct action *a)
{
    return !a->assignment && !a->redirect && a->subject.words.count &&
           (!a->program || (a->effects & (EFFECT_CODE | EFFECT_PROJECT)));
}

/* Looked for once: a call may set a great many variables. */
static bool runs_others(struct evasion *e)
{
    const struct actions *all = &e->f->actions;

    for (size_t i = 0; !e->knows_others && !e->others && i < all->count; i++)
        e->others = runs_other(&all->items[i]);
    e->knows_others = true;
    return e->others;
}

/* Does the variable say what an option of the rule says? */
static bool says_option_of(const struct evasion *e, const struct rule *r, struct str variable)
{
    struct rule_words pattern = rule_words(e->f->arena, r);
    struct shell_word *words = ARENA_ARRAY(e->f->arena, struct shell_word, pattern.count + 1);
    struct command_options read;

    for (size_t i = 0; i < pattern.count; i++)
        words[i] = (struct shell_word){
            .text = str_slice(pattern.items[i].text, 0, str_until(pattern.items[i].text, "*")),
            .known = true};
    command_options(e->f->arena, words, pattern.count, e->f->book->programs, &read);
    for (size_t i = 0; i < read.options.count; i++)
        if (command_option_set_by(words[0].text, variable, read.options.items[i].names))
            return true;
    return false;
}

static void look_at_rules(struct evasion *e, struct str program, struct str variable)
{
    struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);

    for (size_t i = 0; i < rules.count && !e->perhaps; i++) {
        const struct rule *r = &e->f->book->rules.items[rules.items[i]];
        if (!evasion_is_spent(e, r->pattern.len) && says_option_of(e, r, variable))
            evasion_doubt(e, r, "a variable could do what the option of the rule does");
    }
}

static void look_at_variable(struct evasion *e, struct str variable)
{
    const struct program_row *row;

    for (size_t at = 0; (row = program_told_next(&at));)
        if (rulebook_may_name(e->f->book, row->name[0]) && command_option_told_by(row, variable))
            look_at_rules(e, str_from(row->name), variable);
}

void evasion_variable(struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (!a->idle && runs_others(e) && environment_reaches_programs(e->f, a))
        look_at_variable(e, a->name);
}

/* make exports what its words set. */
void evasion_settings(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct str name, value;

    for (size_t i = 1; a->row && a->row->task_by_task && i < from->words.count; i++)
        if (str_cut(from->words.items[i].text, '=', &name, &value))
            look_at_variable(e, name);
}
