/* undo.c - `warder undo`: what an agent's calls destroyed, given back by a person. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/caller.h"
#include "base/auto.h"
#include "base/path.h"
#include "base/utf8.h"
#include "engine/losses.h"
#include "engine/report.h"
#include "report/diff.h"
#include "report/undo_place.h"
#include "report/when.h"
#include "undo/content.h"
#include "undo/git_objects.h"
#include "undo/history.h"
#include "undo/restore.h"

#define DIFF_FILE_MAX ((size_t)64 * 1024) /* bytes of a file whose changes are shown */
#define SHOWN_MAX     200u                /* paths of one call in the text; the JSON has all */

/* One call that is, or would be, undone. */
struct undone {
    const struct undo_row *row;
    struct undo_plan plan;
    char own[UNDO_ID_SIZE];
};
struct undone_list LIST_OF(struct undone);

struct undoing {
    struct arena arena;
    struct undo_store store;
    struct undo_rows rows;
    struct undo_wish wish;
    struct strs paths;
    struct undone_list calls;
    size_t removed, taken_back;
    bool done, diff;
    struct str start; /* the directory to look from */
};

/* ---- the project ---- */

static enum status open_store(struct undoing *u, const char *state_dir, struct error *err)
{
    enum status status = undo_store_find(&u->store, state_dir, u->start, err);

    if (!status && u->store.entries < 0)
        status =
            fail(err, STATUS_USAGE,
                 "nothing was saved in this project: no call has changed it, or policy says undo: "
                 "{use: off}");
    return status;
}

static enum status open_undoing(struct undoing *u, const warder_engine *e, bool person,
                                struct error *err)
{
    enum status status = person ? caller_is_person(err) : STATUS_OK;

    u->start = e->project.len ? e->project : e->cwd;
    if (status || (status = open_store(u, e->request.state_dir.s, err)))
        return status;
    if (person && ((status = undo_recover(&u->store, &u->taken_back, err)) ||
                   (status = undo_close_open(&u->store, err))))
        return status;
    return undo_history(&u->arena, &u->store, &u->rows, err);
}

static void close_undoing(struct undoing *u)
{
    undo_store_close(&u->store);
    arena_release(&u->arena);
}

static struct undoing empty_undoing(void)
{
    struct undoing u = {.store = {.workspace = -1, .entries = -1, .lock = -1}};

    arena_init(&u.arena, UNDO_MEMORY_MAX);
    return u;
}

/* ---- which calls ---- */

static bool is_call(const struct undo_row *row)
{
    return !row->header.undoes.len && row->standing == UNDO_STANDS;
}

struct pushing {
    struct undoing *u;
    const struct undone *one;
};

static void push_call(void *arg)
{
    struct pushing *p = arg;

    LIST_PUSH(&p->u->arena, &p->u->calls, *p->one);
}

static enum status look_at(struct undoing *u, const struct undo_row *row, struct error *err)
{
    struct undone one = {.row = row};
    struct pushing p = {u, &one};
    enum status status = undo_look(&u->arena, &u->store, row->id.s, &u->wish, &one.plan, err);

    if (!status && !arena_try(&u->arena, push_call, &p))
        status = fail(err, STATUS_NOMEM, "too many calls");
    return status;
}

static enum status apply_last(struct undoing *u, struct error *err)
{
    struct undone *one = &u->calls.items[u->calls.count - 1];

    return one->plan.conflicts.count ? STATUS_OK
                                     : undo_apply(&u->store, &one->plan, &u->wish, one->own, err);
}

/* The newest call that has changed anything. */
static enum status look_at_newest(struct undoing *u, struct error *err)
{
    enum status status = STATUS_OK;

    for (size_t i = u->rows.count; !status && i > 0; i--) {
        if (!is_call(&u->rows.items[i - 1]))
            continue;
        u->calls.count = 0;
        status = look_at(u, &u->rows.items[i - 1], err);
        if (status || u->calls.items[0].plan.changes.count ||
            u->calls.items[0].plan.conflicts.count)
            return status;
    }
    u->calls.count = 0;
    return status ? status : fail(err, STATUS_USAGE, "no call of this project is left to undo");
}

