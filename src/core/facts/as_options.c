#include "facts/as_options.h"

#include "base/ascii.h"
#include "programs/variables.h"

/* A name of something that the program's own settings have: dev, eu-west-1. It may become a part of
 * a host, so it has nothing that ends one. */
static bool is_label(const struct shell_word *value)
{
    struct str text = value->text;

    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_alnum(text.s[i]) && (i == 0 || !strchr("_.-", text.s[i])))
            return false;
    return value->known && text.len > 0;
}

/* Does the command run inside this one, or in its words? */
static bool is_within(const struct shell_actions *all, size_t i, int outer)
{
    int at = (int)i;

    for (size_t steps = 0; at >= 0 && at != outer && steps <= all->count; steps++)
        at = all->items[at].parent;
    return at == outer;
}

static bool is_program(const struct action *a, struct str program)
{
    struct str name, rest;

    if (!a->program || !a->row || a->by_path)
        return false;
    str_cut(str_from(a->row->name), ' ', &name, &rest);
    return str_eq(name, program);
}

/* Wrappers may be around the program; no other one may see the variable, since it may not mean the
 * same there: project code with other credentials. */
static bool reaches_only(const struct facts *f, const struct shell_actions *all, size_t assignment,
                         struct str program)
{
    int outer = all->items[assignment].parent;
    bool found = false;

    for (size_t i = 0; outer >= 0 && i < all->count; i++) {
        const struct action *a = &f->actions.items[i];
        if (all->items[i].kind != SHELL_COMMAND || !is_within(all, i, outer))
            continue;
        if (is_program(a, program))
            found = true;
        else if (!a->program || (a->effects & ~(unsigned)EFFECT_INNER))
            return false;
    }
    return found;
}

static struct str spell(struct facts *f, const struct strs *words, struct str option, bool last)
{
    struct buf b = buf_in(f->arena);

    for (size_t i = 0; i < words->count; i++) {
        if (i)
            buf_text(&b, " ");
        buf_add(&b, words->items[i]);
        if (last ? i + 1 == words->count : i == 0) {
            buf_text(&b, " ");
            buf_add(&b, option);
        }
    }
    return buf_str(&b);
}

/* The list may be shared with others: what is added goes to a new one. */
static void add_spellings(struct facts *f, struct action *a, struct str option, struct str value)
{
    struct subject *s = &a->subject;
    struct strs forms = {0};

    for (size_t i = 0; i < s->forms_deny.count; i++)
        LIST_PUSH(f->arena, &forms, s->forms_deny.items[i]);
    for (int i = 0; i < 4; i++)
        LIST_PUSH(f->arena, &forms,
                  spell(f, &s->words,
                        str_format(f->arena, "%.*s%c%.*s", STR_ARG(option), i & 2 ? '=' : ' ',
                                   STR_ARG(value)),
                        i & 1));
    s->forms_deny = forms;
}

/* Flags of a rule are compared with the words of the command alone. */
static bool rules_have_flags(const struct rulebook *b)
{
    for (size_t i = 0; i < b->rules.count; i++)
        if (b->rules.items[i].effect != BEHAVIOR_ALLOW &&
            rule_more(&b->rules.items[i])->flags.count)
            return true;
    return false;
}

static void find_one(struct facts *f, const struct shell_actions *all, size_t assignment)
{
    const struct shell_action *from = &all->items[assignment];
    struct action *a = &f->actions.items[assignment];
    struct str program, option;

    if (a->whole || a->set || from->words.count != 2 || !is_label(&from->words.items[1]))
        return;
    str_cut(str_from(variable_option(from->words.items[0].text)), ' ', &program, &option);
    if (!reaches_only(f, all, assignment, program))
        return;
    a->as_option = true;
    for (size_t i = 0; i < all->count; i++)
        if (is_within(all, i, from->parent) && is_program(&f->actions.items[i], program))
            add_spellings(f, &f->actions.items[i], option, from->words.items[1].text);
}

void as_options_find(struct facts *f, const struct shell_actions *all)
{
    if (facts_too_many(f) || rules_have_flags(f->book))
        return;
    for (size_t i = 0; i < all->count; i++)
        if (f->actions.items[i].assignment && (f->actions.items[i].uses & VARIABLE_AS_OPTION))
            find_one(f, all, i);
}
