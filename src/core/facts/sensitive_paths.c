#include "facts/sensitive_paths.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/path.h"
#include "base/utf8_fold.h"
#include "facts/own_places.h"
#include "facts/path_classes.h"
#include "facts/remotes.h"
#include "facts/secret_names.h"
#include "facts/worktree.h"

/* Is `path` below `dir`, ignoring case? A file system may not distinguish cases. */
static bool below(struct str dir, struct str path, struct str *rest)
{
    if (dir.len == 0 || path.len <= dir.len || path.s[dir.len] != '/' ||
        !str_eq_nocase(str_slice(path, 0, dir.len), dir))
        return false;
    *rest = str_from_byte(path, dir.len + 1);
    return true;
}

#define PLACE_GLOB (GLOB_PATH | GLOB_NOCASE | GLOB_BRACES)

/* Could the pattern begin like the row? Only the part before its first wildcard is compared. */
static bool may_begin_like(struct str pattern, struct str place)
{
    size_t literal = 0;

    while (literal < pattern.len && literal < place.len &&
           !strchr("*?[]({})\\+@!", pattern.s[literal]) && place.s[literal] != '*')
        literal++;
    return str_eq_nocase(str_slice(pattern, 0, literal), str_slice(place, 0, literal)) &&
           (literal < pattern.len || literal == place.len || place.s[literal] == '*');
}

/* The row as a glob, to compare with a path that is a glob itself. */
static bool pattern_in(const struct facts *f, const struct path_class *p, struct str home,
                       struct str path, const struct glob *shell)
{
    struct glob *place;
    struct str at = p->where == PATH_CLASS_HOME
                        ? str_format(f->arena, "%.*s/%s", STR_ARG(home), p->path)
                        : str_format(f->arena, "/%s", p->path);

    if (p->where != PATH_CLASS_ANYWHERE && !may_begin_like(path, at))
        return false;
    if (p->where == PATH_CLASS_HOME)
        at = str_format(f->arena, "%s/%s", glob_escape(f->arena, home).s, p->path);
    at = str_format(f->arena, p->where == PATH_CLASS_ANYWHERE ? "/**%s{,/**}" : "%s{,/**}", at.s);
    if (glob_compile(f->arena, at, PLACE_GLOB, &place, NULL) != STATUS_OK)
        return true; /* unknown, so it could */
    return glob_intersects(place, shell);
}

/* In a shell, no wildcard matches a leading dot (shopt dotglob is not understood). So a pattern
 * without a component that begins with a dot finds nothing hidden. Patterns of other tools may, and
 * so may a path that cannot be resolved. */
static bool finds_hidden(const struct facts *f, struct str pattern)
{
    if (str_until(pattern, "[({\\") < pattern.len)
        return true;
    return f->call->kind != TOOL_SHELL || str_contains(pattern, STR("/.")) ||
           str_is(pattern, "/**");
}

static bool has_name(struct str path, const char *name)
{
    struct str component;

    while (path.len) {
        if (path_class_begins(str_from(name), path))
            return true;
        str_cut(path, '/', &component, &path);
    }
    return false;
}

static bool is_wanted(const struct path_class_search *s, const struct path_class *row)
{
    return row->own || !s->own;
}

static const struct path_class *first_row(const struct path_class_search *s)
{
    const struct path_class_table *table = &path_class_tables[s->list];
    size_t i = 0;

    while (i + 1 < table->count && !is_wanted(s, &table->rows[i]))
        i++;
    return &table->rows[i];
}

/* A pattern with classes, braces or escapes is compared with each row, glob against glob. That
 * costs a thousand times as much as a name, and a few kilobytes of text can contain thousands of
 * them. After the first ones, a pattern is assumed to match every row that needs care and no public
 * one. */
static const struct path_class *find_by_globs(const struct facts *f,
                                              const struct path_class_search *s, struct str pattern)
{
    const struct path_class_table *table = &path_class_tables[s->list];
    struct glob *shell;

    if (++f->cache->globbed > SENSITIVE_GLOBS_MAX ||
        glob_compile(f->arena, pattern, PLACE_GLOB, &shell, NULL) != STATUS_OK)
        return s->list == PATHS_PUBLIC ? NULL : first_row(s);
    for (size_t i = 0; i < table->count; i++) {
        const struct path_class *row = &table->rows[i];
        if (!is_wanted(s, row))
            continue;
        if (s->literal_names && row->where == PATH_CLASS_ANYWHERE
                ? has_name(str_from_byte(pattern, 1), row->path)
                : (s->hidden || row->path[0] != '.') && pattern_in(f, row, s->home, pattern, shell))
            return row;
    }
    return NULL;
}

