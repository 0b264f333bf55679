#include "policy/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/json.h"
#include "machine/worktree.h"
#include "policy/file.h"
#include "policy/project.h"
#include "policy/state.h"

#define STORE_MEMORY ((size_t)16 * 1024 * 1024)

static enum status path_in(const char *state_dir, const char *name, char out[PATH_MAX],
                           struct error *err)
{
    if (!state_dir || !state_dir[0])
        return fail(err, STATUS_USAGE, "there is no state directory to keep trust in");
    if (snprintf(out, PATH_MAX, "%s/%s", state_dir, name) >= PATH_MAX)
        return fail(err, STATUS_LIMIT, "the path of the state directory is too long");
    return STATUS_OK;
}

/* ---- reading ---- */

struct trust_list {
    struct trust_store *store;
    const struct value *list;
};

static void fill(void *arg)
{
    struct trust_list *f = arg;
    struct trust_store *s = f->store;

    s->items = ARENA_ARRAY(&s->arena, struct trust_entry,
                           f->list->count + 1); /* one more, for trust_add() */
    for (size_t i = 0; i < f->list->count; i++) {
        const struct value *v = &f->list->items[i];
        s->items[i] = (struct trust_entry){value_text(v, "digest"), value_text(v, "project"),
                                           value_text(v, "common"), value_text(v, "below"), 0};
        const struct value *at = value_get(v, "at");
        if (at && !value_integer(at, &s->items[i].at))
            s->items[i].at = 0;
    }
    s->count = f->list->count;
}

static enum status parse(struct trust_store *store, const char *path, struct str text,
                         struct error *err)
{
    static const struct value empty = {.kind = VALUE_ARRAY};
    struct value document = {0};
    struct trust_list f = {.store = store, .list = &empty};
    enum status status = text.s ? json_read(&store->arena, text, NULL, &document, err) : STATUS_OK;

    if (status)
        return status;
    if (text.s)
        f.list = value_get(&document, "trusted");
    if (!f.list || f.list->kind != VALUE_ARRAY)
        return fail(err, STATUS_SYNTAX, "%s is not a list of trusted projects", path);
    if (f.list->count > TRUST_ENTRIES_MAX)
        return fail(err, STATUS_LIMIT, "more than %u trusted projects in %s", TRUST_ENTRIES_MAX,
                    path);
    return arena_try(&store->arena, fill, &f)
               ? STATUS_OK
               : fail(err, STATUS_NOMEM, "no memory to read %s", path);
}

enum status trust_load(const char *state_dir, struct trust_store *out, struct error *err)
{
    char path[PATH_MAX];
    struct file_text file = {0};

    *out = (struct trust_store){0};
    arena_init(&out->arena, STORE_MEMORY);
    enum status status = path_in(state_dir, TRUST_NAME, path, err);
    if (!status)
        status = file_read(path, FILE_MANAGED, NULL, &file, err);
    if (!status)
        status = parse(out, path, (struct str){file.text, file.len}, err);
    free(file.text);
    return status;
}

void trust_release(struct trust_store *store)
{
    arena_release(&store->arena);
    store->items = NULL;
    store->count = 0;
}

/* ---- the place ---- */

enum status trust_locate(const char *project, struct trust_place *out, struct error *err)
{
    struct worktree tree;

    out->common[0] = out->below[0] = out->link[0] = '\0';
    if (!realpath(project, out->project))
        return fail(err, STATUS_IO, "%s: %s", project, strerror(errno));
    if (!worktree_find(out->project, &tree))
        return STATUS_OK;
    memcpy(out->common, tree.common, sizeof(out->common));
    snprintf(out->below, sizeof(out->below), "%s", out->project + strlen(tree.top));
    if (tree.linked && snprintf(out->link, sizeof(out->link), "%s/.git", tree.top) >= PATH_MAX)
        return fail(err, STATUS_LIMIT, "the path of the project is too long");
    return STATUS_OK;
}

bool trust_is_at(const struct trust_entry *e, const struct trust_place *at)
{
    return str_is(e->project, at->project) ||
           (at->common[0] && str_is(e->common, at->common) && str_is(e->below, at->below));
}

static const struct trust_entry *find(const struct trust_store *store, const char *digest,
                                      const struct trust_place *at, bool here)
{
    for (size_t i = 0; digest[0] && i < store->count; i++)
        if (str_is(store->items[i].digest, digest) && trust_is_at(&store->items[i], at) == here)
            return &store->items[i];
    return NULL;
}

int64_t trust_time(const struct trust_store *store, const char *digest,
                   const struct trust_place *at)
{
    const struct trust_entry *e = find(store, digest, at, true);

    return e ? e->at : 0;
}

bool trust_has(const struct trust_store *store, const char *digest, const struct trust_place *at)
{
    return find(store, digest, at, true) != NULL;
}

