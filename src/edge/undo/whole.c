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
    w->entry->skips = str_starts(path, STR(".git/")) ? NULL : w->skips;
    w->status = undo_save_tree(w->entry, path, fate, w->err);
    if (w->status == STATUS_LIMIT) {
        w->worst = STATUS_LIMIT;
        w->status = STATUS_OK;
    }
    return w->status == STATUS_OK;
}

enum status undo_save_whole(struct undo_entry *e, enum undo_whole what, struct error *err)
{
    struct whole_saving w = {.entry = e, .skips = e->skips, .err = err};
    bool good = undo_whole_each(e->store->workspace, what, save_name, &w);

    e->skips = w.skips;
    if (!good && !w.status)
        return fail(err, STATUS_IO, "cannot list the workspace: %s", strerror(errno));
    if (!w.status && !w.worst)
        return undo_save(e, STR(".git"), UNDO_REPLACED, err); /* its time */
    return w.status ? w.status : w.worst;
}

/* ---- what is new ---- */

struct finding_new {
    struct arena *arena;
    const struct undo_log *log;
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
    return n->known->count && bsearch(&path, n->known->items, n->known->count,
                                      sizeof(*n->known->items), compare_touched);
}

static void find_below(struct finding_new *n, int directory, const char *name, struct str path,
                       unsigned depth);

static bool is_directory(int directory, const char *name, unsigned char type)
{
    struct undo_state now;

    if (type != DT_UNKNOWN)
        return type == DT_DIR;
    return beneath_look_at(directory, name, &now) && now.kind == UNDO_DIRECTORY;
}

static void find_at(struct finding_new *n, int directory, const char *name, unsigned char type,
                    struct str path, unsigned depth)
{
    if (strs_has(&n->left, path))
        return;
    if (!is_known(n, path))
        LIST_PUSH(n->arena, &n->found,
                  ((struct undo_touched){str_copy(n->arena, path), true, true, NULL}));
    else if (is_directory(directory, name, type))
        find_below(n, directory, name, path, depth + 1);
}

static void find_below(struct finding_new *n, int directory, const char *name, struct str path,
                       unsigned depth)
{
    int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = inner >= 0 ? fdopendir(inner) : NULL;
    char whole[PATH_MAX];

    n->good = n->good && d && depth <= UNDO_DEPTH_MAX;
    if (!d)
        auto_close(&inner);
    for (const struct dirent *e; d && n->good && (e = readdir(d)) != NULL;) {
        int len = is_dots(e->d_name)
                      ? 0
                      : snprintf(whole, sizeof(whole), "%.*s/%s", STR_ARG(path), e->d_name);
        if (len > 0 && len < (int)sizeof(whole))
            find_at(n, inner, e->d_name, e->d_type, (struct str){whole, (size_t)len}, depth);
    }
    if (d)
        closedir(d);
}

static bool find_name(void *context, struct str path, enum undo_fate fate)
{
    struct finding_new *n = context;
    struct beneath b;

    (void)fate;
    if (beneath_open(n->workspace, path, &b))
        find_at(n, b.directory, b.name, DT_UNKNOWN, path, 0);
    beneath_close(&b);
    return n->good;
}

static void find_all(void *context)
{
    struct finding_new *n = context;
    const struct undo_ops *ops = &n->log->ops;

    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].what == UNDO_LEFT)
            LIST_PUSH(n->arena, &n->left, ops->items[i].path);
    n->good = true;
    n->good = undo_whole_each(n->workspace, n->log->header.whole, find_name, n) && n->good;
    for (size_t i = 0; i < n->found.count; i++)
        LIST_PUSH(n->arena, n->sorted, n->found.items[i]);
}

static int by_path(const void *a, const void *b)
{
    return str_compare(((const struct undo_touched *)a)->path,
                       ((const struct undo_touched *)b)->path);
}

bool undo_whole_find_new(struct arena *a, int workspace, const struct undo_log *log,
                         struct undo_touches *sorted)
{
    const struct undo_touches known = *sorted;
    struct finding_new n = {
        .arena = a, .log = log, .known = &known, .sorted = sorted, .workspace = workspace};

    if (!arena_try(a, find_all, &n) || !n.good)
        return false;
    if (sorted->count)
        qsort(sorted->items, sorted->count, sizeof(*sorted->items), by_path);
    return true;
}
