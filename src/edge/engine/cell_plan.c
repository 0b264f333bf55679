/* cell_plan.c - what one command gets in the sandbox: the plan that warder-cell builds a cell from
 * (prog/cell/plan.h says what it means).
 *
 * The places are those of the tables that judge calls (facts/path_classes.h): what is protected
 * there cannot be written in a cell, what is secret cannot be read. Policy adds to them. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/path.h"
#include "engine/cell.h"
#include "facts/path_classes.h"
#include "facts/secret_names.h"
#include "facts/sensitive_paths.h"
#include "machine/worktree.h"

#define SANDBOX_HOME_DEPTH 3 /* how far below the home places of programs are looked for */

/* Inside a git directory: what decides which programs git runs. Everything else is git's to
 * write. */
static const char *const git_settings[] = {
    "config", "config.worktree", "hooks", "info/attributes", "commondir", "gitdir", "modules",
};

/* Where programs outside listen, and what belongs to a login. */
static const char *const runtime_places[] = {
    "/run/user", "/run/docker.sock",     "/run/containerd",      "/run/podman",    "/run/WSL",
    "/run/dbus", "/run/systemd/private", "/run/systemd/journal", "/tmp/.X11-unix", "/tmp/.ICE-unix",
};
static const char *const runtime_names[] = {"tmux-*", "ssh-*", "dbus-*", "claude-*", "gpg-*"};

/* Secrets, and ways to programs outside. */
static const char *const removed_variables[] = {
    "*TOKEN*",
    "*SECRET*",
    "*PASSWORD*",
    "*PASSWD*",
    "*API_KEY*",
    "*APIKEY*",
    "*PRIVATE_KEY*",
    "*CREDENTIAL*",
    "AWS_*",
    "AZURE_*",
    "GOOGLE_*",
    "ANTHROPIC_*",
    "OPENAI_*",
    "GITHUB_*",
    "GH_*",
    "SSH_AUTH_SOCK",
    "SSH_ASKPASS",
    "GIT_ASKPASS",
    "GPG_AGENT_INFO",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "VSCODE_IPC_HOOK_CLI",
    "VSCODE_GIT_*",
    "WSL_INTEROP",
    "KITTY_LISTEN_ON",
    "WEZTERM_UNIX_SOCKET",
    "NVIM",
    "DOCKER_HOST",
    "KUBECONFIG",
    "LD_*",
};

/* The names in a directory; each is listed once. */
struct listed {
    struct str directory;
    bool read; /* else it cannot be, and what is in it is not known */
    struct strs names;
};
struct listings LIST_OF(struct listed);

struct sandbox {
    const struct cell_order *order;
    const struct rulebook *book;
    struct str home;
    struct arena *arena;
    struct worktree tree;
    bool linked;
    struct strs write, protect, hide;
    struct strs own_write; /* of `write`: not for temporary files */
    struct strs real;      /* directories that are known to be no links, nor below one */
    struct listings listings;
};

/* ---- places ---- */

#define NAMES_SEARCHED 400 /* in a larger directory, looking a name up is faster */

/* As the disk has it, without links; empty if it is not there. */
static struct str real_path(struct arena *a, struct str path)
{
    char room[PATH_MAX];

    return realpath(path.s, room) ? str_copy(a, str_from(room)) : (struct str){0};
}

/* A plan can be shown of a place that is not there; warder-cell builds nothing for it. */
static struct str real_or_written(struct arena *a, struct str path)
{
    struct str real = real_path(a, path);

    return real.len ? real : path;
}

/* The same; most places are names in few directories, which are resolved once. */
static struct str resolve(struct sandbox *s, struct str path)
{
    struct str directory = path_dir(path);
    struct stat st;

    if (lstat(path.s, &st) != 0)
        return (struct str){0};
    if (!strs_has(&s->real, directory) &&
        str_eq(real_path(s->arena, str_copy(s->arena, directory)), directory))
        LIST_PUSH(s->arena, &s->real, directory);
    return S_ISLNK(st.st_mode) || !strs_has(&s->real, directory) ? real_path(s->arena, path) : path;
}

static void add_real(struct sandbox *s, struct strs *list, struct str real)
{
    if (real.len && !strs_has(list, real))
        LIST_PUSH(s->arena, list, real);
}

static void add(struct sandbox *s, struct strs *list, struct str path)
{
    add_real(s, list, resolve(s, path));
}

struct listing {
    struct arena *arena;
    DIR *open;
    struct strs names;
};

