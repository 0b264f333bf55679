/* evasion_shell.c - a text that another program gives to a shell: awk's system("..."), sed's e.
 *
 * It is read as a call of its own would be, and deny and ask rules hold for what it does. */
#include "decide/evasion.h"
#include "decide/rule_below.h"
#include "facts/actions.h"
#include "rule/command.h"

#define TEXT_DEPTH_MAX 6   /* perl in sh in awk in ... */
#define TEXTS_MAX      200 /* of one call */

static bool names_and_matches(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct rule_env room;

    return r->effect == BEHAVIOR_ALLOW && r->source != SOURCE_BUILTIN &&
           str_eq(rule_program(r), a->name) &&
           rule_matches(f->arena, r, &a->subject, facts_env(f, a, &room));
}

/* Someone who allows a program by its name allows what it runs. The index has listed the rules that
 * may match. */
static bool is_named(const struct facts *f, const struct action *a)
{
    const struct rules *all = &f->book->rules;
    size_t count = f->book->index ? a->rules.count : all->count;

    for (size_t i = 0; a->name.len && i < count; i++)
        if (names_and_matches(f, &all->items[f->book->index ? a->rules.items[i] : i], a))
            return true;
    return false;
}

void evasion_doubt_unnamed(struct evasion *e, const struct rule *rule, const char *why)
{
    if (!e->perhaps && !is_named(e->f, &e->f->actions.items[e->action]))
        evasion_doubt(e, rule, why);
}

void evasion_unknown(struct evasion *e)
{
    evasion_doubt_unnamed(e, evasion_first(e),
                          "what this runs is not known before run time, and could match");
}

/* What the index says of the actions of the text. */
static void find_rules(struct facts *f)
{
    struct rule_env room;

    f->search = NULL;
    if (!f->book->index)
        return;
    struct rule_search *search = ARENA_NEW(f->arena, struct rule_search);
    *search = rule_search_begin(f->arena, f->book->index, &f->shared);
    f->search = search;
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        a->rules = rule_search_find(search, &a->subject, facts_env(f, a, &room));
    }
}

/* The deny and ask rules that match what the text does as it is written. */
static void match_rules(struct evasion *e)
{
    const struct rulebook *book = e->f->book;
    const struct action *a = &e->f->actions.items[e->action];
    struct rule_env room;
    const struct rule_env *env = facts_env(e->f, a, &room);

    for (size_t i = 0; i < (book->index ? a->rules.count : book->rules.count); i++) {
        const struct rule *r = &book->rules.items[book->index ? a->rules.items[i] : i];
        if (r->effect != BEHAVIOR_ALLOW && rule_matches(e->f->arena, r, &a->subject, env))
            evasion_match(e, r);
    }
}

/* The same for rules on paths that are not known, or that nothing names. */
static void match_doubts(struct evasion *e)
{
    const char *why;
    const struct rule *r = rule_in_doubt(e->f, e->action, &why);

    if (r)
        evasion_doubt(e, r, why);
}

/* What was found inside is about the action that runs the text. Someone who allows a program by its
 * name says nothing of files. */
static void take(struct evasion *e, const struct evasion *inner)
{
    if (inner->sure)
        evasion_match(e, inner->sure);
    if (inner->perhaps && rule_is_on_paths(inner->perhaps))
        evasion_doubt(e, inner->perhaps, inner->why);
    else if (inner->perhaps)
        evasion_doubt_unnamed(e, inner->perhaps, inner->why);
}

/* Is it no text for a shell at all? */
static bool is_malformed(const struct facts *f)
{
    for (size_t i = 0; i < f->findings.count; i++)
        if (strcmp(f->findings.items[i].name, "malformed-token") == 0 ||
            strcmp(f->findings.items[i].name, "incomplete-command") == 0)
            return true;
    return false;
}

void evasion_shell(struct evasion *e, struct str text, bool guessed)
{
    if (e->depth == TEXT_DEPTH_MAX || ++*e->texts > TEXTS_MAX) {
        evasion_doubt(e, evasion_first(e), "there are too many texts inside other texts");
        return;
    }
    struct facts *f = actions_of_text(e->f, text, e->f->actions.items[e->action].cwd);
    struct evasion inner = {
        .f = f, .depth = e->depth + 1, .outer = e, .texts = e->texts, .work = e->work};
    find_rules(f);
    for (; inner.action < f->actions.count; inner.action++) {
        match_rules(&inner);
        match_doubts(&inner);
    }
    inner.action = 0;
    if (!f->understood && !(guessed && is_malformed(f)))
        evasion_unknown(&inner);
    evasion_look(&inner);
    take(e, &inner);
}
