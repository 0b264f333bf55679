#include "policy/gather.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "machine/worktree.h"
#include "policy/kept.h"

#define KEPT_MEMORY (16 * KEPT_BYTES_MAX)
#include "policy/managed.h"

enum base { BASE_ETC, BASE_CONFIG, BASE_HOME, BASE_PROJECT };
enum shape {
    SHAPE_FILE,
    SHAPE_ENDINGS,   /* under any one of the endings below */
    SHAPE_DIRECTORY, /* every *.json in it; a later name is stronger */
};
enum only { ALWAYS, UNLESS_CONFIG, UNLESS_SETTINGS, IF_CALIBAN };

static const char *const endings[] = {MANAGED_ENDINGS};

#define MAIN_GROUPS (UINT_MAX / 2) /* groups of the main checkout are none of the project's */

/* The places of policy without options; within a source an earlier row is stronger. Rows below the
 * project name files that project.c reads. */
static const struct policy_place {
    enum source source;
    enum base base;
    const char *name;
    enum shape shape;
    enum format format;
    enum only only;
} places[] = {
#define PLACE(directory, name, shape, format)                                                      \
    {SOURCE_MANAGED, BASE_ETC, directory "/" name, shape, format, ALWAYS},
    MANAGED_PLACES(PLACE)
#undef PLACE
        {SOURCE_USER, BASE_CONFIG, "warder/warder.local", SHAPE_ENDINGS, FORMAT_WARDER,
         UNLESS_CONFIG},
    {SOURCE_USER, BASE_CONFIG, "warder/warder", SHAPE_ENDINGS, FORMAT_WARDER, UNLESS_CONFIG},
    {SOURCE_USER, BASE_CONFIG, "warder/authorization", SHAPE_ENDINGS, FORMAT_GUILD, UNLESS_CONFIG},
    {SOURCE_USER, BASE_CONFIG, "caliban/permissions.toml", SHAPE_FILE, FORMAT_CALIBAN, IF_CALIBAN},
    {SOURCE_USER, BASE_HOME, ".claude/settings.local.json", SHAPE_FILE, FORMAT_SETTINGS, ALWAYS},
    {SOURCE_USER, BASE_HOME, ".claude/settings.json", SHAPE_FILE, FORMAT_SETTINGS, UNLESS_SETTINGS},
    {SOURCE_LOCAL, BASE_PROJECT, ".warder/warder.local", SHAPE_ENDINGS, FORMAT_WARDER, ALWAYS},
    {SOURCE_LOCAL, BASE_PROJECT, ".claude/settings.local.json", SHAPE_FILE, FORMAT_SETTINGS,
     ALWAYS},
    {SOURCE_PROJECT, BASE_PROJECT, ".warder/warder", SHAPE_ENDINGS, FORMAT_WARDER, ALWAYS},
    {SOURCE_PROJECT, BASE_PROJECT, ".warder/authorization", SHAPE_ENDINGS, FORMAT_GUILD, ALWAYS},
    {SOURCE_PROJECT, BASE_PROJECT, ".caliban/permissions.toml", SHAPE_FILE, FORMAT_CALIBAN,
     IF_CALIBAN},
    {SOURCE_PROJECT, BASE_PROJECT, ".claude/settings.json", SHAPE_FILE, FORMAT_SETTINGS, ALWAYS},
};

struct gather_job {
    const struct policy_request *request;
    struct gathered *out;
    struct error *err;
    const struct policy_place *place;
};

static enum status no_memory(struct error *err)
{
    return fail(err, STATUS_NOMEM, "no memory for the policy files");
}

/* Takes `path`, which was malloc'ed, in every case. NULL if there is no memory. */
static struct gathered_file *add(struct gather_job *g, char *path, enum source source,
                                 enum format format)
{
    struct gathered *all = g->out;

