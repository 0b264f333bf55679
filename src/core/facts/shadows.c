#include "facts/shadows.h"

#include "base/path.h"
#include "facts/matches.h"
#include "facts/sensitive_paths.h"

/* ---- names ---- */

static struct str stem_of(struct str name)
{
    struct str stem, rest;

    str_cut(name, '.', &stem, &rest);
    return stem;
}

/* json.py, json.pyc, json.cpython-311-x86_64-linux-gnu.so */
static bool has_code_suffix(struct str name)
{
    static const char *const suffixes[] = {"py", "pyc", "pyd", "pyo",  "pyw",
                                           "so", "sl",  "dll", "dylib"};
    size_t dot = str_last_index(name, '.');

    for (size_t i = 0; dot != STR_NONE && i < COUNT(suffixes); i++)
        if (str_eq_nocase(str_from_byte(name, dot + 1), str_from(suffixes[i])))
            return true;
    return false;
}

/* Modules that not every Python has: for those any directory of that name is one. */
static bool may_be_missing(struct str name)
{
    return str_eq_nocase(name, STR("yaml")) || str_eq_nocase(name, STR("tomllib"));
}

/* A traceback prints a line of a file with this name, if there is one. */
static bool is_shown(struct str name)
{
    return str_is(name, "<string>") || str_is(name, "<stdin>");
}

/* A name that Python would use, whatever it is. */
static bool is_taken(struct str name)
{
    return is_shown(name) || program_is_module_name(stem_of(name));
}

/* ---- the disk ---- */

static bool list(struct facts *f, struct str directory, char *names)
{
    return f->world->list && ++f->listings <= MATCHES_LISTINGS_MAX &&
           f->world->list(f->world->context, directory.s, names, MATCHES_NAMES_MAX);
}

/* A directory is a module if it contains code. */
static bool holds_code(struct facts *f, struct str directory, char *names)
{
    if (!list(f, directory, names))
        return true;
    for (; *names; names += strlen(names) + 1)
        if (has_code_suffix(str_from(names)))
            return true;
    return false;
}

/* `room` is for the names in a directory of this name. */
static bool is_shadow(struct facts *f, struct str directory, struct str name, char *room)
{
    if (!is_taken(name))
        return false;
    if (str_has(name, '.') || is_shown(name))
        return is_shown(name) || has_code_suffix(name);
    struct str path = path_join(f->arena, directory, name);
    if (f->world->kind(f->world->context, path.s) == FILE_REGULAR)
        return false;
    return may_be_missing(name) || holds_code(f, path, room);
}

static bool is_clear(struct facts *f, struct str directory)
{
    if (f->listings >= MATCHES_LISTINGS_MAX || !path_is_absolute(directory))
        return false;
    char *names = arena_bytes(f->arena, MATCHES_NAMES_MAX),
         *room = arena_bytes(f->arena, MATCHES_NAMES_MAX);
    if (!list(f, str_copy(f->arena, directory), names))
        return false;
    for (; *names; names += strlen(names) + 1)
        if (is_shadow(f, directory, str_from(names), room))
            return false;
    return true;
}

/* ---- other actions of the command ---- */

/* If this path is written, could something in the directory get a name that counts? */
static bool reaches(struct str directory, struct str path)
{
    struct str name, rest;

    if (path.len == 0 || path_is_inside(directory, path))
        return true;
    if (!path_relative(directory, path, &rest))
        return false;
    str_cut(rest, '/', &name, &rest);
    return is_taken(name) || str_has(name, WORD_UNKNOWN);
}

static bool writes_into(const struct action *a, struct str directory)
{
    if (a->unknown & ACCESS_WRITE)
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_WRITE) && !str_is(p->written, "/dev/null") &&
            (p->pattern || reaches(directory, p->written) || reaches(directory, p->resolved)))
            return true;
    }
    return false;
}

/* May it change files that it does not name? */
static bool changes_unnamed(const struct action *a)
{
    if (a->redirect || a->assignment)
        return false;
    if (!a->program)
        return a->subject.words.count > 0;
    return (a->effects & (EFFECT_REPO | EFFECT_LOSS | EFFECT_UNKNOWN | EFFECT_INSTALL)) != 0;
}

/* Its own paths count too: it may write json.py and then load it. */
static bool is_disturbed(const struct facts *f, struct str directory)
{
    if (facts_too_many(f))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (changes_unnamed(&f->actions.items[i]) || writes_into(&f->actions.items[i], directory))
            return true;
    return false;
}

/* Also by the directory's real path: a write through a link to it would go unnoticed. */
static bool is_unchanged(struct facts *f, struct str directory)
{
    char real[WORLD_PATH_MAX];

    return f->world->resolve(f->world->context, str_copy(f->arena, directory).s, real) &&
           !is_disturbed(f, directory) && !is_disturbed(f, str_from(real));
}

/* A launcher that chooses the program (poetry run, uv run, npx) or the directory it starts in is
 * not looked through. */
static bool is_started_plainly(const struct facts *f, const struct shell_actions *all, size_t at)
{
    for (int up = all->items[at].parent; up >= 0; up = all->items[up].parent) {
        const struct action *a = &f->actions.items[up];
        const struct program_row *row = program_named(a->name);
        /* without the effect it is in a substitution among its words */
        if ((a->effects & EFFECT_INNER) && !(row && row->starts_plainly))
            return false;
    }
    return true;
}

