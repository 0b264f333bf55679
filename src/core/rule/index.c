#include "rule/index.h"

#include <stdlib.h>

#include "base/block.h"
#include "base/path.h"
#include "rule/dialect.h"
#include "rule/index_front.h"
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
    size_t numbers; /* bytes of the block that filter, slots and found share, in this order */
    bool has_long, has_names;
    /* Keys that stand at the start of texts, anywhere in them; at the start of a path's component,
     * anywhere in a path.
     */
    bool has_starts, has_inner, has_components, has_paths;
    uint32_t start_lengths; /* see length_bit() */

    struct rule_places always;   /* rules that could match without any known bytes */
    struct rule_fronts *fronts;  /* deny and ask rules on paths */
    struct rule_places on_paths; /* others that could match a path that is a pattern */
    struct rule_places on_hosts; /* could match a fetch whose host is not known */
    bool by_name; /* some rule matches other tools by their name alone, whatever its pattern says */
    uint32_t first_on_paths;
};

/* ---- building ---- */

struct entry {
    uint32_t key, rule;
    uint32_t gate; /* see struct key */
};

struct building {
    struct arena *a;
    const struct rules *rules;
    struct rule_index *x;
    struct arena draft;   /* of what only the building needs */
    struct arena scratch; /* of one rule at a time */
    uint16_t *counters; /* how often keys occur, by their hash: too many by accident does no harm */
    size_t counter_mask;
    struct entry *entries;
    size_t count, room;
    size_t first; /* entry of the rule */
    uint32_t rule;
};

static size_t power_above(size_t n, size_t least)
{
    while (least < n)
        least *= 2;
    return least;
}

static void count_key(struct building *b, uint32_t key)
{
    uint16_t *n = &b->counters[key & b->counter_mask];

    if (*n < UINT16_MAX)
        ++*n;
}

static void count_starts(struct building *b, char first, struct str text)
{
    uint64_t hash = key_begin(first);

    for (size_t n = 2; n <= text.len + 2 && n <= KEY_START_MAX; n++) {
        hash = key_go_on(hash, n < text.len + 2 ? key_byte(text.s[n - 2]) : ' ');
        if (n >= KEY_SHORT)
            count_key(b, key_start(hash));
    }
}

/* Counts the keys of a rule's text. What it really has are mostly the same, but for escapes and
 * where braces begin and end: reading each rule twice to be exact would take twice as long. */
static void count_keys(struct building *b, struct str text)
{
    uint64_t window = key_window(0, ' ');

    count_starts(b, ' ', text);
    count_starts(b, '/', text); /* if it is the name of a file */
    for (size_t i = 0; i <= text.len; i++) {
        window = key_window(window, i < text.len ? key_byte(text.s[i]) : ' ');
        count_key(b, key_short(window, KEY_IN_TEXT));
        count_key(b, key_long(window, KEY_IN_TEXT));
        if (i < text.len && text.s[i] == '/')
            count_starts(b, '/', str_from_byte(text, i + 1));
    }
}

#define UNCOUNTED 64 /* of a key that no rule's text shows, who knows: it may be that of many */
#define COST_INNER                                                                                 \
    64 /* of a key for which all texts must be read, in rules that another one would find in vain  \
        */

static unsigned cost_of(const struct building *b, const struct key *key)
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

/* The rarest of its keys; a long one only if that pays. */
static const struct key *choose(const struct building *b, const struct way *w)
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

/* Of keys at the start: bit n, some have n + 1 bytes. */
static uint32_t length_bit(size_t len)
{
    return (uint32_t)1 << (len - 1);
}

static void note_key(struct rule_index *x, const struct way *w, const struct key *key)
{
    bool start = key->kind == KEY_IS_START, text = w->space == KEY_IN_TEXT && !w->in_path;

    x->has_long |= key->kind == KEY_IS_LONG;
    x->start_lengths |= start ? length_bit(key->len) : 0;
    x->has_names |= w->space == KEY_IN_NAME;
    x->has_starts |= text && start;
    x->has_inner |= text && !start;
    x->has_components |= w->in_path && start;
    x->has_paths |= w->in_path && !start;
}

