#include "decide/rule_below.h"

#include "base/path.h"
#include "decide/rule_reach.h"
#include "facts/matches.h"
#include "facts/trees.h"
#include "rule/below.h"
#include "rule/index.h"
#include "shell/shell.h"

struct below_match {
    size_t pattern;
    struct str path;
    enum tree_met as;
};
struct below_matches LIST_OF(struct below_match);

/* What the rules match below a directory; remembered, because a call has several commands on one
 * place, and a decision is made more than once. */
struct rules_below {
    struct rules_below *next;
    struct str root, cwd;
    bool links;      /* they are followed: any rule may be about what they lead to */
    struct strs far; /* directories that they lead to */
    struct below_patterns patterns;
    struct below_matches matches;
    const char *why_not; /* there may be more */
};

struct below_walk {
    const struct facts *f;
    const struct rule_env *env;
    struct rules_below *into;
    size_t compared;
};

/* The next rule that could match something below the directory, or NULL. */
static const struct rule *next_below(const struct facts *f, const struct rule_places *some,
                                     size_t *at)
{
    const struct rules *all = &f->book->rules;

    if (f->book->index)
        return *at < some->count ? &all->items[some->items[(*at)++]] : NULL;
    while (*at < all->count) {
        const struct rule *r = &all->items[(*at)++];
        if (r->effect != BEHAVIOR_ALLOW && rule_is_on_paths(r))
            return r;
    }
    return NULL;
}

#define FOUND_AGAIN                                                                                \
    4 /* a rule may be found more than once: relative to its file, and to the call's directory */

/* The rules about paths near the directory; false if there are too many: then it is one of them. */
static bool find_near(const struct facts *f, const struct rule_env *env, struct str directory,
                      struct rule_places *some)
{
    bool cut = false;

    *some = (struct rule_places){0};
    if (f->book->index)
        *some = rule_index_near(f->arena, f->book->index, directory, env,
                                (size_t)RULES_BELOW_MAX * FOUND_AGAIN, &cut);
    return !cut;
}

/* ---- rules on names ---- */

static bool compare_all(struct below_walk *w, struct str path, struct str name, enum tree_met as)
{
    struct rules_below *b = w->into;

    for (size_t i = 0; i < b->patterns.count; i++) {
        if (++w->compared > BELOW_COMPARED_MAX || b->matches.count == BELOW_MATCHES_MAX)
            return false;
        if (below_matches(w->f->arena, &b->patterns.items[i], path, name))
            LIST_PUSH(w->f->arena, &b->matches,
                      (struct below_match){i, str_copy(w->f->arena, path), as});
    }
    return true;
}

/* The rules about the directory that a link leads to, or to a file of; false: too many. */
static bool add_far(struct below_walk *w, struct str directory)
{
    const struct facts *f = w->f;
    struct rules_below *b = w->into;
    struct rule_places some;
    const struct rule *r;
    size_t at = 0;

    if (strs_has(&b->far, directory))
        return true;
    directory = str_copy(f->arena, directory);
    LIST_PUSH(f->arena, &b->far, directory);
    if (!find_near(f, w->env, directory, &some))
        return false;
    while ((r = next_below(f, &some, &at)))
        below_add_all(f->arena, r, w->env, directory, &b->patterns);
    return b->patterns.count <= RULES_BELOW_MAX;
}

/* A link may lead below a directory that a rule is about. */
static bool compare_target(struct below_walk *w, struct str path)
{
    for (; path.len > 1; path = path_dir(path))
        if (!compare_all(w, path, path_base(path), TREE_TARGET))
            return false;
    return true;
}

