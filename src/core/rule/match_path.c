/* match_path.c - rules on paths.
 *
 * A subject's paths are absolute and cleaned, both as written and with links followed. Deny and ask
 * match if either one does, ignoring case; allow needs both to match exactly. */
#include "base/gitignore.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/utf8_fold.h"
#include "rule/match.h"
#include "rule/tool.h"

/* --- gitignore-style --- */

static struct str above(struct str base, unsigned up)
{
    for (unsigned i = 0; i < up; i++)
        base = path_dir(base);
    return base;
}

struct str match_path_base(const struct match *m, const struct rule_path *p)
{
    struct str base = {0};

    switch (p->anchor) {
    case ANCHOR_CWD:
        base = m->env->cwd;
        break;
    case ANCHOR_HOME:
        base = m->env->home;
        break;
    case ANCHOR_PROJECT:
        base = m->r->base.len > 0 ? m->r->base : m->env->cwd;
        break;
    case ANCHOR_ROOT:
        base = STR("/");
        break;
    }
    return above(base, p->up);
}

/* As path_relative(), but ignores case if `folded`. */
static bool below(struct str base, struct str path, bool folded, struct str *rel)
{
    if (!folded || path.len <= base.len)
        return path_relative(base, path, rel);
    if (str_is(base, "/")) {
        *rel = str_from_byte(path, 1);
        return path_is_absolute(path);
    }
    *rel = str_from_byte(path, base.len + 1);
    return base.len > 0 && path.s[base.len] == '/' &&
           str_eq_nocase(str_slice(path, 0, base.len), base);
}

static const struct gitignore *compiled(const struct match *m, const struct rule_path *p,
                                        bool folded)
{
    if (p != m->r->path)
        return open_path(m->a, p, folded);
    if (!m->open->path[folded])
        m->open->path[folded] = open_path(m->a, p, folded);
    return m->open->path[folded];
}

static bool hits(const struct match *m, const struct rule_path *p, struct str base, struct str path,
                 bool folded)
{
    struct str rel;

    return path.len > 0 && path_is_absolute(base) && below(base, path, folded, &rel) &&
           gitignore_match_or(compiled(m, p, folded), rel, !m->allow);
}

static size_t plain_length(struct str pattern)
{
    return str_until(pattern, "*?[{(\\");
}

/* Do the parts before the first wildcards already show that no path can match both `pattern` and
 * `rule` (relative to `base`)? */
static bool fronts_differ(struct str base, struct str rule, struct str pattern)
{
    struct str front = str_slice(pattern, 0, plain_length(pattern));
    size_t same = base.len < front.len ? base.len : front.len;

    if (!str_eq_nocase(str_slice(base, 0, same), str_slice(front, 0, same)))
        return true;
    rule = str_has(rule, '/') ? str_slice(rule, 0, plain_length(rule))
                              : (struct str){0}; /* no slash: matches at any depth */
    if (front.len <= base.len || rule.len == 0)
        return false;
    front = str_from_byte(front, base.len);
    while (front.len && front.s[0] == '/')
        front = str_from_byte(front, 1);
    while (rule.len && rule.s[0] == '/')
        rule = str_from_byte(rule, 1);
    same = rule.len < front.len ? rule.len : front.len;
    return !str_eq_nocase(str_slice(rule, 0, same), str_slice(front, 0, same));
}

/* The pattern without what a shell passes over: for its wildcards a name does not begin with a
 * dot. */
static struct str without_hidden(struct arena *a, struct str pattern)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < pattern.len; i++) {
        const char c = pattern.s[i];
        const bool first = i > 0 && pattern.s[i - 1] == '/';
        const bool one = first && c == '*' && !(i + 1 < pattern.len && pattern.s[i + 1] == '*');
        if (one || (first && c == '?'))
            buf_text(&b, "[!.]");
        if (!(first && c == '?'))
            buf_byte(&b, c);
    }
    return buf_str(&b);
}

/* Could the path pattern stand for a path that the rule matches? A pattern that does not compile
 * could stand for anything. */
static bool could_hit(const struct match *m, const struct rule_path *p, struct str base,
                      const struct subject_path *of)
{
    struct str wide = open_wide(m->a, p),
               pattern = of->visible ? without_hidden(m->a, of->written) : of->written;
    struct gitignore *rule;
    struct glob *path;

    if (!path_is_absolute(base) || fronts_differ(base, wide, pattern))
        return false;
    if (gitignore_compile_below(m->a, base, wide, GLOB_NOCASE, &rule, NULL) ||
        glob_compile(m->a, pattern, GLOB_PATH | GLOB_NOCASE, &path, NULL))
        return true;
    return glob_intersects(gitignore_glob(rule), path);
}

