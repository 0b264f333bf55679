#include "connect/place.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/nearest.h"
#include "connect/switched_off.h"
#include "machine/passwd.h"

enum status place_client(const char *name, const struct client **out, struct error *err)
{
    struct nearest n = nearest_to(str_from(name));
    char all[160] = "";
    size_t len = 0;

    *out = client_find(str_from(name));
    if (*out)
        return STATUS_OK;
    for (const struct client *c = clients; c->name; c++) {
        nearest_try(&n, str_from(c->name));
        len +=
            (size_t)snprintf(all + len, len < sizeof(all) ? sizeof(all) - len : 0, " %s", c->name);
    }
    if (n.best.len)
        return fail(err, STATUS_USAGE, "unknown agent \"%.60s\"; did you mean %.*s?", name,
                    STR_ARG(n.best));
    return fail(err, STATUS_USAGE, "unknown agent \"%.40s\"; the known ones are%s",
                name ? name : "", all);
}

/* See REGISTER_HOOK. */
static void prefer_hook(char program[PATH_MAX], char other[PATH_MAX])
{
    char beside[PATH_MAX];
    const char *slash = strrchr(program, '/');
    int n =
        snprintf(beside, sizeof(beside), "%.*s/" REGISTER_HOOK, (int)(slash - program), program);

    if (n < 0 || n >= PATH_MAX || access(beside, X_OK) != 0)
        return;
    memcpy(other, program, PATH_MAX);
    memcpy(program, beside, PATH_MAX);
}

static enum status find_program(const char *given, char program[PATH_MAX], char other[PATH_MAX],
                                struct error *err)
{
    ssize_t len;

    if (given && given[0] != '/')
        return fail(err, STATUS_USAGE, "the program must be named by an absolute path");
    if (given) {
        snprintf(program, PATH_MAX, "%s", given);
        return STATUS_OK;
    }
    len = readlink("/proc/self/exe", program, PATH_MAX - 1);
    if (len < 0)
        return fail(err, STATUS_IO, "cannot tell which program this is: %s", strerror(errno));
    program[len] = '\0';
    prefer_hook(program, other);
    return STATUS_OK;
}

/* Where it is installed, and where it is built. */
static void find_launch(const char *program, char out[PATH_MAX])
{
    static const char *const from[] = {"/../libexec/warder", "/libexec/warder"};
    const char *slash = strrchr(program, '/');
    char path[2 * PATH_MAX], beside[PATH_MAX];

    for (size_t i = 0; slash && i < COUNT(from); i++) {
        snprintf(path, sizeof(path), "%.*s%s", (int)(slash - program), program, from[i]);
        if (!realpath(path, beside))
            continue;
        snprintf(path, sizeof(path), "%s/bash", beside);
        if (access(path, X_OK) != 0)
            continue;
        memcpy(out, beside, PATH_MAX);
        return;
    }
}

/* A hook does not believe $HOME (cli/hook_environment.h). Where the user database names another
 * home than the one whose settings are written, the hook is told. Settings of a project or of the
 * whole machine are for more than one user. */
static void tell_home(const char *home, enum scope scope, char out[PATH_MAX])
{
    char own[PASSWD_LINE_MAX];

    if (scope == SCOPE_USER &&
        (passwd_home(PASSWD_FILE, geteuid(), own, NULL) != STATUS_OK || strcmp(own, home) != 0))
        snprintf(out, PATH_MAX, "%s", home);
}

static const char *home_of(const warder_installation *where)
{
    return where->home ? where->home : getenv("HOME");
}

/* The client's variable replaces the first directory of the path: CLAUDE_CONFIG_DIR for
 * ~/.claude. A home that was named brings its own places. */
void place_below_home(const struct client *client, const warder_installation *where,
                      const char *file, char *out, size_t room)
{
    const char *moved = client->moved && !where->home ? getenv(client->moved) : NULL;
    const char *rest = strchr(file, '/');

    if (moved && moved[0] == '/' && rest)
        snprintf(out, room, "%s%s", moved, rest);
    else
        snprintf(out, room, "%s/%s", home_of(where), file);
}

enum status place_find(const struct client *client, enum scope scope,
                       const warder_installation *where, struct place *out, struct error *err)
{
    const struct registration *row = registration_of(client);
    const char *home = home_of(where);
    enum status status;

    *out = (struct place){.scope = scope};
    if (!row)
        return fail(err, STATUS_USAGE, "%s cannot be registered", client->title);
    if (!home || home[0] != '/')
        return fail(err, STATUS_USAGE, "the home directory is not known: set HOME, or name it");
    if ((status = find_program(where->program, out->program, out->other, err)) != STATUS_OK)
        return status;
    if (!realpath(where->project ? where->project : ".", out->project))
        return fail(err, STATUS_IO, "%s: %s", where->project ? where->project : ".",
                    strerror(errno));
    tell_home(home, scope, out->home);
    find_launch(out->program, out->launch);
    out->registrar = (struct registrar){client,
                                        scope == SCOPE_MANAGED && row->managed ? row->managed : row,
                                        str_from(out->program),
                                        str_from(out->other),
                                        str_from(out->home),
                                        str_from(out->launch)};
    if (!row->files[scope])
        return STATUS_OK;
    if (scope == SCOPE_USER)
        place_below_home(client, where, row->files[scope], out->path, sizeof(out->path));
    else if (scope == SCOPE_PROJECT)
        snprintf(out->path, sizeof(out->path), "%s/%s", out->project, row->files[scope]);
    else
        snprintf(out->path, sizeof(out->path), "%s", row->files[scope]);
    if (row->rival && scope == SCOPE_USER)
        snprintf(out->rival, sizeof(out->rival), "%s/%s", home, row->rival);
    return STATUS_OK;
}

