#include "undo/whole.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

/* Objects are only added; what Warder itself keeps there is not the call's. */
static bool is_apart(struct str name)
{
    static const char *const names[] = {"objects", "lfs", "modules", UNDO_GIT_NAME};

    return STR_IN(name, names);
}

/* git gives these new files, and renames them over the old ones; others it may append to. */
static enum undo_fate fate_of(struct str name)
{
    static const char *const replaced[] = {"refs", "index", "packed-refs", "hooks"};

    return STR_IN(name, replaced) ? UNDO_REPLACED : UNDO_WRITTEN;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static bool each_in(int directory, bool git, whole_visit *visit, void *context)
{
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    char path[NAME_MAX + 8];
    bool good = d != NULL;

    if (!d)
        auto_close(&again);
    for (const struct dirent *e; good && (e = readdir(d)) != NULL;) {
        const struct str name = str_from(e->d_name);
        if (is_dots(e->d_name) || (git ? is_apart(name) : str_is(name, ".git")))
            continue;
        int n = snprintf(path, sizeof(path), "%s%s", git ? ".git/" : "", e->d_name);
        good = visit(context, (struct str){path, (size_t)n}, git ? fate_of(name) : UNDO_REPLACED);
    }
    if (d)
        closedir(d);
    return good;
}

bool undo_whole_each(int workspace, enum undo_whole what, whole_visit *visit, void *context)
{
    struct beneath b;
    bool good =
        beneath_open(workspace, STR(".git/x"), &b) && each_in(b.directory, true, visit, context);

    beneath_close(&b);
    return good && (what != UNDO_WHOLE_TREE || each_in(workspace, false, visit, context));
}

/* ---- saving ---- */

struct whole_saving {
    struct undo_entry *entry;
    struct tracked *tracked;
    bool (*skips)(const void *context, struct str path);
    enum status status, worst;
    struct error *err;
};

/* The names that policy leaves out mean directories of the work tree, not branches. */
static bool save_name(void *context, struct str path, enum undo_fate fate)
{
    struct whole_saving *w = context;

    if (w->entry->left && undo_entry_is_full(w->entry))
        return true;
    const bool git = str_starts(path, STR(".git/"));
    w->entry->skips = git ? NULL : w->skips;
    w->entry->tracked = git ? NULL : w->tracked;
    w->status = undo_save_tree(w->entry, path, fate, w->err);
    if (w->status == STATUS_LIMIT) {
        w->worst = STATUS_LIMIT;
        w->status = STATUS_OK;
    }
    return w->status == STATUS_OK;
}

static enum status save_names(struct undo_entry *e, enum undo_whole what, struct tracked *tracked,
                              struct error *err)
{
    struct whole_saving w = {.entry = e, .tracked = tracked, .skips = e->skips, .err = err};
    bool good = undo_whole_each(e->store->workspace, what, save_name, &w);

    e->skips = w.skips;
    e->tracked = NULL;
    if (!good && !w.status)
        return fail(err, STATUS_IO, "cannot list the workspace: %s", strerror(errno));
    if (!w.status && tracked)
        w.status = tracked_save(e, tracked, err);
    if (!w.status && !w.worst)
        return undo_save(e, STR(".git"), UNDO_REPLACED, err); /* its time */
    return w.status ? w.status : w.worst;
}

enum status undo_save_whole(struct undo_entry *e, enum undo_whole what, struct error *err)
{
    struct tracked tracked = {0};
    const bool any = what == UNDO_WHOLE_TREE && tracked_open(&tracked, e->store);
    enum status status = save_names(e, what, any ? &tracked : NULL, err);

    tracked_close(&tracked);
    return status;
}

/* ---- what is new ---- */

struct finding_new {
    struct arena *arena;
    const struct undo_log *log;
    const struct tracked_kept *tracked;
    const struct undo_touches *known; /* sorted */
    struct undo_touches found, *sorted;
    struct strs left; /* trees of which nothing is known */
    int workspace;
    bool good;
};

static int compare_touched(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct undo_touched *)item)->path);
}

