#include "engine/losses.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/path.h"
#include "base/utf8.h"
#include "client/client.h"
#include "engine/record.h"
#include "machine/guard.h"
#include "machine/ignored.h"
#include "machine/stamp.h"
#include "record/redact.h"
#include "undo/foresee.h"
#include "undo/restore.h"
#include "undo/take_back.h"
#include "undo/watch.h"
#include "undo/whole.h"

/* The client waits for its answer, eight seconds at most: looking takes half of SAVING_MS. What is
 * left then is not saved, and the call is asked about. */
#define SAVING_MS 2000u
#define LOCK_MS   1500u
#define LINKED_MAX                                                                                 \
    5000u /* paths of a directory that are linked, one by one, before it is deleted */
#define FEW_LINES  1000u  /* that are removed while somebody waits */
#define TEXT_MAX   400u   /* bytes of a call's text in a journal */
#define RUNNING_MS 900000 /* that a call may take whose end has not been told */

/* Directories that tools make again. */
static const char *const shipped_skip[] = {"node_modules", "target", ".venv", "__pycache__",
                                           "dist",         "build",  ".next", ".gradle"};

struct saving {
    warder_decision *decision;
    struct str client;
    struct losses losses;
    struct undo_header header;
    struct undo_store store;
    bool at_once; /* whole directories may be moved away */
    bool watched; /* ... and somebody waits for the call */
    size_t left;
    size_t lines;
    char id[UNDO_ID_SIZE];
    struct error err;
};

struct undo_keep losses_keep(const struct undo_policy *policy)
{
    return (struct undo_keep){.days = policy->days ? policy->days : UNDO_KEEP_DAYS,
                              .calls = policy->calls ? policy->calls : UNDO_KEEP_CALLS,
                              .bytes = policy->size ? policy->size : UNDO_KEEP_BYTES};
}

/* ---- what may be lost ---- */

static void find_losses(void *arg)
{
    struct saving *s = arg;

    losses_find(s->decision->verdict.facts, &s->losses);
}

static bool has_losses(const struct saving *s)
{
    return s->losses.paths.count > 0 || s->losses.git != SAVES_NOT;
}

/* Below the workspace; ends in NUL. */
static struct str relative(struct str workspace, struct str path)
{
    return str_from_byte(path, workspace.len + 1);
}

static enum undo_fate fate_of(const struct loss *loss)
{
    return loss->written ? UNDO_WRITTEN : UNDO_REPLACED;
}

static enum undo_whole whole_of(const struct losses *losses)
{
    return losses->git == SAVES_NOT    ? UNDO_WHOLE_NOT
           : losses->git == SAVES_REFS ? UNDO_WHOLE_REFS
                                       : UNDO_WHOLE_TREE;
}

static bool is_saved(const warder_decision *d)
{
    const struct facts *f = d->verdict.facts;

    return d->book && f && f->undo && f->understood && f->workspace.len &&
           verdict_behavior(&d->verdict) != BEHAVIOR_DENY;
}

bool losses_may_be(warder_decision *d)
{
    struct saving s = {.decision = d};

    return is_saved(d) && decision_try_text(d, find_losses, &s) && has_losses(&s);
}

/* ---- saving ---- */

static bool is_skipped(const void *context, struct str path)
{
    const struct saving *s = context;
    const struct strs *names = &s->decision->book->undo.skip;
    size_t slash = str_last_index(path, '/');
    struct str name = slash == STR_NONE ? path : str_from_byte(path, slash + 1);
    char whole[PATH_MAX * 2];

    if (names->count ? !strs_has(names, name) : !STR_IN(name, shipped_skip))
        return false;
    (void)snprintf(whole, sizeof(whole), "%s/%.*s", s->store.project, STR_ARG(path));
    return ignored_look(whole);
}

/* Directories that do not exist yet are made on the way. */
static void save_above(struct undo_entry *e, struct str path)
{
    struct undo_state seen;

    for (size_t i = 1; i < path.len; i++) {
        char part[PATH_MAX];
        if (path.s[i] != '/' || i >= sizeof(part))
            continue;
        memcpy(part, path.s, i);
        part[i] = '\0';
        if (beneath_look(e->store->workspace, (struct str){part, i}, &seen) &&
            seen.kind == UNDO_ABSENT)
            (void)undo_save(e, (struct str){part, i}, UNDO_REPLACED, NULL);
    }
}

