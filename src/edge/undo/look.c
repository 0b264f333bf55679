/* What an undo would change, and what is in its way. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/utf8.h"
#include "undo/content.h"
#include "undo/end.h"
#include "undo/git_objects.h"
#include "undo/history.h"
#include "undo/restore.h"

static bool is_below(struct str path, struct str directory)
{
    return path.len > directory.len && path.s[directory.len] == '/' && str_starts(path, directory);
}

static bool path_is_wished(const struct strs *paths, struct str path, bool directory)
{
    for (size_t i = 0; i < paths->count; i++) {
        struct str wish = paths->items[i];
        if (str_eq(path, wish) || is_below(path, wish) || (directory && is_below(wish, path)))
            return true;
    }
    return false;
}

/* A directory that is wished for only because something in it is has to be there, no more. */
bool undo_is_wished(const struct undo_wish *wish, const struct undo_op *op)
{
    if (op->idle || !wish->paths)
        return !op->idle;
    return path_is_wished(wish->paths, op->path, op->what == UNDO_MADE) ||
           (op->to.len && path_is_wished(wish->paths, op->to, false));
}

struct first_op {
    struct str path;
    size_t at;
};
struct first_ops LIST_OF(struct first_op);

static int by_path_and_order(const void *a, const void *b)
{
    const struct first_op *x = a, *y = b;
    int order = str_compare(x->path, y->path);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

struct looking {
    struct arena *arena;
    const struct undo_store *store;
    const struct undo_wish *wish;
    struct undo_plan *plan;
    int trash;
    struct git_objects *objects;
    struct first_ops firsts; /* the first line about each path, sorted */
};

static void add_conflict(struct looking *l, struct str path, const char *why, bool hard)
{
    struct undo_conflict c = {path, why, hard};

    if (!hard && l->wish->force)
        return;
    if (l->wish->keep_theirs)
        LIST_PUSH(l->arena, &l->plan->kept, c);
    else
        LIST_PUSH(l->arena, &l->plan->conflicts, c);
}

/* ---- conflicts ---- */

/* Is nothing different, as far as can be seen without reading? */
static bool seems_unchanged(const struct undo_op *op, const struct undo_state *now)
{
    const struct undo_state *was = &op->was;

    if (now->kind != was->kind || now->mode != was->mode)
        return false;
    return now->kind == UNDO_DIRECTORY ||
           (now->inode == was->inode && now->size == was->size && now->modified == was->modified);
}

static int compare_first(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct first_op *)item)->path);
}

static bool content_is_saved(const struct looking *l, const struct undo_op *op,
                             const struct undo_state *now)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state saved;
    struct beneath b;
    bool same = false;

    undo_slot_name(op->copy, name);
    if (beneath_open(l->store->workspace, op->path, &b) &&
        beneath_look_at(l->trash, name, &saved)) {
        AUTO_CLOSE int x = content_open(b.directory, b.name, now->inode, O_RDONLY);
        AUTO_CLOSE int y = content_open(l->trash, name, saved.inode, O_RDONLY);
        same = x >= 0 && y >= 0 && content_equal(x, y);
    }
    beneath_close(&b);
    return same;
}

/* Is it what it was before the call, because it alone was undone, for example? Then nothing of
 * anybody's would be lost. */
static bool is_back(const struct looking *l, struct str path, const struct undo_state *now)
{
    const struct first_op *first = l->firsts.count
                                       ? bsearch(&path, l->firsts.items, l->firsts.count,
                                                 sizeof(*l->firsts.items), compare_first)
                                       : NULL;
    const struct undo_op *op = first ? &l->plan->log.ops.items[first->at] : NULL;

    if (!op || (op->what != UNDO_KEEP && op->what != UNDO_NONE && op->what != UNDO_MADE))
        return false;
    if (op->what == UNDO_NONE)
        return now->kind == UNDO_ABSENT;
    return seems_unchanged(op, now) && (op->what == UNDO_MADE || op->copy == UNDO_SLOT_NONE ||
                                        now->kind != UNDO_FILE || content_is_saved(l, op, now));
}

