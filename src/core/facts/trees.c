/* trees.c - walks whole directories that the call reads or writes.
 *
 * What is looked for depends on what the program does there. Contents that are printed: names of
 * secrets. Programs that follow links: links, and what they lead to. Programs that write whole
 * trees: links again, since a file is written through one. Most recursive commands are searches for
 * a word, and need none of these. */
#include "facts/trees.h"

#include "base/glob.h"
#include "base/path.h"
#include "facts/path_classes.h"
#include "facts/secret_names.h"
#include "facts/sensitive_paths.h"

#define TEXT_MAX ((size_t)64 * 1024) /* bytes of a file that are searched; one with more counts */

struct tree_walk {
    const struct facts *f;
    const struct action *action;
    bool secrets; /* look for names of secrets */
    bool hidden;  /* also for those with a leading dot, and below such directories */
    bool links;   /* look at links, */
    bool writes;  /* which are written through */
    bool own_git; /* only what git would add: not its own files, nor directories that it ignores, */
    bool all;     /* though it may ignore none of them when it comes to that */
    struct strs *into;  /* collect all secrets instead of ending with the first one; */
    struct strs closed; /* directories of which everything is one */
    struct strs todo;
    struct str directory, root; /* that is being listed, and where it began */
    const char *found;
    const struct tree_visitor *visitor;
};

static const char *found_at(const struct facts *f, const char *what, struct str path)
{
    return str_format(f->arena, "%s: %.*s", what, STR_ARG(path)).s;
}

static bool fits(const struct facts *f, struct str glob, const char *name)
{
    struct glob *g;

    return glob_compile(f->arena, glob, GLOB_NOCASE | GLOB_BRACES, &g, NULL) != STATUS_OK ||
           glob_match_or(g, str_from(name), true);
}

/* Is the file surely left out? The glob is read more narrowly. */
static bool is_left_out(const struct facts *f, struct str glob, const char *name)
{
    struct glob *g;

    return glob_compile(f->arena, glob, GLOB_BRACES, &g, NULL) == STATUS_OK &&
           glob_match_or(g, str_from(name), false);
}

/* May the action read a file of this name? The last glob that matches decides; one with a leading
 * "!" excludes. */
static bool is_read(const struct facts *f, const struct strs *only, const char *name)
{
    bool read = true;

    for (size_t i = 0; i < only->count; i++)
        read &= only->items[i].s[0] == '!';
    for (size_t i = 0; i < only->count; i++) {
        struct str glob = only->items[i];
        if (glob.s[0] == '!')
            read &= !is_left_out(f, str_from_byte(glob, 1), name);
        else
            read |= fits(f, glob, name);
    }
    return read;
}

/* Until the next one. False: it cannot be read, or is too large. */
static bool text_of(const struct facts *f, struct str path, struct str *out)
{
    if (!f->cache->searched)
        f->cache->searched = arena_room(f->arena, TEXT_MAX, 1);
    *out = (struct str){f->cache->searched, 0};
    return f->world->text &&
           f->world->text(f->world->context, path.s, f->cache->searched, TEXT_MAX, &out->len);
}

/* ---- hidden names ---- */

/* Does a line of an ignore file take the name out of what is left out: "!.env"? */
static bool line_lets_in(const struct facts *f, struct str line, const char *name)
{
    while (line.len && strchr("/ \t\r", line.s[line.len - 1]))
        line.len--;
    return str_starts(line, STR("!")) && fits(f, path_base(str_from_byte(line, 1)), name);
}

static bool file_lets_in(const struct facts *f, struct str path, const char *name)
{
    struct str line, rest;

    if (f->world->kind(f->world->context, path.s) == FILE_ABSENT)
        return false;
    if (!text_of(f, path, &rest))
        return true; /* there is much in it, or it cannot be read */
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        if (line_lets_in(f, line, name))
            return true;
    }
    return false;
}

/* A hidden name is searched all the same where a glob of the command line lets it in, or an ignore
 * file of its directory or one above: rg -g '*.env', "!.env" in .gitignore. */