/* The home, folded for comparisons; computed once in a decision. */
static struct str folded_home(const struct facts *f)
{
    if (f->cache->home.len == 0)
        f->cache->home = utf8_fold(f->arena, f->home);
    return f->cache->home;
}

static const struct path_class *look_up(const struct facts *f, enum path_class_list list,
                                        const struct subject_path *path, bool own)
{
    const struct path_class_table *table = &path_class_tables[list];
    /* Whether a pattern matches rows that are only a name is decided by its files (secret_among).
     * Here only the literal name counts, as written in the table (*.pem). */
    struct path_class_search s = {list, folded_home(f),
                                  !path->pattern || finds_hidden(f, path->written),
                                  path->files != NULL, own};

    if (path->pattern && !path_class_is_simple(path->written))
        return find_by_globs(f, &s, utf8_fold(f->arena, path->written));
    size_t row = path_class_match(&s, utf8_fold(f->arena, path->written), path->pattern);
    if (!path->pattern && path->resolved.len && !str_eq(path->resolved, path->written)) {
        size_t other = path_class_match(&s, utf8_fold(f->arena, path->resolved), false);
        row = other < row ? other : row;
    }
    return row < table->count ? &table->rows[row] : NULL;
}

/* Patterns are not cached: some of them are counted. */
static const struct path_class *find(const struct facts *f, enum path_class_list list,
                                     const struct subject_path *path)
{
    struct path_class_memory *places = path->pattern ? NULL : path->places;

    if (!places)
        return look_up(f, list, path, false);
    if (!places->known[list]) {
        places->place[list] = look_up(f, list, path, false);
        places->known[list] = true;
    }
    return places->place[list];
}

static bool inside_one(const struct facts *f, struct str path)
{
    if (f->workspace.len && path_is_inside(path, f->workspace))
        return true;
    for (size_t i = 0; i < f->book->directories.count; i++)
        if (path_is_inside(path, f->book->directories.items[i].path))
            return true;
    return worktree_is_linked(f, path);
}

/* Another user's home: every directory below /home but our own. */
static bool other_home(struct str path, struct str home)
{
    struct str rest;

    return below(STR("/home"), path, &rest) && !path_is_inside(path, home);
}

const char *path_protected(const struct facts *f, const struct subject_path *path)
{
    const struct path_class *p = find(f, PATHS_PROTECTED, path);

    return p ? p->what : own_place_listed(f, path);
}

bool path_may_be_formatted(const struct facts *f, const struct subject_path *path)
{
    const struct path_class *p = find(f, PATHS_PROTECTED, path);

    return p && p->formatted && path->access == ACCESS_READ;
}

const char *path_own_state(const struct facts *f, const struct subject_path *path)
{
    const struct path_class *p = find(f, PATHS_PROTECTED, path);

    if (p && !p->own) /* that is the first row; others may match, too */
        p = look_up(f, PATHS_PROTECTED, path, true);
    return p ? p->what : own_place_listed(f, path);
}

/* If the files that a pattern matches are known, they count too. */
static const char *secret_among(const struct facts *f, const struct subject_paths *files,
                                const char *(*is_secret)(const struct facts *f,
                                                         const struct subject_path *path))
{
    for (size_t i = 0; i < files->count; i++) {
        const char *what = is_secret(f, &files->items[i]);
        if (what || files->items[i].resolved.len == 0)
            return what ? what : "an unknown path";
    }
    return NULL;
}

/* Directories that are closed only with all that is below them, not by themselves. */
static bool is_parent(struct str in_home)
{
    return str_is(in_home, ".config") || str_is(in_home, ".local") ||
           str_is(in_home, ".local/share") || str_is(in_home, ".local/state");
}

/* What programs keep in the home for themselves, tokens among it: closed, but for what is known to
 * be none. */
static bool is_closed(const struct facts *f, struct str path)
{
    const struct path_class_search open = {
        .list = PATHS_OPEN, .home = folded_home(f), .hidden = true};
    struct str rest;

    return str_byte(path, f->home.len + 1) == '.' && below(f->home, path, &rest) &&
           !is_parent(rest) && !inside_one(f, path) &&
           path_class_match(&open, utf8_fold(f->arena, path), false) ==
               path_class_tables[PATHS_OPEN].count;
}

/* A directory is not named after what it holds, and a word without an ending that is no file may be
 * any word: npm test -- token. */
static bool is_named_secret(const struct facts *f, struct str path)
{
    struct str name = path_base(path);

    if (!secret_name_is(name))
        return false;
    enum file_kind kind = f->world->kind(f->world->context, str_copy(f->arena, path).s);
    return kind != FILE_DIRECTORY && (kind != FILE_ABSENT || str_has(name, '.'));
}