static void read_names(void *arg)
{
    struct listing *l = arg;
    const struct dirent *entry;

    while ((entry = readdir(l->open)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            LIST_PUSH(l->arena, &l->names, str_copy(l->arena, str_from(entry->d_name)));
}

static struct listed list_directory(struct sandbox *s, struct str directory)
{
    struct listing l = {.arena = s->arena, .open = opendir(str_copy(s->arena, directory).s)};

    if (!l.open)
        return (struct listed){.directory = directory};
    bool read = arena_try(s->arena, read_names, &l);
    (void)closedir(l.open);
    if (!read)
        arena_leave(s->arena);
    return (struct listed){directory, true, l.names};
}

static const struct listed *list_once(struct sandbox *s, struct str directory)
{
    for (size_t i = 0; i < s->listings.count; i++)
        if (str_eq(s->listings.items[i].directory, directory))
            return &s->listings.items[i];
    LIST_PUSH(s->arena, &s->listings, list_directory(s, directory));
    return &s->listings.items[s->listings.count - 1];
}

/* What is in a directory; nothing if it cannot be read. */
static struct strs list_names(struct sandbox *s, struct str directory)
{
    return list_once(s, directory)->names;
}

static void add_matching(struct sandbox *s, struct strs *list, struct str directory,
                         struct str pattern)
{
    struct strs names = list_names(s, directory);

    for (size_t i = 0; i < names.count; i++)
        if (path_class_component_is(pattern, names.items[i]))
            add(s, list, path_join(s->arena, directory, names.items[i]));
}

/* May there be such a path? Most rows are about files that nobody here has, and one listing answers
 * for many of them. A part with '*' ends the search. */
static bool may_be_there(struct sandbox *s, struct str base, struct str row)
{
    struct str first, rest;

    for (bool more = true; more; row = rest) {
        const struct listed *l = list_once(s, base);
        more = str_cut(row, '/', &first, &rest);
        first = more ? first : row;
        if (!l->read || l->names.count > NAMES_SEARCHED || str_has(first, '*'))
            return true;
        if (!strs_has(&l->names, first))
            return false;
        base = path_join(s->arena, base, first);
    }
    return true;
}

static void add_row(struct sandbox *s, struct strs *list, struct str base, const char *row)
{
    struct str path = path_join(s->arena, base, str_from(row));

    if (!may_be_there(s, base, str_from(row)) || str_has(path_dir(path), '*'))
        return;
    if (str_has(path_base(path), '*'))
        add_matching(s, list, path_dir(path), path_base(path));
    else
        add(s, list, path);
}

/* ---- what can be written ---- */

static void add_workspace(struct sandbox *s, struct str directory)
{
    struct str real = resolve(s, directory);

    if (!real.len || path_too_wide(real, s->home))
        return;
    add_real(s, &s->write, real);
    add_real(s, &s->own_write, real);
    add_real(s, &s->real, real);
}

static void find_writable(struct sandbox *s, struct str project)
{
    const struct strs *more = &s->book->sandbox.lists[SANDBOX_WRITE];
    const char *temporary = getenv("TMPDIR");

    add_workspace(s, project);
    for (size_t i = 0; i < s->book->directories.count; i++)
        add_workspace(s, s->book->directories.items[i].path);
    for (size_t i = 0; i < more->count; i++)
        add_workspace(s, more->items[i]);
    add(s, &s->write, STR("/tmp"));
    if (temporary && path_is_temporary(str_from(temporary)))
        add(s, &s->write, str_from(temporary));
    if (s->linked)
        add(s, &s->write, str_from(s->tree.common));
}

static bool is_writable(const struct sandbox *s, struct str path)
{
    for (size_t i = 0; i < s->write.count; i++)
        if (path_is_inside(path, s->write.items[i]))
            return true;
    return false;
}

/* ---- what is protected inside of that ---- */

static void protect_git(struct sandbox *s, struct str directory)
{
    for (size_t i = 0; i < COUNT(git_settings); i++)
        add_row(s, &s->protect, directory, git_settings[i]);
}

static bool is_git(const struct path_class *row)
{
    return strcmp(row->path, ".git") == 0;
}

/* Inside one directory that can be written. */
static void protect_in(struct sandbox *s, struct str directory)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    struct str git = path_join(s->arena, directory, STR(".git"));
    struct stat st;

    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].where == PATH_CLASS_ANYWHERE && !table->rows[i].made &&
            !is_git(&table->rows[i]))
            add_row(s, &s->protect, directory, table->rows[i].path);
    if (lstat(git.s, &st) != 0)
        return;
    if (S_ISDIR(st.st_mode))
        protect_git(s, git);
    else
        add(s, &s->protect, git);
}

