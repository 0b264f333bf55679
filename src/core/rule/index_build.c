/* index_build.c - builds the index: chooses one key for each way in which a rule can match. */
#include <stdlib.h>

#include "base/word_lists.h"
#include "rule/command.h"
#include "rule/dialect.h"
#include "rule/index_front.h"
#include "rule/index_parts.h"
#include "rule/index_program.h"

#define COUNTERS_MIN  ((size_t)1 << 12)
#define COUNTERS_MAX  ((size_t)1 << 20)
#define FILTER_SPREAD 16 /* filter bits per key: few look-ups of other bytes get past it */

struct entry {
    uint32_t key, rule;
    uint32_t filter; /* see struct key */
};

struct builder {
    struct arena *a;
    const struct rules *rules;
    const struct word_lists *lists;
    struct rule_index *x;
    struct arena draft;   /* freed when the index is built */
    struct arena scratch; /* reset for each rule */
    uint16_t *counters;   /* how often keys occur, by hash; a collision makes one look common */
    size_t counter_mask;
    struct entry *entries;
    size_t count, room;
    size_t first;  /* the rule's first entry */
    uint32_t rule; /* the one being indexed */
    uint32_t starts[INDEX_STARTS];
};

static size_t power_above(size_t n, size_t least)
{
    while (least < n)
        least *= 2;
    return least;
}

static void count_key(struct builder *b, uint32_t key)
{
    uint16_t *n = &b->counters[key & b->counter_mask];

    if (*n < UINT16_MAX)
        ++*n;
}

static void count_starts(struct builder *b, char first, struct str text)
{
    uint64_t hash = key_begin(first);

    for (size_t n = 2; n <= text.len + 2 && n <= KEY_START_MAX; n++) {
        hash = key_go_on(hash, n < text.len + 2 ? key_byte(text.s[n - 2]) : ' ');
        if (n >= KEY_SHORT)
            count_key(b, key_start(hash));
    }
}

/* Counts the keys in a rule's text. Its real keys are nearly the same, except around escapes and
 * braces; being exact would mean parsing each rule twice. */
static void count_keys(struct builder *b, struct str text)
{
    uint64_t window = key_window(0, ' ');

    count_starts(b, ' ', text);
    count_starts(b, '/', text); /* it may be a file name */
    for (size_t i = 0; i <= text.len; i++) {
        window = key_window(window, i < text.len ? key_byte(text.s[i]) : ' ');
        count_key(b, key_short(window, KEY_IN_TEXT));
        count_key(b, key_long(window, KEY_IN_TEXT));
        if (i < text.len && text.s[i] == '/')
            count_starts(b, '/', str_from_byte(text, i + 1));
    }
}

#define UNCOUNTED  64 /* assumed count of a key that was not counted: many rules may have it */
#define COST_INNER 64 /* added for a key that is not at a start: it makes all texts be scanned */

/* The cost of a key is the number of rules that a hit would return. A long key needs a second
 * look-up, so it must be at least twice as rare as a short one. */
static unsigned cost_of(const struct builder *b, const struct key *key)
{
    unsigned n = b->counters[key->hash & b->counter_mask];

    n = n ? n : UNCOUNTED;
    switch (key->kind) {
    case KEY_IS_START:
        return n;
    case KEY_IS_SHORT:
        return n + COST_INNER;
    case KEY_IS_LONG:
        return n * 2 + 4 + COST_INNER;
    }
    return n;
}

/* The cheapest key of a way: all of them are in every text it matches, so one is enough. */
static const struct key *choose(const struct builder *b, const struct way *w)
{
    const struct key *best = &w->keys[0];
    unsigned least = UINT32_MAX;

    for (size_t i = 0; i < w->count; i++) {
        unsigned cost = cost_of(b, &w->keys[i]);
        if (cost < least) {
            least = cost;
            best = &w->keys[i];
        }
    }
    return best;
}

static void note_kind(struct rule_index *x, uint32_t *starts, const struct way *w,
                      const struct key *key)
{
    bool start = key->kind == KEY_IS_START, text = w->space == KEY_IN_TEXT && !w->in_path;

    x->has_long |= key->kind == KEY_IS_LONG;
    x->start_lengths |= start ? length_bit(key->len) : 0;
    starts[starts_at(key->filter)] |= start ? length_bit(key->len) : 0;
    x->has_names |= w->space == KEY_IN_NAME;
    x->has_starts |= text && start;
    x->has_inner |= text && !start;
    x->has_components |= w->in_path && start;
    x->has_paths |= w->in_path && !start;
}

static void add_way(void *context, const struct way *w)
{
    struct builder *b = context;
    const struct key *best = choose(b, w);

    note_kind(b->x, b->starts, w, best);
    for (size_t i = b->first; i < b->count; i++)
        if (b->entries[i].key == best->hash && b->entries[i].filter == best->filter)
            return;
    b->entries = list_room(&b->draft, b->entries, b->count, &b->room, sizeof(*b->entries));
    b->entries[b->count++] = (struct entry){best->hash, b->rule, best->filter};
}

bool rule_is_on_paths(const struct rule *r)
{
    return r->access || rule_more(r)->paths.count || r->matcher == MATCH_PATH ||
           (r->matcher == MATCH_ACTION && str_has(r->pattern, '/'));
}

/* Records the rules that can match without their key being in a text: a path pattern may stand for
 * the path of a rule, and an unknown host for any host. */