static bool find_in_path(const char *program, char *out, size_t room)
{
    struct str rest = str_from(getenv("PATH")), directory;

    while (rest.len) {
        if (!str_cut(rest, ':', &directory, &rest))
            rest = (struct str){0};
        snprintf(out, room, "%.*s/%s", STR_ARG(directory), program);
        if (directory.len && access(out, X_OK) == 0)
            return true;
    }
    return false;
}

/* The first directory below the home: ~/.cursor of ~/.cursor/hooks.json */
static void cut_to_directory(const char *file, char *path)
{
    size_t tail = strlen(strchr(file, '/')), len = strlen(path);
    char *slash = path + (len > tail ? len - tail : 0);

    if (str_starts(str_from(file), STR(".config/")) || str_starts(str_from(file), STR(".codeium/")))
        slash = strchr(slash + 1, '/');
    if (slash)
        *slash = '\0';
}

void place_agent(const struct place *user, char *out, size_t room)
{
    const struct registration *row = user->registrar.row;

    if (find_in_path(row->program, out, room))
        return;
    snprintf(out, room, "%s", user->path);
    cut_to_directory(row->files[SCOPE_USER], out);
    /* A shared directory is there for another agent. */
    if (row->shared || access(out, F_OK) != 0)
        out[0] = '\0';
}

bool place_beside(const struct place *place, const char *name, char out[2 * PATH_MAX])
{
    const char *slash = strrchr(place->path, '/');
    int n = slash ? snprintf(out, 2 * PATH_MAX, "%.*s/%s", (int)(slash - place->path), place->path,
                             name)
                  : -1;

    return n > 0 && n < 2 * PATH_MAX;
}

struct edit_target place_target(const struct place *p)
{
    static const enum file_guard guards[] = {
        [SCOPE_USER] = FILE_PERSON, [SCOPE_PROJECT] = FILE_PROJECT, [SCOPE_MANAGED] = FILE_MANAGED};

    return (struct edit_target){.path = p->path, .guard = guards[p->scope], .inside = p->project};
}

struct registration_check {
    struct arena *arena;
    const struct place *place;
    struct str text;
    struct registered *out;
    struct error *err;
    enum status status;
};

static void look_inside(void *arg)
{
    struct registration_check *l = arg;

    l->status = register_look(l->arena, &l->place->registrar, l->text, l->out, l->err);
}

/* What is beside the settings for this machine alone, and counts in the same way. */
static bool local_beside(const struct place *p, struct place *out)
{
    static const char name[] = "/settings.json";
    size_t len = strlen(p->path), end = sizeof(name) - 1;

    if (p->scope == SCOPE_MANAGED || len < end || strcmp(p->path + len - end, name) != 0)
        return false;
    *out = *p;
    return snprintf(out->path + len - end, sizeof(out->path) - len + end, "/settings.local.json") >
           0;
}

static enum status look_at_one(struct arena *a, const struct place *p, bool *found,
                               struct registered *out, struct error *err);

/* Hooks that it adds count for the client; for us only what it takes away does. */
static enum status look_beside(struct arena *a, const struct place *p, struct registered *out,
                               struct error *err)
{
    struct place local;
    struct registered said;
    bool found;

    switched_off_find(a, p, out);
    if (!local_beside(p, &local))
        return STATUS_OK;
    enum status status = look_at_one(a, &local, &found, &said, err);
    if (said.off.len) {
        out->local_off = said.off;
        out->beside = str_copy(a, str_from(local.path)).s;
    }
    if (out->odd_env.len == 0)
        out->odd_env = said.odd_env;
    return status;
}

enum status place_look(struct arena *a, const struct place *p, bool *found, struct registered *out,
                       struct error *err)
{
    enum status status = look_at_one(a, p, found, out, err);

    return status ? status : look_beside(a, p, out, err);
}

static enum status look_at_one(struct arena *a, const struct place *p, bool *found,
                               struct registered *out, struct error *err)
{
    const struct edit_target target = place_target(p);
    struct file_text text = {0};
    struct registration_check l = {.arena = a, .place = p, .out = out, .err = err};

    *found = false;
    *out = (struct registered){0};
    if (!p->path[0])
        return STATUS_OK;
    if ((l.status = file_read(p->path, target.guard, target.inside, &text, err)) != STATUS_OK)
        return l.status;
    *found = text.found;
    l.text = (struct str){text.text, text.len};
    if (text.found && !arena_try(a, look_inside, &l))
        l.status = fail(err, STATUS_NOMEM, "out of memory");
    free(text.text); /* what was kept of it was copied by the readers */
    return l.status;
}
