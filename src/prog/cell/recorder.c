#include "cell/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/path.h"
#include "machine/ignored.h"
#include "undo/end.h"
#include "undo/save.h"

#define FIRST_ROOM 256u

/* What is at a path, as far as that matters. Where nothing is known, it was there before. */
enum origin {
    ORIGIN_UNKNOWN = 0,
    ORIGIN_SETTLED, /* made by the command; or all of it is saved, and undo puts it back */
    ORIGIN_FOREIGN, /* it was there before, elsewhere */
};

struct known {
    char *path; /* malloc'ed; NULL: this place is free */
    enum origin origin;
};

struct recorder {
    const struct plan *plan;
    struct undo_store store;
    struct undo_entry entry;
    struct known *known; /* malloc'ed: a table of paths */
    size_t count, room;
    size_t foreign;         /* of them */
    bool blind;             /* there was no memory for one: nothing is known */
    char *skipped, *passed; /* directories that were looked at last: left out, and not; malloc'ed */
    int hold;
};

/* ---- what is known ---- */

static struct known *place_of(struct known *table, size_t room, struct str path)
{
    size_t at = str_hash(path) & (room - 1);

    while (table[at].path && !str_is(path, table[at].path))
        at = (at + 1) & (room - 1);
    return &table[at];
}

static bool grow(struct recorder *r)
{
    const size_t room = r->room ? r->room * 2 : FIRST_ROOM;
    struct known *more = calloc(room, sizeof(*more));

    if (!more)
        return false;
    for (size_t i = 0; i < r->room; i++)
        if (r->known[i].path)
            *place_of(more, room, str_from(r->known[i].path)) = r->known[i];
    free(r->known);
    r->known = more;
    r->room = room;
    return true;
}

static enum origin origin_at(const struct recorder *r, struct str path)
{
    const struct known *k = r->room && !r->blind ? place_of(r->known, r->room, path) : NULL;

    return k && k->path ? k->origin : ORIGIN_UNKNOWN;
}

/* By the path itself, or by the nearest directory above it of which anything is known: what is in a
 * directory that the command has made came there with it. */
static enum origin origin_of(const struct recorder *r, struct str path)
{
    for (size_t len = path.len; len != STR_NONE && len > 0;
         len = str_last_index((struct str){path.s, len}, '/')) {
        enum origin found = origin_at(r, (struct str){path.s, len});
        if (found != ORIGIN_UNKNOWN)
            return found;
    }
    return ORIGIN_UNKNOWN;
}

static void know(struct recorder *r, struct str path, enum origin origin)
{
    r->blind = r->blind || (r->count * 2 >= r->room && !grow(r));
    if (r->blind)
        return;
    struct known *k = place_of(r->known, r->room, path);
    if (!k->path) {
        if (!(k->path = strndup(path.s, path.len))) {
            r->blind = true;
            return;
        }
        r->count++;
    }
    r->foreign += (origin == ORIGIN_FOREIGN) - (size_t)(k->origin == ORIGIN_FOREIGN);
    k->origin = origin;
}

/* A line about the path needs the directories that it is in, so these are not the command's alone
 * any more. */
static void need_directories(struct recorder *r, struct str path)
{
    for (size_t len = str_last_index(path, '/'); len != STR_NONE && len > 0;
         len = str_last_index((struct str){path.s, len}, '/'))
        if (origin_at(r, (struct str){path.s, len}) == ORIGIN_SETTLED)
            know(r, (struct str){path.s, len}, ORIGIN_FOREIGN);
}

/* What was there before is at this path from now on. */
static void know_foreign(struct recorder *r, struct str path)
{
    know(r, path, ORIGIN_FOREIGN);
    need_directories(r, path);
}

static bool is_below(struct str path, struct str directory)
{
    return path.len > directory.len && path.s[directory.len] == '/' && str_starts(path, directory);
}

/* Something else is at this path from now on. */
static void forget_below(struct recorder *r, struct str directory)
{
    for (size_t i = 0; i < r->room; i++)
        if (r->known[i].path && is_below(str_from(r->known[i].path), directory)) {
            r->foreign -= r->known[i].origin == ORIGIN_FOREIGN;
            r->known[i].origin = ORIGIN_UNKNOWN;
        }
}

static bool has_foreign(const struct recorder *r, struct str directory)
{
    for (size_t i = 0; r->foreign && i < r->room; i++)
        if (r->known[i].path && r->known[i].origin == ORIGIN_FOREIGN &&
            is_below(str_from(r->known[i].path), directory))
            return true;
    return false;
}

/* Made by the command, with all that is in it. */
static bool is_own(const struct recorder *r, struct str path)
{
    return origin_of(r, path) == ORIGIN_SETTLED && !has_foreign(r, path);
}

/* ---- what is left out ---- */

static bool is_at(struct str path, struct str directory)
{
    return str_eq(path, directory) || is_below(path, directory);
}

/* What Warder keeps there is not the command's. */
static bool is_apart(struct str path)
{
    return is_at(path, STR(".git/warder-undo"));
}

