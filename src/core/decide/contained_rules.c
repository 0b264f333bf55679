#include "decide/contained_rules.h"

#include "base/path.h"
#include "decide/rule_below.h"
#include "facts/sensitive_paths.h"
#include "rule/open.h"
#include "rule/when.h"

struct str contained_place(struct arena *a, const struct rule *r, struct str home,
                           struct str project)
{
    const struct rule_path *p = r->path;
    struct str from = project, name;

    if (r->effect != BEHAVIOR_DENY || r->matcher != MATCH_PATH || !p || !p->names_one || p->up ||
        rule_is_long_form(r))
        return (struct str){0};
    if (p->anchor == ANCHOR_HOME)
        from = home;
    else if (p->anchor == ANCHOR_ROOT)
        from = STR("/");
    else if (p->anchor == ANCHOR_PROJECT && r->base.len)
        from = r->base;
    name = rule_path_name(p);
    return name.len ? path_join(a, from, str_copy(a, name)) : (struct str){0};
}

/* A name at any depth is kept from the cell only where it is in the project itself. */
static bool is_open(const void *to, const struct rule *r, struct str path, bool directory)
{
    const struct facts *f = to;
    struct str place = contained_place(f->arena, r, f->home, f->workspace);

    (void)directory;
    return !place.len || !path_is_inside(path, place);
}

/* The directory before the first wildcard, of a path that may lie outside the workspace. Empty: it
 * does not. */
static struct str far_directory(const struct facts *f, const struct rule_path *p)
{
    const struct str pattern = str_from_byte(p->pattern, str_starts(p->pattern, STR("/")) ? 1 : 0);
    const size_t wild = str_until(pattern, "*?[{(\\");
    struct str fixed = str_slice(pattern, 0, wild);

    if (p->anchor != ANCHOR_HOME && p->anchor != ANCHOR_ROOT)
        return (struct str){0};
    while (fixed.len && fixed.s[fixed.len - 1] != '/' && wild < pattern.len)
        fixed.len--;
    while (str_ends(fixed, STR("/")))
        fixed.len--;
    const struct str from = p->anchor == ANCHOR_HOME ? f->home : STR("/");
    return fixed.len ? str_copy(f->arena, path_join(f->arena, from, fixed)) : from;
}

/* What is there may not be looked through: it may be the whole home. */
static bool is_open_far(const struct facts *f, const struct rule_path *p)
{
    const struct str directory = far_directory(f, p);
    const struct subject_path path = {
        .written = directory, .resolved = directory, .access = ACCESS_READ};

    return directory.len && !path_is_inside(directory, f->workspace) &&
           f->world->kind(f->world->context, directory.s) != FILE_ABSENT && !path_secret(f, &path);
}

static bool is_any_open_far(const struct facts *f, const struct rule *r)
{
    const struct rule_paths *more = &rule_more(r)->paths;

    if (contained_place(f->arena, r, f->home, f->workspace).len)
        return false;
    if (r->matcher == MATCH_PATH && is_open_far(f, r->path))
        return true;
    for (size_t i = 0; i < more->count; i++)
        if (is_open_far(f, &more->items[i]))
            return true;
    return false;
}

static const struct rule *rule_far(const struct facts *f)
{
    const struct rules *all = &f->book->rules;
    size_t looked = 0;

    for (size_t i = (size_t)(rulebook_first_on_paths(f->book) - all->items); i < all->count; i++) {
        const struct rule *r = &all->items[i];
        if (r->effect == BEHAVIOR_ALLOW || !rule_is_on_paths(r) ||
            !rule_counts(f->arena, r, &f->env))
            continue;
        if (++looked > RULES_BELOW_MAX || is_any_open_far(f, r))
            return r;
    }
    return NULL;
}

const struct rule *contained_open_rule(const struct facts *f, const struct action *a)
{
    const struct below_filter filter = {.to = f, .counts = is_open};
    const unsigned access = ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE;
    const struct rule *r;

    if (!rulebook_first_on_paths(f->book) || !f->world)
        return NULL;
    if (f->workspace.len && (r = rule_below_some(f, a, f->workspace, access, &filter)))
        return r;
    return rule_far(f);
}
