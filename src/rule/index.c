#include "rule/index.h"

#include <stdlib.h>

#include "base/path.h"
#include "rule/dialect.h"
#include "rule/index_key.h"

#define COUNTERS_MIN  ((size_t)1 << 12)
#define COUNTERS_MAX  ((size_t)1 << 20)
#define FILTER_SPREAD 16 /* bits per key: a look-up that finds nothing mostly ends there */

/* Plain arrays of numbers, so that the whole of it could be written to a file and mapped again. */
struct slot {
    uint32_t key;
    uint32_t first, count; /* in `found`; count 0: the slot is free */
};

struct rule_index {
    size_t rules;
    uint32_t *found; /* places of rules, slot by slot */
    struct slot *slots;
    size_t slot_mask;
    uint64_t *filter;
    size_t filter_mask;
    bool has_long;

    struct rule_places always;   /* rules that could match without any known bytes */
    struct rule_places on_paths; /* could match a path that is a pattern */
    struct rule_places on_hosts; /* could match a fetch whose host is not known */
    bool by_name;                /* some rule matches other tools by their name alone, whatever its pattern says */
    uint32_t first_on_paths;
};

/* ---- building ---- */

struct entry {
    uint32_t key, rule;
};

struct building {
    struct arena *a;
    struct rule_index *x;
    uint16_t *counters; /* how often keys occur, by their hash: too many by accident does no harm */
    size_t counter_mask;
    struct entry *entries;
    size_t count, room;
    uint32_t rule;
};

static size_t power_above(size_t n, size_t least)
{
    while (least < n)
        least *= 2;
    return least;
}

static void count_way(void *context, const struct way *w)
{
    struct building *b = context;

    for (size_t i = 0; i < w->count; i++) {
        uint16_t *n = &b->counters[w->keys[i] & b->counter_mask];
        if (*n < UINT16_MAX)
            ++*n;
    }
}

/* The rarest of its keys; a long one only if that pays. */
static size_t choose(const struct building *b, const struct way *w)
{
    size_t best = 0;
    unsigned cost = UINT32_MAX;

    for (size_t i = 0; i < w->count; i++) {
        unsigned n = b->counters[w->keys[i] & b->counter_mask];
        unsigned c = w->is_long[i] ? n * 2 + 4 : n;
        if (c < cost) {
            cost = c;
            best = i;
        }
    }
    return best;
}

static void keep_way(void *context, const struct way *w)
{
    struct building *b = context;
    size_t best = choose(b, w);

    b->x->has_long |= w->is_long[best];
    b->entries = list_room(b->a, b->entries, b->count, &b->room, sizeof(*b->entries));
    b->entries[b->count++] = (struct entry){w->keys[best], b->rule};
}

bool rule_is_on_paths(const struct rule *r)
{
    return r->access || r->paths.count || r->matcher == MATCH_PATH ||
           (r->matcher == MATCH_ACTION && str_has(r->pattern, '/'));
}

/* What a rule does beside matching bytes. */
static void note_rule(struct building *b, const struct rule *r)
{
    struct rule_index *x = b->x;
    bool strict = r->effect != BEHAVIOR_ALLOW;

    if (strict && rule_is_on_paths(r) && x->first_on_paths == INDEX_NO_RULE)
        x->first_on_paths = b->rule;
    if (rule_is_on_paths(r))
        LIST_PUSH(b->a, &x->on_paths, b->rule);
    if (strict && r->matcher == MATCH_DOMAIN)
        LIST_PUSH(b->a, &x->on_hosts, b->rule);
    x->by_name |= r->dialect == DIALECT_TRAILING || r->dialect == DIALECT_FIRST_ARG;
}