/* Ignoring case widens a pattern, but for a negated class: [!a-m] excludes A as well then. */
static bool hits_in_any_case(const struct match *m, const struct rule_path *p, struct str base,
                             struct str path)
{
    return hits(m, p, base, path, true) ||
           (str_has(p->pattern, '[') && hits(m, p, base, path, false));
}

static bool touches_from(const struct match *m, const struct rule_path *p, struct str base,
                         const struct subject_path *path)
{
    if (path->folded)
        base = utf8_fold(m->a, base);
    if (path->pattern && could_hit(m, p, base, path))
        return true;
    return hits_in_any_case(m, p, base, path->written) ||
           (!str_eq(path->written, path->resolved) && hits_in_any_case(m, p, base, path->resolved));
}

struct str match_path_other_base(const struct match *m, const struct rule_path *p)
{
    return rule_path_holds_twice(p) && m->r->base.len && !str_eq(m->r->base, m->env->cwd)
               ? above(m->r->base, p->up)
               : (struct str){0};
}

bool match_path_touches(const struct match *m, const struct rule_path *p,
                        const struct subject_path *path)
{
    struct str other = match_path_other_base(m, p);

    return touches_from(m, p, match_path_base(m, p), path) ||
           (other.len && touches_from(m, p, other, path));
}

/* Allow, for a path pattern: the rule must cover everything below the directory before the first
 * wildcard, which only a rule that ends in ** does. Tested with a name that no rule contains
 * literally. */
static bool covers_pattern(const struct match *m, const struct rule_path *p, struct str base,
                           struct str pattern)
{
    char probe[WORLD_PATH_MAX];
    size_t len = 0;

    if (!str_ends(p->pattern, STR("**")))
        return false;
    while (len < pattern.len && !strchr("*?[{\\", pattern.s[len]))
        len++;
    while (len > 0 && pattern.s[len - 1] != '/')
        len--;
    if (len == 0 || len + 1 > sizeof(probe))
        return false;
    memcpy(probe, pattern.s, len);
    probe[len] = WORD_UNKNOWN;
    return hits(m, p, base, (struct str){probe, len + 1}, false);
}

static bool covers(const struct match *m, const struct rule_path *p,
                   const struct subject_path *path)
{
    struct str base = match_path_base(m, p);

    /* If it is not known where the path leads, `resolved` is empty, and nothing matches the empty
     * path. */
    if (path->pattern)
        return covers_pattern(m, p, base, path->written) &&
               covers_pattern(m, p, base, path->resolved);
    return hits(m, p, base, path->written, false) && hits(m, p, base, path->resolved, false);
}

/* --- path rules --- */

unsigned match_denied_access(unsigned access)
{
    return access & ACCESS_READ ? access | ACCESS_WRITE | ACCESS_DELETE | ACCESS_RUN : access;
}

/* Permission to write includes reading: an edit tool does both. */
static unsigned allowed_access(unsigned access)
{
    return access & ACCESS_WRITE ? access | ACCESS_READ : access;
}

/* Is it the rule's own tool or, for Read, Edit and Write, any tool with the same access? */
static bool is_kin(const struct match *m)
{
    const struct rule_tool *rule = rule_tool_find(m->r->tool);

    if (match_tool(m))
        return true;
    for (size_t i = 0; rule && rule->family && i < m->s->names.count; i++) {
        const struct rule_tool *t = rule_tool_find(m->s->names.items[i]);
        if (t && t->content == CONTENT_PATH && t->access == rule->access)
            return true;
    }
    return false;
}

/* Only deny and ask care about uncertain paths and folded spellings. */
static bool covers_all(const struct match *m)
{
    const struct subject_paths *paths = &m->s->paths;
    size_t covered = 0;

    for (size_t i = 0; i < paths->count; i++) {
        const struct subject_path *p = &paths->items[i];
        if (p->uncertain || p->folded)
            continue;
        if ((p->access & ~allowed_access(m->r->access)) || !covers(m, m->r->path, p))
            return false;
        covered++;
    }
    return covered > 0;
}

bool match_path(const struct match *m)
{
    unsigned access = match_denied_access(m->r->access);

    if (m->allow)
        return !m->s->shell && is_kin(m) && covers_all(m);
    for (size_t i = 0; i < m->s->paths.count; i++) {
        const struct subject_path *p = &m->s->paths.items[i];
        if ((p->access == 0 || (p->access & access)) && match_path_touches(m, m->r->path, p))
            return true;
    }
    return false;
}