/* Everything counts: what is moved away is moved with what policy leaves out. */
static bool is_large(const struct undo_entry *e, struct str path)
{
    struct undo_forecast f = {
        .workspace = e->store->workspace,
        .links = true,
        .limits = {.file = UINT64_MAX, .bytes = UINT64_MAX, .lines = LINKED_MAX}};

    undo_foresee_path(&f, path, UNDO_REPLACED, true, false);
    return f.lines >= LINKED_MAX;
}

/* The watcher is there before the first directory goes. A shell in it would take ".." for a
 * directory of the trash. */
static bool move_away(struct saving *s, struct undo_entry *e, const struct loss *loss,
                      struct str path)
{
    const warder_decision *d = s->decision;

    if (path_is_inside(d->call.cwd, loss->path) || !is_large(e, path))
        return false;
    s->watched = s->watched || undo_watch(d->engine->request.state_dir.s, &s->store, e->id);
    return s->watched && undo_save_at_once(e, path, NULL) == STATUS_OK;
}

/* A directory that `rm -rf` names is saved with what policy leaves out elsewhere. */
static void save_tree(struct saving *s, struct undo_entry *e, struct loss *loss, struct str path)
{
    const bool named = loss->at_once && s->at_once;

    loss->away = named && move_away(s, e, loss, path);
    if (loss->away)
        return;
    e->skips = named ? NULL : is_skipped;
    (void)undo_save_tree(e, path, fate_of(loss), &s->err);
    e->skips = is_skipped;
}

/* Is it in a directory that has been moved away? */
static bool is_away(const struct saving *s, size_t loss)
{
    const struct loss *items = s->losses.paths.items;

    for (size_t i = 0; i < loss; i++)
        if (items[i].away && path_is_inside(items[loss].path, items[i].path))
            return true;
    return false;
}

static void save_one(struct saving *s, struct undo_entry *e, struct loss *loss)
{
    struct str path = relative(s->decision->verdict.facts->workspace, loss->path);
    struct undo_state seen;

    if (loss->tree && beneath_look(e->store->workspace, path, &seen) &&
        seen.kind == UNDO_DIRECTORY) {
        save_tree(s, e, loss, path);
        return;
    }
    save_above(e, path);
    (void)undo_save(e, path, fate_of(loss), &s->err);
}

static struct undo_limits limits_of(const warder_decision *d)
{
    return (struct undo_limits){.file = d->book->undo.file, .ms = SAVING_MS};
}

/* Everything of the repository first: a directory that is moved away is no longer in the work tree.
 */
static enum status save_losses(struct saving *s, struct undo_entry *e)
{
    const enum undo_whole whole = whole_of(&s->losses);
    enum status status = STATUS_OK;

    e->skips = is_skipped;
    e->context = s;
    e->writer.gathers = true;
    if (whole != UNDO_WHOLE_NOT) {
        s->at_once = false;
        status = undo_save_whole(e, whole, &s->err);
    }
    for (size_t i = 0; i < s->losses.paths.count; i++)
        if (!is_away(s, i) && !(e->left && undo_entry_is_full(e)))
            save_one(s, e, &s->losses.paths.items[i]);
    s->left = e->left;
    s->lines = e->lines;
    if (!status || status == STATUS_LIMIT)
        status = undo_writer_flush(&e->writer, &s->err);
    return status;
}

static enum status save_all(struct saving *s)
{
    const struct undo_limits limits = limits_of(s->decision);
    struct undo_entry e;
    enum status status;

    s->header.whole = whole_of(&s->losses);
    s->header.alone = s->losses.git_alone;
    status = undo_entry_begin(&e, &s->store, &s->header, &limits, &s->err);
    if (!status)
        status = save_losses(s, &e);
    memcpy(s->id, e.id, sizeof(s->id));
    undo_entry_close(&e);
    return status;
}

static void prune(const struct saving *s)
{
    struct undo_keep keep = losses_keep(&s->decision->book->undo);
    const int64_t now = stamp_now();

    undo_store_set_size(&s->store, keep.bytes);
    keep.bytes = 0; /* that looks at every saved file: losses_end() */
    (void)undo_prune(&s->store, &keep, now, NULL, NULL);
}

/* ---- foreseeing ---- */

static void foresee_all(struct saving *s, struct undo_forecast *f)
{
    const char *state_dir = s->decision->engine->request.state_dir.s;
    const struct undo_limits limits = limits_of(s->decision);

    undo_foresee(f, &s->store, state_dir, &limits);
    f->skips = is_skipped;
    f->context = s;
    if (s->losses.git != SAVES_NOT)
        undo_foresee_whole(f, whole_of(&s->losses));
    for (size_t i = 0; i < s->losses.paths.count; i++) {
        const struct loss *loss = &s->losses.paths.items[i];
        undo_foresee_path(f, relative(str_from(s->store.project), loss->path), fate_of(loss),
                          loss->tree, loss->at_once && s->losses.git == SAVES_NOT);
    }
    undo_foresee_room(f, state_dir);
}