static void keep_way(void *context, const struct way *w)
{
    struct building *b = context;
    const struct key *best = choose(b, w);

    note_key(b->x, w, best);
    for (size_t i = b->first; i < b->count; i++)
        if (b->entries[i].key == best->hash && b->entries[i].gate == best->gate)
            return;
    b->entries = list_room(&b->draft, b->entries, b->count, &b->room, sizeof(*b->entries));
    b->entries[b->count++] = (struct entry){best->hash, b->rule, best->gate};
}

bool rule_is_on_paths(const struct rule *r)
{
    return r->access || rule_more(r)->paths.count || r->matcher == MATCH_PATH ||
           (r->matcher == MATCH_ACTION && str_has(r->pattern, '/'));
}

/* What a rule does beside matching bytes. */
static void note_rule(struct building *b, const struct rule *r)
{
    struct rule_index *x = b->x;
    bool strict = r->effect != BEHAVIOR_ALLOW;

    if (strict && rule_is_on_paths(r) && x->first_on_paths == INDEX_NO_RULE)
        x->first_on_paths = b->rule;
    if (rule_is_on_paths(r) && (!strict || r->access || r->matcher == MATCH_ACTION) &&
        r->matcher != MATCH_PATH)
        LIST_PUSH(b->a, &x->on_paths, b->rule);
    if (strict && r->matcher == MATCH_DOMAIN)
        LIST_PUSH(b->a, &x->on_hosts, b->rule);
    x->by_name |= r->dialect == DIALECT_TRAILING || r->dialect == DIALECT_FIRST_ARG;
}

struct one_rule {
    struct building *b;
    bool keyed;
};

static void take_rule(void *arg)
{
    struct one_rule *one = arg;

    one->keyed = rule_ways(&one->b->scratch, &one->b->rules->items[one->b->rule], keep_way, one->b);
}