    if (path && all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 32;
        struct gathered_file *items = realloc(all->items, room * sizeof(*items));
        if (items) {
            all->items = items;
            all->room = room;
        }
    }
    if (!path || all->count == all->room) {
        free(path);
        return NULL;
    }
    struct gathered_file *f = &all->items[all->count++];
    *f = (struct gathered_file){.path = path, .source = source, .format = format};
    f->group = g->place ? (unsigned)(g->place - places) : (unsigned)(COUNT(places) + all->count);
    return f;
}

/* Takes `path`, which was malloc'ed, in every case. */
static enum status note_place(struct gather_job *g, char *path)
{
    struct gathered *all = g->out;
    char **places_now =
        path ? realloc(all->places, (all->place_count + 1) * sizeof(*places_now)) : NULL;

    if (!places_now) {
        free(path);
        return no_memory(g->err);
    }
    all->places = places_now;
    all->places[all->place_count++] = path;
    return STATUS_OK;
}

/* Whoever writes that file changes the policy, whatever its name is. */
static void follow_links(struct gathered_file *f)
{
    f->real = f->found ? realpath(f->path, NULL) : NULL;
    if (f->real && !f->named && strcmp(f->real, f->path) == 0) {
        free(f->real);
        f->real = NULL;
    }
}

static enum status read_found(struct gather_job *g, struct gathered_file *f)
{
    struct file_text text = {0};
    enum file_guard guard = f->source == SOURCE_MANAGED ? FILE_MANAGED : FILE_PERSON;
    enum status status = file_read(f->path, guard, NULL, &text, &f->error);

    f->found = text.found || status != STATUS_OK;
    f->own = text.text;
    f->text = (struct str){text.text, text.len};
    follow_links(f);
    return status == STATUS_NOMEM ? no_memory(g->err) : STATUS_OK;
}

/* A file that a person named must exist. */
static enum status add_named(struct gather_job *g, struct str name, enum format format)
{
    if (memchr(name.s, '\0', name.len))
        return fail(g->err, STATUS_USAGE, "a NUL in the name of a policy file");
    g->place = NULL;
    struct gathered_file *f = add(g, strndup(name.s, name.len), SOURCE_USER, format);
    if (!f)
        return no_memory(g->err);
    f->named = true;
    enum status status = read_found(g, f);
    if (!status && !f->found)
        return fail(g->err, STATUS_IO, "there is no policy file %s", f->path);
    return status;
}

static enum status add_text(struct gather_job *g, const struct policy_text *t)
{
    g->place = NULL;
    struct gathered_file *f = add(g, strndup(t->name.s, t->name.len), SOURCE_USER, t->format);

    if (!f)
        return no_memory(g->err);
    f->found = true;
    f->text = t->text; /* the readers check its size */
    return STATUS_OK;
}

static char *join(struct str directory, const char *between, const char *name, const char *ending)
{
    char *path;

    return asprintf(&path, "%.*s%s%s%s", STR_ARG(directory), between, name, ending) < 0 ? NULL
                                                                                        : path;
}

static char *path_of(const struct policy_request *r, enum base base, const char *name,
                     const char *ending)
{
    switch (base) {
    case BASE_ETC:
        return join(r->root, "/etc/", name, ending);
    case BASE_CONFIG:
        return r->config_home.len ? join(r->config_home, "/", name, ending)
                                  : join(r->home, "/.config/", name, ending);
    case BASE_HOME:
        return join(r->home, "/", name, ending);
    case BASE_PROJECT:
        break;
    }
    return join(r->project, "/", name, ending);
}

static bool is_there(const struct gathered *all, const char *path)
{
    for (size_t i = 0; path && i < all->count; i++)
        if (strcmp(all->items[i].path, path) == 0)
            return true;
    return false;
}

