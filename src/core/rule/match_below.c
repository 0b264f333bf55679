/* match_below.c - deny and ask rules on what a subject touches below a directory. */
#include "base/path.h"
#include "base/utf8_fold.h"
#include "rule/below.h"
#include "rule/match.h"
#include "rule/when.h"

/* ---- paths that the rule names ---- */

/* If it is inside the directory, and there. */
static void add_existing(const struct match *m, struct str directory, struct str base,
                         struct str name, struct strs *found)
{
    struct str rest, path;

    if (!path_is_inside(base, directory) &&
        !(path_relative(base, directory, &rest) && path_is_inside(name, rest)))
        return;
    path = path_join(m->a, base, name);
    if (m->env->world->kind(m->env->world->context, path.s) != FILE_ABSENT)
        LIST_PUSH(m->a, found, path);
}

static bool touches_in(const struct match *m, const struct rule_path *p, struct str directory,
                       struct str name)
{
    struct subject_path here = {.written = path_join(m->a, directory, name)};

    here.resolved = here.written;
    return match_path_touches(m, p, &here);
}

/* For a rule that matches a name at any depth, only this directory itself is checked: the rest is
 * for below_matches(). */
static void add_named(const struct match *m, const struct rule_path *p, struct str directory,
                      struct strs *found)
{
    struct str last = p->names_last ? path_base(p->pattern) : (struct str){0};

    if (p->names_last && touches_in(m, p, directory, last))
        add_existing(m, directory, directory, last, found);
    if (!p->names_one)
        return;
    struct str name = rule_path_name(p), other = match_path_other_base(m, p);
    add_existing(m, directory, match_path_base(m, p), name, found);
    if (other.len)
        add_existing(m, directory, other, name, found);
}

void match_below(const struct match *m, struct strs *found)
{
    unsigned access = m->r->access ? match_denied_access(m->r->access) : ~0u;

    for (size_t i = 0; m->env->world && i < m->s->paths.count; i++) {
        const struct subject_path *p = &m->s->paths.items[i];
        if (!p->tree || p->pattern || !(p->access & access))
            continue;
        struct str directory = path_dir(p->written);
        if (m->r->matcher == MATCH_PATH)
            add_named(m, m->r->path, directory, found);
        for (size_t n = 0; n < rule_more(m->r)->paths.count; n++)
            add_named(m, &rule_more(m->r)->paths.items[n], directory, found);
    }
}

/* ---- paths that only the disk can tell ---- */

/* A slash at the end only says that it is a directory's. */
static bool is_name(struct str pattern)
{
    const size_t slash = str_index(pattern, '/');

    return slash == STR_NONE || slash + 1 == pattern.len;
}

/* One path from its anchor: see add_named(). */
static bool is_one_path(struct arena *a, const struct rule_path *p)
{
    return p->names_one && !is_name(p->pattern) && !str_starts(open_wide(a, p), STR("**/"));
}

static bool holds_at_any_depth(struct str pattern)
{
    return is_name(pattern) || str_starts(pattern, STR("**/"));
}

/* Every path that matches ends in a name that this matches. NULL where that is not so plain. */
static const struct glob *last_name(struct arena *a, struct str pattern)
{
    struct glob *g = NULL;

    while (str_ends(pattern, STR("/")))
        pattern.len--;
    struct str name = path_base(pattern);
    if (!str_is(name, "**") && str_until(pattern, "[\\") == pattern.len)
        glob_compile(a, name, GLOB_PATH | GLOB_NOCASE, &g, NULL);
    return g;
}

struct adding {
    struct arena *a;
    const struct rule *rule;
    struct str directory;
    bool all; /* with paths that the rule names */
    struct below_patterns *to;
};

static void add_pattern(const struct adding *d, struct str base, struct str pattern, unsigned flags)
{
    struct below_pattern p = {.rule = d->rule, .name = last_name(d->a, pattern)};
    struct gitignore *whole = NULL;

    gitignore_compile_below(d->a, base, pattern, flags, &whole, NULL);
    p.whole = whole;
    p.anywhere = holds_at_any_depth(pattern) && path_is_inside(d->directory, base);
    if (below_leads_into(d->a, &p, d->directory))
        LIST_PUSH(d->a, d->to, p);
}

/* As match_path_touches() compares: in any case and, for a class that excludes, also as it is
 * written; with the other spelling of the directory. */