static bool one_covers(const struct match *m, const struct subject_path *path)
{
    for (size_t i = 0; i < rule_more(m->r)->paths.count; i++)
        if (m->allow ? covers(m, &rule_more(m->r)->paths.items[i], path)
                     : match_path_touches(m, &rule_more(m->r)->paths.items[i], path))
            return true;
    return false;
}

bool rule_path_covers(struct arena *a, const struct rule *r, const struct rule_paths *patterns,
                      const struct subject_path *path, const struct rule_env *env)
{
    struct open_rule open = {0};
    const struct match m = {.a = a, .r = r, .env = env, .allow = true, .open = &open};

    for (size_t i = 0; i < patterns->count; i++)
        if (covers(&m, &patterns->items[i], path))
            return true;
    return false;
}

bool match_path_list(const struct match *m)
{
    const struct subject_paths *paths = &m->s->paths;
    size_t covered = 0;

    if (rule_more(m->r)->paths.count == 0)
        return true;
    for (size_t i = 0; i < paths->count; i++) {
        if (m->allow && (paths->items[i].uncertain || paths->items[i].folded))
            continue;
        if (one_covers(m, &paths->items[i]))
            covered++;
        else if (m->allow)
            return false;
    }
    return covered > 0;
}

/* --- textual rules on paths --- */

/* See hits_in_any_case(). */
static bool reads(const struct match *m, struct str text)
{
    struct open_reading *main = &m->open->main;

    return match_reading(m, main, text, true) ||
           (str_has(main->from.pattern, '[') && match_reading(m, main, text, false));
}

/* A path can be spelled from the root, from the cwd and from home; a deny rule means the file, not
 * the spelling. */
static bool matches_spelling(const struct match *m, struct str path)
{
    struct str rel;

    if (path.len == 0)
        return false;
    if (reads(m, path))
        return true;
    /* Touching a directory touches its contents, which an action pattern may match. */
    if (m->r->matcher == MATCH_ACTION && reads(m, str_join(m->a, path, STR("/"))))
        return true;
    if (path_relative(m->env->cwd, path, &rel) && rel.len > 0 &&
        (reads(m, rel) || reads(m, str_join(m->a, STR("./"), rel))))
        return true;
    return m->env->home.len > 0 && path_relative(m->env->home, path, &rel) &&
           reads(m, str_join(m->a, STR("~/"), rel));
}

static bool could_be_spelled(const struct match *m, struct str pattern)
{
    struct glob *path;

    if (m->r->matcher != MATCH_GLOB && m->r->matcher != MATCH_FIELD &&
        m->r->matcher != MATCH_ACTION)
        return false;
    if (glob_compile(m->a, pattern, GLOB_PATH | GLOB_NOCASE, &path, NULL))
        return true;
    return glob_intersects(open_folded(m->a, &m->open->main), path);
}

bool match_any_path(const struct match *m, unsigned access)
{
    for (size_t i = 0; i < m->s->paths.count; i++) {
        const struct subject_path *p = &m->s->paths.items[i];
        if (access && p->access && !(p->access & match_denied_access(access)))
            continue;
        if (matches_spelling(m, p->written) || matches_spelling(m, p->resolved) ||
            (p->pattern && could_be_spelled(m, p->written)))
            return true;
    }
    return false;
}

static const struct subject_path *find_path(const struct match *m, struct str value)
{
    struct str absolute;

    if (!path_absolute(m->a, m->env->cwd, m->env->home, value, &absolute))
        return NULL;
    for (size_t i = 0; i < m->s->paths.count; i++)
        if (str_eq(m->s->paths.items[i].written, absolute))
            return &m->s->paths.items[i];
    return NULL;
}

/* Allow: `src/..` + `/etc` starts with src/ but is not inside it, and a link counts as its
 * target. */
static bool covers_value(const struct match *m, struct str value, const struct subject_path *path)
{
    struct open_reading *main = &m->open->main;

    if (!match_reading(m, main, value, false))
        return false;
    if (!path)
        return true;
    if (str_contains(value, STR("..")) && !match_reading(m, main, path_clean(m->a, value), false))
        return false;
    return str_eq(path->resolved, path->written) ||
           (path->resolved.len > 0 && match_reading(m, main, path->resolved, false));
}

bool match_path_value(const struct match *m, struct str value)
{
    if (m->allow)
        return covers_value(m, value, find_path(m, value));
    return (m->s->paths.count ? reads(m, value) : match_reading(m, &m->open->main, value, false)) ||
           match_any_path(m, 0);
}