/* Where the link leads, for a person. */
static const char *say_link(struct looking *l, struct str path)
{
    char target[PATH_MAX];
    struct beneath b;
    ssize_t n = -1;

    if (beneath_open(l->store->workspace, str_copy(l->arena, path), &b))
        n = readlinkat(b.directory, b.name, target, sizeof(target));
    beneath_close(&b);
    struct str leads = utf8_cut((struct str){target, n > 0 ? (size_t)n : 0}, 150);
    if (!leads.len || !utf8_valid(leads))
        leads = STR("elsewhere");
    const struct str shown = utf8_valid(path) ? utf8_cut(path, 150) : STR("its directory");
    return str_format(l->arena, "%.*s is a link to %.*s now", STR_ARG(shown), STR_ARG(leads)).s;
}

/* A link can be put aside; another mount is left where it is. */
static void look_at_beyond(struct looking *l, struct str path)
{
    const struct str link = beneath_link_above(l->store->workspace, path);

    if (link.len && l->wish->force && !strs_has(&l->plan->links, link))
        LIST_PUSH(l->arena, &l->plan->links, link);
    if (link.len)
        add_conflict(l, path, say_link(l, link), false);
    else
        add_conflict(l, path, "another file system is on the way there now", true);
}

static void look_at_path(struct looking *l, struct str path)
{
    struct undo_state now;
    const struct undo_end *end = undo_log_end(&l->plan->log, path);

    if (!beneath_look(l->store->workspace, path, &now))
        add_conflict(l, path, "it cannot be looked at", true);
    else if (now.kind == UNDO_DEVICE)
        add_conflict(l, path, "it is a device now", true);
    else if (now.kind == UNDO_BEYOND && !(end && end->state.kind == UNDO_BEYOND))
        look_at_beyond(l, path);
    else if (l->plan->log.ended && !end)
        add_conflict(l, path, "its journal does not say how it was left", true);
    else if (end && !beneath_is_as_left(l->store->workspace, end, &now) && !is_back(l, path, &now))
        add_conflict(l, path, "it was changed since", false);
}

static bool slot_is(const struct looking *l, int64_t slot, const struct undo_state *was, bool link)
{
    char name[UNDO_SLOT_SIZE];
    struct undo_state saved;

    return slot == UNDO_SLOT_NONE ||
           (beneath_look_at(l->trash, undo_slot_name(slot, name), &saved) &&
            saved.kind == was->kind && (!link || saved.inode == was->inode));
}

static void look_at_slots(struct looking *l, const struct undo_op *op)
{
    struct undo_state now;
    uint64_t size;
    bool good = slot_is(l, op->link, &op->was, true) && slot_is(l, op->copy, &op->was, false);

    if (op->what == UNDO_KEEP)
        good = good && (op->link != UNDO_SLOT_NONE || op->copy != UNDO_SLOT_NONE || op->blob);
    if (op->blob)
        good = good && git_object_size(l->objects, op->blob, &size) && size == op->was.size;
    if (op->what == UNDO_ASIDE && !good) /* it may be at its place still, or again */
        good = beneath_look(l->store->workspace, op->path, &now) && now.inode == op->was.inode;
    if ((op->what == UNDO_KEEP || op->what == UNDO_ASIDE) && !good)
        add_conflict(l, op->path, "what was saved of it is gone", true);
}

/* ---- changes ---- */

static void add_change(struct looking *l, const struct undo_op *op, const struct undo_state *now)
{
    struct undo_change c = {.path = op->path,
                            .was = op->was,
                            .now = *now,
                            .link = op->link,
                            .copy = op->copy,
                            .blob = op->blob};
    bool none = op->what == UNDO_NONE || op->what == UNDO_BACK;

    if (none && now->kind == UNDO_ABSENT)
        return;
    if (none)
        c.kind = UNDO_GOES;
    else if (op->what == UNDO_MOVE) {
        c.kind = UNDO_MOVES;
        c.from = op->to;
    } else
        c.kind = now->kind == UNDO_ABSENT || now->kind == UNDO_BEYOND ? UNDO_RETURNS : UNDO_CHANGES;
    LIST_PUSH(l->arena, &l->plan->changes, c);
}

/* The first line about a path says what it becomes. */
static void look_at_change(struct looking *l, const struct undo_op *op)
{
    struct undo_state now, to;

    if (!beneath_look(l->store->workspace, op->path, &now) ||
        (op->what != UNDO_NONE && op->what != UNDO_BACK && op->what != UNDO_ASIDE &&
         seems_unchanged(op, &now)))
        return;
    if (op->what == UNDO_MOVE &&
        (now.kind != UNDO_ABSENT || op->was.kind == UNDO_ABSENT ||
         !beneath_look(l->store->workspace, op->to, &to) || to.kind != op->was.kind))
        return;
    add_change(l, op, &now);
}