static void note_rule(struct builder *b, const struct rule *r)
{
    struct rule_index *x = b->x;
    bool strict = r->effect != BEHAVIOR_ALLOW;

    if (strict && rule_is_on_paths(r) && x->first_on_paths == INDEX_NO_RULE)
        x->first_on_paths = b->rule;
    if (rule_is_on_commands(r) && x->first_on_commands == INDEX_NO_RULE)
        x->first_on_commands = b->rule;
    if (strict && rule_more(r)->does && x->first_on_effects == INDEX_NO_RULE)
        x->first_on_effects = b->rule;
    x->on_effects |= rule_is_on_effects(r);
    x->on_age |= rule_is_on_age(r);
    if (rule_is_on_paths(r) && (!strict || r->access || r->matcher == MATCH_ACTION) &&
        r->matcher != MATCH_PATH)
        LIST_PUSH(b->a, &x->on_paths, b->rule);
    x->forbids_anywhere |= strict && rule_is_on_paths(r) && r->matcher != MATCH_PATH &&
                           (r->access || r->matcher == MATCH_ACTION);
    if (strict && r->matcher == MATCH_DOMAIN)
        LIST_PUSH(b->a, &x->on_hosts, b->rule);
    x->by_name |= r->dialect == DIALECT_TRAILING || r->dialect == DIALECT_FIRST_ARG;
}

struct one_rule {
    struct builder *b;
    bool keyed;
};

static void index_rule(void *arg)
{
    struct one_rule *one = arg;

    one->keyed = rule_ways(&one->b->scratch, &one->b->rules->items[one->b->rule], add_way, one->b);
}

/* A rule without keys, or too large to analyse, goes to `always`. */
static void index_rules(struct builder *b)
{
    for (size_t i = 0; i < b->rules->count; i++)
        count_keys(b, b->rules->items[i].content.len ? b->rules->items[i].content
                                                     : b->rules->items[i].tool);
    for (b->rule = 0; b->rule < b->rules->count; b->rule++) {
        struct one_rule one = {b, false};
        b->first = b->count;
        note_rule(b, &b->rules->items[b->rule]);
        arena_reset(&b->scratch);
        if (!arena_try(&b->scratch, index_rule, &one) || !one.keyed) {
            b->count = b->first;
            LIST_PUSH(b->a, &b->x->always, b->rule);
        }
    }
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *l = left, *r = right;

    if (l->key != r->key)
        return l->key < r->key ? -1 : 1;
    return l->rule < r->rule ? -1 : l->rule > r->rule;
}

/* Allocates all tables in one block: see rule_index_numbers(). */
static void allocate_numbers(struct builder *b, size_t on_commands)
{
    struct rule_index *x = b->x;
    size_t slots = power_above(b->count * 2, 64), programs = power_above(on_commands * 2, 16),
           words = power_above(b->count * FILTER_SPREAD, 1024) / 64,
           lists = b->lists ? b->lists->count / 64 + 1 : 0;

    x->numbers = (words + lists) * sizeof(*x->filter) + (slots + programs) * sizeof(*x->slots) +
                 (b->count + on_commands + 1 + INDEX_STARTS) * sizeof(*x->found);
    x->filter = arena_alloc(b->a, x->numbers, 1);
    x->named_lists = x->filter + words;
    x->slots = (struct slot *)(x->named_lists + lists);
    x->program_slots = x->slots + slots;
    x->found = (uint32_t *)(x->program_slots + programs);
    x->by_program = x->found + b->count;
    x->starts = x->by_program + on_commands + 1;
    memcpy(x->starts, b->starts, sizeof(b->starts));
    x->filter_mask = words * 64 - 1;
    x->slot_mask = slots - 1;
    x->program_mask = programs - 1;
}

static void add_to_filter(struct rule_index *x, uint32_t key)
{
    size_t bit = key & x->filter_mask;

    x->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
}

/* The entries are sorted by key, so the rules of a slot are neighbours in `found`. */
static void fill(struct builder *b)
{
    struct rule_index *x = b->x;

    if (b->count)
        qsort(b->entries, b->count, sizeof(*b->entries), compare_entries);
    for (size_t i = 0; i < b->count; i++) {
        struct slot *s = slot_for(x, b->entries[i].key);

        if (!s->count)
            *s = (struct slot){.key = b->entries[i].key, .first = (uint32_t)i};
        s->count++;
        x->found[i] = b->entries[i].rule;
        add_to_filter(x, b->entries[i].filter);
    }
}

static void build(void *arg)
{
    struct builder *b = arg;
    size_t counters = power_above(b->rules->count * 8, COUNTERS_MIN);

    if (counters > COUNTERS_MAX)
        counters = COUNTERS_MAX;
    b->x = ARENA_NEW(b->a, struct rule_index);
    b->counters = ARENA_ARRAY(&b->draft, uint16_t, counters);
    b->counter_mask = counters - 1;
    b->x->rules = b->rules->count;
    b->x->first_on_paths = b->x->first_on_commands = b->x->first_on_effects = INDEX_NO_RULE;
    index_rules(b);
    struct named_rules on_commands = index_named_rules(&b->draft, b->rules);
    allocate_numbers(b, on_commands.count);
    fill(b);
    index_programs_fill(b->x, &on_commands);
    if (b->lists)
        index_lists_fill(b->x, b->rules, b->lists);
    b->x->fronts = fronts_build(b->a, b->rules);
}

/* Runs inside an arena_try() of both arenas: `a` and the draft. */
static void build_from_draft(void *arg)
{
    struct builder *b = arg;

    if (!arena_try(&b->draft, build, b))
        b->x = NULL;
}

struct rule_index *rule_index_build(struct arena *a, const struct rules *rules,
                                    const struct word_lists *lists)
{
    struct builder b = {.a = a, .rules = rules, .lists = lists};

    arena_init(&b.draft, a->limit);
    arena_init(&b.scratch, a->limit);
    bool built = arena_try(a, build_from_draft, &b);
    arena_release(&b.draft);
    arena_release(&b.scratch);
    if (!built || !b.x)
        arena_leave(a);
    return b.x;
}