/* The place that a deny rule is about, if it is a plain path; else empty. */
static struct str rule_place_of(struct sandbox *s, const struct rule *r, struct str project)
{
    const struct rule_path *p = r->path;
    struct str from = project;

    if (r->effect != BEHAVIOR_DENY || r->matcher != MATCH_PATH || !p || !p->names_one || p->up ||
        rule_is_long_form(r))
        return (struct str){0};
    if (p->anchor == ANCHOR_HOME)
        from = s->home;
    else if (p->anchor == ANCHOR_ROOT)
        from = STR("/");
    else if (p->anchor == ANCHOR_PROJECT && r->base.len)
        from = r->base;
    struct str below = str_from_byte(p->pattern, str_starts(p->pattern, STR("/")) ? 1 : 0);
    while (str_ends(below, STR("/**")) || str_ends(below, STR("/")))
        below.len -= str_ends(below, STR("/")) ? 1 : 3;
    return path_join(s->arena, from, str_copy(s->arena, below));
}

static void add_denied(struct sandbox *s, struct strs *list, unsigned access, struct str project)
{
    for (size_t i = 0; i < s->book->rules.count; i++) {
        const struct rule *r = &s->book->rules.items[i];
        struct str place = (r->access & access) ? rule_place_of(s, r, project) : (struct str){0};
        if (place.len)
            add(s, list, place);
    }
}

static void add_given(struct sandbox *s, struct strs *list, enum sandbox_list from)
{
    const struct strs *given = &s->book->sandbox.lists[from];

    for (size_t i = 0; i < given->count; i++)
        add(s, list, given->items[i]);
}

static void find_protected(struct sandbox *s, struct str project)
{
    struct strs found = {0};

    for (size_t i = 0; i < s->own_write.count; i++)
        protect_in(s, s->own_write.items[i]);
    for (size_t i = 0; i < s->order->own->count; i++)
        if (is_writable(s, s->order->own->items[i]))
            add(s, &found, s->order->own->items[i]);
    if (s->linked)
        protect_git(s, str_copy(s->arena, str_from(s->tree.common)));
    add_given(s, &found, SANDBOX_PROTECT);
    add_denied(s, &found, ACCESS_WRITE, project);
    for (size_t i = 0; i < found.count; i++)
        if (is_writable(s, found.items[i]))
            add(s, &s->protect, found.items[i]);
}

/* ---- what is hidden ---- */

/* Programs keep their own files in places of the home that begin with a dot. Those that are known
 * to hold no secrets stay visible; the rest is hidden as a whole, or entered where something of it
 * is open. */
static void hide_closed(struct sandbox *s, struct str directory, unsigned depth)
{
    struct path_class_search open = {
        .list = PATHS_OPEN, .home = s->home, .hidden = true, .literal_names = true};
    struct strs names = list_names(s, directory);
    struct str below;

    for (size_t i = 0; i < names.count; i++) {
        struct str path = path_join(s->arena, directory, names.items[i]);
        if (depth == 0 && names.items[i].s[0] != '.') {
            if (secret_name_is(names.items[i]))
                add(s, &s->hide, path);
            continue;
        }
        if (path_class_match(&open, path, false) < path_class_tables[PATHS_OPEN].count)
            continue;
        path_relative(s->home, path, &below);
        if (depth + 1 < SANDBOX_HOME_DEPTH &&
            path_class_lies_below(PATHS_OPEN, PATH_CLASS_HOME, below, PICK_ALL))
            hide_closed(s, path, depth + 1);
        else
            add(s, &s->hide, path);
    }
}

static void find_hidden(struct sandbox *s, struct str project)
{
    const struct path_class_table *table = &path_class_tables[PATHS_SECRET];

    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].where == PATH_CLASS_HOME)
            add_row(s, &s->hide, s->home, table->rows[i].path);
        else if (table->rows[i].where == PATH_CLASS_ROOT)
            add_row(s, &s->hide, STR("/"), table->rows[i].path);
    }
    hide_closed(s, s->home, 0);
    for (size_t i = 0; i < COUNT(runtime_places); i++)
        add_row(s, &s->hide, STR("/"), runtime_places[i] + 1);
    for (size_t i = 0; i < COUNT(runtime_names); i++)
        add_matching(s, &s->hide, STR("/tmp"), str_from(runtime_names[i]));
    add_given(s, &s->hide, SANDBOX_HIDE);
    add_denied(s, &s->hide, ACCESS_READ, project);
}