static enum status add_from_project(struct gather_job *g, char *path, const char *name,
                                    const char *ending)
{
    AUTO_FREE char *whole = join(STR(""), "", name, ending);

    if (!whole || !path) {
        free(path);
        return no_memory(g->err);
    }
    /* If the project is the home directory, the user's own settings would count as the project's,
     * too. */
    if (is_there(g->out, path)) {
        free(path);
        return STATUS_OK;
    }
    struct gathered_file *f = add(g, path, g->place->source, g->place->format);
    if (!f)
        return no_memory(g->err);
    const struct project_file *file = project_find(&g->out->project, whole);
    if (file) {
        f->found = true;
        f->error = file->error;
        f->text = (struct str){file->text.text, file->text.len};
        follow_links(f);
    }
    return STATUS_OK;
}

static enum status add_place(struct gather_job *g, const char *name, const char *ending)
{
    char *path = path_of(g->request, g->place->base, name, ending);

    if (g->place->base == BASE_PROJECT)
        return add_from_project(g, path, name, ending);
    struct gathered_file *f = add(g, path, g->place->source, g->place->format);
    return f ? read_found(g, f) : no_memory(g->err);
}

static int is_json(const struct dirent *e)
{
    size_t len = strlen(e->d_name);

    return e->d_name[0] != '.' && len > 5 && strcmp(e->d_name + len - 5, ".json") == 0;
}

static int later_first(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*b)->d_name, (*a)->d_name);
}

static enum status add_entries(struct gather_job *g, struct dirent **entries, int count)
{
    const struct policy_place directory = *g->place;
    enum status status = STATUS_OK;

    g->place = NULL; /* each file is its own group */
    for (int i = 0; !status && i < count; i++) {
        AUTO_FREE char *name = join(str_from(directory.name), "/", entries[i]->d_name, "");
        char *path = name ? path_of(g->request, directory.base, name, "") : NULL;
        struct gathered_file *f = add(g, path, directory.source, directory.format);
        status = f ? read_found(g, f) : no_memory(g->err);
    }
    return status;
}

static enum status add_directory(struct gather_job *g)
{
    AUTO_FREE char *path = path_of(g->request, g->place->base, g->place->name, "");
    struct dirent **entries = NULL;

    if (!path || note_place(g, strdup(path)))
        return no_memory(g->err);
    int count = scandir(path, &entries, is_json, later_first);
    if (count < 0 && (errno == ENOENT || errno == ENOTDIR))
        return STATUS_OK;
    if (count < 0) {
        struct error cause;
        fail(&cause, STATUS_IO, "cannot read it: %s", strerror(errno));
        struct gathered_file *f = add(g, strdup(path), g->place->source, g->place->format);
        if (!f)
            return no_memory(g->err);
        f->found = true;
        f->error = cause;
        return STATUS_OK;
    }
    enum status status = add_entries(g, entries, count);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return status;
}

static bool is_wanted(const struct policy_request *r, const struct policy_place *p)
{
    switch (p->base) {
    case BASE_ETC:
        break;
    case BASE_CONFIG:
        if (!r->config_home.len && !r->home.len)
            return false;
        break;
    case BASE_HOME:
        if (!r->home.len)
            return false;
        break;
    case BASE_PROJECT:
        if (!r->project.len)
            return false;
        break;
    }
    switch (p->only) {
    case ALWAYS:
        return true;
    case UNLESS_CONFIG:
        return r->config_override.len == 0;
    case UNLESS_SETTINGS:
        return r->settings_override.len == 0;
    case IF_CALIBAN:
        return r->caliban_paths;
    }
    return true;
}

static enum status look_in(struct gather_job *g, const struct policy_place *p)
{
    enum status status = STATUS_OK;

    g->place = p;
    switch (p->shape) {
    case SHAPE_FILE:
        return add_place(g, p->name, "");
    case SHAPE_ENDINGS:
        for (size_t i = 0; !status && i < COUNT(endings); i++)
            status = add_place(g, p->name, endings[i]);
        return status;
    case SHAPE_DIRECTORY:
        break;
    }
    return add_directory(g);
}