static enum status look_at_id(struct undoing *u, struct str id, struct error *err)
{
    const struct undo_row *row;
    enum status status = undo_find(&u->rows, id, &row, err);

    if (status)
        return status;
    if (row->standing == UNDO_UNDONE)
        return fail(err, STATUS_USAGE, "%.10s is undone already: see warder undo list",
                    undo_id_brief(row->id).s);
    if (row->standing == UNDO_TAKEN_BACK)
        return fail(err, STATUS_USAGE, "%.10s was taken back: it changed nothing",
                    undo_id_brief(row->id).s);
    return look_at(u, row, err);
}

/* The newest first, each checked when the ones after it are undone. */
static enum status undo_session(struct undoing *u, struct str session, bool dry, struct error *err)
{
    enum status status = STATUS_OK;
    bool found = false;

    for (size_t i = u->rows.count; !status && i > 0; i--) {
        const struct undo_row *row = &u->rows.items[i - 1];
        if (!is_call(row) || !str_eq(row->header.session, session))
            continue;
        found = true;
        if ((status = look_at(u, row, err)) || dry)
            continue;
        if (u->calls.items[u->calls.count - 1].plan.conflicts.count)
            break;
        status = apply_last(u, err);
    }
    if (!status && !found)
        return fail(err, STATUS_USAGE, "no call of session %.60s is left to undo", session.s);
    return status;
}

/* ---- the words ---- */

static const char *const kind_words[] = {
    [UNDO_RETURNS] = "returns",
    [UNDO_CHANGES] = "changes",
    [UNDO_GOES] = "goes",
    [UNDO_MOVES] = "moves",
};
static const char kind_marks[] = {
    [UNDO_RETURNS] = '+', [UNDO_CHANGES] = '~', [UNDO_GOES] = '-', [UNDO_MOVES] = '>'};

static const char *const standings[] = {
    [UNDO_STANDS] = "",         [UNDO_RUNS] = "open",
    [UNDO_UNDONE] = "undone",   [UNDO_TAKEN_BACK] = "taken back",
    [UNDO_DAMAGED] = "damaged",
};

static void tell_path(struct report *r, const char *key, struct str path)
{
    report_member(r, key, path); /* bytes that are not UTF-8 are replaced there */
}

/* The text of a small file; an empty s: it is not one. */
static struct str text_of(struct arena *a, int directory, const char *name)
{
    struct undo_state seen;
    char *text;
    ssize_t n;

    if (!beneath_look_at(directory, name, &seen) || seen.kind != UNDO_FILE ||
        seen.size > DIFF_FILE_MAX)
        return (struct str){0};
    text = arena_bytes(a, DIFF_FILE_MAX);
    int fd = content_open(directory, name, seen.inode, O_RDONLY);
    n = fd < 0 ? -1 : pread(fd, text, DIFF_FILE_MAX, 0);
    auto_close(&fd);
    struct str out = {text, n > 0 ? (size_t)n : 0};
    return n < 0 || str_has(out, '\0') || !utf8_valid(out) ? (struct str){0} : out;
}

/* The same of what git has. */
static struct str text_of_blob(struct arena *a, const struct undo_store *s, const uint8_t *blob)
{
    struct git_objects objects;
    struct git_content content = {0};
    uint64_t size;
    char *text = arena_bytes(a, DIFF_FILE_MAX);
    bool good = git_objects_open(&objects, s->workspace) &&
                git_object_size(&objects, blob, &size) && size <= DIFF_FILE_MAX &&
                git_object_read(&objects, blob, &content);

    if (good)
        memcpy(text, content.bytes, content.len);
    const struct str out = {text, content.len};
    free(content.bytes);
    git_objects_close(&objects);
    return good && !str_has(out, '\0') && utf8_valid(out) ? out : (struct str){0};
}