/* ---- data ---- */

static enum file_kind kind_of(struct facts *f, struct str path, const char *suffix)
{
    return f->world->kind(f->world->context, str_join(f->arena, path, str_from(suffix)).s);
}

/* Is it a file of this kind by its real name too, or is there nothing that could be loaded
 * instead? */
static bool is_data(struct facts *f, struct str path, struct str real)
{
    if (kind_of(f, path, "") == FILE_REGULAR)
        return str_ends(real, STR(".json"));
    return kind_of(f, path, "") == FILE_ABSENT && kind_of(f, path, ".js") == FILE_ABSENT &&
           kind_of(f, path, ".json") == FILE_ABSENT && kind_of(f, path, ".node") == FILE_ABSENT;
}

/* May the command put something else there? Also above it, and next to it under a longer name. */
static bool moves(const struct action *a, struct str path)
{
    if (changes_unnamed(a) || (a->unknown & (ACCESS_WRITE | ACCESS_DELETE)))
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) && !str_is(p->written, "/dev/null") &&
            (p->pattern || p->resolved.len == 0 || path_is_inside(path, p->written) ||
             path_is_inside(path, p->resolved) || str_starts(p->written, path) ||
             str_starts(p->resolved, path)))
            return true;
    }
    return false;
}

static bool is_moved(const struct facts *f, struct str path)
{
    if (facts_too_many(f))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (moves(&f->actions.items[i], path))
            return true;
    return false;
}

static bool is_safe_load(struct facts *f, struct str path)
{
    char real[WORLD_PATH_MAX];

    return f->world->resolve(f->world->context, path.s, real) &&
           !path_unwatched(f, path_dir(path)) && !path_unwatched(f, path_dir(str_from(real))) &&
           is_data(f, path, str_from(real)) && !is_moved(f, path) && !is_moved(f, str_from(real));
}

/* From the directory's real path: node goes up from there. */
static bool loads_data(struct facts *f, const struct action *a, struct str directory)
{
    char real[WORLD_PATH_MAX];

    if (!path_is_absolute(directory) ||
        !f->world->resolve(f->world->context, str_copy(f->arena, directory).s, real))
        return false;
    for (size_t i = 0; i < a->loads.count; i++)
        if (!is_safe_load(
                f, path_cleaned(f->arena, path_join(f->arena, str_from(real), a->loads.items[i]))))
            return false;
    return true;
}

/* ---- all of it ---- */

/* The last directory that was checked, and the result: most commands stay in one. */
struct checked_place {
    struct str directory;
    bool own;
};

/* Does Python load only its own modules there? */
static bool loads_own(struct facts *f, struct str directory, struct checked_place *seen)
{
    if (!seen->directory.len || !str_eq(seen->directory, directory)) {
        seen->directory = directory;
        seen->own =
            !path_unwatched(f, directory) && is_clear(f, directory) && is_unchanged(f, directory);
    }
    return seen->own;
}

static bool loads(struct facts *f, const struct action *a, struct str directory,
                  struct checked_place *seen)
{
    return a->built_in ? loads_data(f, a, directory) : loads_own(f, directory, seen);
}

/* Marks commands with other commands among their words and redirections: those may consume part of
 * the standard input. */
static bool *find_sharers(struct facts *f, const struct shell_actions *all)
{
    bool *shares = ARENA_ARRAY(f->arena, bool, all->count + 1);

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].parent >= 0 && all->items[i].in_substitution)
            shares[all->items[i].parent] = true;
    return shares;
}

/* python -m json.tool: if it may load other modules, it counts as the project's code. Not uv run
 * -m, whose Python is the project's, and not python -W, which loads more. */
static bool is_reading_module(const struct action *a)
{
    const struct strs *words = &a->subject.words;

    return a->effects == EFFECT_PROJECT && !a->by_path && str_starts(a->name, STR("python")) &&
           words->count > 2 && str_is(words->items[1], "-m") &&
           str_is(words->items[2], "json.tool");
}

static bool loads_modules(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if ((f->actions.items[i].effects & EFFECT_MODULES) ||
            is_reading_module(&f->actions.items[i]))
            return true;
    return false;
}

/* The directories that were checked last: where actions run, and where they run if a `cd`
 * failed. */
struct checked_places {
    struct checked_place here, other;
};

static bool loads_nothing_else(struct facts *f, const struct shell_actions *all, size_t at,
                               const bool *shares, struct checked_places *checked)
{
    const struct action *a = &f->actions.items[at];

    if (f->book->inline_off || all->items[at].elsewhere || a->cwd.len == 0 ||
        (a->runs_input && shares[at]))
        return false;
    return is_started_plainly(f, all, at) && loads(f, a, a->cwd, &checked->here) &&
           (!action_has_other_cwd(a) || loads(f, a, a->cwd_other.path, &checked->other));
}

void shadows_find(struct facts *f, const struct shell_actions *all)
{
    struct checked_places checked = {0};
    const bool *shares = loads_modules(f) ? find_sharers(f, all) : NULL;

    for (size_t i = 0; shares && i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        if (((a->effects & EFFECT_MODULES) || is_reading_module(a)) &&
            loads_nothing_else(f, all, i, shares, &checked))
            a->effects &= ~(unsigned)(is_reading_module(a) ? EFFECT_PROJECT : EFFECT_MODULES);
    }
}