bool losses_foresee(void *decision, struct arena *a, const struct losses *losses,
                    struct str *why_not)
{
    warder_decision *d = decision;
    struct saving s = {.decision = d, .losses = *losses};
    struct undo_forecast f = {.lost = 1, .path = "the workspace", .why = "it cannot be opened"};
    struct guard_frame *stopped = guard_pause(); /* it looks at the disk */

    if (undo_store_open_within(&s.store, d->engine->request.state_dir.s, d->call.project.s, false,
                               0, &s.err) == STATUS_OK)
        foresee_all(&s, &f);
    undo_store_close(&s.store);
    guard_resume(stopped);
    if (!f.lost)
        return true;
    *why_not = f.lost == 1 ? str_format(a, "%s: %s", f.path, f.why)
                           : str_format(a, "%zu paths, such as %s: %s", f.lost, f.path, f.why);
    return false;
}

/* ---- what the journal says of the call ---- */

static void write_header(void *arg)
{
    struct saving *s = arg;
    warder_decision *d = s->decision;
    struct arena *a = &d->arena;
    struct record_key key;
    struct decision_record r = {0};
    char *hash = ARENA_ARRAY(a, char, SHA256_HEX);

    record_call(a, decision_call(d), false, &r);
    s->header = (struct undo_header){.session = r.session_id,
                                     .client = s->client,
                                     .tool = r.tool,
                                     .decision = decision_id_ahead(d),
                                     .use = r.tool_use_id};
    struct str text =
        r.shell ? redact_command(a, r.command, NULL)
                : str_format(a, "%.*s %.*s", STR_ARG(r.tool), STR_ARG(redact_text(a, r.command)));
    s->header.text = utf8_cut(text, TEXT_MAX);
    if (d->engine->recorder && recorder_key(d->engine->recorder, &key, NULL) == STATUS_OK) {
        record_key_hash(&key, r.command, hash);
        s->header.hash = str_from(hash);
    }
}

/* ---- the verdict ---- */

/* Nothing of it was run yet: what was moved away comes back. Half of a large tree stays in the
 * trash: the person who is asked may allow the call. */
static void take_back(struct saving *s)
{
    struct arena a;
    struct undo_log log;
    AUTO_CLOSE int directory = -1;

    if (!s->watched && s->lines >= FEW_LINES)
        return;
    arena_init(&a, UNDO_MEMORY_MAX);
    if (undo_id_is(str_from(s->id)) &&
        undo_entry_directory(&s->store, s->id, false, &directory, NULL) == STATUS_OK &&
        undo_log_read(&a, directory, &log, NULL) == STATUS_OK &&
        undo_take_back(&s->store, s->id, &log, UNDO_IS_OVER, NULL) == STATUS_OK &&
        s->lines < FEW_LINES)
        (void)undo_entry_remove(&s->store, s->id, NULL);
    arena_release(&a);
}

static void ask_instead(struct saving *s)
{
    warder_decision *d = s->decision;

    take_back(s);
    snprintf(d->why, sizeof(d->why), "%.*s, and that could not be saved: %.150s",
             STR_ARG(utf8_cut(d->verdict.reversible.why, 100)),
             s->err.message[0] ? s->err.message : "the trash cannot be used");
    d->verdict.reversible = (struct reversible){0};
    verdict_refuse(&d->verdict, BEHAVIOR_ASK, layers[LAYER_REVERSIBLE].name, str_from(d->why));
}

static void say_saved(void *arg)
{
    struct saving *s = arg;
    struct reversible *r = &s->decision->verdict.reversible;

    r->entry = str_copy(&s->decision->arena, str_from(s->id));
    r->until = stamp_now() + (int64_t)losses_keep(&s->decision->book->undo).days * 86400000;
    r->paths = s->lines;
    r->left = s->left;
}

/* Clients that tell the end of a call tell it for this one. */
static int64_t running_since(const struct client *client)
{
    return client && client_tells_ran(client) ? stamp_now() - RUNNING_MS : stamp_now();
}