static bool is_let_in(const struct facts *f, const struct action *a, struct str directory,
                      const char *name)
{
    static const char *const files[] = {".gitignore", ".ignore", ".rgignore"};

    for (size_t i = 0; i < a->only.count; i++)
        if (a->only.items[i].s[0] != '!' && fits(f, a->only.items[i], name))
            return true;
    for (; directory.len > 1; directory = path_dir(directory))
        for (size_t i = 0; i < COUNT(files); i++)
            if (file_lets_in(f, path_join(f->arena, directory, str_from(files[i])), name))
                return true;
    return false;
}

/* Is a name of the path, below the root, hidden and not let in? */
static bool is_skipped_below(const struct facts *f, const struct action *a, struct str path,
                             struct str root)
{
    struct str name, rest = str_from_byte(path, root.len);

    while (rest.len) {
        str_cut(rest, '/', &name, &rest);
        const struct str directory = {path.s, (size_t)(name.s - path.s)};
        if (str_starts(name, STR(".")) &&
            !is_let_in(f, a, path_clean(f->arena, directory), str_copy(f->arena, name).s))
            return true;
    }
    return false;
}

static bool may_be_secret(const char *name)
{
    const struct path_class_search search = {.list = PATHS_SECRET, .hidden = true};

    return strcmp(name, "config") == 0 || strcmp(name, ".gitconfig") == 0 ||
           path_class_match(&search, str_from(name), false) !=
               path_class_tables[PATHS_SECRET].count ||
           secret_name_is(str_from(name));
}

/* Most names match no row, and need no path. A row may be about a place from the root, so a match
 * is confirmed with the whole path. */
static const char *secret_here(const struct tree_walk *w, const char *name, bool is_directory)
{
    const struct facts *f = w->f;
    struct subject_path p = {0};

    if (!may_be_secret(name) || (!is_directory && !is_read(f, &w->action->only, name)))
        return NULL;
    p.written = p.resolved = path_join(f->arena, w->directory, str_from(name));
    const char *what = path_secret(f, &p);
    return what ? found_at(f, what, p.written) : NULL;
}

static void enter(struct tree_walk *w, struct str directory)
{
    for (size_t i = 0; i < w->todo.count; i++)
        if (str_eq(w->todo.items[i], directory))
            return;
    LIST_PUSH(w->f->arena, &w->todo, directory);
}

static const char *read_through(struct tree_walk *w, const struct subject_path *p)
{
    const struct facts *f = w->f;
    const char *what = path_secret(f, p);

    if (what)
        return found_at(f, what, p->written);
    if (f->world->kind(f->world->context, p->resolved.s) != FILE_DIRECTORY)
        return NULL;
    if (!path_readable_below(f, p))
        return found_at(f, "a link to much more", p->written);
    if (!path_is_inside(p->resolved, w->root))
        enter(w, p->resolved);
    return NULL;
}

static const char *write_through(const struct facts *f, const struct subject_path *p)
{
    const char *what = path_protected(f, p);

    if (what)
        return found_at(f, what, p->written);
    return path_in_workspace(f, p) || path_in_temporary(f, p)
               ? NULL
               : found_at(f, "a link that leaves the workspace", p->written);
}

static const char *link_here(struct tree_walk *w, const char *name)
{
    const struct facts *f = w->f;
    struct subject_path p = {.written = path_join(f->arena, w->directory, str_from(name))};
    char resolved[WORLD_PATH_MAX];

    if (!f->world->resolve(f->world->context, p.written.s, resolved))
        return found_at(f, "a link to an unknown place", p.written);
    p.resolved = str_copy(f->arena, str_from(resolved));
    return w->writes ? write_through(f, &p) : read_through(w, &p);
}

/* git's own files hold no secret but those of its configuration, and there are many. */
static const char *git_here(const struct tree_walk *w)
{
    struct str config = path_join(w->f->arena, w->directory, STR(".git/config"));
    struct subject_path p = {.written = config, .resolved = config};
    const char *what = w->secrets ? path_secret(w->f, &p) : NULL;

    return what ? found_at(w->f, what, config) : NULL;
}