static void find_trust(struct gathered *all, const struct trust_store *store,
                       const struct trust_place *at)
{
    const struct trust_entry *other = trust_elsewhere(store, all->project.digest, at);

    all->trust = trust_has(store, all->project.digest, at) ? TRUST_YES : TRUST_NO;
    all->trusted_at = trust_time(store, all->project.digest, at);
    if (other)
        fail(&all->trust_error, STATUS_UNSAFE,
             "these policy files are trusted in %.*s; here they count after: warder trust",
             STR_ARG(other->project));
}

/* The project's files, and whether they are trusted. An error here does not fail the load, but
 * nothing is trusted. */
static enum status read_project(struct gather_job *g, const char *project, const char *state_dir)
{
    struct trust_store store = {0};
    struct trust_place at = {0};
    struct gathered *all = g->out;

    if (project_read(project, &all->project, &all->project_error))
        return all->project_error.status == STATUS_NOMEM ? no_memory(g->err) : STATUS_OK;
    if (all->project.count == 0) {
        all->trust = TRUST_NO_FILES;
        return STATUS_OK;
    }
    if (state_dir[0] && trust_load(state_dir, &store, &all->trust_error) == STATUS_OK &&
        trust_locate(project, &at, &all->trust_error) == STATUS_OK)
        find_trust(all, &store, &at);
    trust_release(&store);
    return at.link[0] ? note_place(g, strdup(at.link)) : STATUS_OK;
}

static enum status note_files(struct gather_job *g, struct str root, const struct project_files *f)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; !status && i < f->directory_count; i++)
        status = note_place(g, join(root, "/", f->directories[i], ""));
    for (size_t i = 0; !status && i < f->count; i++)
        status = note_place(g, join(root, "/", f->items[i].name, ""));
    return status;
}

static enum status note_project(struct gather_job *g)
{
    const struct policy_request *r = g->request;
    enum status status = note_files(g, r->project, &g->out->project);

    if (!status && r->state_dir.len)
        status = note_place(g, join(r->state_dir, "/", TRUST_NAME, ""));
    return status;
}

static enum status add_project(struct gather_job *g)
{
    const struct policy_request *r = g->request;
    char *project = strndup(r->project.s, r->project.len);
    char *state_dir = strndup(r->state_dir.len ? r->state_dir.s : "", r->state_dir.len);
    enum status status =
        project && state_dir ? read_project(g, project, state_dir) : no_memory(g->err);

    if (!status)
        status = note_project(g);
    free(project);
    free(state_dir);
    return status;
}

/* ---- the main checkout of a linked work tree ---- */

/* Files that git does not keep are in the main checkout alone, and people expect their rules to
 * hold in all of its work trees. What was trusted there is trusted; relative paths are those of the
 * work tree. */
static enum status read_main(struct gather_job *g, const char *main)
{
    struct gathered *all = g->out;
    AUTO_FREE char *state_dir = strndup(g->request->state_dir.len ? g->request->state_dir.s : "",
                                        g->request->state_dir.len);
    struct trust_store store = {0};
    struct trust_place at;
    struct error ignored = {0};

    if (!state_dir)
        return no_memory(g->err);
    if (project_read(main, &all->main, &all->project_error))
        return all->project_error.status == STATUS_NOMEM ? no_memory(g->err) : STATUS_OK;
    if (all->main.count && state_dir[0] && trust_load(state_dir, &store, &ignored) == STATUS_OK &&
        trust_locate(main, &at, &ignored) == STATUS_OK)
        all->main_trusted = trust_has(&store, all->main.digest, &at);
    trust_release(&store);
    return STATUS_OK;
}

static bool has_same_text(const struct gathered *all, const struct project_file *file)
{
    const struct project_file *here = project_find(&all->project, file->name);

    return here && here->text.text && file->text.text && here->text.len == file->text.len &&
           memcmp(here->text.text, file->text.text, file->text.len) == 0;
}

