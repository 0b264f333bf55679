#include "facts/own_places.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/rare.h"
#include "facts/copies_in.h"
#include "facts/path_classes.h"
#include "facts/sensitive_paths.h"

#define LISTED "Warder depends on it"
#define BELOW  "agent settings, or what Warder depends on"

/* ---- the lists ---- */

/* Lengths rule out most. A file system may not distinguish cases. */
static bool is_in(struct str place, struct str path)
{
    return path.len >= place.len && (path.len == place.len || path.s[place.len] == '/') &&
           str_eq_nocase(str_slice(path, 0, place.len), place);
}

static bool is_above(struct str path, struct str place)
{
    return place.len > path.len && (path.len == 1 || place.s[path.len] == '/') &&
           str_eq_nocase(str_slice(place, 0, path.len), path);
}

static bool any_listed(const struct facts *f, struct str path,
                       bool (*fits)(struct str place, struct str path))
{
    for (size_t i = 0; f->own && i < f->own->count; i++)
        if (fits(f->own->items[i], path))
            return true;
    for (size_t i = 0; i < f->book->own.count; i++)
        if (fits(f->book->own.items[i], path))
            return true;
    return false;
}

static bool is_listed(const struct facts *f, struct str path)
{
    return any_listed(f, path, is_in);
}

static bool place_is_below(struct str place, struct str path)
{
    return is_above(path, place);
}

bool own_places_in_workspace(const struct facts *f)
{
    struct decision_cache *found = f->cache;

    if (found->own_inside == ANY_UNASKED)
        found->own_inside =
            is_listed(f, f->workspace) || any_listed(f, f->workspace, place_is_below) ? ANY_YES
                                                                                      : ANY_NO;
    return found->own_inside == ANY_YES;
}

RARE static bool pattern_names(const struct strs *list, const struct glob *g)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (glob_match_or(g, list->items[i], true))
            return true;
    return false;
}

RARE static bool pattern_is_listed(const struct facts *f, struct str pattern)
{
    struct glob *g;

    if ((!f->own || f->own->count == 0) && f->book->own.count == 0)
        return false;
    return glob_compile(f->arena, pattern, GLOB_PATH | GLOB_NOCASE, &g, NULL) != STATUS_OK ||
           pattern_names(f->own, g) || pattern_names(&f->book->own, g);
}

const char *own_place_listed(const struct facts *f, const struct subject_path *p)
{
    if (p->pattern)
        return pattern_is_listed(f, p->written) ? LISTED : NULL;
    return is_listed(f, p->written) ||
                   (p->resolved.len && p->resolved.s != p->written.s && is_listed(f, p->resolved))
               ? LISTED
               : NULL;
}

static bool ends_name(struct str text, size_t at)
{
    return at == text.len || !(ascii_is_letter(text.s[at]) || ascii_is_digit(text.s[at]) ||
                               strchr("._-", text.s[at]));
}

/* A name alone may be any word, so it counts only after a slash. */
static bool is_named(struct str place, struct str text)
{
    bool alone = !str_has(place, '/');

    for (size_t i = 0; i + place.len <= text.len; i++)
        if (ascii_lower(text.s[i]) == ascii_lower(place.s[0]) &&
            str_eq_nocase(str_slice(text, i, i + place.len), place) &&
            ends_name(text, i + place.len) &&
            (i > 0 ? text.s[i - 1] == '/' || (!alone && ends_name(text, i - 1)) : !alone))
            return true;
    return false;
}

static bool any_named(const struct facts *f, const struct strs *list, struct str text)
{
    struct str rest;

    for (size_t i = 0; list && i < list->count; i++) {
        struct str place = list->items[i];
        if (place.len > f->home.len + 1 + text.len)
            continue; /* even without the home it is longer */
        if (!path_relative(f->home, place, &rest) || rest.len == 0)
            rest = str_from_byte(place, 1);
        if (rest.len <= text.len && is_named(rest, text))
            return true;
    }
    return false;
}

const char *own_place_named(const struct facts *f, struct str text)
{
    return any_named(f, f->own, text) || any_named(f, &f->book->own, text) ? LISTED : NULL;
}

/* ---- directories above ---- */

/* By the rows with a fixed place. */
static bool row_is_below(const struct facts *f, struct str directory)
{
    struct str in_home, in_root;

    if (path_is_inside(f->home, directory) || directory.len <= 1)
        return true;
    return (path_relative(f->home, directory, &in_home) &&
            path_class_lies_below(PATHS_PROTECTED, PATH_CLASS_HOME, in_home, PICK_OWN)) ||
           (path_relative(STR("/"), directory, &in_root) &&
            path_class_lies_below(PATHS_PROTECTED, PATH_CLASS_ROOT, in_root, PICK_OWN));
}

/* Nearly every path is below the workspace, and the workspace is nearly never above such a
 * place. */
