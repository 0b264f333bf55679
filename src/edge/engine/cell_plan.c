/* cell_plan.c - what one command gets in the sandbox: the plan that warder-cell builds a cell from
 * (prog/cell/plan.h says what it means).
 *
 * The places are those of the tables that judge calls (facts/path_classes.h): what is protected
 * there cannot be written in a cell, what is secret cannot be read. Policy adds to them. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/list.h"
#include "base/path.h"
#include "decide/contained_rules.h"
#include "engine/cell.h"
#include "engine/cell_network.h"
#include "engine/cell_search.h"
#include "facts/path_classes.h"
#include "facts/sensitive_paths.h"
#include "machine/worktree.h"

#define SAVED "warder-undo" /* what undo keeps there, if it is kept there */

/* Inside a git directory: what decides which programs git runs, and what is not git's. Everything
 * else is git's to write. */
static const char *const git_settings[] = {
    "config",    "config.worktree", "hooks",   "info/attributes",
    "commondir", "gitdir",          "modules", SAVED,
};

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

struct sandbox {
    const struct cell_order *order;
    const struct rulebook *book;
    struct str home;
    struct arena *arena;
    struct worktree tree;
    bool linked;
    struct strs write, protect, hide;
    struct strs own_write; /* of `write`: not for temporary files */
    struct strs hosts, set;
    struct cell_caches caches;
    struct cell_search search;
};

/* ---- places ---- */

/* A plan can be shown of a place that is not there; warder-cell builds nothing for it. */
static struct str find_directory(struct sandbox *s, struct str path)
{
    if (strs_has(&s->search.real, path))
        return path;
    struct str real = real_path(s->arena, path);
    if (!real.len)
        return path;
    LIST_PUSH(s->arena, &s->search.real, real);
    return real;
}

static void add(struct sandbox *s, struct strs *list, struct str path)
{
    cell_search_add(&s->search, list, path);
}

static void add_real(struct sandbox *s, struct strs *list, struct str real)
{
    cell_search_add_real(&s->search, list, real);
}

/* ---- what can be written ---- */

static bool is_directory(struct str real)
{
    struct stat st;

    return stat(real.s, &st) == 0 && S_ISDIR(st.st_mode);
}

static void add_workspace(struct sandbox *s, struct str directory)
{
    struct str real = cell_search_resolve(&s->search, directory);

    if (!real.len || !is_directory(real) || path_too_wide(real, s->home))
        return;
    add_real(s, &s->write, real);
    add_real(s, &s->own_write, real);
    add_real(s, &s->search.real, real);
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
    add_real(s, &s->search.real, directory);
    for (size_t i = 0; i < COUNT(git_settings); i++)
        add(s, &s->protect, path_join(s->arena, directory, str_from(git_settings[i])));
}

static bool is_git(const struct path_class *row)
{
    return strcmp(row->path, ".git") == 0;
}

/* The names in a directory that a row may begin with: few, and mostly none. */
static struct strs names_of_rows(struct sandbox *s, struct str directory)
{
    const struct strs names = cell_search_list(&s->search, directory)->names;
    struct strs found = {0};

    for (size_t i = 0; i < names.count; i++)
        if (path_class_may_begin(PATHS_PROTECTED, names.items[i]) &&
            !str_is(names.items[i], ".git"))
            LIST_PUSH(s->arena, &found, names.items[i]);
    return found;
}

static bool may_begin(const struct path_class *row, const struct strs *names)
{
    struct str path = str_from(row->path), first, rest;

    str_cut(path, '/', &first, &rest);
    return str_has(first, '*') || strs_has(names, first);
}

/* Inside one directory that can be written. */
static void protect_in(struct sandbox *s, struct str directory)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    const struct strs names = names_of_rows(s, directory);
    struct str git = path_join(s->arena, directory, STR(".git"));
    struct stat st;

    for (size_t i = 0; names.count && i < table->count; i++)
        if (table->rows[i].where == PATH_CLASS_ANYWHERE && !table->rows[i].made &&
            !is_git(&table->rows[i]) && may_begin(&table->rows[i], &names))
            cell_search_add_row(&s->search, &s->protect, directory, table->rows[i].path);
    if (lstat(git.s, &st) != 0)
        return;
    if (S_ISDIR(st.st_mode))
        protect_git(s, git);
    else
        add(s, &s->protect, git);
}

/* What is not in the project, whose names are known by now, need not be looked for on the disk. */
static bool may_be_in(struct sandbox *s, struct str project, struct str below)
{
    struct str first, rest;
    const struct listed *l = cell_search_list(&s->search, project);

    str_cut(below, '/', &first, &rest);
    for (size_t i = 0; i < l->names.count; i++)
        if (str_eq_nocase(l->names.items[i], first))
            return true;
    return !l->read || !first.len || first.s[0] == '.';
}