/* A file that git keeps is in both, and read once if it is the same. */
static enum status add_from_main(struct gather_job *g, const struct policy_place *place,
                                 const char *main, const char *ending)
{
    AUTO_FREE char *name = join(STR(""), "", place->name, ending);
    char *path = join(str_from(main), "/", place->name, ending);

    if (!name || !path) {
        free(path);
        return no_memory(g->err);
    }
    const struct project_file *file = project_find(&g->out->main, name);
    if (!file)
        return note_place(g, path); /* it may come */
    if (has_same_text(g->out, file) || is_there(g->out, path)) {
        free(path);
        return STATUS_OK;
    }
    g->place = NULL;
    struct gathered_file *f = add(g, path, place->source, place->format);
    if (!f)
        return no_memory(g->err);
    f->found = f->main = true;
    f->other = project_find(&g->out->project, name) != NULL;
    f->group = MAIN_GROUPS + (unsigned)(place - places);
    f->error = file->error;
    f->text = (struct str){file->text.text, file->text.len};
    follow_links(f);
    return STATUS_OK;
}

static enum status add_main_place(struct gather_job *g, const struct policy_place *place,
                                  const char *main)
{
    enum status status = STATUS_OK;

    if (place->shape == SHAPE_FILE)
        return add_from_main(g, place, main, "");
    for (size_t i = 0; !status && i < COUNT(endings); i++)
        status = add_from_main(g, place, main, endings[i]);
    return status;
}

/* Where the same directory is in the main checkout. False: the project is in no linked work tree,
 * or in one of a bare repository. */
static bool find_main(const struct policy_request *r, char main[PATH_MAX], char link[PATH_MAX])
{
    static const struct str git = STR("/.git");
    AUTO_FREE char *project = strndup(r->project.s, r->project.len);
    char real[PATH_MAX];
    struct worktree tree;

    if (!project || !realpath(project, real) || !worktree_find(real, &tree) || !tree.linked)
        return false;
    struct str top = str_from(tree.common);
    if (!str_ends(top, git))
        return false;
    top.len -= git.len;
    return snprintf(main, PATH_MAX, "%.*s%s", STR_ARG(top), real + strlen(tree.top)) < PATH_MAX &&
           snprintf(link, PATH_MAX, "%s/.git", tree.top) < PATH_MAX;
}

static enum status add_main(struct gather_job *g)
{
    char main[PATH_MAX], link[PATH_MAX];

    if (!find_main(g->request, main, link))
        return STATUS_OK;
    enum status status = note_place(g, strdup(link));
    if (!status)
        status = read_main(g, main);
    for (size_t i = 0; !status && i < COUNT(places); i++)
        if (places[i].base == BASE_PROJECT && is_wanted(g->request, &places[i]))
            status = add_main_place(g, &places[i], main);
    return status ? status : note_files(g, str_from(main), &g->out->main);
}

/* ---- what the session began with ---- */

struct kept_job {
    struct gather_job *job;
    struct kept_files files;
    enum status status;
};

static void read_kept(void *arg)
{
    struct kept_job *k = arg;
    const struct policy_request *r = k->job->request;

    k->status =
        kept_read(&k->job->out->kept, r->state_dir.s, r->shelf, r->kept.s, &k->files, k->job->err);
}

static const struct kept_file *kept_find(const struct kept_files *files, const char *name,
                                         const char *ending)
{
    struct str front, end = str_from(ending);

    for (size_t i = 0; i < files->count; i++) {
        front = files->items[i].name;
        if (!str_ends(front, end))
            continue;
        front.len -= end.len;
        if (str_is(front, name))
            return &files->items[i];
    }
    return NULL;
}

static enum status add_kept_file(struct gather_job *g, const struct policy_place *place,
                                 const struct kept_file *file)
{
    struct gathered_file *f;

    if (!file)
        return STATUS_OK;
    g->place = NULL; /* it is no twin of the file that is there now */
    f = add(g, join(STR(KEPT_MARK), "", file->name.s, ""), place->source, place->format);
    if (!f)
        return no_memory(g->err);
    f->found = f->kept = true;
    f->text = file->text;
    return STATUS_OK;
}

