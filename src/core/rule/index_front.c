#include "rule/index_front.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/path.h"
#include "rule/open.h"

/* Base directories of rules; the rules of further ones are always returned. */
#define GROUPS_MAX 32

struct front {
    const char *s;
    uint32_t len, rule;
};

/* Rules with the same base directory. */
struct group {
    enum path_anchor anchor; /* ANCHOR_PROJECT: below `base`; others: known when the call comes */
    struct str base;
    struct front *items;
    size_t count, room;
    uint64_t initials; /* initial_of() all fronts */
};

struct rule_fronts {
    struct group groups[GROUPS_MAX];
    size_t count;
    struct rule_places always; /* start above their anchor, or in a group too many */
};

/* ---- building ---- */

/* The leading whole components without wildcards. ASCII only: other letters may have several
 * spellings. */
static struct str front_of(struct str pattern)
{
    size_t end = 0, whole = 0;

    while (pattern.len > 1 &&
           pattern.s[pattern.len - 1] == '/') /* /x/ is /x and what is below it */
        pattern.len--;
    /* A bare name matches at any depth, and for deny and ask so does x/[**]: no front. */
    if (!str_has(pattern, '/') || str_index(pattern, '/') + strlen("/**") == pattern.len)
        return (struct str){0};
    if (pattern.s[0] == '/')
        pattern = str_from_byte(pattern, 1);
    for (; end < pattern.len && !strchr("*?[{(\\", pattern.s[end]) &&
           (unsigned char)pattern.s[end] < 0x80;
         end++)
        if (pattern.s[end] == '/')
            whole = end;
    return str_slice(pattern, 0, end == pattern.len ? end : whole);
}

static struct group *group_for(struct rule_fronts *x, enum path_anchor anchor, struct str base)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->groups[i].anchor == anchor && str_eq(x->groups[i].base, base))
            return &x->groups[i];
    if (x->count == GROUPS_MAX)
        return NULL;
    x->groups[x->count] = (struct group){.anchor = anchor, .base = base};
    return &x->groups[x->count++];
}

static void add(struct arena *a, struct rule_fronts *x, uint32_t rule, enum path_anchor anchor,
                struct str base, const struct rule_path *p)
{
    struct group *g = p->up ? NULL : group_for(x, anchor, base);
    struct str front = front_of(p->pattern);

    if (g)
        LIST_PUSH(a, g, (struct front){front.s, (uint32_t)front.len, rule});
    else
        LIST_PUSH(a, &x->always, rule);
}

/* Adds the rule for each base that match_path.c tries. Without a project, "/x" starts at the
 * cwd. */
static void add_path(struct arena *a, struct rule_fronts *x, uint32_t rule,
                     const struct rule_path *p, struct str base)
{
    bool project = p->anchor == ANCHOR_PROJECT;

    if (!project || !base.len)
        add(a, x, rule, project ? ANCHOR_CWD : p->anchor, (struct str){0}, p);
    if (base.len && (project || rule_path_holds_twice(p)))
        add(a, x, rule, ANCHOR_PROJECT, base, p);
}

static int compare(const char *x, size_t x_len, const char *y, size_t y_len)
{
    for (size_t i = 0; i < x_len && i < y_len; i++) {
        unsigned char l = (unsigned char)ascii_lower(x[i]), r = (unsigned char)ascii_lower(y[i]);
        if (l != r)
            return l < r ? -1 : 1;
    }
    return x_len < y_len ? -1 : x_len > y_len;
}

static int compare_fronts(const void *left, const void *right)
{
    const struct front *l = left, *r = right;

    return compare(l->s, l->len, r->s, r->len);
}

/* A bit for the first byte of a front, which rejects most paths before a search. */
static uint64_t initial_of(char byte)
{
    return (uint64_t)1 << (ascii_lower(byte) & 63);
}

static void sort_fronts(struct group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].len)
            g->initials |= initial_of(g->items[i].s[0]);
    if (g->count)
        qsort(g->items, g->count, sizeof(struct front), compare_fronts);
}

struct rule_fronts *fronts_build(struct arena *a, const struct rules *rules)
{
    struct rule_fronts *x = ARENA_NEW(a, struct rule_fronts);

    for (uint32_t i = 0; i < rules->count; i++) {
        const struct rule *r = &rules->items[i];
        if (r->effect == BEHAVIOR_ALLOW)
            continue;
        if (r->matcher == MATCH_PATH)
            add_path(a, x, i, r->path, r->base);
        for (size_t n = 0; n < rule_more(r)->paths.count; n++)
            add_path(a, x, i, &rule_more(r)->paths.items[n], r->base);
    }
    for (size_t i = 0; i < x->count; i++)
        sort_fronts(&x->groups[i]);
    return x;
}