/* git stash -u takes what git does not track, but for what it ignores. */
static bool leaves_ignored(const struct tree_walk *w, const char *name)
{
    struct str path = path_join(w->f->arena, w->directory, str_from(name));

    return !w->all && (w->action->effects & EFFECT_REPO) && w->f->world->ignored &&
           w->f->world->ignored(w->f->world->context, path.s);
}

/* Most hidden files are of no interest anyway. */
static bool is_skipped(const struct tree_walk *w, const char *name, enum entry_kind kind)
{
    return name[0] == '.' && !w->hidden &&
           ((kind == ENTRY_OTHER && !may_be_secret(name)) ||
            !is_let_in(w->f, w->action, w->directory, name));
}

static bool look(void *to, const char *name, enum entry_kind kind)
{
    struct tree_walk *w = to;

    if (++w->f->cache->walked > TREES_ENTRIES_MAX) {
        w->found = "more files than can be looked at";
    } else if (is_skipped(w, name, kind)) {
        return true;
    } else if (strcmp(name, ".git") == 0) {
        w->found = w->own_git ? NULL : git_here(w);
    } else {
        w->found = w->secrets ? secret_here(w, name, kind == ENTRY_DIRECTORY) : NULL;
        if (w->found && leaves_ignored(w, name))
            w->found = NULL;
        if (!w->found && kind == ENTRY_LINK && w->links)
            w->found = link_here(w, name);
        else if (kind == ENTRY_DIRECTORY && !(w->own_git && leaves_ignored(w, name)))
            LIST_PUSH(w->f->arena, &w->todo, path_join(w->f->arena, w->directory, str_from(name)));
    }
    return !w->found;
}

static const char *walk_with(struct tree_walk *w, struct str root, world_entry *look_at)
{
    const struct world *world = w->f->world;

    if (world->kind(world->context, root.s) != FILE_DIRECTORY)
        return NULL; /* a file has its own entry, and what is absent has nothing below it */
    if (!world->scan)
        return "files that cannot be listed";
    w->root = root;
    LIST_PUSH(w->f->arena, &w->todo, root);
    for (size_t i = 0; i < w->todo.count && !w->found; i++) {
        w->directory = w->todo.items[i];
        if (!world->scan(world->context, w->directory.s, look_at, w) && !w->found)
            return found_at(w->f, "a directory that cannot be listed", w->directory);
    }
    return w->found;
}

static const char *walk(struct tree_walk *w, struct str root)
{
    return walk_with(w, root, look);
}

static bool leaves_names(const struct action *a)
{
    return a->row && a->row->brings == BRINGS_COPIES;
}

/* A program that reads contents and of which nobody says how it treats links may follow them. */
static bool may_follow(const struct action *a)
{
    return a->follows || !a->row || (!a->row->follows && !a->lists);
}

/* Of the files in a directory, git prints those that it keeps (staged.h), but for git grep
 * --untracked. */
static bool prints_kept(const struct action *a)
{
    return action_is_git(a) && (!a->broad || a->row->shows == SHOWS_OBJECTS ||
                                (a->row->shows == SHOWS_LINES && !a->unhidden));
}

/* ---- searches ---- */

/* What came with packages is no secret of this project, and there is much of it. */
static bool is_installed(const char *name)
{
    static const char *const names[] = {"bower_components", "dist-packages", "node_modules",
                                        "site-packages"};

    return STR_IN(str_from(name), names);
}

static bool is_closed(const struct tree_walk *w)
{
    for (size_t i = 0; i < w->closed.count; i++)
        if (path_is_inside(w->directory, w->closed.items[i]))
            return true;
    return false;
}

