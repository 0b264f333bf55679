#include "policy/kept.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "machine/shelf.h"
#include "policy/project.h"
#include "policy/state.h"

#define LOCK_NAME    "lock"
#define KEPT_MEMORY  (16 * KEPT_BYTES_MAX)
#define KEPT_VERSION 1

/* ---- writing ---- */

static bool is_kept(const char *name)
{
    return strlen(name) == SHA256_HEX - 1 && strspn(name, "0123456789abcdef") == SHA256_HEX - 1;
}

static void forget_oldest(int directory)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    char oldest[SHA256_HEX] = "";
    time_t when = 0;
    size_t count = 0;
    const struct dirent *e;
    struct stat st;

    if (!d && copy >= 0)
        close(copy);
    while (d && (e = readdir(d))) {
        if (!is_kept(e->d_name) || fstatat(directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (count++ == 0 || st.st_mtime < when) {
            memcpy(oldest, e->d_name, SHA256_HEX);
            when = st.st_mtime;
        }
    }
    if (d)
        closedir(d);
    if (count >= KEPT_MAX)
        (void)unlinkat(directory, oldest, 0);
}

struct kept_text {
    struct arena arena;
    const struct project_files *files;
    struct str out;
};

static void print(void *arg)
{
    struct kept_text *t = arg;
    struct buf b = buf_in(&t->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "version");
    json_int(&w, KEPT_VERSION);
    json_key(&w, "files");
    json_begin_array(&w);
    for (size_t i = 0; i < t->files->count; i++) {
        const struct project_file *f = &t->files->items[i];
        json_begin_object(&w);
        json_text_member(&w, "name", str_from(f->name));
        json_text_member(&w, "text", (struct str){f->text.text, f->text.len});
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    t->out = buf_str(&b);
}

static enum status write_text(const char *state_dir, const char *digest, struct str text,
                              struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    enum status status;

    if ((status = state_open(state_dir, KEPT_BELOW, &directory, err)) ||
        (status = state_lock(directory, LOCK_NAME, &lock, err)))
        return status;
    forget_oldest(directory);
    return state_replace(directory, digest, text, err);
}

static enum status write_files(const char *state_dir, struct shelf *shelf,
                               const struct project_files *files, const char *digest,
                               struct error *err)
{
    struct kept_text t = {.files = files};
    enum status status;

    if (strcmp(files->digest, digest) != 0)
        return fail(err, STATUS_UNSAFE, "the project's policy files change while they are read");
    arena_init(&t.arena, KEPT_MEMORY);
    if (!arena_try(&t.arena, print, &t) || t.out.len > KEPT_BYTES_MAX)
        status = fail(err, STATUS_LIMIT, "the project's policy files are too large to be kept");
    else
        status = shelf ? shelf_put(shelf, digest, t.out, err)
                       : write_text(state_dir, digest, t.out, err);
    arena_release(&t.arena);
    return status;
}

enum status kept_write(const char *state_dir, struct shelf *shelf, const char *project,
                       const char *digest, struct error *err)
{
    struct project_files files = {0};
    enum status status = project_read(project, &files, err);

    if (status == STATUS_OK)
        status = write_files(state_dir, shelf, &files, digest, err);
    project_release(&files);
    return status;
}

/* ---- reading ---- */

static bool read_files(struct arena *a, struct str text, struct kept_files *out)
{
    struct value *document = ARENA_NEW(a, struct value);
    const struct value *files;
    int64_t version;

    if (json_read(a, text, NULL, document, NULL) != STATUS_OK)
        return false;
    const struct value *v = value_get(document, "version");
    files = value_get(document, "files");
    if (!v || !value_integer(v, &version) || version != KEPT_VERSION || !files ||
        files->kind != VALUE_ARRAY)
        return false;
    for (size_t i = 0; i < files->count; i++)
        LIST_PUSH(a, out,
                  (struct kept_file){value_text(&files->items[i], "name"),
                                     value_text(&files->items[i], "text")});
    return true;
}

static enum status gone(struct error *err)
{
    return fail(err, STATUS_IO,
                "the project's policy files have changed since the session began, and what they "
                "were is not known: begin a new session, or read them and run `warder trust`");
}

/* *text is NULL if there is none. */
static enum status fetch(const char *state_dir, const char *digest, char **text, size_t *len,
                         struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = state_find(state_dir, KEPT_BELOW, &directory, err);

    if (status == STATUS_OK && directory >= 0)
        status = state_read(directory, digest, KEPT_BYTES_MAX, text, len, err);
    return status;
}

enum status kept_read(struct arena *a, const char *state_dir, struct shelf *shelf,
                      const char *digest, struct kept_files *out, struct error *err)
{
    char *text = NULL;
    size_t len = 0;
    enum status status = shelf ? shelf_read(shelf, digest, &text, &len, err)
                               : fetch(state_dir, digest, &text, &len, err);

    if (status != STATUS_OK)
        return status;
    if (!text)
        return gone(err);
    struct str copy = str_copy(a, (struct str){text, len});
    free(text);
    return read_files(a, copy, out) ? STATUS_OK : gone(err);
}