/* Most names match nothing, and their paths are not kept. */
static bool meets(void *to, struct str directory, const char *name, enum tree_met as)
{
    char room[WORLD_PATH_MAX];
    const size_t slash = directory.len > 1, len = strlen(name), all = directory.len + slash + len;

    if (all >= sizeof(room) || (as == TREE_TARGET && !add_far(to, directory)))
        return false;
    memcpy(room, directory.s, directory.len);
    room[directory.len] = '/';
    memcpy(room + directory.len + slash, name, len);
    return as == TREE_TARGET
               ? compare_target(to, (struct str){room, all})
               : compare_all(to, (struct str){room, all}, (struct str){room + all - len, len}, as);
}

static bool enters(void *to, struct str directory)
{
    const struct below_walk *w = to;

    for (size_t i = 0; !w->into->links && i < w->into->patterns.count; i++)
        if (below_leads_into(w->f->arena, &w->into->patterns.items[i], directory))
            return true;
    return w->into->links;
}

static void look_below(const struct facts *f, const struct rule_env *env, struct rules_below *into)
{
    struct below_walk w = {.f = f, .env = env, .into = into};
    const struct tree_visitor visitor = {&w, into->links, meets, enters};

    if (into->patterns.count || into->links)
        into->why_not = tree_visit(f, into->root, &visitor);
}

static struct rules_below *below_of(const struct facts *f, const struct rule_env *env,
                                    const struct rule_places *some, const struct rules_below *what)
{
    struct rules_below *known = f->cache->below;
    const struct rule *r;
    size_t at = 0;

    for (; known; known = known->next)
        if (str_eq(known->root, what->root) && str_eq(known->cwd, what->cwd) &&
            known->links == what->links)
            return known;
    known = ARENA_NEW(f->arena, struct rules_below);
    *known = *what;
    known->next = f->cache->below;
    f->cache->below = known;
    while ((r = next_below(f, some, &at)))
        below_add(f->arena, r, env, known->root, &known->patterns);
    look_below(f, env, known);
    return known;
}

static bool is_about(const struct facts *f, const struct rule *r, const struct action *a,
                     const struct rule_env *env, unsigned access)
{
    return rule_matches_beside_paths(f->arena, r, &a->subject, env, access) &&
           !rule_excepts(f, r, a);
}

static bool counts(const struct below_filter *filter, const struct rule *r, struct str path,
                   bool directory)
{
    return !filter || filter->counts(filter->to, r, path, directory);
}

static const struct rule *rule_that_matched(const struct facts *f, const struct action *a,
                                            const struct rule_env *env,
                                            const struct rules_below *below, unsigned access,
                                            const struct below_filter *filter)
{
    const struct rule *first = NULL;

    for (size_t i = 0; i < below->matches.count; i++) {
        const struct below_match *m = &below->matches.items[i];
        const struct rule *r = below->patterns.items[m->pattern].rule;
        if ((!first || r < first) && tree_is_reached(f, a, access, below->root, m->path, m->as) &&
            is_about(f, r, a, env, access) && counts(filter, r, m->path, m->as == TREE_DIRECTORY))
            first = r;
    }
    return first;
}

/* Not everything was looked at. */
static const struct rule *rule_that_may_match(const struct facts *f, const struct action *a,
                                              const struct rule_env *env,
                                              const struct rules_below *below, unsigned access)
{
    for (size_t i = 0; i < below->patterns.count; i++)
        if (is_about(f, below->patterns.items[i].rule, a, env, access))
            return below->patterns.items[i].rule;
    return below->links ? rulebook_first_on_paths(f->book) : NULL;
}

static const struct rule *rule_on_names(const struct facts *f, const struct action *a,
                                        const struct rule_env *env, const struct rule_places *some,
                                        struct str directory, unsigned access, bool links,
                                        const struct below_filter *filter)
{
    const struct rules_below what = {.root = directory, .cwd = env->cwd, .links = links};
    const struct rules_below *below = below_of(f, env, some, &what);
    const struct rule *r = rule_that_matched(f, a, env, below, access, filter);

    return r || !below->why_not ? r : rule_that_may_match(f, a, env, below, access);
}

/* ---- all of them ---- */