static void add_from(const struct adding *d, const struct rule_path *p, struct str base)
{
    if (!path_is_absolute(base))
        return;
    struct str folded = utf8_fold(d->a, base), wide = open_wide(d->a, p);
    add_pattern(d, base, wide, GLOB_NOCASE);
    if (!str_eq(folded, base))
        add_pattern(d, folded, wide, GLOB_NOCASE);
    if (str_has(p->pattern, '['))
        add_pattern(d, base, p->pattern, 0);
}

static void add_path(const struct adding *d, const struct rule_path *p, const struct rule_env *env)
{
    const struct match m = {.a = d->a, .r = d->rule, .env = env};
    struct str other = match_path_other_base(&m, p);

    if (!d->all && is_one_path(d->a, p))
        return;
    add_from(d, p, match_path_base(&m, p));
    if (other.len)
        add_from(d, p, other);
}

static void add_rule(const struct adding *d, const struct rule_env *env)
{
    const struct rule *r = d->rule;
    const struct rule_paths *more = &rule_more(r)->paths;

    if (r->effect == BEHAVIOR_ALLOW || !rule_counts(d->a, r, env))
        return;
    if (r->matcher == MATCH_PATH)
        add_path(d, r->path, env);
    for (size_t i = 0; i < more->count; i++)
        add_path(d, &more->items[i], env);
}

void below_add(struct arena *a, const struct rule *r, const struct rule_env *env,
               struct str directory, struct below_patterns *to)
{
    add_rule(&(struct adding){.a = a, .rule = r, .directory = directory, .to = to}, env);
}

void below_add_all(struct arena *a, const struct rule *r, const struct rule_env *env,
                   struct str directory, struct below_patterns *to)
{
    add_rule(&(struct adding){.a = a, .rule = r, .directory = directory, .all = true, .to = to},
             env);
}

/* The part in front of the first wildcard; all of it, but for a slash at its end, if there is none.
 */
static struct str fixed_part(struct str pattern)
{
    const size_t wild = str_until(pattern, "*?[{(\\");
    struct str fixed = str_slice(pattern, 0, wild);

    while (wild < pattern.len && fixed.len && fixed.s[fixed.len - 1] != '/')
        fixed.len--;
    while (fixed.len && fixed.s[fixed.len - 1] == '/')
        fixed.len--;
    return fixed;
}

static void add_front(const struct match *m, const struct rule_path *p, struct strs *to)
{
    struct str fixed = fixed_part(p->pattern), base = match_path_base(m, p),
               other = match_path_other_base(m, p);

    if (!fixed.len || is_name(p->pattern))
        return;
    while (fixed.s[0] == '/' && fixed.len > 1)
        fixed = str_from_byte(fixed, 1);
    if (str_contains(fixed, STR("..")) || str_contains(fixed, STR("./")))
        fixed = path_clean(m->a, fixed);
    if (path_is_absolute(base))
        LIST_PUSH(m->a, to, path_join(m->a, base, fixed));
    if (path_is_absolute(other))
        LIST_PUSH(m->a, to, path_join(m->a, other, fixed));
}

void below_fronts(struct arena *a, const struct rule *r, const struct rule_env *env,
                  struct strs *to)
{
    const struct match m = {.a = a, .r = r, .env = env};

    if (!rule_counts(a, r, env))
        return;
    if (r->matcher == MATCH_PATH)
        add_front(&m, r->path, to);
    for (size_t i = 0; i < rule_more(r)->paths.count; i++)
        add_front(&m, &rule_more(r)->paths.items[i], to);
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.s[i] >= 0x80)
            return false;
    return true;
}

bool below_matches(struct arena *a, const struct below_pattern *p, struct str path, struct str name)
{
    if (!p->whole)
        return true;
    if (p->name && is_ascii(name) && !glob_match_or(p->name, name, true))
        return false;
    return gitignore_match_or(p->whole, path, true) ||
           (!is_ascii(path) && gitignore_match_or(p->whole, utf8_fold(a, path), true));
}

bool below_leads_into(struct arena *a, const struct below_pattern *p, struct str directory)
{
    struct str all = path_join(a, glob_escape(a, directory), STR("**"));
    struct glob *below;

    return p->anywhere || !p->whole ||
           glob_compile(a, all, GLOB_PATH | GLOB_NOCASE, &below, NULL) != STATUS_OK ||
           glob_intersects(gitignore_glob(p->whole), below);
}