static void show_diff(struct report *r, const struct undoing *u, const struct undo_plan *plan,
                      const struct undo_change *c)
{
    char slot[UNDO_SLOT_SIZE];
    struct beneath b;
    struct str now, was = {0};
    int trash = -1;
    int64_t saved = c->copy != UNDO_SLOT_NONE ? c->copy : c->link;

    if (c->kind != UNDO_CHANGES || (saved == UNDO_SLOT_NONE && !c->blob))
        return;
    now = beneath_open(u->store.workspace, c->path, &b) ? text_of(r->arena, b.directory, b.name)
                                                        : (struct str){0};
    beneath_close(&b);
    if (c->blob)
        was = text_of_blob(r->arena, &u->store, c->blob);
    else if (!undo_trash_directory(&u->store, plan->id, plan->log.header.in_git, false, &trash,
                                   NULL))
        was = text_of(r->arena, trash, undo_slot_name(saved, slot));
    auto_close(&trash);
    if (now.s && was.s) {
        struct str line, rest = diff_lines(r->arena, now, was);
        while (rest.len) {
            (void)str_cut(rest, '\n', &line, &rest);
            buf_text(&r->text, "      ");
            report_show(r, line);
            buf_byte(&r->text, '\n');
        }
    }
}

static void tell_changes(struct report *r, const struct undoing *u, const struct undo_plan *plan)
{
    json_key(&r->json, "changes");
    json_begin_array(&r->json);
    for (size_t i = 0; i < plan->changes.count; i++) {
        const struct undo_change *c = &plan->changes.items[i];
        json_begin_object(&r->json);
        report_member(r, "kind", str_from(kind_words[c->kind]));
        tell_path(r, "path", c->path);
        if (c->from.len)
            tell_path(r, "from", c->from);
        json_end_object(&r->json);
        if (i == SHOWN_MAX)
            buf_format(&r->text, "  ... and %zu more\n", plan->changes.count - i);
        if (i >= SHOWN_MAX)
            continue;
        buf_format(&r->text, "  %c ", kind_marks[c->kind]);
        if (c->from.len) {
            report_show(r, c->from);
            buf_text(&r->text, " -> ");
        }
        report_show(r, c->path);
        buf_byte(&r->text, '\n');
        if (u->diff)
            show_diff(r, u, plan, c);
    }
    json_end_array(&r->json);
}

