#include "rule/index_program.h"

#include <stdlib.h>

#include "base/word_lists.h"
#include "rule/command.h"

static int compare_named(const void *left, const void *right)
{
    const struct named_rule *l = left, *r = right;
    int order = str_compare(l->program, r->program);

    return order ? order : (l->rule > r->rule) - (l->rule < r->rule);
}

struct named_rules index_named_rules(struct arena *draft, const struct rules *rules)
{
    struct named_rules found = {0};

    for (uint32_t i = 0; i < rules->count; i++)
        if (rule_is_on_commands(&rules->items[i]))
            LIST_PUSH(draft, &found, (struct named_rule){rule_program(&rules->items[i]), i});
    if (found.count)
        qsort(found.items, found.count, sizeof(*found.items), compare_named);
    return found;
}

/* Names with the same hash have neighbouring slots, one each. */
static struct slot *new_slot(const struct rule_index *x, uint32_t hash)
{
    size_t at = hash & x->program_mask;

    while (x->program_slots[at].count)
        at = (at + 1) & x->program_mask;
    return &x->program_slots[at];
}

void index_programs_fill(struct rule_index *x, const struct named_rules *sorted)
{
    struct slot *slot = NULL;

    for (size_t i = 0; i < sorted->count; i++) {
        const struct named_rule *now = &sorted->items[i];
        x->by_program[i] = now->rule;
        if (!now->program.len) {
            x->unnamed++;
            continue;
        }
        if (!slot || !str_eq(now->program, now[-1].program)) {
            uint32_t hash = str_hash(now->program);
            slot = new_slot(x, hash);
            *slot = (struct slot){.key = hash, .first = (uint32_t)i};
            x->program_initials[(unsigned char)now->program.s[0]] = true;
        }
        slot->count++;
    }
}

/* The first letter rejects most words before they are hashed. */
static struct rule_places named(const struct rule_index *x, const struct rules *rules,
                                struct str program)
{
    if (!program.len || !x->program_initials[(unsigned char)program.s[0]])
        return (struct rule_places){0};
    uint32_t hash = str_hash(program);
    for (size_t at = hash & x->program_mask; x->program_slots[at].count;
         at = (at + 1) & x->program_mask) {
        const struct slot *s = &x->program_slots[at];
        if (s->key == hash && str_eq(rule_program(&rules->items[x->by_program[s->first]]), program))
            return (struct rule_places){.items = x->by_program + s->first, .count = s->count};
    }
    return (struct rule_places){0};
}

static bool any_is_named(const struct rule_index *x, const struct rules *rules, struct str list)
{
    struct str name;

    while (str_next_word(&list, &name))
        if (named(x, rules, name).count)
            return true;
    return false;
}

void index_lists_fill(struct rule_index *x, const struct rules *rules,
                      const struct word_lists *lists)
{
    struct str own, others;

    for (size_t i = 0; i < lists->count; i++) {
        others = str_from(lists->items[i]);
        if (!str_next_word(&others, &own) || !any_is_named(x, rules, others))
            continue;
        x->named_lists[i / 64] |= (uint64_t)1 << (i % 64);
        x->listed_initials[(unsigned char)own.s[0]] = true;
    }
    x->list_count = lists->count;
}

struct rule_places index_on_program(struct arena *a, const struct rule_index *x,
                                    const struct rules *rules, struct str program)
{
    struct rule_places some = named(x, rules, program), all = {0};
    struct rule_places unnamed = {.items = x->by_program, .count = x->unnamed};

    if (!some.count || !unnamed.count)
        return some.count ? some : unnamed;
    for (size_t i = 0; i < unnamed.count; i++)
        LIST_PUSH(a, &all, unnamed.items[i]);
    for (size_t i = 0; i < some.count; i++)
        LIST_PUSH(a, &all, some.items[i]);
    places_sort(&all);
    return all;
}