/* By its name or place, where no row covers it. */
static const char *secret_by_kind(const struct facts *f, struct str path, bool pattern)
{
    if (is_closed(f, path))
        return "a hidden path in the home directory";
    if (remotes_in_file(f, path))
        return "git settings with a password or token";
    return !pattern && is_named_secret(f, path) ? "a file with the name of a secret" : NULL;
}

static bool is_public(const struct facts *f, const struct subject_path *path)
{
    return !path->pattern && find(f, PATHS_PUBLIC, path) && str_eq(path->written, path->resolved);
}

const char *path_listed_secret(const struct facts *f, const struct subject_path *path)
{
    const struct path_class *p = find(f, PATHS_SECRET, path);

    if (p && is_public(f, path))
        return NULL;
    /* /root is another user's home unless it is ours or the workspace is there. */
    if (p && str_is(str_from(p->path), "root") &&
        (path_is_inside(path->written, f->home) || path_in_workspace(f, path)))
        p = NULL;
    if (p)
        return p->what;
    if (!path->pattern &&
        other_home(path->resolved.len ? path->resolved : path->written, f->home) &&
        !path_in_workspace(f, path))
        return "another user's home";
    return path->files ? secret_among(f, path->files, path_listed_secret) : NULL;
}

static const char *find_secret(const struct facts *f, const struct subject_path *path)
{
    const char *what = path_listed_secret(f, path);

    /* most paths are in no row, and need no look at the public ones */
    if (what || (!path->pattern && find(f, PATHS_SECRET, path) && is_public(f, path)))
        return what;
    what = secret_by_kind(f, path->written, path->pattern);
    if (!what && !path->pattern && path->resolved.len && !str_eq(path->written, path->resolved))
        what = secret_by_kind(f, path->resolved, false);
    return what || !path->files ? what : secret_among(f, path->files, path_secret);
}

const char *path_secret(const struct facts *f, const struct subject_path *path)
{
    struct path_class_memory *kept = path->pattern ? NULL : path->places;

    if (!kept)
        return find_secret(f, path);
    if (!kept->judged) {
        kept->secret = find_secret(f, path);
        kept->judged = true;
    }
    return kept->secret;
}

/* A file, or nothing at all: listing it shows no other names. Of a pattern, all that it matches. */
static bool is_no_directory(const struct facts *f, const struct subject_path *path)
{
    for (size_t i = 0; path->files && i < path->files->count; i++)
        if (!is_no_directory(f, &path->files->items[i]))
            return false;
    if (path->pattern)
        return path->files != NULL;
    enum file_kind kind = f->world->kind(f->world->context, str_copy(f->arena, path->written).s);
    return kind != FILE_DIRECTORY && kind != FILE_UNKNOWN;
}

const char *path_shows_secret(const struct facts *f, const struct subject_path *path)
{
    const char *what = path_secret(f, path);

    return what && path->listed && path->access == ACCESS_READ && is_no_directory(f, path) ? NULL
                                                                                           : what;
}

bool path_overwrites_secret(const struct facts *f, const struct subject_path *path)
{
    return path_secret(f, path) &&
           (path->pattern || f->world->kind(f->world->context, path->written.s) != FILE_ABSENT);
}

/* Does the directory contain a secret with a fixed path? */
static bool secret_below(const struct facts *f, struct str directory, enum path_class_pick pick)
{
    struct str in_home, in_root;

    if (path_is_inside(f->home, directory) || directory.len == 1)
        return true;
    return (path_relative(f->home, directory, &in_home) &&
            path_class_lies_below(PATHS_SECRET, PATH_CLASS_HOME, in_home, pick)) ||
           (path_relative(STR("/"), directory, &in_root) &&
            path_class_lies_below(PATHS_SECRET, PATH_CLASS_ROOT, in_root, pick));
}

static bool is_open(const struct facts *f, struct str directory, enum path_class_pick pick)
{
    return !path_too_wide(directory, f->home) &&
           (!secret_below(f, directory, pick) || /* /proc/cpuinfo has nothing below it */
            f->world->kind(f->world->context, str_copy(f->arena, directory).s) == FILE_REGULAR);
}

static bool are_open(const struct facts *f, const struct subject_path *path,
                     enum path_class_pick pick)
{
    for (size_t i = 0; path->files && i < path->files->count; i++)
        if (!are_open(f, &path->files->items[i], pick))
            return false;
    if (path->pattern)
        return path->files != NULL;
    return is_open(f, path->written, pick) &&
           (str_eq(path->written, path->resolved) || is_open(f, path->resolved, pick));
}

bool path_readable_below(const struct facts *f, const struct subject_path *path)
{
    return are_open(f, path, PICK_ALL);
}