static bool has_workspace(const struct sandbox *s, struct str place)
{
    for (size_t i = 0; i < s->write.count; i++)
        if (path_is_inside(s->write.items[i], place))
            return true;
    return path_is_inside(s->home, place);
}

/* By the tables alone; what policy hides it does not reveal. */
static bool is_revealed(const struct sandbox *s, struct str place)
{
    const struct strs *shown = &s->book->sandbox.lists[SANDBOX_REVEAL];
    const struct strs *hidden = &s->book->sandbox.lists[SANDBOX_HIDE];

    for (size_t i = 0; i < shown->count; i++)
        if (path_is_inside(place, shown->items[i]) && !strs_has(hidden, place))
            return true;
    return false;
}

/* What is above the home or the workspace (a home of others, by the table: /root) stays. */
static void show_workspace(struct sandbox *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->hide.count; i++)
        if (!has_workspace(s, s->hide.items[i]) && !is_revealed(s, s->hide.items[i]))
            s->hide.items[kept++] = s->hide.items[i];
    s->hide.count = kept;
}

/* ---- the plan ---- */

static void put_names(struct json_writer *w, const char *key, const char *const *names,
                      size_t count)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < count; i++)
        json_text(w, str_from(names[i]));
    json_end_array(w);
}

static void put_refused(struct json_writer *w)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];

    json_key(w, "refuse");
    json_begin_array(w);
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].where == PATH_CLASS_ANYWHERE && !table->rows[i].made &&
            !is_git(&table->rows[i]))
            json_text(w, str_from(table->rows[i].path));
    json_end_array(w);
}

static void put_command(struct json_writer *w, const struct sandbox *s)
{
    size_t count = 0;

    while (s->order->words[count])
        count++;
    json_text_member(w, "program", str_from(s->order->program));
    put_names(w, "words", s->order->words, count);
    json_text_member(w, "directory", real_or_written(s->arena, s->order->directory));
}

/* A variable that policy keeps is set again after it was removed. */
static void put_environment(struct json_writer *w, struct sandbox *s)
{
    const struct strs *hidden = &s->book->sandbox.lists[SANDBOX_ENV_HIDE];
    const struct strs *kept = &s->book->sandbox.lists[SANDBOX_ENV_KEEP];

    json_key(w, "remove");
    json_begin_array(w);
    for (size_t i = 0; i < COUNT(removed_variables); i++)
        json_text(w, str_from(removed_variables[i]));
    for (size_t i = 0; i < hidden->count; i++)
        json_text(w, hidden->items[i]);
    json_end_array(w);
    json_key(w, "set");
    json_begin_array(w);
    json_text(w, str_format(s->arena, "WARDER_SANDBOX=%s", cell_tier_name(s->order->tier)));
    json_text(w, STR("GIT_TERMINAL_PROMPT=0"));
    for (size_t i = 0; i < kept->count; i++) {
        const char *value = getenv(str_copy(s->arena, kept->items[i]).s);
        if (value && !strs_has(hidden, kept->items[i]))
            json_text(w, str_format(s->arena, "%.*s=%s", STR_ARG(kept->items[i]), value));
    }
    json_end_array(w);
}

/* When it was made, and until when it counts: of one that is stored. */
static void put_validity(struct json_writer *w, const struct cell_order *o)
{
    if (!o->until)
        return;
    json_text_member(w, "boot", o->boot);
    json_text_member(w, "build", o->build);
    json_key(w, "until");
    json_int(w, o->until);
}

void cell_plan_write(struct arena *a, struct json_writer *w, const struct cell_order *order,
                     struct cell_places *places)
{
    struct sandbox s = {.order = order, .book = order->book, .home = order->home, .arena = a};
    struct str project = real_or_written(a, order->project);

    s.linked = worktree_find(project.s, &s.tree) && s.tree.linked;
    find_writable(&s, project);
    find_protected(&s, project);
    find_hidden(&s, project);
    show_workspace(&s);
    json_begin_object(w);
    json_key(w, "version");
    json_int(w, 1);
    put_command(w, &s);
    json_strings(w, "write", &s.write);
    json_strings(w, "protect", &s.protect);
    put_refused(w);
    json_strings(w, "hide", &s.hide);
    put_environment(w, &s);
    json_key(w, "background");
    json_bool(w, sandbox_value(&s.book->sandbox, SANDBOX_BACKGROUND) == BACKGROUND_KEEP);
    put_validity(w, order);
    json_end_object(w);
    *places = (struct cell_places){s.write, s.protect, s.hide};
}