static void collect(struct tree_walk *w, const char *name, bool is_directory)
{
    const struct facts *f = w->f;
    struct str path = {0};
    bool closed = is_closed(w);

    if (!is_directory && !closed && !may_be_secret(name))
        return;
    path = path_join(f->arena, w->directory, str_from(name));
    const struct subject_path p = {.written = path, .resolved = path};
    if (is_directory) {
        if (!closed && may_be_secret(name) && path_secret(f, &p))
            LIST_PUSH(f->arena, &w->closed, path);
        if (!is_installed(name))
            LIST_PUSH(f->arena, &w->todo, path);
    } else if (closed || path_secret(f, &p)) {
        LIST_PUSH(f->arena, w->into, path);
    }
}

/* Whether git's own settings hold one is looked up where they are. */
static void collect_git(struct tree_walk *w)
{
    struct str config = path_join(w->f->arena, w->directory, STR(".git/config"));
    const struct subject_path p = {.written = config, .resolved = config};

    if (path_secret(w->f, &p))
        LIST_PUSH(w->f->arena, w->into, config);
}

static bool look_for_all(void *to, const char *name, enum entry_kind kind)
{
    struct tree_walk *w = to;

    if (++w->f->cache->walked > TREES_ENTRIES_MAX)
        w->found = "more files than can be looked at";
    else if (strcmp(name, ".git") == 0)
        collect_git(w);
    else
        collect(w, name, kind == ENTRY_DIRECTORY);
    return !w->found;
}

/* All secrets below the directory; remembered, because a call has several searches of one place. */
static const struct tree_secrets *secrets_below(const struct facts *f, struct str root)
{
    struct tree_secrets *known = f->cache->secrets;

    for (; known; known = known->next)
        if (str_eq(known->root, root))
            return known;
    known = ARENA_NEW(f->arena, struct tree_secrets);
    *known = (struct tree_secrets){.next = f->cache->secrets, .root = str_copy(f->arena, root)};
    f->cache->secrets = known;
    struct tree_walk w = {.f = f, .into = &known->files};
    known->why_not = walk_with(&w, known->root, look_for_all);
    return known;
}

/* Can a line be printed of it, or its name? Too large: perhaps. */
static bool has_chosen(const struct facts *f, const struct action *a, struct str path)
{
    struct str text;

    if (!text_of(f, path, &text))
        return true;
    for (size_t i = 0; i < a->chosen.count; i++)
        if (str_contains_nocase(text, a->chosen.items[i]))
            return true;
    return false;
}

/* A search: a secret counts if it has what is searched for. */
static const char *search_doubt(const struct facts *f, const struct action *a,
                                const struct subject_path *path, bool hidden)
{
    struct str root = str_copy(f->arena, path->resolved);

    if (f->world->kind(f->world->context, root.s) != FILE_DIRECTORY)
        return NULL;
    const struct tree_secrets *below = secrets_below(f, root);
    for (size_t i = 0; i < below->files.count; i++) {
        struct str file = below->files.items[i];
        if ((!hidden && is_skipped_below(f, a, file, root)) ||
            !is_read(f, &a->only, path_base(file).s))
            continue;
        if (has_chosen(f, a, file))
            return found_at(f, "a secret with what is searched for", file);
    }
    return below->why_not;
}

/* ---- whoever else asks ---- */

static bool visit_link(struct tree_walk *w, const char *name)
{
    const struct facts *f = w->f;
    struct str written = path_join(f->arena, w->directory, str_from(name));
    char resolved[WORLD_PATH_MAX];

    if (!f->world->resolve(f->world->context, written.s, resolved)) {
        w->found = found_at(f, "a link to an unknown place", written);
        return false;
    }
    struct str to = str_copy(f->arena, str_from(resolved));
    if (!w->visitor->meets(w->visitor->to, path_dir(to), path_base(to).s, TREE_TARGET))
        return false;
    if (!path_is_inside(to, w->root) && f->world->kind(f->world->context, to.s) == FILE_DIRECTORY &&
        w->visitor->enters(w->visitor->to, to))
        enter(w, to);
    return true;
}