bool path_listable_below(const struct facts *f, const struct subject_path *path)
{
    return are_open(f, path, PICK_DIRECTORIES);
}

bool path_in_workspace(const struct facts *f, const struct subject_path *path)
{
    return !path->pattern && path->resolved.len && inside_one(f, path->written) &&
           (str_eq(path->written, path->resolved) || inside_one(f, path->resolved));
}

/* Directories for temporary files; '*' is one component. The last ones are what mktemp uses on
 * macOS. */
static const struct str temporary_places[] = {STR("tmp"),
                                              STR("var/tmp"),
                                              STR("private/tmp"),
                                              STR("private/var/tmp"),
                                              STR("var/folders/*/*/T"),
                                              STR("private/var/folders/*/*/T")};

/* Names that programs use there for themselves: writing to one talks to the program or stops it. */
static const char *const runtime_names[] = {
    ".*",      "ssh-*",   "tmux-*",   "screen*", "systemd-*", "dbus-*", "gpg-*",      "snap*",
    "pulse-*", "krb5cc*", "vscode-*", "warder*", "claude*",   "codex*", "com.apple.*"};

static bool is_runtime_name(struct str name)
{
    for (size_t i = 0; i < COUNT(runtime_names); i++)
        if (path_class_component_is(str_from(runtime_names[i]), name))
            return true;
    return false;
}

bool path_is_temporary(struct str path)
{
    for (size_t i = 0; path.len > 1 && i < COUNT(temporary_places); i++) {
        struct str place = temporary_places[i], rest = str_from_byte(path, 1), component, name;
        if (!path_class_begins(place, rest))
            continue;
        for (size_t n = path_depth(place); n > 0; n--)
            str_cut(rest, '/', &component, &rest);
        str_cut(rest, '/', &name, &component);
        if (name.len && !is_runtime_name(name))
            return true;
    }
    return false;
}

/* The first letter rules out most. */
static bool begins_with_one(const struct str *places, size_t count, struct str path)
{
    for (size_t i = 0; i < count; i++)
        if (ascii_lower(places[i].s[0]) == ascii_lower(path.s[0]) &&
            path_class_begins(places[i], path))
            return true;
    return false;
}

/* Where installers and tool chains put programs in a home, besides its hidden directories. */
static const struct str program_places[] = {STR("Android"),     STR("Applications"),
                                            STR("Library"),     STR("anaconda*"),
                                            STR("bin"),         STR("flutter/bin"),
                                            STR("go/bin"),      STR("go/pkg"),
                                            STR("homebrew"),    STR("google-cloud-sdk"),
                                            STR("mambaforge*"), STR("micromamba*"),
                                            STR("miniconda*"),  STR("miniforge*"),
                                            STR("n/bin"),       STR("opt"),
                                            STR("perl5"),       STR("sdk")};

bool path_is_of_programs(const struct facts *f, struct str path)
{
    struct str rest;

    if (f->home.len > 1 && below(f->home, path, &rest))
        return rest.s[0] == '.' || begins_with_one(program_places, COUNT(program_places), rest);
    return path.len > 1 &&
           !begins_with_one(temporary_places, COUNT(temporary_places), str_from_byte(path, 1));
}

bool path_in_temporary(const struct facts *f, const struct subject_path *path)
{
    (void)f;
    return !path->pattern && path->resolved.len && path_is_temporary(path->written) &&
           path_is_temporary(path->resolved);
}

/* The agent edits the project's own code, which may be run: replacing what was checked gains
 * nothing. */
static bool runs_what_it_edits(const struct facts *f)
{
    return f->mode == MODE_ACCEPT_EDITS && f->workspace.len && !f->book->runners_off;
}

bool path_unwatched(const struct facts *f, struct str directory)
{
    static const struct str made = STR("/tmp.");
    char resolved[WORLD_PATH_MAX];
    struct subject_path p = {.written = directory};

    if (!f->world->resolve(f->world->context, str_copy(f->arena, directory).s, resolved))
        return true;
    p.resolved = str_from(resolved);
    return !runs_what_it_edits(f) && !path_in_workspace(f, &p) &&
           (str_contains(p.written, made) || str_contains(p.resolved, made));
}

bool path_unlikely(const struct facts *f, const struct subject_path *path, bool recursive)
{
    if (!path->unlikely || (path->access & ACCESS_DELETE))
        return false;
    return !(path->access & ACCESS_READ) ||
           (!path_secret(f, path) && (!recursive || path_readable_below(f, path)));
}

bool path_too_wide(struct str path, struct str home)
{
    return path.len <= 1 || path_is_inside(home, path) || str_is(path, "/home") ||
           str_is(path, "/root");
}
