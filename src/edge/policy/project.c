#include "policy/project.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_settings(const char *name)
{
    size_t len = strlen(name);

    return strncmp(name, "settings", 8) == 0 && len > 5 && strcmp(name + len - 5, ".json") == 0;
}

static bool is_caliban(const char *name)
{
    return strcmp(name, "permissions.toml") == 0;
}

static const struct {
    const char *directory;
    bool (*wanted)(const char *name); /* NULL: everything, in the directories below too */
} places[] = {
    {".warder", NULL},
    {".claude", is_settings},
    {".caliban", is_caliban},
};

struct project_walk {
    const char *project;
    struct project_files *files;
    struct error *err;
};

static enum status add(struct project_walk *w, const char *name, struct project_file **out)
{
    struct project_files *f = w->files;

    if (f->count == PROJECT_FILES_MAX)
        return fail(w->err, STATUS_LIMIT, "more than %u policy files in %s", PROJECT_FILES_MAX,
                    w->project);
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 8;
        struct project_file *items = realloc(f->items, room * sizeof(*items));
        if (!items)
            return fail(w->err, STATUS_NOMEM, "no memory for the files of %s", w->project);
        f->items = items;
        f->room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return fail(w->err, STATUS_NOMEM, "no memory for the files of %s", w->project);
    *out = &f->items[f->count++];
    **out = (struct project_file){.name = copy};
    return STATUS_OK;
}

static enum status read_file(struct project_walk *w, const char *name)
{
    char path[PATH_MAX];
    struct project_file *file = NULL;
    enum status status = add(w, name, &file);

    if (status)
        return status;
    if (snprintf(path, sizeof(path), "%s/%s", w->project, name) >= (int)sizeof(path))
        return fail(w->err, STATUS_LIMIT, "a path below %s is too long", w->project);
    if (file_read(path, FILE_PROJECT, w->project, &file->text, &file->error) || !file->text.found) {
        w->files->complete = false;
        return STATUS_OK;
    }
    w->files->bytes += file->text.len;
    if (w->files->bytes > PROJECT_BYTES_MAX)
        return fail(w->err, STATUS_LIMIT, "the policy files of %s have more than %zu bytes",
                    w->project, PROJECT_BYTES_MAX);
    return STATUS_OK;
}

static enum status walk_directory(struct project_walk *w, const char *directory,
                                  bool (*wanted)(const char *name), unsigned depth);

static enum status visit(struct project_walk *w, const char *name, int directory, const char *entry,
                         bool (*wanted)(const char *name), unsigned depth)
{
    struct stat st;

    if (fstatat(directory, entry, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return fail(w->err, STATUS_IO, "cannot check %s/%s: %s", w->project, name, strerror(errno));
    if (!wanted && S_ISDIR(st.st_mode))
        return walk_directory(w, name, NULL, depth + 1);
    return read_file(w, name);
}

static enum status walk_open(struct project_walk *w, DIR *dir, const char *directory,
                             bool (*wanted)(const char *name), unsigned depth)
{
    char name[PATH_MAX];
    enum status status = STATUS_OK;

    while (!status) {
        errno = 0;
        struct dirent *e = readdir(dir);
        if (!e && errno)
            return fail(w->err, STATUS_IO, "cannot read %s/%s: %s", w->project, directory,
                        strerror(errno));
        if (!e)
            break;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            (wanted && !wanted(e->d_name)))
            continue;
        if (snprintf(name, sizeof(name), "%s/%s", directory, e->d_name) >= (int)sizeof(name))
            return fail(w->err, STATUS_LIMIT, "a path below %s is too long", w->project);
        status = visit(w, name, dirfd(dir), e->d_name, wanted, depth);
    }
    return status;
}

static enum status note_directory(struct project_walk *w, const char *directory)
{
    struct project_files *f = w->files;
    char **more = NULL;

    if (f->directory_count == PROJECT_DIRECTORIES_MAX)
        return fail(w->err, STATUS_LIMIT, "more than %u directories with policy files in %s",
                    PROJECT_DIRECTORIES_MAX, w->project);
    if (!(more = realloc(f->directories, (f->directory_count + 1) * sizeof(*more))))
        return fail(w->err, STATUS_NOMEM, "no memory for the files of %s", w->project);
    f->directories = more;
    if (!(more[f->directory_count] = strdup(directory)))
        return fail(w->err, STATUS_NOMEM, "no memory for the files of %s", w->project);
    f->directory_count++;
    return STATUS_OK;
}

static enum status walk_directory(struct project_walk *w, const char *directory,
                                  bool (*wanted)(const char *name), unsigned depth)
{
    char path[PATH_MAX];
    enum status status = note_directory(w, directory);

    if (status)
        return status;
    if (depth > PROJECT_DEPTH_MAX)
        return fail(w->err, STATUS_LIMIT, "directories in %s/.warder are nested deeper than %u",
                    w->project, PROJECT_DEPTH_MAX);
    if (snprintf(path, sizeof(path), "%s/%s", w->project, directory) >= (int)sizeof(path))
        return fail(w->err, STATUS_LIMIT, "a path below %s is too long", w->project);
    DIR *dir = opendir(path);
    if (!dir && (errno == ENOENT || errno == ENOTDIR))
        return STATUS_OK;
    if (!dir)
        return fail(w->err, STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    status = walk_open(w, dir, directory, wanted, depth);
    closedir(dir);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct project_file *)a)->name, ((const struct project_file *)b)->name);
}

static void digest(struct project_files *f)
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];

    sha256_init(&h);
    for (size_t i = 0; i < f->count; i++) {
        sha256_add_part(&h, str_from(f->items[i].name));
        sha256_add_part(&h, (struct str){f->items[i].text.text, f->items[i].text.len});
    }
    sha256_end(&h, hash);
    sha256_hex(hash, f->digest);
}

enum status project_read(const char *project, struct project_files *out, struct error *err)
{
    struct project_walk w = {.project = project, .files = out, .err = err};
    enum status status = STATUS_OK;

    *out = (struct project_files){.complete = true};
    for (size_t i = 0; !status && i < sizeof(places) / sizeof(places[0]); i++)
        status = walk_directory(&w, places[i].directory, places[i].wanted, 0);
    if (status) {
        out->complete = false;
        return status;
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(out->items[0]), by_name);
    if (out->complete)
        digest(out);
    return STATUS_OK;
}

void project_release(struct project_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
        free(files->items[i].text.text);
    }
    for (size_t i = 0; i < files->directory_count; i++)
        free(files->directories[i]);
    free(files->directories);
    free(files->items);
    *files = (struct project_files){0};
}

const struct project_file *project_find(const struct project_files *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return &files->items[i];
    return NULL;
}