/* Objects of git are named by what they hold, and other calls may need those that this one makes:
 * they stay. Those that it destroys come back. */
static bool stays_when_made(struct str path)
{
    return is_at(path, STR(".git/objects")) || is_at(path, STR(".git/lfs"));
}

static bool is_skipped_name(const struct recorder *r, struct str name)
{
    for (size_t i = 0; i < r->plan->undo.skip.count; i++)
        if (str_eq(name, r->plan->undo.skip.items[i]))
            return true;
    return false;
}

/* The journal says so, once for each time that another one was looked at between. */
static bool is_ignored(struct recorder *r, struct str directory)
{
    char whole[PATH_MAX * 2];

    if (r->passed && str_is(directory, r->passed))
        return false;
    (void)snprintf(whole, sizeof(whole), "%s/%.*s", r->store.project, STR_ARG(directory));
    const bool ignored = ignored_look(whole);
    char **last = ignored ? &r->skipped : &r->passed;
    free(*last);
    *last = strndup(directory.s, directory.len);
    if (ignored && *last)
        (void)undo_skip(&r->entry, str_from(*last), NULL);
    return ignored;
}

/* A directory on the way that policy leaves out and git ignores. */
static bool is_skipped(struct recorder *r, struct str path)
{
    if (r->skipped && is_below(path, str_from(r->skipped)))
        return true;
    for (size_t begin = 0, i = 0; i < path.len; i++) {
        if (path.s[i] != '/')
            continue;
        if (is_skipped_name(r, str_slice(path, begin, i)) && is_ignored(r, str_slice(path, 0, i)))
            return true;
        begin = i + 1;
    }
    return false;
}

/* ---- saving ---- */

/* Two processes may make a directory, and link a file of before into it, in one moment: then only
 * this line says that it was there. */
static bool save(struct recorder *r, struct str path, enum undo_fate fate)
{
    need_directories(r, path);
    return undo_save(&r->entry, path, fate, NULL) == STATUS_OK;
}

static void save_make(struct recorder *r, struct str path, const struct undo_state *now)
{
    if (now->kind == UNDO_ABSENT && (stays_when_made(path) || save(r, path, UNDO_REPLACED)))
        know(r, path, ORIGIN_SETTLED);
}

/* What could not be saved is not tried again. */
static void save_write(struct recorder *r, struct str path, const struct undo_state *now,
                       bool makes)
{
    if (makes && now->kind == UNDO_ABSENT) {
        save_make(r, path, now);
    } else if (now->kind == UNDO_FILE) {
        (void)save(r, path, UNDO_WRITTEN);
        know(r, path, ORIGIN_SETTLED);
    }
}

/* It may fail: then what has a link only may be written yet. False: it is not to go. */
static bool save_gone(struct recorder *r, struct str path, const struct undo_state *now)
{
    return now->kind == UNDO_ABSENT || save(r, path, UNDO_REPLACED) || !r->plan->undo.needed;
}

/* What was there before moves; all that is below it, too. On the way back nothing may be at the old
 * name, so what is made there later has lines, whatever was known of it. */
static void save_foreign_move(struct recorder *r, struct str path, struct str from)
{
    struct undo_state moved;

    (void)undo_save_move(&r->entry, from, path, NULL);
    if (!beneath_look(r->store.workspace, from, &moved) || moved.kind == UNDO_DIRECTORY) {
        forget_below(r, from);
        forget_below(r, path);
    }
    know_foreign(r, from);
    know_foreign(r, path);
}

static bool save_move(struct recorder *r, struct str path, struct str from,
                      const struct undo_state *now, bool apart)
{
    const bool settled = origin_of(r, path) == ORIGIN_SETTLED, own = apart || is_own(r, from);

    if (!settled && !save_gone(r, path, now))
        return false;
    if (!own) {
        save_foreign_move(r, path, from);
        return true;
    }
    if (!settled && now->kind == UNDO_ABSENT)
        save_make(r, path, now);
    else if (!settled)
        know(r, path, ORIGIN_UNKNOWN); /* if it fails, the old one is still there */
    return true;
}

/* Of directories no line says that they changed places. */
static bool save_exchange(struct recorder *r, struct str path, struct str from)
{
    const struct str both[] = {path, from};
    struct undo_state now[2];

    for (size_t i = 0; i < COUNT(both); i++)
        if (!both[i].len || !beneath_look(r->store.workspace, both[i], &now[i]) ||
            now[i].kind == UNDO_DIRECTORY)
            return false;
    for (size_t i = 0; i < COUNT(both); i++) {
        if (!save_gone(r, both[i], &now[i]))
            return false;
        know_foreign(r, both[i]);
    }
    return true;
}

static void save_link(struct recorder *r, struct str path, struct str from,
                      const struct undo_state *now)
{
    const bool own = from.len && origin_of(r, from) == ORIGIN_SETTLED;

    if (now->kind != UNDO_ABSENT)
        return; /* it fails */
    if (origin_of(r, path) != ORIGIN_SETTLED)
        save_make(r, path, now);
    if (!own)
        know_foreign(r, path);
}