/* ---- looking ---- */

static size_t lower_bound(const struct group *g, struct str front)
{
    size_t low = 0, high = front.len ? g->count : 0;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(g->items[middle].s, g->items[middle].len, front.s, front.len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool begins(const struct front *f, struct str front)
{
    return f->len >= front.len && compare(f->s, front.len, front.s, front.len) == 0;
}

static bool is_in_range(const struct front *f, struct str front, bool below)
{
    return (below || f->len == front.len) && begins(f, front);
}

/* Sorted, the fronts that start with this one are neighbours, and equal ones come first. */
static size_t range_end(const struct group *g, size_t from, struct str front, bool below)
{
    size_t low = from,
           high = is_in_range(&g->items[from], front, below) ? g->count : from; /* usually empty */

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (is_in_range(&g->items[middle], front, below))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first front that starts with this one; false if there is none, as for most paths. */
static bool find_range(const struct group *g, struct str front, size_t *from)
{
    if (front.len && !(g->initials & initial_of(front.s[0])))
        return false;
    *from = lower_bound(g, front);
    return *from < g->count && begins(&g->items[*from], front);
}

/* False if no front starts with this one. */
static bool add_range(struct arena *a, const struct group *g, struct str front, bool below,
                      size_t most, struct rule_places *out)
{
    size_t from;

    if (!find_range(g, front, &from))
        return false;
    size_t end = range_end(g, from, front, below);
    for (size_t i = from; i < end && out->count <= most; i++)
        LIST_PUSH(a, out, g->items[i].rule);
    return true;
}

/* `from` is the directory relative to the group's base. Adds the rules for each directory above it,
 * then all below it. */
static void add_near(struct arena *a, const struct group *g, struct str from, size_t most,
                     struct rule_places *out)
{
    for (size_t i = 0; i < from.len; i++)
        if ((i == 0 || from.s[i] == '/') &&
            !add_range(a, g, str_slice(from, 0, i), false, most, out))
            return;
    add_range(a, g, from, true, most, out);
}

/* Ignores case, as deny and ask rules do. */
static bool is_below(struct str path, struct str base, struct str *rest)
{
    if (path.len < base.len || compare(path.s, base.len, base.s, base.len) != 0)
        return false;
    *rest = str_from_byte(path, base.len);
    if (base.len == 1 || rest->len == 0)
        return true;
    if (rest->s[0] != '/')
        return false;
    *rest = str_from_byte(*rest, 1);
    return true;
}

static struct str base_of(const struct group *g, const struct rule_env *env)
{
    switch (g->anchor) {
    case ANCHOR_CWD:
        return env->cwd;
    case ANCHOR_HOME:
        return env->home;
    case ANCHOR_PROJECT:
        return g->base;
    case ANCHOR_ROOT:
        return STR("/");
    }
    return (struct str){0};
}

void fronts_find(struct arena *a, const struct rule_fronts *x, struct str directory,
                 const struct rule_env *env, size_t most, struct rule_places *out)
{
    struct str rest;

    for (size_t i = 0; i < x->always.count && out->count <= most; i++)
        LIST_PUSH(a, out, x->always.items[i]);
    for (size_t i = 0; i < x->count; i++) {
        const struct group *g = &x->groups[i];
        struct str base = base_of(g, env);
        if (!path_is_absolute(base))
            continue; /* the base is not known: its rules match nothing */
        if (is_below(directory, base, &rest))
            add_near(a, g, rest, most, out);
        else if (is_below(base, directory, &rest))
            add_range(a, g, (struct str){0}, true, most, out);
    }
}

/* Is a front of the group the path itself, or a directory above it? `below`: or below it? */
static bool has_front_of(const struct group *g, struct str path, bool below)
{
    for (size_t end = 0; end <= path.len; end++) {
        if (end > 0 && end < path.len && path.s[end] != '/')
            continue;
        struct str front = str_slice(path, 0, end);
        size_t at;
        if (!find_range(g, front, &at))
            return false; /* nor does one begin with more of the path */
        if (g->items[at].len == front.len)
            return true;
    }
    return below; /* the last one found begins with the path */
}

bool fronts_may_match(const struct rule_fronts *x, struct str path, bool below,
                      const struct rule_env *env)
{
    struct str rest;

    for (size_t i = 0; i < x->count; i++) {
        const struct group *g = &x->groups[i];
        struct str base = base_of(g, env);
        if (!path_is_absolute(base) || !g->count)
            continue;
        if (is_below(path, base, &rest) ? has_front_of(g, rest, below)
                                        : below && is_below(base, path, &rest))
            return true;
    }
    return x->always.count > 0;
}