static bool is_clear(const struct facts *f, struct str directory)
{
    if (f->workspace.len == 0 || directory.len <= f->workspace.len ||
        !path_is_inside(directory, f->workspace))
        return false;
    if (f->cache->above == ANY_UNASKED)
        f->cache->above = row_is_below(f, f->workspace) ? ANY_YES : ANY_NO;
    return f->cache->above == ANY_NO;
}

const char *own_place_under(const struct facts *f, struct str directory)
{
    if (f->workspace.len && path_is_inside(f->workspace, directory) &&
        !path_is_inside(f->home, directory))
        return NULL; /* a directory that projects are in */
    return (!is_clear(f, directory) && row_is_below(f, directory)) ||
                   any_listed(f, directory, place_is_below)
               ? BELOW
               : NULL;
}

/* ---- the workspace ---- */

struct own_walk {
    const struct facts *f;
    const struct selection *which;
    struct str directory;
    struct strs todo;
    size_t seen;
    bool found;
};

static bool look(void *to, const char *name, enum entry_kind kind)
{
    struct own_walk *w = to;
    struct str path = path_join(w->f->arena, w->directory, str_from(name));

    if (++w->seen > OWN_FILES_MAX)
        w->found = true;
    else if (kind == ENTRY_DIRECTORY)
        LIST_PUSH(w->f->arena, &w->todo, path);
    else
        w->found = selection_has(w->f, w->which, path);
    return !w->found;
}

/* Does the search select a file below this directory, or the directory itself? */
static bool selects_below(const struct facts *f, const struct selection *which,
                          struct str directory)
{
    struct own_walk w = {.f = f, .which = which};

    LIST_PUSH(f->arena, &w.todo, directory);
    for (size_t i = 0; i < w.todo.count && !w.found; i++) {
        w.directory = w.todo.items[i];
        w.found = selection_has(f, which, w.directory) || !f->world->scan ||
                  !f->world->scan(f->world->context, w.directory.s, look, &w);
    }
    return w.found;
}

static bool is_reached(const struct facts *f, const struct selection *which, struct str path)
{
    enum file_kind kind = f->world->kind(f->world->context, path.s);

    if (kind == FILE_ABSENT)
        return false;
    if (!which || which->all)
        return true;
    return kind == FILE_DIRECTORY ? selects_below(f, which, path) : selection_has(f, which, path);
}

static const char *own_place_in(const struct facts *f, struct str directory,
                                const struct selection *which)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];

    for (size_t i = 0; directory.len && i < table->count; i++) {
        const struct path_class *row = &table->rows[i];
        if (row->own && row->where == PATH_CLASS_ANYWHERE && !strchr(row->path, '*') &&
            is_reached(f, which, path_join(f->arena, directory, str_from(row->path))))
            return row->path;
    }
    return NULL;
}

const char *own_place_in_workspace(const struct facts *f, const struct selection *which)
{
    return own_place_in(f, f->workspace, which);
}

/* GIT_WORK_TREE=/home/me git ... */
static bool tree_is_elsewhere(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        struct str name =
            a->assignment && a->subject.words.count ? a->subject.words.items[0] : (struct str){0};
        if (str_is(name, "GIT_WORK_TREE") || str_is(name, "GIT_DIR") ||
            str_starts(name, STR("GIT_CONFIG")))
            return true;
    }
    return false;
}

/* A repository somewhere else, with a work tree of its own, is not the workspace's. */
const char *own_place_in_tree(const struct facts *f, const struct action *a)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;
    const char *what = NULL;

    if (f->actions.count > 1 && tree_is_elsewhere(f))
        return "any file";
    if (directory.len && !path_is_inside(directory, f->workspace)) {
        what = own_place_in(f, directory, NULL);
        what = what ? what : own_place_under(f, directory);
    }
    if (what || (directory.len && !path_is_inside(directory, f->workspace) &&
                 !path_is_inside(f->workspace, directory)))
        return what;
    return own_place_in_workspace(f, NULL);
}

/* ---- what an action does ---- */

/* Is the directory itself changed, not only names in it? */
static bool changes_itself(const struct facts *f, const struct action *a,
                           const struct subject_path *p)
{
    if (p->access & ACCESS_DELETE)
        return true;
    if (!(p->access & ACCESS_WRITE))
        return false;
    if (a->row && (a->row->on_itself || a->row->leaves_files))
        return a->row->on_itself;
    return copies_in_of(a) == BRINGS_NAMES ||
           f->world->kind(f->world->context, p->written.s) != FILE_DIRECTORY;
}