/* A directory is moved away only for a call that will run now, and whose end will be seen. */
static bool may_move_away(const warder_decision *d, const struct client *client)
{
    return client && client_tells_ran(client) && !decision_is_left(d) &&
           verdict_behavior(&d->verdict) == BEHAVIOR_ALLOW;
}

static enum status save_call(struct saving *s)
{
    warder_decision *d = s->decision;
    const struct client *client = client_find(s->client);
    enum status status =
        undo_store_open_within(&s->store, d->engine->request.state_dir.s,
                               d->verdict.facts->workspace.s, true, LOCK_MS, &s->err);

    if (status)
        return status;
    (void)undo_close_recent(&s->store, (struct str){0}, running_since(client), NULL);
    s->at_once = may_move_away(d, client);
    if ((status = save_all(s)) || s->left)
        return status ? status : STATUS_LIMIT;
    prune(s);
    return STATUS_OK;
}

/* ---- calls that run in a cell ---- */

struct naming {
    struct saving *saving;
    struct cell_undo *out;
};

/* As the keeper of the cell reads them. */
static void name_entry(void *arg)
{
    const struct naming *n = arg;
    struct saving *s = n->saving;
    warder_decision *d = s->decision;
    struct arena *a = &d->arena;
    const struct undo_policy *policy = &d->book->undo;

    say_saved(s);
    *n->out = (struct cell_undo){.entry = d->verdict.reversible.entry,
                                 .state = d->engine->request.state_dir,
                                 .project = str_copy(a, str_from(s->store.project)),
                                 .file = policy->file,
                                 .skip = policy->skip};
    for (size_t i = 0; !policy->skip.count && i < COUNT(shipped_skip); i++)
        LIST_PUSH(a, &n->out->skip, str_from(shipped_skip[i]));
}

static enum status make_entry(struct saving *s)
{
    const warder_decision *d = s->decision;
    const struct client *client = client_find(s->client);
    enum status status =
        undo_store_open_within(&s->store, d->engine->request.state_dir.s,
                               d->verdict.facts->workspace.s, true, LOCK_MS, &s->err);

    if (status)
        return status;
    if (d->verdict.contained.tier == CELL_LANDLOCK && undo_store_needs_git(&s->store))
        return fail(&s->err, STATUS_LIMIT, "the trash would be in the cell");
    (void)undo_close_recent(&s->store, (struct str){0}, running_since(client), NULL);
    prune(s);
    return undo_entry_announce(&s->store, &s->header, s->id, &s->err);
}

void losses_record(warder_decision *d, struct cell_undo *out)
{
    struct saving s = {.decision = d, .client = decision_client(d)};
    struct naming n = {&s, out};

    *out = (struct cell_undo){0};
    if (!d->engine->saves || !d->engine->recorder || !d->verdict.facts->undo ||
        !d->verdict.facts->workspace.len)
        return;
    if (!decision_try_text(d, write_header, &s) || make_entry(&s) ||
        !decision_try_text(d, name_entry, &n))
        *out = (struct cell_undo){0};
    undo_store_close(&s.store);
}

/* ---- before the answer ---- */

void losses_save(warder_decision *d, struct str client)
{
    struct saving s = {.decision = d, .client = client};
    const bool needed =
        d->verdict.reversible.yes && verdict_behavior(&d->verdict) == BEHAVIOR_ALLOW;
    enum status status = STATUS_LIMIT;

    if (!d->engine->saves || !d->engine->recorder || !is_saved(d))
        return;
    if (d->verdict.contained.yes && d->verdict.reversible.entry.len)
        return; /* the keeper of its cell does */
    if (!decision_try_text(d, find_losses, &s) || !has_losses(&s)) {
        if (needed)
            ask_instead(&s);
        return;
    }
    if (decision_try_text(d, write_header, &s))
        status = save_call(&s);
    if (needed && status)
        ask_instead(&s);
    else if (s.id[0])
        (void)decision_try_text(d, say_saved, &s);
    undo_store_close(&s.store);
}

/* What is over is looked at once, and then weighed. */
static void end_call(const struct undo_store *s, struct str use_id)
{
    const struct undo_keep keep = {.bytes = undo_store_size(s)};

    (void)undo_close_recent(s, use_id, stamp_now(), NULL);
    (void)undo_prune(s, &keep, stamp_now(), NULL, NULL);
}

void losses_end(const char *state_dir, struct str near, struct str use_id)
{
    struct undo_store s;

    if (undo_store_find(&s, state_dir, near, NULL) == STATUS_OK && s.entries >= 0)
        end_call(&s, use_id);
    undo_store_close(&s);
}
