/* sandbox.c - what one command gets in the sandbox: the plan that warder-cell builds a cell from
 * (prog/cell/plan.h says what it means).
 *
 * The places are those of the tables that judge calls (facts/path_classes.h): what is protected
 * there cannot be written in a cell, what is secret cannot be read. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/path.h"
#include "engine/report.h"
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

struct sandbox {
    const warder_engine *engine;
    const char *program;
    const char *const *words;
    struct arena *arena;
    struct strs write, protect, hide;
};

/* ---- places ---- */

static bool is_there(struct str path)
{
    struct stat st;

    return lstat(path.s, &st) == 0;
}

/* As the disk has it, without links; empty if it is not there. */
static struct str real_path(struct arena *a, struct str path)
{
    char room[PATH_MAX];

    return realpath(path.s, room) ? str_copy(a, str_from(room)) : (struct str){0};
}

static void add(struct sandbox *s, struct strs *list, struct str path)
{
    struct str real = real_path(s->arena, path);

    if (real.len && !strs_has(list, real))
        LIST_PUSH(s->arena, list, real);
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

/* What is in a directory; nothing if it cannot be read. */
static struct strs list_names(struct arena *a, struct str directory)
{
    struct listing l = {.arena = a, .open = opendir(str_copy(a, directory).s)};

    if (!l.open)
        return (struct strs){0};
    bool read = arena_try(a, read_names, &l);
    (void)closedir(l.open);
    if (!read)
        arena_leave(a);
    return l.names;
}

static void add_matching(struct sandbox *s, struct strs *list, struct str directory,
                         struct str pattern)
{
    struct strs names = list_names(s->arena, directory);

    for (size_t i = 0; i < names.count; i++)
        if (path_class_component_is(pattern, names.items[i]))
            add(s, list, path_join(s->arena, directory, names.items[i]));
}

static void add_row(struct sandbox *s, struct strs *list, struct str base, const char *row)
{
    struct str path = path_join(s->arena, base, str_from(row));

    if (str_has(str_from(row), '*'))
        add_matching(s, list, path_dir(path), path_base(path));
    else if (is_there(path))
        add(s, list, path);
}

/* ---- what can be written ---- */

static void find_writable(struct sandbox *s, struct str project)
{
    struct worktree tree;
    const char *temporary = getenv("TMPDIR");

    add(s, &s->write, project);
    add(s, &s->write, STR("/tmp"));
    if (temporary && path_is_temporary(str_from(temporary)))
        add(s, &s->write, str_from(temporary));
    if (worktree_find(project.s, &tree) && tree.linked)
        add(s, &s->write, str_from(tree.common));
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

static void find_protected(struct sandbox *s, struct str project)
{
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    struct str git = path_join(s->arena, project, STR(".git"));
    struct worktree tree;
    struct stat st;

    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].where == PATH_CLASS_ANYWHERE && !table->rows[i].made &&
            !is_git(&table->rows[i]))
            add_row(s, &s->protect, project, table->rows[i].path);
    for (size_t i = 0; i < s->engine->own.count; i++)
        if (is_writable(s, s->engine->own.items[i]) && is_there(s->engine->own.items[i]))
            add(s, &s->protect, s->engine->own.items[i]);
    if (lstat(git.s, &st) == 0 && !S_ISDIR(st.st_mode))
        add(s, &s->protect, git);
    else
        protect_git(s, git);
    if (worktree_find(project.s, &tree) && tree.linked)
        protect_git(s, str_copy(s->arena, str_from(tree.common)));
}

/* ---- what is hidden ---- */

/* Programs keep their own files in places of the home that begin with a dot. Those that are known
 * to hold no secrets stay visible; the rest is hidden as a whole, or entered where something of it
 * is open. */