static bool reaches_any(const struct facts *f, const struct action *a, unsigned access,
                        struct str directory, const struct strs *found, const struct rule *r,
                        const struct below_filter *filter)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct str path = found->items[i];
        const enum file_kind kind = f->world->kind(f->world->context, path.s);
        if (tree_is_reached(f, a, access, directory, path,
                            kind == FILE_DIRECTORY ? TREE_DIRECTORY : TREE_FILE) &&
            counts(filter, r, path, kind == FILE_DIRECTORY))
            return true;
    }
    return false;
}

/* The rule names a path, and that is there. */
static const struct rule *rule_on_one(const struct facts *f, const struct action *a,
                                      const struct rule_env *env, const struct rule_places *some,
                                      struct str directory, unsigned access,
                                      const struct below_filter *filter)
{
    struct subject_path path = {.access = access, .below = true, .tree = true};
    const struct subject s = {.paths = {.items = &path, .count = 1}};
    const struct rule *r;
    size_t at = 0, looked = 0;

    path.written = path.resolved = path_join(f->arena, directory, WORD_UNKNOWN_STR);
    while ((r = next_below(f, some, &at))) {
        struct strs found = {0};
        if (++looked > RULES_BELOW_MAX)
            return r;
        rule_means_below(f->arena, r, &s, env, &found);
        if (reaches_any(f, a, access, directory, &found, r, filter) && !rule_excepts(f, r, a))
            return r;
    }
    return NULL;
}

static const struct rule *rule_in(const struct facts *f, const struct action *a,
                                  struct str directory, unsigned access, bool links,
                                  const struct below_filter *filter)
{
    struct rule_env room;
    const struct rule_env *env = facts_env(f, a, &room);
    struct rule_places some;

    if (!find_near(f, env, directory, &some))
        return &f->book->rules.items[some.items[0]];
    const struct rule *r = rule_on_one(f, a, env, &some, directory, access, filter);
    return r ? r : rule_on_names(f, a, env, &some, directory, access, links, filter);
}

const struct rule *rule_below_directory(const struct facts *f, const struct action *a,
                                        struct str directory, unsigned access)
{
    const struct subject_path path = {.access = access};

    return rule_in(f, a, directory, access, tree_has_links(a, &path), NULL);
}

const struct rule *rule_below_some(const struct facts *f, const struct action *a,
                                   struct str directory, unsigned access,
                                   const struct below_filter *filter)
{
    return rule_in(f, a, directory, access, false, filter);
}

/* The directory before the first wildcard. */
static struct str fixed_directory(struct str pattern)
{
    return path_dir(str_slice(pattern, 0, str_until(pattern, "*?[{(\\") + 1));
}

static const struct rule *rule_below_both(const struct facts *f, const struct action *a,
                                          struct str written, struct str resolved, unsigned access)
{
    const struct rule *r = rule_below_directory(f, a, written, access);

    return r || !resolved.len || str_eq(written, resolved)
               ? r
               : rule_below_directory(f, a, resolved, access);
}

/* What a pattern matches, or where that is not known everything below the directory that it begins
 * with. */
static const struct rule *rule_below_pattern(const struct facts *f, const struct action *a,
                                             const struct subject_path *p)
{
    const struct rule *r = NULL;

    if (!p->files) /* a link that is named is followed by all */
        return rule_in(f, a, fixed_directory(p->written), p->access, true, NULL);
    for (size_t i = 0; !r && i < p->files->count; i++)
        r = rule_below_both(f, a, p->files->items[i].written, p->files->items[i].resolved,
                            p->access);
    return r;
}

static const struct rule *rule_below_path(const struct facts *f, const struct action *a,
                                          const struct subject_path *p)
{
    return p->pattern
               ? rule_below_pattern(f, a, p)
               : rule_below_both(f, a, path_dir(p->written), path_dir(p->resolved), p->access);
}

