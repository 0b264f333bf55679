/* index.c - turns what a search has hit into lists of rules. */
#include "rule/index.h"

#include "rule/index_front.h"
#include "rule/index_parts.h"

/* Shellsort: the lists are short, and it allocates nothing. */
static void sort(struct rule_places *p)
{
    static const size_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    size_t g = 0;

    while (g < COUNT(gaps) && gaps[g] >= p->count)
        g++;
    for (; g < COUNT(gaps); g++)
        for (size_t i = gaps[g], at; i < p->count; i++) {
            uint32_t place = p->items[i];
            for (at = i; at >= gaps[g] && p->items[at - gaps[g]] > place; at -= gaps[g])
                p->items[at] = p->items[at - gaps[g]];
            p->items[at] = place;
        }
}

void places_sort_several(struct rule_places *p)
{
    size_t kept = 0;

    sort(p);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || p->items[i] != p->items[i - 1])
            p->items[kept++] = p->items[i];
    p->count = kept;
}

static inline void add_places(struct arena *a, struct rule_places *to,
                              const struct rule_places *from)
{
    for (size_t i = 0; i < from->count; i++)
        LIST_PUSH(a, to, from->items[i]);
}

struct rule_places index_every_rule(struct arena *a, const struct rule_index *x)
{
    struct rule_places all = {0};

    for (uint32_t i = 0; i < x->rules; i++)
        LIST_PUSH(a, &all, i);
    return all;
}

/* The directory before the first wildcard. */
static struct str fixed_directory(struct str pattern)
{
    size_t end = str_until(pattern, "*?[{(\\");

    while (end > 0 && pattern.s[end - 1] != '/')
        end--;
    return str_slice(pattern, 0, end > 1 ? end - 1 : end);
}

static void add_on_patterns(struct arena *a, const struct rule_index *x, const struct subject *s,
                            const struct rule_env *env, struct rule_places *found)
{
    add_places(a, found, &x->on_paths);
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.items[i].pattern)
            fronts_find(a, x->fronts, fixed_directory(s->paths.items[i].written), env, SIZE_MAX,
                        found);
}

/* The caller wants only the first: no need to sort. */
static void first_to_front(struct rule_places *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->items[i] < p->items[0])
            p->items[0] = p->items[i];
}

struct rule_places rule_index_near(struct arena *a, const struct rule_index *x,
                                   struct str directory, const struct rule_env *env, size_t most,
                                   bool *cut)
{
    struct rule_places found = {0};

    fronts_find(a, x->fronts, directory, env, most, &found);
    *cut = found.count > most;
    if (*cut)
        first_to_front(&found);
    else
        places_sort(&found);
    return found;
}

struct rule_places index_gather(const struct rule_search *search, struct rule_places *slots,
                                const struct subject *s, const struct rule_env *env)
{
    const struct rule_index *x = search->index;
    struct arena *a = search->arena;
    struct rule_places found = {0};

    add_places(a, slots, &search->slots);
    places_sort(slots);
    for (size_t i = 0; i < slots->count; i++) {
        const struct slot *slot = &x->slots[slots->items[i]];
        for (uint32_t n = 0; n < slot->count; n++)
            LIST_PUSH(a, &found, x->found[slot->first + n]);
    }
    add_places(a, &found, &x->always);
    if (subject_has_pattern(s))
        add_on_patterns(a, x, s, env, &found);
    if (!s->shell && s->hosts.count == 0)
        add_places(a, &found, &x->on_hosts);
    places_sort(&found);
    return found;
}

bool rule_index_may_forbid(const struct rule_index *x, struct str path, const struct rule_env *env)
{
    return x->forbids_anywhere || fronts_may_match(x->fronts, path, false, env);
}

bool rule_index_may_forbid_below(const struct rule_index *x, struct str directory,
                                 const struct rule_env *env)
{
    return x->forbids_anywhere || fronts_may_match(x->fronts, directory, true, env);
}

uint32_t rule_index_first_on_paths(const struct rule_index *x)
{
    return x->first_on_paths;
}

uint32_t rule_index_first_on_commands(const struct rule_index *x)
{
    return x->first_on_commands;
}

uint32_t rule_index_first_on_effects(const struct rule_index *x)
{
    return x->first_on_effects;
}

bool rule_index_on_effects(const struct rule_index *x)
{
    return x->on_effects;
}

bool rule_index_on_age(const struct rule_index *x)
{
    return x->on_age;
}

struct str rule_index_numbers(const struct rule_index *x)
{
    return (struct str){(const char *)x->filter, x->numbers};
}