static bool is_kept(const struct undo_plan *plan, struct str path)
{
    for (size_t i = 0; i < plan->kept.count; i++)
        if (str_eq(plan->kept.items[i].path, path))
            return true;
    return false;
}

static void find_firsts(struct looking *l)
{
    const struct undo_ops *ops = &l->plan->log.ops;
    size_t kept = 0;

    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].what != UNDO_LEFT && undo_is_wished(l->wish, &ops->items[i]))
            LIST_PUSH(l->arena, &l->firsts, (struct first_op){ops->items[i].path, i});
    if (l->firsts.count)
        qsort(l->firsts.items, l->firsts.count, sizeof(*l->firsts.items), by_path_and_order);
    for (size_t i = 0; i < l->firsts.count; i++)
        if (!kept || !str_eq(l->firsts.items[i].path, l->firsts.items[kept - 1].path))
            l->firsts.items[kept++] = l->firsts.items[i];
    l->firsts.count = kept;
}

static void look_at_changes(struct looking *l)
{
    for (size_t i = 0; i < l->firsts.count; i++)
        if (!is_kept(l->plan, l->firsts.items[i].path))
            look_at_change(l, &l->plan->log.ops.items[l->firsts.items[i].at]);
}

static void look_at_all(void *arg)
{
    struct looking *l = arg;
    const struct undo_ops *ops = &l->plan->log.ops;
    struct undo_touches touched = {0};

    if (!undo_touched_paths(l->arena, &l->plan->log, &touched))
        arena_leave(l->arena);
    find_firsts(l);
    for (size_t i = 0; i < touched.count; i++)
        if (undo_is_wished(l->wish, &(struct undo_op){.path = touched.items[i].path}))
            look_at_path(l, touched.items[i].path);
    for (size_t i = 0; i < ops->count; i++) {
        if (!undo_is_wished(l->wish, &ops->items[i]))
            continue;
        if (ops->items[i].what == UNDO_LEFT)
            LIST_PUSH(l->arena, &l->plan->lost,
                      (struct undo_conflict){ops->items[i].path, ops->items[i].why.s, false});
        else
            look_at_slots(l, &ops->items[i]);
    }
    look_at_changes(l);
}

/* Every name in a journal must be a path below the workspace, whoever wrote it. */
static bool paths_are_good(const struct undo_log *log)
{
    for (size_t i = 0; i < log->ops.count; i++) {
        const struct undo_op *op = &log->ops.items[i];
        if (!beneath_is_path(op->path) ||
            (op->what == UNDO_MOVE ? !beneath_is_path(op->to) : op->to.len > 0))
            return false;
    }
    return true;
}

enum status undo_look(struct arena *a, const struct undo_store *s, const char *id,
                      const struct undo_wish *wish, struct undo_plan *out, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_CLOSE int trash = -1;
    struct undo_log *log = &out->log;
    enum status status;

    *out = (struct undo_plan){0};
    memcpy(out->id, id, UNDO_ID_SIZE);
    if ((status = undo_entry_directory(s, id, false, &directory, err)))
        return status;
    if (undo_entry_is_held(s, id))
        return fail(err, STATUS_USAGE, "the call of %.10s still runs",
                    undo_id_brief(str_from(id)).s);
    if ((status = undo_log_read(a, directory, log, err)))
        return status;
    if (!str_eq(log->header.project, str_from(s->project)) || !paths_are_good(log))
        return fail(err, STATUS_UNSAFE, "the undo journal is not one of this project");
    if (log->header.inode != s->inode)
        return fail(err, STATUS_UNSAFE, "%.150s is not the directory that it was", s->project);
    if ((status = undo_trash_open(s, id, log, &trash, err)))
        return status;
    struct git_objects objects = {.directory = -1};
    if (log->tracked.any)
        (void)git_objects_open(&objects, s->workspace);
    struct looking l = {
        .arena = a, .store = s, .wish = wish, .plan = out, .trash = trash, .objects = &objects};
    if (!arena_try(a, look_at_all, &l))
        status = fail(err, STATUS_NOMEM, "the call has too many files");
    git_objects_close(&objects);
    return status;
}