const struct trust_entry *trust_elsewhere(const struct trust_store *store, const char *digest,
                                          const struct trust_place *at)
{
    return trust_has(store, digest, at) ? NULL : find(store, digest, at, false);
}

enum status trust_check(const char *state_dir, const char *project, enum trust *out,
                        struct error *err)
{
    struct project_files files;
    struct trust_store store = {0};
    struct trust_place at;

    *out = TRUST_NO;
    enum status status = project_read(project, &files, err);
    if (!status && files.count == 0)
        *out = TRUST_NO_FILES;
    else if (!status)
        status = trust_load(state_dir, &store, err);
    if (!status && *out != TRUST_NO_FILES)
        status = trust_locate(project, &at, err);
    if (!status && *out != TRUST_NO_FILES && trust_has(&store, files.digest, &at))
        *out = TRUST_YES;
    trust_release(&store);
    project_release(&files);
    return status;
}

/* ---- writing ---- */

static void print(struct buf *out, const void *about)
{
    const struct trust_store *store = about;
    struct json_writer w = json_to_indented(out);

    json_begin_object(&w);
    json_key(&w, "trusted");
    json_begin_array(&w);
    for (size_t i = 0; i < store->count; i++) {
        json_begin_object(&w);
        json_text_member(&w, "digest", store->items[i].digest);
        json_text_member(&w, "project", store->items[i].project);
        if (store->items[i].common.len) {
            json_text_member(&w, "common", store->items[i].common);
            json_text_member(&w, "below", store->items[i].below);
        }
        if (store->items[i].at) {
            json_key(&w, "at");
            json_int(&w, store->items[i].at);
        }
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    buf_byte(out, '\n');
}

/* A change of the store. */
typedef enum status (*change)(struct trust_store *store, const char *digest,
                              const struct trust_place *at, struct error *err);

static enum status add(struct trust_store *store, const char *digest, const struct trust_place *at,
                       struct error *err)
{
    const int64_t now = time(NULL);

    for (size_t i = 0; i < store->count; i++)
        if (str_is(store->items[i].digest, digest) && trust_is_at(&store->items[i], at)) {
            store->items[i].at = now; /* also for sessions that began since */
            return STATUS_OK;
        }
    if (store->count == TRUST_ENTRIES_MAX)
        return fail(err, STATUS_LIMIT, "more than %u trusted projects", TRUST_ENTRIES_MAX);
    store->items[store->count++] =
        (struct trust_entry){str_from(digest), str_from(at->project), str_from(at->common),
                             str_from(at->below), now}; /* fill() left room for one */
    return STATUS_OK;
}

static enum status drop(struct trust_store *store, const char *digest, const struct trust_place *at,
                        struct error *err)
{
    size_t kept = 0;

    (void)digest;
    (void)err;
    for (size_t i = 0; i < store->count; i++)
        if (!trust_is_at(&store->items[i], at))
            store->items[kept++] = store->items[i];
    store->count = kept;
    return STATUS_OK;
}

static enum status apply(const char *state_dir, const char *digest, const char *project, change act,
                         struct error *err)
{
    struct trust_place at;
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    struct trust_store store = {0};
    struct str text;
    enum status status = state_open(state_dir, NULL, &directory, err);

    if (!status)
        status = trust_locate(project, &at, err);
    if (!status)
        status = state_lock(directory, "trust.lock", &lock, err);
    if (!status)
        status = trust_load(state_dir, &store, err);
    if (!status)
        status = act(&store, digest, &at, err);
    if (!status && !buf_try(&store.arena, print, &store, &text))
        status = fail(err, STATUS_NOMEM, "no memory to write the trusted projects");
    if (!status)
        status = state_replace(directory, TRUST_NAME, text, err);
    trust_release(&store);
    return status;
}

static const struct project_file *first_unread(const struct project_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (!files->items[i].text.text)
            return &files->items[i];
    return NULL;
}

enum status trust_add_digest(const char *state_dir, const char *digest, const char *project,
                             struct error *err)
{
    if (!digest[0])
        return fail(err, STATUS_UNSAFE, "files of %s cannot be read", project);
    return apply(state_dir, digest, project, add, err);
}

enum status trust_add(const char *state_dir, const char *project, struct error *err)
{
    struct project_files files;
    enum status status = project_read(project, &files, err);
    const struct project_file *unread = status ? NULL : first_unread(&files);

    if (!status && files.count == 0)
        status = fail(err, STATUS_USAGE, "%s has no policy files to trust", project);
    else if (unread)
        status = fail(err, STATUS_UNSAFE, "%s/%s cannot be trusted: %s", project, unread->name,
                      unread->error.message);
    else if (!status)
        status = trust_add_digest(state_dir, files.digest, project, err);
    project_release(&files);
    return status;
}

enum status trust_remove(const char *state_dir, const char *project, struct error *err)
{
    return apply(state_dir, "", project, drop, err);
}