/* A rule that cannot be looked at is found always. */
static void take_rules(struct building *b)
{
    for (size_t i = 0; i < b->rules->count; i++)
        count_keys(b, b->rules->items[i].content.len ? b->rules->items[i].content
                                                     : b->rules->items[i].tool);
    for (b->rule = 0; b->rule < b->rules->count; b->rule++) {
        struct one_rule one = {b, false};
        b->first = b->count;
        note_rule(b, &b->rules->items[b->rule]);
        arena_reset(&b->scratch);
        if (!arena_try(&b->scratch, take_rule, &one) || !one.keyed) {
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

static struct slot *slot_for(const struct rule_index *x, uint32_t key)
{
    size_t at = key & x->slot_mask;

    while (x->slots[at].count && x->slots[at].key != key)
        at = (at + 1) & x->slot_mask;
    return &x->slots[at];
}

static void take_numbers(struct building *b)
{
    struct rule_index *x = b->x;
    size_t slots = power_above(b->count * 2, 64),
           words = power_above(b->count * FILTER_SPREAD, 1024) / 64;

    x->numbers =
        words * sizeof(*x->filter) + slots * sizeof(*x->slots) + (b->count + 1) * sizeof(*x->found);
    x->filter = arena_alloc(b->a, x->numbers, 1);
    x->slots = (struct slot *)(x->filter + words);
    x->found = (uint32_t *)(x->slots + slots);
    x->filter_mask = words * 64 - 1;
    x->slot_mask = slots - 1;
}

static void add_gate(struct rule_index *x, uint32_t key)
{
    size_t bit = key & x->filter_mask;

    x->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static void fill(struct building *b)
{
    struct rule_index *x = b->x;

    if (b->count)
        qsort(b->entries, b->count, sizeof(*b->entries), compare_entries);
    take_numbers(b);
    for (size_t i = 0; i < b->count; i++) {
        struct slot *s = slot_for(x, b->entries[i].key);

        if (!s->count)
            *s = (struct slot){.key = b->entries[i].key, .first = (uint32_t)i};
        s->count++;
        x->found[i] = b->entries[i].rule;
        add_gate(x, b->entries[i].gate);
    }
}

static void build(void *arg)
{
    struct building *b = arg;
    size_t counters = power_above(b->rules->count * 8, COUNTERS_MIN);

    if (counters > COUNTERS_MAX)
        counters = COUNTERS_MAX;
    b->x = ARENA_NEW(b->a, struct rule_index);
    b->counters = ARENA_ARRAY(&b->draft, uint16_t, counters);
    b->counter_mask = counters - 1;
    b->x->rules = b->rules->count;
    b->x->first_on_paths = INDEX_NO_RULE;
    take_rules(b);
    fill(b);
    b->x->fronts = fronts_build(b->a, b->rules);
}

/* Below the doors of both. */
static void build_from_draft(void *arg)
{
    struct building *b = arg;

    if (!arena_try(&b->draft, build, b))
        b->x = NULL;
}

struct rule_index *rule_index_build(struct arena *a, const struct rules *rules)
{
    struct building b = {.a = a, .rules = rules};

    arena_init(&b.draft, a->limit);
    arena_init(&b.scratch, a->limit);
    bool built = arena_try(a, build_from_draft, &b);
    arena_release(&b.draft);
    arena_release(&b.scratch);
    if (!built || !b.x)
        arena_leave(a);
    return b.x;
}

/* ---- looking ---- */

struct finding_rules {
    struct arena *a;
    const struct rule_index *x;
    struct rule_places slots; /* that were met, some of them often */
    struct str last;          /* the text that was looked at last */
    struct str within;        /* one that was looked at as a whole */
    struct str path;          /* the path that was looked at last, with a slash behind it */
};

static void meet(struct finding_rules *f, uint32_t key)
{
    const struct slot *s = slot_for(f->x, key);

    if (s->count)
        LIST_PUSH(f->a, &f->slots, (uint32_t)(s - f->x->slots));
}

static inline bool is_gate(const struct rule_index *x, uint32_t key)
{
    size_t bit = key & x->filter_mask;

    return x->filter[bit / 64] >> (bit % 64) & 1;
}

__attribute__((noinline)) static void meet_starts(struct finding_rules *f, char first,
                                                  struct str text)
{
    const uint32_t lengths = f->x->start_lengths;
    uint64_t hash = key_begin(first);

    for (size_t n = 2; n <= text.len + 2 && n <= KEY_START_MAX && lengths >> (n - 1); n++) {
        hash = key_go_on(hash, n < text.len + 2 ? key_byte(text.s[n - 2]) : ' ');
        if (lengths & length_bit(n))
            meet(f, key_start(hash));
    }
}

/* Some of them, perhaps: a byte above one that is may be taken for one. */
static bool has_control(uint32_t bytes)
{
    return (bytes - 0x20202020u) & ~bytes & 0x80808080u;
}

/* Does a key begin with these bytes? Nearly all texts end here, at the filter, which knows no other
 * blank than ' '. */
static inline bool is_start(const struct rule_index *x, uint32_t bytes)
{
    return is_gate(x, key_gate(bytes)) || has_control(bytes);
}

/* A text is thought to have a blank before and behind it. */
static inline bool begins_key(const struct rule_index *x, struct str text)
{
    if (!x->has_starts || text.len < KEY_SHORT - 2)
        return false;
    if (text.len >= KEY_SHORT)
        return is_start(x, ' ' | key_bytes_at(text.s) << 8);
    return is_start(
        x, key_bytes(' ', text.s[0], text.s[1], text.len < KEY_SHORT - 1 ? ' ' : text.s[2]));
}

__attribute__((noinline)) static void look_start(struct finding_rules *f, struct str text)
{
    if (begins_key(f->x, text))
        meet_starts(f, ' ', text);
}

/* What begins behind byte `slash` of a path, which is thought to have a slash at its end. */
__attribute__((noinline)) static void look_behind(struct finding_rules *f, struct str path,
                                                  size_t slash)
{
    struct str text = str_from_byte(str_join(f->a, path, STR("/")), slash + 1);

    if (text.len >= KEY_SHORT - 2 &&
        is_start(f->x,
                 key_bytes('/', text.s[0], text.s[1], text.len < KEY_SHORT - 1 ? ' ' : text.s[2])))
        meet_starts(f, '/', text);
}

/* Only at the end, and where a key does begin, is the slash behind the path needed. */
static void look_components(struct finding_rules *f, struct str path)
{
    struct parts parts;
    struct str part;

    if (!f->x->has_components)
        return;
    parts = parts_of(path);
    parts_next(&parts, &part); /* what is in front of the first slash */
    while (parts_next(&parts, &part)) {
        const char *slash = part.s - 1;
        if (parts.end - slash < KEY_SHORT || is_start(f->x, key_bytes_at(slash)))
            look_behind(f, path, (size_t)(slash - path.s));
    }
}

/* The keys that end with the last of `count` bytes. Nearly all positions end at the filter. */
static inline void meet_here(struct finding_rules *f, uint64_t window, size_t count,
                             enum key_space space)
{
    const struct rule_index *x = f->x;
    uint32_t gate = key_short(window, space);

    if (count < KEY_SHORT || !is_gate(x, gate))
        return;
    meet(f, gate);
    if (x->has_long && count >= KEY_LONG)
        meet(f, key_long(window, space));
}

/* A text is thought to have a blank before and behind it. */
static void look_whole(struct finding_rules *f, struct str text, enum key_space space)
{
    uint64_t window = key_window(0, ' ');

    for (size_t i = 0; i < text.len; i++) {
        window = key_window(window, key_byte(text.s[i]));
        meet_here(f, window, i + 2, space);
    }
    meet_here(f, key_window(window, ' '), text.len + 2, space);
}

/* The keys that end with byte `from` of the text or behind it, up to `to`; byte text.len is the
 * blank at its end. */
static void look_part(struct finding_rules *f, struct str text, size_t from, size_t to)
{
    size_t i = from >= KEY_LONG ? from - KEY_LONG : 0, end = to < text.len ? to + 1 : text.len;
    uint64_t window = i ? 0 : key_window(0, ' ');

    for (; i < from && i < end; i++)
        window = key_window(window, key_byte(text.s[i]));
    for (; i < end; i++) {
        window = key_window(window, key_byte(text.s[i]));
        meet_here(f, window, i + 2, KEY_IN_TEXT);
    }
    if (to >= text.len)
        meet_here(f, key_window(window, ' '), text.len + 2, KEY_IN_TEXT);
}

#define EDGE (KEY_LONG - 1) /* bytes that a key shares with the blank at an end */
#define SEARCH_PAYS                                                                                \
    4 /* looking at a text costs so many times as much as searching for it, byte by byte */

/* What stands in a text that was looked at has its inner keys there. */
__attribute__((noinline)) static void look_inside(struct finding_rules *f, struct str text)
{
    if (str_eq(text, f->last))
        return; /* a command is its first argument, a field, and often both forms of its action */
    f->last = text;
    look_start(f, text);
    if (!f->x->has_inner || text.len == 0 || str_eq(text, f->within))
        return;
    if (text.len <= (size_t)2 * EDGE || text.len * SEARCH_PAYS < f->within.len ||
        !str_contains(f->within, text)) {
        look_whole(f, text, KEY_IN_TEXT);
        f->within = text.len > f->within.len ? text : f->within;
        return;
    }
    look_part(f, text, 0, EDGE - 1);
    look_part(f, text, text.len, text.len);
}

/* Not inline: it is called from several places, and the processor has to read each of them. */
__attribute__((noinline)) static void look(struct finding_rules *f, struct str text)
{
    if (f->x->has_inner || begins_key(f->x, text))
        look_inside(f, text);
}

static void look_all(struct finding_rules *f, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        look(f, texts->items[i]);
}

/* What stands before `rest` in another spelling of a path that was looked at: with the beginning of
 * `rest` it makes new keys, the others are in the path. */
__attribute__((noinline)) static void look_spelling(struct finding_rules *f, const char *front,
                                                    struct str rest)
{
    char text[2 + KEY_START_MAX];
    size_t len = strlen(front), more = rest.len < KEY_START_MAX ? rest.len : KEY_START_MAX;

    memcpy(text, front,
           len); /* NOLINT(bugprone-not-null-terminated-result): bytes, not a C string */
    if (more)
        memcpy(text + len, rest.s, more);
    look_start(f, (struct str){text, len + more});
    if (f->x->has_inner)
        look_part(f, (struct str){text, len + more}, 0,
                  rest.len > KEY_LONG ? len + KEY_LONG - 1 : len + more);
}

/* Of two paths that are looked at one after the other, the second mostly begins as the first one
 * does. */
static size_t common(struct str x, struct str y)
{
    size_t n = 0;

    while (n < x.len && n < y.len && x.s[n] == y.s[n])
        n++;
    return n;
}

/* A rule on texts may write a path from the root, from cwd or from home; one on paths means a part
 * of it. */
static void look_path(struct finding_rules *f, struct str path, const struct rule_env *env)
{
    struct str rel, with_slash;

    if (path.len == 0)
        return;
    look_start(f, path);
    look_components(f, path);
    if (f->x->has_inner || f->x->has_paths) {
        with_slash = str_join(f->a, path, STR("/"));
        look_part(f, with_slash, common(f->path, path), with_slash.len);
        look_part(f, path, path.len, path.len);
        f->path = with_slash;
    }
    if (path_relative(env->cwd, path, &rel) && rel.len > 0) {
        if (f->x->has_inner)
            look_spelling(f, "", rel);
        else
            look_start(f, rel);
        if (f->x->has_inner || is_start(f->x, key_bytes(' ', '.', '/', rel.s[0])))
            look_spelling(f, "./", rel);
    }
    if (env->home.len > 0 && path_relative(env->home, path, &rel) &&
        (f->x->has_inner || is_start(f->x, key_bytes(' ', '~', '/', rel.len ? rel.s[0] : ' '))))
        look_spelling(f, "~/", rel);
}

static void look_host(struct finding_rules *f, struct str host)
{
    struct buf b = buf_in(f->a);

    buf_byte(&b, '/');
    for (size_t i = 0; i < host.len; i++)
        buf_byte(&b, host.s[i] == '.' ? '/' : host.s[i]);
    buf_byte(&b, '/');
    look_components(f, (struct str){b.s, b.len - 1});
    if (f->x->has_paths)
        look_whole(f, buf_str(&b), KEY_IN_TEXT);
}

static void look_at_names(struct finding_rules *f, const struct subject *s, size_t from)
{
    for (size_t i = from; f->x->has_names && i < s->names.count; i++)
        look_whole(f, s->names.items[i], KEY_IN_NAME);
}

/* What all actions of a call share. */
static void look_at_call(struct finding_rules *f, const struct subject *s)
{
    look_at_names(f, s, 0);
    look(f, s->first);
    for (size_t i = 0; i < s->fields.count; i++) {
        look(f, s->fields.items[i].value);
        if (f->x->has_names)
            look_whole(f, s->fields.items[i].name, KEY_IN_NAME);
    }
}

static void look_at(struct finding_rules *f, const struct subject *s, const struct rule_env *env)
{
    look_all(f, &s->forms_allow);
    look_all(f, &s->forms_deny);
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

/* Shell's sort: lists are short, and no memory is taken. */
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

__attribute__((noinline)) static void sort_many(struct rule_places *p)
{
    size_t kept = 0;

    sort(p);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || p->items[i] != p->items[i - 1])
            p->items[kept++] = p->items[i];
    p->count = kept;
}

static inline void sort_once(struct rule_places *p)
{
    if (p->count > 1)
        sort_many(p);
}

static inline void add_places(struct arena *a, struct rule_places *to,
                              const struct rule_places *from)
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

/* The directory in front of the first wildcard. */
static struct str fixed_directory(struct str pattern)
{
    size_t end = 0;

    while (end < pattern.len && !strchr("*?[{(\\", pattern.s[end]))
        end++;
    while (end > 0 && pattern.s[end - 1] != '/')
        end--;
    return str_slice(pattern, 0, end > 1 ? end - 1 : end);
}

static void add_on_patterns(struct finding_rules *f, const struct subject *s,
                            const struct rule_env *env, struct rule_places *found)
{
    add_places(f->a, found, &f->x->on_paths);
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.items[i].pattern)
            fronts_find(f->a, f->x->fronts, fixed_directory(s->paths.items[i].written), env,
                        SIZE_MAX, found);
}

/* Nobody looks at the others: they need not be sorted. */
static void keep_first(struct rule_places *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->items[i] < p->items[0])
            p->items[0] = p->items[i];
    p->count = 1;
}

struct rule_places rule_index_near(struct arena *a, const struct rule_index *x,
                                   struct str directory, const struct rule_env *env, size_t most,
                                   bool *cut)
{
    struct rule_places found = {0};

    fronts_find(a, x->fronts, directory, env, most, &found);
    *cut = found.count > most;
    if (*cut)
        keep_first(&found);
    else
        sort_once(&found);
    return found;
}

struct rule_search rule_search_begin(struct arena *a, const struct rule_index *x,
                                     const struct subject *s)
{
    struct finding_rules f = {.a = a, .x = x};

    look_at_call(&f, s);
    sort_once(&f.slots);
    return (struct rule_search){
        .arena = a, .index = x, .slots = f.slots, .names = s->names.count, .first = s->first};
}

/* The rules of all slots that were met, and those that are found without. */
__attribute__((noinline)) static struct rule_places gather(const struct rule_search *search,
                                                           struct finding_rules *f,
                                                           const struct subject *s,
                                                           const struct rule_env *env)
{
    const struct rule_index *x = search->index;
    struct rule_places found = {0};

    add_places(f->a, &f->slots, &search->slots);
    sort_once(&f->slots);
    for (size_t i = 0; i < f->slots.count; i++) {
        const struct slot *slot = &x->slots[f->slots.items[i]];
        for (uint32_t n = 0; n < slot->count; n++)
            LIST_PUSH(f->a, &found, x->found[slot->first + n]);
    }
    add_places(f->a, &found, &x->always);
    if (has_pattern(s))
        add_on_patterns(f, s, env, &found);
    if (!s->shell && s->hosts.count == 0)
        add_places(f->a, &found, &x->on_hosts);
    sort_once(&found);
    return found;
}

struct rule_places rule_search_find(const struct rule_search *search, const struct subject *s,
                                    const struct rule_env *env)
{
    const struct rule_index *x = search->index;
    struct finding_rules f = {
        .a = search->arena, .x = x, .last = search->first, .within = search->first};
    bool pattern = has_pattern(s);

    if (!s->shell && (pattern || x->by_name))
        return every_rule(search->arena, x);
    look_at_names(&f, s,
                  search->names); /* a redirection goes by the names of the file tools, too */
    look_at(&f, s, env);
    if (f.slots.count + search->slots.count + x->always.count == 0 && !pattern && s->shell)
        return (struct rule_places){0};
    return gather(search, &f, s, env);
}

uint32_t rule_index_first_on_paths(const struct rule_index *x)
{
    return x->first_on_paths;
}

struct str rule_index_numbers(const struct rule_index *x)
{
    return (struct str){(const char *)x->filter, x->numbers};
}