static void add_denied(struct sandbox *s, struct strs *list, unsigned access, struct str project)
{
    for (size_t i = 0; i < s->book->rules.count; i++) {
        const struct rule *r = &s->book->rules.items[i];
        struct str place = (r->access & access) ? contained_place(s->arena, r, s->home, project)
                                                : (struct str){0},
                   below;
        if (place.len && (!path_relative(project, place, &below) || may_be_in(s, project, below)))
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

static void find_hidden(struct sandbox *s, struct str project)
{
    cell_hidden_find(s->arena, s->home, s->order->memory, &s->hide);
    cell_hidden_passing(s->arena, &s->hide);
    add_given(s, &s->hide, SANDBOX_HIDE);
    add_denied(s, &s->hide, ACCESS_READ, project);
    if (s->order->tier != CELL_LANDLOCK) /* which cannot hide what is in the workspace */
        add(s, &s->hide, path_join(s->arena, project, STR(".git/" SAVED)));
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
    return strs_has(&s->book->sandbox.lists[SANDBOX_SOCKETS], place);
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

/* ---- without namespaces ---- */

#define TEMPORARY "/tmp"

/* Of sockets such a cell reaches none, and nothing else is in their directories. */
static bool has_only_sockets(struct str path)
{
    struct stat st = {0};
    DIR *open = lstat(path.s, &st) == 0 && S_ISDIR(st.st_mode) ? opendir(path.s) : NULL;
    bool only = open ? true : S_ISSOCK(st.st_mode);
    struct dirent *entry;

    while (open && only && (entry = readdir(open)))
        only = entry->d_type == DT_SOCK || strcmp(entry->d_name, ".") == 0 ||
               strcmp(entry->d_name, "..") == 0;
    if (open)
        (void)closedir(open);
    return only;
}

/* Such a cell can read what it can write. So where something is hidden in the directory for
 * temporary files, it has one of its own instead. */
static void leave_temporary(struct sandbox *s)
{
    bool hidden = false;
    size_t kept = 0;

    for (size_t i = 0; i < s->hide.count; i++)
        hidden = hidden || (path_is_inside(s->hide.items[i], STR(TEMPORARY)) &&
                            !has_only_sockets(s->hide.items[i]));
    if (!hidden)
        return;
    for (size_t i = 0; i < s->write.count; i++)
        if (!str_is(s->write.items[i], TEMPORARY))
            s->write.items[kept++] = s->write.items[i];
    s->write.count = kept;
    cell_own_temporary(s->arena, s->order, &s->caches, &s->set);
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

static void put_command(struct json_writer *w, struct sandbox *s)
{
    size_t count = 0;

    while (s->order->words[count])
        count++;
    json_text_member(w, "program", str_from(s->order->program));
    put_names(w, "words", s->order->words, count);
    json_text_member(w, "directory", find_directory(s, s->order->directory));
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
    if (s->hosts.count)
        cell_network_set(w);
    for (size_t i = 0; i < s->set.count; i++)
        json_text(w, s->set.items[i]);
    for (size_t i = 0; i < kept->count; i++) {
        const char *value = getenv(str_copy(s->arena, kept->items[i]).s);
        if (value && !strs_has(hidden, kept->items[i]))
            json_text(w, str_format(s->arena, "%.*s=%s", STR_ARG(kept->items[i]), value));
    }
    json_end_array(w);
}

/* Whoever can talk to somebody must not see what is secret in the workspace. */
static void find_network(struct sandbox *s)
{
    struct strs secrets = {0};

    s->caches = cell_caches(s->arena, s->order, &s->write, &s->set);
    s->hosts = cell_hosts(s->arena, s->order);
    if (!s->hosts.count)
        return;
    if (!cell_secrets(s->arena, &s->own_write, &secrets))
        s->hosts = (struct strs){0}; /* there may be more of them */
    for (size_t i = 0; i < secrets.count; i++)
        add(s, &s->hide, secrets.items[i]);
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

/* As policy names them, and as they are without links: programs do either. */
static void put_sockets(struct json_writer *w, struct sandbox *s)
{
    const struct strs *named = &s->book->sandbox.lists[SANDBOX_SOCKETS];
    struct strs found = {0};

    for (size_t i = 0; i < named->count; i++) {
        struct str real = real_path(s->arena, named->items[i]);
        if (real.len && !strs_has(&found, real))
            LIST_PUSH(s->arena, &found, real);
    }
    if (found.count)
        json_strings(w, "sockets", &found);
}

static void put_undo(struct json_writer *w, const struct cell_undo *u)
{
    if (!u->entry.len)
        return;
    json_key(w, "undo");
    json_begin_object(w);
    json_text_member(w, "entry", u->entry);
    json_text_member(w, "state", u->state);
    json_text_member(w, "project", u->project);
    json_key(w, "file");
    json_int(w, (int64_t)u->file);
    json_strings(w, "skip", &u->skip);
    json_true_member_if(w, "needed", u->needed);
    json_end_object(w);
}

void cell_plan_write(struct arena *a, struct json_writer *w, const struct cell_order *order,
                     struct cell_places *places)
{
    struct sandbox s = {.order = order,
                        .book = order->book,
                        .home = order->home,
                        .arena = a,
                        .search = {.arena = a}};
    struct str project = find_directory(&s, order->project);

    s.linked = worktree_find(project.s, &s.tree) && s.tree.linked;
    find_writable(&s, project);
    find_protected(&s, project);
    find_hidden(&s, project);
    show_workspace(&s);
    find_network(&s);
    if (order->tier == CELL_LANDLOCK)
        leave_temporary(&s);
    json_begin_object(w);
    if (order->call.len)
        json_text_member(w, "call", order->call); /* first: ask/cells.c looks for it there */
    json_key(w, "version");
    json_int(w, 1);
    json_text_member(w, "tier", str_from(cell_tier_name(order->tier)));
    put_command(w, &s);
    json_strings(w, "write", &s.write);
    json_strings(w, "protect", &s.protect);
    put_refused(w);
    json_strings(w, "hide", &s.hide);
    put_environment(w, &s);
    json_key(w, "background");
    json_bool(w, sandbox_value(&s.book->sandbox, SANDBOX_BACKGROUND) == BACKGROUND_KEEP);
    if (order->follow)
        json_true_member_if(w, "follow", true);
    cell_network_write(a, w, order, &s.hosts, &s.caches);
    put_sockets(w, &s);
    put_undo(w, &order->undo);
    put_validity(w, order);
    if (order->bound) {
        json_key(w, "bound");
        bound_write_all(w, order->bound);
    }
    json_end_object(w);
    *places = (struct cell_places){s.write, s.protect, s.hide, s.hosts};
}