static bool is_directory(const struct facts *f, struct str path)
{
    return f->world->kind(f->world->context, path.s) == FILE_DIRECTORY;
}

/* The directories that the pattern matches now; what else it may match, the call makes. */
static const struct rule *rule_below_matches(const struct facts *f, const struct action *a,
                                             const struct subject_path *p)
{
    struct facts room = *f; /* counts what it lists */
    struct strs files = {0};
    const struct rule *r = NULL;

    if (!matches_find(&room, p->written, &files))
        return rule_in(f, a, fixed_directory(p->written), p->access, true, NULL);
    for (size_t i = 0; !r && i < files.count; i++)
        if (is_directory(f, files.items[i]))
            r = rule_below_directory(f, a, files.items[i], p->access);
    return r;
}

/* A program may do anything below a directory that it is given, if nothing says that it does not.
 */
static const struct rule *rule_below_operand(const struct facts *f, const struct action *a,
                                             const struct subject_path *p)
{
    if (p->below)
        return NULL;
    if (p->pattern)
        return rule_below_matches(f, a, p);
    return is_directory(f, p->written) ? rule_below_both(f, a, p->written, p->resolved, p->access)
                                       : NULL;
}

/* Of a directory it touches no more than that: it only looks at names, changes the directory
 * itself, or fails (rm without -r). Project code reads what it likes, whatever it is given; and of
 * git rule_git.c knows more. */
static bool leaves_below(const struct action *a, const struct subject_path *p)
{
    const struct program_row *row = a->row;

    return !row || p->listed || !(p->access & (ACCESS_READ | ACCESS_WRITE)) || row->on_itself ||
           row->writes_no_text || action_is_any_git(a) ||
           ((a->effects & EFFECT_PROJECT) && !(p->access & ACCESS_WRITE));
}

static const struct rule *rule_below_any(const struct facts *f, const struct action *a,
                                         const struct subject_path *p)
{
    if (p->tree)
        return rule_below_path(f, a, p);
    return p->uncertain || !leaves_below(a, p) ? rule_below_operand(f, a, p) : NULL;
}

const struct rule *rule_below(const struct facts *f, const struct action *a)
{
    const struct rule *r = NULL;
    const size_t count = rulebook_first_on_paths(f->book) ? a->subject.paths.count : 0;

    for (size_t i = 0; !r && i < count; i++)
        r = rule_below_any(f, a, &a->subject.paths.items[i]);
    return r;
}

/* jar cf o.jar $x, perl -pi -e 1 $(find .): what happens to the word is not explained, so it may be
 * a path. What a script gets is its own matter. */
static bool has_unknown_word(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];

    if (!f->shell || action >= f->shell->actions.count || !a->row || a->redirect || a->assignment ||
        a->script_word || a->remote || !(a->effects & (EFFECT_CODE | EFFECT_UNKNOWN)))
        return false;
    const struct shell_words *words = &f->shell->actions.items[action].words;
    for (size_t i = 1; i < words->count; i++)
        if (str_has(words->items[i].text, WORD_UNKNOWN) && !words->items[i].shape)
            return true;
    return false;
}

const struct rule *rule_in_doubt(const struct facts *f, size_t action, const char **why)
{
    const struct action *a = &f->actions.items[action];
    const struct rule *first = rulebook_first_on_paths(f->book);

    if (!first)
        return NULL;
    *why = "a path not known before run time could match";
    if ((a->unknown && !a->remote) || a->adrift || has_unknown_word(f, action))
        return first;
    *why = "takes names of files from a list, and one of them could match";
    if (rule_names_are_listed(f, action))
        return first;
    *why = "acts on files that git keeps, and one of them could match";
    const struct rule *kept = rule_in_repository(f, a);
    if (kept)
        return kept;
    *why = "a link that a rule names leads there";
    const struct rule *linked = rule_by_links(f, a);
    if (linked)
        return linked;
    *why = "reads everything below a directory, and something there could match";
    return rule_below(f, a);
}