static bool is_known(const struct finding_new *n, struct str path)
{
    return (n->known->count && bsearch(&path, n->known->items, n->known->count,
                                       sizeof(*n->known->items), compare_touched)) ||
           tracked_had(n->tracked, path) || strs_has(&n->left, path);
}

/* Lists an open directory, and closes it. `above` is its path; empty: the workspace. */
static void find_in(struct finding_new *n, int directory, struct str above)
{
    DIR *d = directory < 0 ? NULL : fdopendir(directory);
    char path[PATH_MAX];

    n->good = n->good && d;
    if (!d)
        auto_close(&directory);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        int len = snprintf(path, sizeof(path), "%.*s%s%s", STR_ARG(above), above.len ? "/" : "",
                           e->d_name);
        const struct str name = str_from(e->d_name), whole = {path, (size_t)len};
        if (is_dots(e->d_name) || len >= (int)sizeof(path) || is_known(n, whole) ||
            (above.len ? str_is(above, ".git") && is_apart(name) : str_is(name, ".git")))
            continue;
        LIST_PUSH(n->arena, &n->found,
                  ((struct undo_touched){str_copy(n->arena, whole), true, true, NULL}));
    }
    if (d)
        closedir(d);
}

/* A name that comes into a directory changes its times. One that had changed just before the call
 * was saved may have the same time since. */
static bool is_listed(const struct undo_log *log, const struct undo_op *op,
                      const struct undo_state *now)
{
    return now->kind == UNDO_DIRECTORY &&
           (now->changed != op->was.changed || now->inode != op->was.inode ||
            now->changed / 1000000 + UNDO_YOUNG_MS > log->header.at);
}

/* A directory of the work tree, or of what git keeps, that was there before. */
static bool is_searched(const struct finding_new *n, const struct undo_op *op)
{
    return op->what == UNDO_MADE && !str_is(op->path, ".git") &&
           (n->log->header.whole == UNDO_WHOLE_TREE || str_starts(op->path, STR(".git/")));
}

static void find_below(struct finding_new *n, const struct undo_op *op)
{
    struct undo_state now;
    struct beneath b;

    if (beneath_open(n->workspace, op->path, &b) && beneath_look_at(b.directory, b.name, &now) &&
        is_listed(n->log, op, &now))
        find_in(n, openat(b.directory, b.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                op->path);
    beneath_close(&b);
}

static void find_all(void *context)
{
    struct finding_new *n = context;
    const struct undo_ops *ops = &n->log->ops;
    struct beneath git;

    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].what == UNDO_LEFT)
            LIST_PUSH(n->arena, &n->left, ops->items[i].path);
    n->good = true;
    if (n->log->header.whole == UNDO_WHOLE_TREE)
        find_in(n, openat(n->workspace, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), (struct str){0});
    if (beneath_open(n->workspace, STR(".git/x"), &git))
        find_in(n, git.directory, STR(".git")); /* which closes it */
    for (size_t i = 0; i < ops->count; i++)
        if (is_searched(n, &ops->items[i]))
            find_below(n, &ops->items[i]);
    for (size_t i = 0; i < n->found.count; i++)
        LIST_PUSH(n->arena, n->sorted, n->found.items[i]);
}

static int by_path(const void *a, const void *b)
{
    return str_compare(((const struct undo_touched *)a)->path,
                       ((const struct undo_touched *)b)->path);
}

bool undo_whole_find_new(struct arena *a, int workspace, const struct undo_log *log,
                         const struct tracked_kept *tracked, struct undo_touches *sorted)
{
    const struct undo_touches known = *sorted;
    struct finding_new n = {.arena = a,
                            .log = log,
                            .tracked = tracked,
                            .known = &known,
                            .sorted = sorted,
                            .workspace = workspace};

    if (!arena_try(a, find_all, &n) || !n.good)
        return false;
    if (sorted->count)
        qsort(sorted->items, sorted->count, sizeof(*sorted->items), by_path);
    return true;
}