/* The workspace, or a directory above it. */
static const char *workspace_below(const struct facts *f, const struct action *a,
                                   const struct subject_path *p, struct str directory)
{
    if (f->workspace.len == 0 || !path_is_inside(f->workspace, directory) || p->uncertain)
        return NULL;
    /* a directory that files are moved into is still there */
    if (!(p->access & ACCESS_DELETE) && !p->below && !(a->row && a->row->on_itself))
        return NULL;
    if (!a->recursive || !str_is(a->name, "find"))
        return own_place_in_workspace(f, NULL);
    const struct selection which = selection_of_find(f, &a->subject.words, directory);
    return own_place_in_workspace(f, &which);
}

static const char *found_below(const struct facts *f, const struct action *a,
                               const struct subject_path *p, struct str directory)
{
    if (!is_clear(f, directory) && row_is_below(f, directory))
        return BELOW;
    if (any_listed(f, directory, place_is_below))
        return BELOW;
    return workspace_below(f, a, p, directory);
}

/* The next component of `place` after the directory; the rest is not empty. */
static bool next_below(struct str directory, struct str place, struct str *name)
{
    struct str rest;

    return path_relative(directory, place, &rest) && str_cut(rest, '/', name, &rest) && rest.len;
}

RARE static bool pattern_reaches(struct str directory, const struct glob *names, struct str place)
{
    struct str name;

    return next_below(directory, place, &name) &&
           (str_has(name, '*') || glob_match_or(names, name, true));
}

RARE static bool pattern_reaches_any(struct str directory, const struct glob *names,
                                     const struct strs *list)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (pattern_reaches(directory, names, list->items[i]))
            return true;
    return false;
}

/* A star in front matches no leading dot. */
RARE static bool pattern_reaches_row(const struct facts *f, struct str directory, struct str name,
                                     const struct glob *names)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];

    for (size_t i = 0; i < table->count; i++) {
        const struct path_class *row = &table->rows[i];
        struct str base = row->where == PATH_CLASS_HOME ? f->home : STR("/");
        bool hidden = row->path[0] == '.' && str_starts(name, STR("*")) && str_eq(base, directory);
        if (row->own && row->where != PATH_CLASS_ANYWHERE && !hidden &&
            pattern_reaches(directory, names, path_join(f->arena, base, str_from(row->path))))
            return true;
    }
    return false;
}

/* rm -r ~/.l*: could it name a directory above our places? */
RARE static const char *below_pattern(const struct facts *f, struct str pattern)
{
    size_t wild = 0;
    struct str directory, name, rest;
    struct glob *names;

    while (wild < pattern.len && !strchr("*?[{(\\", pattern.s[wild]))
        wild++;
    while (wild > 0 && pattern.s[wild - 1] != '/')
        wild--;
    directory = str_slice(pattern, 0, wild > 1 ? wild - 1 : wild);
    str_cut(str_from_byte(pattern, wild), '/', &name, &rest);
    if (rest.len)
        return NULL;
    if (glob_compile(f->arena, name, GLOB_NOCASE | GLOB_BRACES, &names, NULL) != STATUS_OK)
        return own_place_under(f, directory);
    return pattern_reaches_any(directory, names, f->own) ||
                   pattern_reaches_any(directory, names, &f->book->own) ||
                   (!is_clear(f, path_join(f->arena, directory, STR("x"))) &&
                    pattern_reaches_row(f, directory, name, names))
               ? BELOW
               : NULL;
}

const char *own_place_below(const struct facts *f, const struct action *a,
                            const struct subject_path *p)
{
    if (p->pattern)
        return (p->access & ACCESS_DELETE) || (a->row && a->row->on_itself)
                   ? below_pattern(f, p->written)
                   : NULL;
    if (p->uncertain)
        return own_place_under(f, p->written);
    struct str directory = p->below ? path_dir(p->written) : p->written;
    if (!p->below && !changes_itself(f, a, p))
        return NULL;
    const char *what = found_below(f, a, p, directory);
    if (!what && !p->below && p->resolved.len && p->resolved.s != p->written.s)
        what = found_below(f, a, p, p->resolved);
    return what;
}

/* ---- building a list ---- */

void own_places_add(struct arena *a, struct strs *list, struct str home, struct str path)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    const struct path_class_search search = {.list = PATHS_PROTECTED, .home = home, .hidden = true};
    size_t row;

    if (path.len < 2 || path.s[0] != '/')
        return;
    path = path_clean(a, path);
    row = path_class_match(&search, path, false);
    if (!(row < table->count && table->rows[row].own) && !strs_has(list, path))
        LIST_PUSH(a, list, path);
}

void own_places_add_moved(struct arena *a, struct strs *list, struct str home, struct str directory,
                          struct str to)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];

    for (size_t i = 0; i < table->count; i++) {
        const struct path_class *row = &table->rows[i];
        struct str rest;
        if (!row->own || row->where == PATH_CLASS_ROOT ||
            !path_relative(directory, str_from(row->path), &rest))
            continue;
        if (rest.len || !path_too_wide(to, home))
            own_places_add(a, list, home, rest.len ? path_join(a, to, rest) : to);
    }
}