static enum status add_kept_place(struct gather_job *g, const struct kept_files *files,
                                  const struct policy_place *place)
{
    enum status status = STATUS_OK;

    if (place->shape == SHAPE_FILE)
        return add_kept_file(g, place, kept_find(files, place->name, ""));
    for (size_t i = 0; !status && i < COUNT(endings); i++)
        status = add_kept_file(g, place, kept_find(files, place->name, endings[i]));
    return status;
}

static enum status add_kept(struct gather_job *g)
{
    struct kept_job k = {.job = g};

    arena_init(&g->out->kept, KEPT_MEMORY);
    if (!arena_try(&g->out->kept, read_kept, &k))
        return no_memory(g->err);
    for (size_t i = 0; !k.status && i < COUNT(places); i++)
        if (places[i].base == BASE_PROJECT && is_wanted(g->request, &places[i]))
            k.status = add_kept_place(g, &k.files, &places[i]);
    return k.status;
}

static enum status look_below(struct gather_job *g, enum base base)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; !status && i < COUNT(places); i++)
        if (places[i].base == base)
            status = look_in(g, &places[i]);
    return status;
}

static enum status find_preview(struct gather_job *g)
{
    enum status status = add_project(g);

    return status ? status : look_below(g, BASE_PROJECT);
}

static enum status find_all(struct gather_job *g)
{
    const struct policy_request *r = g->request;
    enum status status = r->project.len ? add_project(g) : STATUS_OK;

    for (size_t i = 0; !status && i < COUNT(places); i++)
        if (is_wanted(r, &places[i]))
            status = look_in(g, &places[i]);
    if (!status && r->project.len)
        status = add_main(g);
    if (!status && r->kept.len)
        status = add_kept(g);
    if (!status && r->config_override.len)
        status = add_named(g, r->config_override, FORMAT_UNKNOWN);
    if (!status && r->settings_override.len)
        status = add_named(g, r->settings_override, FORMAT_SETTINGS);
    return status;
}

/* Rules that operators added through the service. */
static enum status add_stored(struct gather_job *g)
{
    const struct policy_request *r = g->request;

    g->place = NULL;
    struct gathered_file *f =
        add(g, strndup(r->rules_file.s, r->rules_file.len), SOURCE_RUNTIME, FORMAT_STORED);
    if (!f)
        return no_memory(g->err);
    if (!r->rules_text.s)
        return read_found(g, f);
    f->found = true;
    f->text = r->rules_text;
    return STATUS_OK;
}

enum status gather(const struct policy_request *request, struct gathered *out, struct error *err)
{
    struct gather_job g = {.request = request, .out = out, .err = err};
    enum status status = STATUS_OK;

    *out = (struct gathered){0};
    if (request->preview)
        return find_preview(&g);
    if (request->beside || (!request->named && !request->files.count && !request->texts.count))
        status = find_all(&g);
    else /* whoever names files does not choose whether the administrator's count */
        status = look_below(&g, BASE_ETC);
    for (size_t i = 0; !status && i < request->files.count; i++)
        status = add_named(&g, request->files.items[i], FORMAT_UNKNOWN);
    for (size_t i = 0; !status && i < request->texts.count; i++)
        status = add_text(&g, &request->texts.items[i]);
    if (!status && request->rules_file.len)
        status = add_stored(&g);
    return status;
}

void gathered_release(struct gathered *g)
{
    for (size_t i = 0; i < g->count; i++) {
        free(g->items[i].path);
        free(g->items[i].real);
        free(g->items[i].own);
    }
    free(g->items);
    for (size_t i = 0; i < g->place_count; i++)
        free(g->places[i]);
    free(g->places);
    project_release(&g->project);
    project_release(&g->main);
    arena_release(&g->kept);
    *g = (struct gathered){0};
}