static bool save_at(struct recorder *r, enum recorded what, struct str path, struct str from,
                    bool makes)
{
    const bool settled = origin_of(r, path) == ORIGIN_SETTLED;
    struct undo_state now;

    if (!beneath_look(r->store.workspace, path, &now))
        return true;
    if (what == RECORDED_MOVE)
        return save_move(r, path, from, &now, !from.len || is_apart(from));
    if (what == RECORDED_REMOVE)
        return settled || save_gone(r, path, &now);
    if (what == RECORDED_LINK)
        save_link(r, path, from, &now);
    else if (settled)
        return true;
    else if (what == RECORDED_WRITE)
        save_write(r, path, &now, makes);
    else if (what == RECORDED_MAKE)
        save_make(r, path, &now);
    else
        (void)undo_save_mode(&r->entry, path, NULL);
    return true;
}

/* A file gets a name of which nothing is heard from then on, and may be written there: a link to it
 * would be, too. */
static void save_leaving(struct recorder *r, enum recorded what, struct str path)
{
    if (is_own(r, path))
        return;
    if (what == RECORDED_MOVE)
        (void)undo_save_tree(&r->entry, path, UNDO_WRITTEN, NULL);
    else if (what == RECORDED_LINK)
        (void)save(r, path, UNDO_WRITTEN);
}

/* Below the workspace; ends in NUL. Empty: it is not, or is left out. */
static struct str relative(struct recorder *r, struct str path)
{
    const struct str project = str_from(r->store.project);

    if (path.len <= project.len || !path_is_inside(path, project))
        return (struct str){0};
    struct str below = str_from_byte(path, project.len + 1);
    return beneath_is_path(below) && !is_skipped(r, below) ? below : (struct str){0};
}

bool recorder_save(struct recorder *r, enum recorded what, struct str path, struct str from,
                   bool makes)
{
    if (!r || what == RECORDED_NOT)
        return true;
    const struct str to = relative(r, path), old = from.len ? relative(r, from) : from;
    if (what == RECORDED_EXCHANGE && (to.len || old.len))
        return save_exchange(r, to, old);
    if (!to.len && old.len)
        save_leaving(r, what, old);
    else if (to.len && !is_apart(to))
        return save_at(r, what, to, old, makes);
    return true;
}

/* ---- the entry ---- */

static struct recorder *release(struct recorder *r)
{
    undo_entry_close(&r->entry);
    undo_store_close(&r->store);
    for (size_t i = 0; i < r->room; i++)
        free(r->known[i].path);
    free(r->known);
    free(r->skipped);
    free(r->passed);
    auto_close(&r->hold);
    free(r);
    return NULL;
}

static enum status go_on(struct recorder *r, const struct plan_undo *u)
{
    struct undo_log log;
    struct arena a;
    AUTO_CLOSE int directory = -1;
    enum status status = undo_store_open_within(&r->store, u->state, u->project, false, 0, NULL);

    if (status || r->store.entries < 0)
        return STATUS_IO;
    arena_init(&a, UNDO_MEMORY_MAX);
    if (!(status = undo_entry_directory(&r->store, u->entry, false, &directory, NULL)) &&
        !undo_entry_hold(directory, &r->hold))
        status = STATUS_IO;
    if (!status && !(status = undo_log_read(&a, directory, &log, NULL)) && log.ended)
        status = STATUS_USAGE;
    if (!status)
        status = undo_entry_resume(&r->entry, &r->store, u->entry, &log, NULL);
    arena_release(&a);
    if (u->file)
        r->entry.limits.file = u->file;
    return status;
}

struct recorder *recorder_begin(const struct plan *plan, bool *failed)
{
    struct recorder *r = plan->undo.entry ? calloc(1, sizeof(*r)) : NULL;

    *failed = plan->undo.entry != NULL;
    if (!r)
        return NULL;
    *r = (struct recorder){.plan = plan,
                           .store = {.workspace = -1, .entries = -1, .lock = -1},
                           .entry = {.directory = -1, .trash = -1, .writer.fd = -1},
                           .hold = -1};
    if (go_on(r, &plan->undo) != STATUS_OK)
        return release(r);
    *failed = false;
    return r;
}

void recorder_end(struct recorder *r)
{
    struct undo_log log;
    struct arena a;

    if (!r)
        return;
    arena_init(&a, UNDO_MEMORY_MAX);
    bool read = undo_log_read(&a, r->entry.directory, &log, NULL) == STATUS_OK && !log.ended;
    if (read && log.ops.count)
        (void)undo_entry_end(&r->entry, &log, NULL);
    arena_release(&a);
    auto_close(&r->hold);
    r->hold = -1;
    if (read && !log.ops.count) /* it has changed nothing */
        (void)undo_entry_remove(&r->store, r->entry.id, NULL);
    (void)release(r);
}

void recorder_leave(struct recorder *r)
{
    if (r)
        (void)release(r);
}
