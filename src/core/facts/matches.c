/* matches.c - which files a shell pattern matches.
 *
 * "cat *" could name a key, and asking for that reason alone would make every wildcard a question.
 * So the disk is read. Files that the command creates before its pattern is expanded are not there
 * yet, but a command may read what it creates.
 *
 * A comparison that takes too long counts as a match: better one file too many than one too few. */
#include "facts/matches.h"

#include "base/glob.h"
#include "base/path.h"

static bool has_wildcard(struct str component)
{
    return str_has(component, '*') || str_has(component, '?');
}

/* x.go, *.go, *_test.go: a pattern for a whole tree must say which kind of file it wants. */
static bool has_extension(struct str component)
{
    size_t dot = str_last_index(component, '.');

    return !has_wildcard(component) || (dot != STR_NONE && dot > 0 && dot + 1 < component.len &&
                                        !has_wildcard(str_from_byte(component, dot)));
}

/* "**" as a whole component, followed by the kind of file. Shells read it differently elsewhere. */
static bool has_plain_trees(struct str pattern)
{
    struct str rest = pattern, component;
    bool tree = false;

    while (rest.len) {
        str_cut(rest, '/', &component, &rest);
        tree |= str_is(component, "**");
        if (str_contains(component, STR("**")) && component.len > 2)
            return false;
    }
    return !tree || (!str_is(component, "**") && has_extension(component));
}

/* Only what bash, other shells and we read alike. */
static bool is_plain(struct str pattern)
{
    return str_until(pattern, "[](){}\\!^" WORD_UNKNOWN_TEXT) == pattern.len &&
           has_plain_trees(pattern);
}

/* The names in `directory` that the component matches; hidden ones only if it begins with a dot. */
static bool add_names(struct facts *f, char *name, struct str directory, struct str component,
                      struct strs *to)
{
    struct glob *g;

    if (glob_compile(f->arena, component, GLOB_NOCASE, &g, NULL) != STATUS_OK)
        return false;
    if (component.s[0] == '.' && glob_match_or(g, STR(".."), true))
        return false; /* older shells match ".." too */
    if (++f->listings > MATCHES_LISTINGS_MAX ||
        !f->world->list(f->world->context, directory.s, name, MATCHES_NAMES_MAX))
        return false;
    for (; *name; name += strlen(name) + 1) {
        if ((name[0] == '.' && component.s[0] != '.') || !glob_match_or(g, str_from(name), true))
            continue;
        if (to->count == MATCHES_MAX)
            return false;
        LIST_PUSH(f->arena, to, path_join(f->arena, directory, str_from(name)));
    }
    return true;
}

static bool is_real_directory(struct facts *f, struct str path)
{
    char resolved[WORLD_PATH_MAX];

    return f->world->kind(f->world->context, path.s) == FILE_DIRECTORY &&
           f->world->resolve(f->world->context, path.s, resolved) &&
           str_eq(path, str_from(resolved));
}

/* "**" is any directory below, or none: zsh reads it so, and bash with globstar. In a plain bash it
 * is "*", which is less, but also goes through a link: links are in the list, what is below them is
 * not. */
static bool add_tree(struct facts *f, char *names, struct str directory, struct strs *to)
{
    char resolved[WORLD_PATH_MAX];
    size_t first = to->count;

    if (!f->world->resolve(f->world->context, directory.s, resolved))
        return false;
    struct str real =
        str_copy(f->arena, str_from(resolved)); /* the path to the directory may contain links */
    LIST_PUSH(f->arena, to, directory);
    for (size_t i = first; i < to->count; i++) {
        struct str inside = str_from_byte(to->items[i], directory.len);
        struct strs found = {0};
        if (i > first && !is_real_directory(f, str_join(f->arena, real, inside)))
            continue;
        if (!add_names(f, names, to->items[i], STR("*"), &found))
            return false;
        for (size_t n = 0; n < found.count; n++)
            if (f->world->kind(f->world->context, found.items[n].s) != FILE_REGULAR)
                LIST_PUSH(f->arena, to, found.items[n]);
    }
    return true;
}

static bool add_component(struct facts *f, char *names, const struct strs *from,
                          struct str component, struct strs *to)
{
    for (size_t i = 0; i < from->count; i++) {
        if (str_is(component, "**")) {
            if (!add_tree(f, names, from->items[i], to))
                return false;
            continue;
        }
        if (!has_wildcard(component))
            LIST_PUSH(f->arena, to, path_join(f->arena, from->items[i], component));
        else if (!add_names(f, names, from->items[i], component, to))
            return false;
    }
    return true;
}

bool matches_find(struct facts *f, struct str pattern, struct strs *files)
{
    struct str rest = str_from_byte(pattern, 1), component;
    char *names = arena_bytes(f->arena, MATCHES_NAMES_MAX);
    struct strs at = {0};

    if (!f->world->list || pattern.len == 0 || pattern.s[0] != '/' || !is_plain(pattern))
        return false;
    LIST_PUSH(f->arena, &at, STR("/"));
    while (rest.len) {
        struct strs next = {0};
        str_cut(rest, '/', &component, &rest);
        if (!add_component(f, names, &at, component, &next))
            return false;
        at = next;
    }
    *files = at;
    return true;
}

/* xargs splits at blanks, quotes and backslashes, every reader at newlines, and a shell expands
 * wildcards. */
static bool is_safe_name(const char *name)
{
    for (; *name; name++)
        if (*name <= ' ' || strchr("\"'\\*?[", *name) || *name == 0x7f)
            return false;
    return true;
}

bool matches_below(struct facts *f, struct str directory, struct str name, struct strs *files)
{
    char *names = arena_bytes(f->arena, MATCHES_NAMES_MAX), resolved[WORLD_PATH_MAX];
    struct strs todo = {0};
    size_t seen = 0;
    struct glob *g;

    if (!f->world->list || glob_compile(f->arena, name, GLOB_NOCASE, &g, NULL) != STATUS_OK ||
        !f->world->resolve(f->world->context, directory.s, resolved))
        return false;
    LIST_PUSH(f->arena, &todo, str_copy(f->arena, str_from(resolved)));
    LIST_PUSH(f->arena, files, todo.items[0]);
    for (size_t i = 0; i < todo.count; i++) {
        if (++f->listings > MATCHES_LISTINGS_MAX ||
            !f->world->list(f->world->context, todo.items[i].s, names, MATCHES_NAMES_MAX))
            return false;
        for (const char *at = names; *at; at += strlen(at) + 1) {
            struct str path = path_join(f->arena, todo.items[i], str_from(at));
            if (++seen > MATCHES_TREE_MAX || !is_safe_name(at))
                return false;
            if (glob_match_or(g, str_from(at), true))
                LIST_PUSH(f->arena, files, path);
            if (is_real_directory(f, path))
                LIST_PUSH(f->arena, &todo, path);
        }
    }
    return true;
}