static bool visit_name(struct tree_walk *w, const char *name, enum entry_kind kind)
{
    const struct tree_visitor *v = w->visitor;

    if (!v->meets(v->to, w->directory, name, kind == ENTRY_DIRECTORY ? TREE_DIRECTORY : TREE_FILE))
        return false;
    if (kind == ENTRY_LINK && v->links)
        return visit_link(w, name);
    if (kind != ENTRY_DIRECTORY)
        return true;
    struct str path = path_join(w->f->arena, w->directory, str_from(name));
    if (v->enters(v->to, path))
        LIST_PUSH(w->f->arena, &w->todo, path);
    return true;
}

static bool visit(void *to, const char *name, enum entry_kind kind)
{
    struct tree_walk *w = to;

    if ((++w->f->cache->walked > TREES_ENTRIES_MAX || !visit_name(w, name, kind)) && !w->found)
        w->found = "more files than can be looked at";
    return !w->found;
}

const char *tree_visit(const struct facts *f, struct str root, const struct tree_visitor *visitor)
{
    struct tree_walk w = {.f = f, .visitor = visitor};

    return walk_with(&w, str_copy(f->arena, root), visit);
}

/* Not git, which has a column for files that it does not track: it searches hidden ones that it
 * does. */
static bool skips_hidden(const struct action *a, unsigned access)
{
    return !(access & ACCESS_WRITE) && a->row && a->row->unhides && !a->unhidden &&
           !action_is_git(a);
}

bool tree_has_links(const struct action *a, const struct subject_path *path)
{
    return (path->access & ACCESS_WRITE) || (may_follow(a) && path->access == ACCESS_READ);
}

/* Where a link leads, the name that is skipped or not is that of the link. */
bool tree_is_reached(const struct facts *f, const struct action *a, unsigned access,
                     struct str root, struct str path, enum tree_met as)
{
    if (as == TREE_TARGET)
        return true;
    if (skips_hidden(a, access) && path_is_inside(path, root) && is_skipped_below(f, a, path, root))
        return false;
    return as == TREE_DIRECTORY || is_read(f, &a->only, path_base(path).s);
}

static struct tree_walk walk_for(const struct facts *f, const struct action *a,
                                 const struct subject_path *path)
{
    struct tree_walk w = {.f = f, .action = a, .writes = (path->access & ACCESS_WRITE) != 0};

    w.hidden = !skips_hidden(a, path->access);
    w.secrets = path->access == ACCESS_READ && !a->lists && !leaves_names(a) && !prints_kept(a);
    w.links = tree_has_links(a, path);
    return w;
}

static const char *doubt_one(const struct facts *f, const struct action *a,
                             const struct subject_path *path)
{
    struct tree_walk w = walk_for(f, a, path);
    const char *found = NULL;

    if (path->resolved.len == 0)
        return NULL;
    if (w.secrets && a->selects) { /* without words only names are printed */
        found = a->chosen.count ? search_doubt(f, a, path, w.hidden) : NULL;
        w.secrets = false;
    }
    return found || (!w.secrets && !w.links) ? found : walk(&w, str_copy(f->arena, path->resolved));
}

static const char *doubt_any(const struct facts *f, const struct action *a,
                             const struct subject_path *path)
{
    const char *what = path->pattern ? NULL : doubt_one(f, a, path);

    for (size_t i = 0; !what && path->files && i < path->files->count; i++) {
        struct subject_path file = path->files->items[i];
        file.access = path->access;
        what = doubt_one(f, a, &file);
    }
    return what;
}

const char *tree_doubt(const struct facts *f, const struct action *a,
                       const struct subject_path *path)
{
    struct path_class_memory *kept = path->places;

    if (!a->recursive || path->below || (path->access & ACCESS_DELETE))
        return NULL;
    if (!kept)
        return doubt_any(f, a, path);
    if (!kept->walked) {
        kept->tree = doubt_any(f, a, path);
        kept->walked = true;
    }
    return kept->tree;
}

const char *tree_unignored_secret(const struct facts *f, struct str directory, bool all)
{
    const struct action git = {.effects = EFFECT_REPO};
    struct tree_walk w = {
        .f = f, .action = &git, .hidden = true, .secrets = true, .own_git = true, .all = all};

    return walk(&w, str_copy(f->arena, directory));
}