static void take_rules(struct building *b, const struct rules *rules)
{
    for (b->rule = 0; b->rule < rules->count; b->rule++)
        rule_ways(&rules->items[b->rule], count_way, b);
    for (b->rule = 0; b->rule < rules->count; b->rule++) {
        size_t before = b->count;
        note_rule(b, &rules->items[b->rule]);
        if (!rule_ways(&rules->items[b->rule], keep_way, b)) {
            b->count = before;
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

static struct slot *slot_for(const struct rule_index *x, uint32_t key)
{
    size_t at = key & x->slot_mask;

    while (x->slots[at].count && x->slots[at].key != key)
        at = (at + 1) & x->slot_mask;
    return &x->slots[at];
}

static void fill(struct building *b)
{
    struct rule_index *x = b->x;
    size_t slots = power_above(b->count * 2, 64), bits = power_above(b->count * FILTER_SPREAD, 1024);

    if (b->count)
        qsort(b->entries, b->count, sizeof(*b->entries), compare_entries);
    x->slots = ARENA_ARRAY(b->a, struct slot, slots);
    x->slot_mask = slots - 1;
    x->filter = ARENA_ARRAY(b->a, uint64_t, bits / 64);
    x->filter_mask = bits - 1;
    x->found = ARENA_ARRAY(b->a, uint32_t, b->count + 1);
    for (size_t i = 0; i < b->count; i++) {
        struct slot *s = slot_for(x, b->entries[i].key);
        size_t bit = b->entries[i].key & x->filter_mask;

        if (!s->count)
            *s = (struct slot){.key = b->entries[i].key, .first = (uint32_t)i};
        s->count++;
        x->found[i] = b->entries[i].rule;
        x->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

struct rule_index *rule_index_build(struct arena *a, const struct rules *rules)
{
    struct building b = {.a = a, .x = ARENA_NEW(a, struct rule_index)};
    size_t counters = power_above(rules->count * 8, COUNTERS_MIN);

    if (counters > COUNTERS_MAX)
        counters = COUNTERS_MAX;
    b.counters = ARENA_ARRAY(a, uint16_t, counters);
    b.counter_mask = counters - 1;
    b.x->rules = rules->count;
    b.x->first_on_paths = INDEX_NO_RULE;
    take_rules(&b, rules);
    fill(&b);
    return b.x;
}

/* ---- looking ---- */

struct finding_rules {
    struct arena *a;
    const struct rule_index *x;
    struct rule_places slots; /* that were met, some of them often */
    struct str last;          /* the text that was looked at last */
};

static void meet(struct finding_rules *f, uint32_t key)
{
    const struct rule_index *x = f->x;
    size_t bit = key & x->filter_mask;

    if (!(x->filter[bit / 64] >> (bit % 64) & 1))
        return;
    const struct slot *s = slot_for(x, key);
    if (s->count)
        LIST_PUSH(f->a, &f->slots, (uint32_t)(s - x->slots));
}

/* `folded` is a text with a blank before and behind it. */
static void meet_all(struct finding_rules *f, const char *folded, size_t len)
{
    for (size_t i = 0; i + KEY_SHORT <= len; i++)
        meet(f, key_short(folded + i));
    for (size_t i = 0; f->x->has_long && i + KEY_LONG <= len; i++)
        meet(f, key_long(folded + i));
}

static void look(struct finding_rules *f, struct str text)
{
    /* The forms of an action are mostly one another's ends. */
    if (text.len == 0 || str_eq(text, f->last))
        return;
    f->last = text;
    char *folded = ARENA_ARRAY(f->a, char, text.len + 2);
    folded[0] = folded[text.len + 1] = ' ';
    for (size_t i = 0; i < text.len; i++)
        folded[i + 1] = key_byte(text.s[i]);
    meet_all(f, folded, text.len + 2);
}

static void look_all(struct finding_rules *f, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        look(f, texts->items[i]);
}

/* A rule on texts may write a path from the root, from cwd or from home; one on paths means a part of it. */
static void look_path(struct finding_rules *f, struct str path, const struct rule_env *env)
{
    struct str rel;

    if (path.len == 0)
        return;
    look(f, path);
    look(f, str_join(f->a, path, STR("/")));
    if (path_relative(env->cwd, path, &rel) && rel.len > 0) {
        look(f, rel);
        look(f, str_join(f->a, STR("./"), rel));
    }
    if (env->home.len > 0 && path_relative(env->home, path, &rel))
        look(f, str_join(f->a, STR("~/"), rel));
}

static void look_host(struct finding_rules *f, struct str host)
{
    struct buf b = buf_in(f->a);

    buf_byte(&b, '/');
    for (size_t i = 0; i < host.len; i++)
        buf_byte(&b, host.s[i] == '.' ? '/' : host.s[i]);
    buf_byte(&b, '/');
    look(f, buf_str(&b));
}

static void look_at(struct finding_rules *f, const struct subject *s, const struct rule_env *env)
{
    look_all(f, &s->names);
    look(f, s->first);
    look_all(f, &s->forms_allow);
    look_all(f, &s->forms_deny);
    for (size_t i = 0; i < s->fields.count; i++)
        if (!str_eq(s->fields.items[i].value, s->first))
            look(f, s->fields.items[i].value);
    for (size_t i = 0; i < s->paths.count; i++) {
        look_path(f, s->paths.items[i].written, env);
        if (!str_eq(s->paths.items[i].resolved, s->paths.items[i].written))
            look_path(f, s->paths.items[i].resolved, env);
    }
    for (size_t i = 0; i < s->hosts.count; i++)
        look_host(f, s->hosts.items[i]);
}

static bool has_pattern(const struct subject *s)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.items[i].pattern)
            return true;
    return false;
}

static int compare_places(const void *left, const void *right)
{
    const uint32_t *l = left, *r = right;

    return *l < *r ? -1 : *l > *r;
}

static void sort_once(struct rule_places *p)
{
    size_t kept = 0;

    if (p->count > 1)
        qsort(p->items, p->count, sizeof(*p->items), compare_places);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || p->items[i] != p->items[i - 1])
            p->items[kept++] = p->items[i];
    p->count = kept;
}

static void add_places(struct arena *a, struct rule_places *to, const struct rule_places *from)
{
    for (size_t i = 0; i < from->count; i++)
        LIST_PUSH(a, to, from->items[i]);
}

static struct rule_places every_rule(struct arena *a, const struct rule_index *x)
{
    struct rule_places all = {0};

    for (uint32_t i = 0; i < x->rules; i++)
        LIST_PUSH(a, &all, i);
    return all;
}

struct rule_places rule_index_find(struct arena *a, const struct rule_index *x, const struct subject *s,
                                   const struct rule_env *env)
{
    struct finding_rules f = {.a = a, .x = x};
    struct rule_places found = {0};
    bool pattern = has_pattern(s);

    if (!s->shell && (pattern || x->by_name))
        return every_rule(a, x);
    look_at(&f, s, env);
    sort_once(&f.slots);
    for (size_t i = 0; i < f.slots.count; i++) {
        const struct slot *slot = &x->slots[f.slots.items[i]];
        for (uint32_t n = 0; n < slot->count; n++)
            LIST_PUSH(a, &found, x->found[slot->first + n]);
    }
    add_places(a, &found, &x->always);
    if (pattern)
        add_places(a, &found, &x->on_paths);
    if (!s->shell && s->hosts.count == 0)
        add_places(a, &found, &x->on_hosts);
    sort_once(&found);
    return found;
}

uint32_t rule_index_first_on_paths(const struct rule_index *x)
{
    return x->first_on_paths;
}