static void tell_conflicts(struct report *r, const char *key, const char *word,
                           const struct undo_conflicts *list)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < list->count; i++) {
        json_begin_object(&r->json);
        tell_path(r, "path", list->items[i].path);
        report_member(r, "why", str_from(list->items[i].why));
        json_end_object(&r->json);
        if (i >= SHOWN_MAX)
            continue;
        buf_format(&r->text, "  %s: ", word);
        report_show(r, list->items[i].path);
        buf_text(&r->text, ": ");
        report_show(r, str_from(list->items[i].why)); /* it may say where a link leads */
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void tell_row(struct report *r, const struct undo_row *row)
{
    char stamp[STAMP_SIZE];

    stamp_print(row->header.at, stamp);
    report_member(r, "id", undo_id_brief(row->id));
    report_member(r, "at", str_from(stamp));
    report_member(r, "session", row->header.session);
    report_member(r, "client", row->header.client);
    report_member(r, "tool", row->header.tool);
    report_member(r, "decision", row->header.decision);
    report_member(r, "text", row->header.text);
    report_member(r, "undoes", undo_id_brief(row->header.undoes));
    report_member(r, "standing",
                  str_from(standings[row->standing][0] ? standings[row->standing] : "stands"));
    report_number(r, "created", (int64_t)row->created);
    report_number(r, "changed", (int64_t)row->changed);
    report_number(r, "deleted", (int64_t)row->deleted);
    report_number(r, "not_saved", (int64_t)row->left);
    report_show(r, undo_id_brief(row->id));
    buf_text(&r->text, "  ");
    when_print(&r->text, str_from(stamp));
    buf_format(&r->text, "  +%zu ~%zu -%zu", row->created, row->changed, row->deleted);
    if (row->left)
        buf_format(&r->text, " (%zu not saved)", row->left);
    if (standings[row->standing][0])
        buf_format(&r->text, " [%s]", standings[row->standing]);
    buf_text(&r->text, row->header.undoes.len ? "  undo of " : "  ");
    report_show(r, row->header.undoes.len ? undo_id_brief(row->header.undoes)
                                          : utf8_cut(row->header.text, 100));
    buf_byte(&r->text, '\n');
}

static void tell_call(struct report *r, const struct undoing *u, const struct undone *one)
{
    const struct undo_plan *plan = &one->plan;

    json_begin_object(&r->json);
    tell_row(r, one->row);
    tell_changes(r, u, plan);
    tell_conflicts(r, "conflicts", "conflict", &plan->conflicts);
    tell_conflicts(r, "kept", "kept as it is", &plan->kept);
    tell_conflicts(r, "lost", "was not saved", &plan->lost);
    report_member(r, "undo", undo_id_brief(str_from(one->own)));
    json_end_object(&r->json);
    r->errors += plan->conflicts.count;
    r->warnings += plan->lost.count;
    if (u->done && one->own[0])
        buf_format(&r->text, "undone; warder undo %.8s takes it back\n", one->own + 14);
    else if (plan->conflicts.count)
        buf_text(&r->text, "nothing was changed: --keep-theirs leaves these paths as they are, "
                           "--force undoes them, too\n");
    else if (!plan->changes.count)
        buf_text(&r->text, "  nothing would change\n");
}

static void tell_undone(struct report *r, const void *about)
{
    const struct undoing *u = about;

    if (u->taken_back)
        buf_format(&r->text, "an interrupted undo was rolled back first\n");
    json_begin_object(&r->json);
    json_key(&r->json, "done");
    json_bool(&r->json, u->done);
    report_member(r, "project", str_from(u->store.project));
    json_key(&r->json, "calls");
    json_begin_array(&r->json);
    for (size_t i = 0; i < u->calls.count; i++)
        tell_call(r, u, &u->calls.items[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

/* How large it is, and where. */
static void tell_place(struct report *r, const struct undoing *u)
{
    struct undo_place place;

    undo_place_measure(&u->store, &place);
    undo_place_write(&r->text, &place);
    buf_text(&r->text, " in ");
    report_show(r, str_from(place.directory));
    buf_byte(&r->text, '\n');
}

static void tell_list(struct report *r, const void *about)
{
    const struct undoing *u = about;

    json_begin_array(&r->json);
    for (size_t i = u->rows.count; i > 0; i--) {
        json_begin_object(&r->json);
        tell_row(r, &u->rows.items[i - 1]);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
    if (u->rows.count)
        tell_place(r, u);
    else
        buf_text(&r->text, "nothing was saved in this project\n");
}

static void tell_removed(struct report *r, const void *about)
{
    const struct undoing *u = about;

    json_begin_object(&r->json);
    report_number(r, "removed", (int64_t)u->removed);
    json_end_object(&r->json);
    buf_format(&r->text, "%zu removed\n", u->removed);
}

/* ---- paths ---- */

struct path_reading {
    struct undoing *u;
    const warder_undo_wish *wish;
    struct str cwd;
    const char *wrong;
};

/* As the person wrote them, relative to the current directory: below the workspace. */
static void read_paths(void *arg)
{
    struct path_reading *p = arg;
    struct undoing *u = p->u;
    struct str root = str_from(u->store.project);

    for (size_t i = 0; i < p->wish->path_count && !p->wrong; i++) {
        struct str path =
            path_clean(&u->arena, path_join(&u->arena, p->cwd, str_from(p->wish->paths[i])));
        if (path.len <= root.len || !str_starts(path, root) || path.s[root.len] != '/')
            p->wrong = p->wish->paths[i];
        else
            LIST_PUSH(&u->arena, &u->paths, str_copy(&u->arena, str_from_byte(path, root.len + 1)));
    }
}

static enum status take_wish(struct undoing *u, const warder_engine *e, const warder_undo_wish *w,
                             struct error *err)
{
    struct path_reading p = {u, w, e->cwd, NULL};

    if (!arena_try(&u->arena, read_paths, &p))
        return fail(err, STATUS_NOMEM, "too many paths");
    if (p.wrong)
        return fail(err, STATUS_USAGE, "%.150s is not in %.60s", p.wrong, u->store.project);
    u->wish = (struct undo_wish){.paths = u->paths.count ? &u->paths : NULL,
                                 .force = w->force != 0,
                                 .keep_theirs = w->keep_theirs != 0};
    return STATUS_OK;
}

/* ---- the border ---- */

static enum status do_undo(struct undoing *u, const warder_engine *e, const warder_undo_wish *w,
                           struct error *err)
{
    enum status status;
    bool dry = w->dry_run != 0;

    u->diff = dry;
    if ((status = open_undoing(u, e, true, err)) || (status = take_wish(u, e, w, err)))
        return status;
    if (w->session) {
        status = undo_session(u, str_from(w->session), dry, err);
        u->done = !dry;
        return status;
    }
    status = w->id ? look_at_id(u, str_from(w->id), err) : look_at_newest(u, err);
    if (!status && !dry)
        status = apply_last(u, err);
    u->done = !status && !dry && !u->calls.items[0].plan.conflicts.count;
    return status;
}

warder_status warder_undo(warder_engine *engine, const warder_undo_wish *given, warder_report **out,
                          warder_error *err)
{
    warder_undo_wish wish = {0};
    struct undoing u = empty_undoing();
    struct error inner = {0};

    if (!engine || !out)
        return give_usage(err, "missing argument: engine or report");
    *out = NULL;
    if (given && !copy_versioned(&wish, sizeof(wish), given, given->struct_size))
        return give_usage(
            err,
            "the wish's struct_size is not set, or it has members that this version does not know");
    warder_status status = do_undo(&u, engine, &wish, &inner) == STATUS_OK
                               ? report_make(tell_undone, &u, out, err)
                               : error_out(err, &inner);
    close_undoing(&u);
    return status;
}

warder_status warder_undo_list(warder_engine *engine, warder_report **out, warder_error *err)
{
    struct undoing u = empty_undoing();
    struct error inner = {0};

    if (!engine || !out)
        return give_usage(err, "missing argument: engine or report");
    *out = NULL;
    enum status found = open_undoing(&u, engine, false, &inner);
    warder_status status = found == STATUS_OK || found == STATUS_USAGE
                               ? report_make(tell_list, &u, out, err)
                               : error_out(err, &inner);
    close_undoing(&u);
    return status;
}

static enum status do_remove(struct undoing *u, const warder_engine *e, const char *id,
                             const struct undo_keep *keep, struct error *err)
{
    const struct undo_row *row;
    enum status status = open_undoing(u, e, true, err);

    if (status || !id)
        return status ? status : undo_prune(&u->store, keep, stamp_now(), &u->removed, err);
    if ((status = undo_find(&u->rows, str_from(id), &row, err)))
        return status;
    u->removed = 1;
    if ((status = undo_entry_remove(&u->store, row->id.s, err)))
        return status;
    return undo_prune(&u->store, keep, stamp_now(), NULL, err); /* it may be full no longer */
}

static warder_status remove_some(warder_engine *engine, const char *id, warder_report **out,
                                 warder_error *err)
{
    struct undoing u = empty_undoing();
    struct undo_keep keep;
    struct error inner = {0};
    struct held held;

    *out = NULL;
    warder_status status = policy_borrow(engine, &held, err);
    if (status != WARDER_OK)
        return status;
    keep = losses_keep(&held.project->book->undo);
    snapshot_drop(held.snapshot);
    status = do_remove(&u, engine, id, &keep, &inner) == STATUS_OK
                 ? report_make(tell_removed, &u, out, err)
                 : error_out(err, &inner);
    close_undoing(&u);
    return status;
}

warder_status warder_undo_drop(warder_engine *engine, const char *id, warder_report **out,
                               warder_error *err)
{
    if (!engine || !id || !out)
        return give_usage(err, "missing argument: engine, id or report");
    return remove_some(engine, id, out, err);
}

warder_status warder_undo_prune(warder_engine *engine, warder_report **out, warder_error *err)
{
    if (!engine || !out)
        return give_usage(err, "missing argument: engine or report");
    return remove_some(engine, NULL, out, err);
}
