/* rule_links.c - a rule names a link, and a call reaches what it leads to by another name.
 *
 * A path of a call is compared as it is written and with its links followed. The paths of rules are
 * not followed: of a rule on /project/shared, which is a link to /srv/shared, nothing says that
 * /srv/shared/x is meant. So the beginnings of the rules' paths are looked up here, and what lies
 * behind such a link is given the name that the rule has for it. */
#include "base/path.h"
#include "decide/rule_below.h"
#include "rule/below.h"
#include "rule/index.h"

/* One way from a link that a rule names to what it leads to. */
struct rule_link {
    const struct rule *rule;
    struct str name, target;
};
struct rule_links {
    struct rule_link *items;
    size_t count, room;
};

static void add_link(const struct facts *f, const struct rule *r, struct str name,
                     struct rule_links *to)
{
    char target[WORLD_PATH_MAX];

    if ((f->world->as_written && f->world->as_written(f->world->context, name)) ||
        !f->world->resolve || !f->world->resolve(f->world->context, name.s, target) ||
        str_eq(name, str_from(target)))
        return;
    LIST_PUSH(f->arena, to, (struct rule_link){r, name, str_copy(f->arena, str_from(target))});
}

/* Looked up once for a decision: paths of rules that are relative to the call's directory are
 * relative to where the call begins. */
static const struct rule_links *links_of_rules(const struct facts *f)
{
    const struct rules *all = &f->book->rules;
    size_t looked = 0;

    if (f->cache->rule_links)
        return f->cache->rule_links;
    f->cache->rule_links = ARENA_NEW(f->arena, struct rule_links);
    for (size_t i = (size_t)(rulebook_first_on_paths(f->book) - all->items); i < all->count; i++) {
        const struct rule *r = &all->items[i];
        struct strs fronts = {0};
        if (r->effect == BEHAVIOR_ALLOW || !rule_is_on_paths(r))
            continue;
        if (++looked > RULE_LINKS_MAX)
            break;
        below_fronts(f->arena, r, &f->env, &fronts);
        for (size_t n = 0; n < fronts.count; n++)
            add_link(f, r, fronts.items[n], f->cache->rule_links);
    }
    return f->cache->rule_links;
}

static struct str place_of(const struct subject_path *p)
{
    const struct str path = p->resolved.len ? p->resolved : p->written;

    return p->below ? path_dir(path) : path;
}

/* Inside the workspace a call names files as the rules do. */
static bool is_elsewhere(const struct facts *f, const struct subject_path *p)
{
    return p->files || !f->workspace.len || !path_is_inside(place_of(p), f->workspace);
}

/* By the name that the rule has for it. */
static bool matches_as(const struct facts *f, const struct action *a, const struct rule *r,
                       struct str name, unsigned access)
{
    struct subject_path path = {.written = name, .resolved = name, .access = access};
    struct subject s = a->subject;
    struct rule_env room;

    s.paths = (struct subject_paths){.items = &path, .count = 1};
    s.forms_deny = s.forms_allow = (struct strs){0};
    return rule_matches(f->arena, r, &s, facts_env(f, a, &room));
}

static const struct rule *rule_through(const struct facts *f, const struct action *a,
                                       const struct rule_link *link, struct str path,
                                       unsigned access, bool tree)
{
    struct str rest;

    if (path_is_inside(link->target, path) && !str_eq(path, link->target))
        return tree ? rule_below_directory(f, a, link->name, access) : NULL;
    if (!path_relative(link->target, path, &rest))
        return NULL;
    const struct str name =
        rest.len ? str_copy(f->arena, path_join(f->arena, link->name, rest)) : link->name;
    if (matches_as(f, a, link->rule, name, access))
        return link->rule;
    return tree ? rule_below_directory(f, a, name, access) : NULL;
}

const struct rule *rule_by_link(const struct facts *f, const struct action *a, struct str path,
                                unsigned access, bool tree)
{
    const struct rule_links *links = links_of_rules(f);
    const struct rule *r = NULL;

    for (size_t i = 0; !r && i < links->count; i++)
        r = rule_through(f, a, &links->items[i], path, access, tree);
    return r;
}

const struct rule *rule_by_links(const struct facts *f, const struct action *a)
{
    const struct rule *r = NULL;

    for (size_t i = 0; !r && i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!is_elsewhere(f, p))
            continue;
        if (!p->pattern)
            r = rule_by_link(f, a, place_of(p), p->access, p->below && p->tree);
        for (size_t n = 0; !r && p->files && n < p->files->count; n++)
            r = rule_by_link(f, a, place_of(&p->files->items[n]), p->access, p->tree);
    }
    return r;
}