static void hide_closed(struct sandbox *s, struct str directory, unsigned depth)
{
    struct path_class_search open = {
        .list = PATHS_OPEN, .home = s->engine->home, .hidden = true, .literal_names = true};
    struct strs names = list_names(s->arena, directory);
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
        path_relative(s->engine->home, path, &below);
        if (depth + 1 < SANDBOX_HOME_DEPTH &&
            path_class_lies_below(PATHS_OPEN, PATH_CLASS_HOME, below, PICK_ALL))
            hide_closed(s, path, depth + 1);
        else
            add(s, &s->hide, path);
    }
}

static void find_hidden(struct sandbox *s)
{
    const struct path_class_table *table = &path_class_tables[PATHS_SECRET];

    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].where == PATH_CLASS_HOME)
            add_row(s, &s->hide, s->engine->home, table->rows[i].path);
        else if (table->rows[i].where == PATH_CLASS_ROOT)
            add_row(s, &s->hide, STR("/"), table->rows[i].path);
    }
    hide_closed(s, s->engine->home, 0);
    for (size_t i = 0; i < COUNT(runtime_places); i++)
        add_row(s, &s->hide, STR("/"), runtime_places[i] + 1);
    for (size_t i = 0; i < COUNT(runtime_names); i++)
        add_matching(s, &s->hide, STR("/tmp"), str_from(runtime_names[i]));
}

static bool has_workspace(const struct sandbox *s, struct str place)
{
    for (size_t i = 0; i < s->write.count; i++)
        if (path_is_inside(s->write.items[i], place))
            return true;
    return path_is_inside(s->engine->home, place);
}

/* What is above the home or the workspace (a home of others, by the table: /root) stays. */
static void show_workspace(struct sandbox *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->hide.count; i++)
        if (!has_workspace(s, s->hide.items[i]))
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

    while (s->words[count])
        count++;
    json_text_member(w, "program", str_from(s->program));
    put_names(w, "words", s->words, count);
    json_text_member(w, "directory", real_path(s->arena, s->engine->cwd));
}

static void fill(struct report *r, const void *about)
{
    static const char *const set[] = {"WARDER_SANDBOX=namespaces", "GIT_TERMINAL_PROMPT=0"};
    struct sandbox s = *(const struct sandbox *)about;
    struct json_writer *w = &r->json;
    struct str project;

    s.arena = r->arena;
    project = real_path(s.arena, s.engine->project);
    find_writable(&s, project);
    find_protected(&s, project);
    find_hidden(&s);
    show_workspace(&s);
    json_begin_object(w);
    report_number(r, "version", 1);
    put_command(w, &s);
    json_strings(w, "write", &s.write);
    json_strings(w, "protect", &s.protect);
    put_refused(w);
    json_strings(w, "hide", &s.hide);
    put_names(w, "remove", removed_variables, COUNT(removed_variables));
    put_names(w, "set", set, COUNT(set));
    json_key(w, "background");
    json_bool(w, true);
    json_end_object(w);
    buf_format(&r->text, "%zu writable, %zu protected, %zu hidden\n", s.write.count,
               s.protect.count, s.hide.count);
}

static bool has_directory(struct str path)
{
    struct stat st;

    return path.len && stat(path.s, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum status check(const warder_engine *e, const char *program, const char *const *words,
                         struct error *err)
{
    if (!e || !program || !words || !words[0])
        return fail(err, STATUS_USAGE, "a program and its words are needed");
    if (!has_directory(e->project) || !has_directory(e->cwd))
        return fail(err, STATUS_USAGE, "the sandbox needs a project directory that exists");
    if (path_too_wide(e->project, e->home))
        return fail(err, STATUS_USAGE,
                    "%s is too wide for a sandbox: everything in it could be written",
                    e->project.s);
    return STATUS_OK;
}

warder_status warder_sandbox_plan(warder_engine *engine, const char *program,
                                  const char *const *words, warder_report **out, warder_error *err)
{
    const struct sandbox about = {.engine = engine, .program = program, .words = words};
    struct error failed = {0};

    if (check(engine, program, words, &failed) != STATUS_OK)
        return error_out(err, &failed);
    return report_make_line(fill, &about, out, err);
}
