#include "engine/losses.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "engine/record.h"
#include "machine/ignored.h"
#include "machine/stamp.h"
#include "record/redact.h"
#include "undo/restore.h"
#include "undo/save.h"

#define SAVING_MS 1000u /* the client waits for its answer; what is left then is not saved */
#define TEXT_MAX  400u  /* bytes of a call's text in a journal */
/* Sizes are added up only after one call in so many: that looks at every saved file. */
#define SIZE_EVERY 16

/* Directories that tools make again. */
static const char *const shipped_skip[] = {"node_modules", "target", ".venv", "__pycache__",
                                           "dist",         "build",  ".next", ".gradle"};

struct loss {
    struct str path; /* below the workspace */
    bool tree;       /* it may be deleted, with what it contains */
    enum undo_fate fate;
};
struct loss_list LIST_OF(struct loss);

struct saving {
    warder_decision *decision;
    struct str client;
    struct loss_list losses;
    struct undo_header header;
    struct undo_store store;
};

struct undo_keep losses_keep(const struct undo_policy *policy)
{
    return (struct undo_keep){.days = policy->days ? policy->days : UNDO_KEEP_DAYS,
                              .calls = policy->calls ? policy->calls : UNDO_KEEP_CALLS,
                              .bytes = policy->size ? policy->size : UNDO_KEEP_BYTES};
}

/* ---- what may be lost ---- */

/* The workspace itself is no loss that can be saved. */
static bool below(struct str workspace, struct str path, struct str *out)
{
    if (path.len <= workspace.len + 1 || !str_starts(path, workspace) ||
        path.s[workspace.len] != '/')
        return false;
    *out = str_from_byte(path, workspace.len + 1);
    return true;
}

static void add_path(struct saving *s, struct str path, unsigned access)
{
    const struct facts *f = s->decision->verdict.facts;
    struct loss loss = {.tree = (access & ACCESS_DELETE) != 0};

    /* What is moved may be written afterwards, under its new name. */
    bool moved = (access & ACCESS_READ) && f->actions.count > 1;

    loss.fate = (access & ACCESS_WRITE) || moved ? UNDO_WRITTEN : UNDO_REPLACED;
    if (below(f->workspace, path, &loss.path))
        LIST_PUSH(&s->decision->arena, &s->losses, loss);
}

/* A link is deleted itself; through it, its target is written. */
static void add_subject(struct saving *s, const struct subject_path *p)
{
    if (!(p->access & (ACCESS_WRITE | ACCESS_DELETE)) || p->uncertain || p->unlikely || p->folded ||
        p->below || p->listed)
        return;
    if (p->pattern) {
        for (size_t i = 0; p->files && i < p->files->count; i++) {
            struct subject_path one = p->files->items[i];
            one.access = p->access;
            one.pattern = false;
            add_subject(s, &one);
        }
        return;
    }
    add_path(s, p->written, p->access);
    if ((p->access & ACCESS_WRITE) && p->resolved.len && !str_eq(p->resolved, p->written))
        add_path(s, p->resolved, p->access);
}

static void find_losses(void *arg)
{
    struct saving *s = arg;
    const struct facts *f = s->decision->verdict.facts;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        for (size_t k = 0; k < a->subject.paths.count; k++)
            add_subject(s, &a->subject.paths.items[k]);
    }
}

static bool is_saved(const warder_decision *d)
{
    const struct facts *f = d->verdict.facts;

    return d->book && d->book->undo.use == UNDO_ON && f && f->understood && f->workspace.len &&
           verdict_behavior(&d->verdict) != BEHAVIOR_DENY;
}

bool losses_may_be(warder_decision *d)
{
    struct saving s = {.decision = d};

    return is_saved(d) && decision_try_text(d, find_losses, &s) && s.losses.count > 0;
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

static void save_one(struct undo_entry *e, const struct loss *loss)
{
    struct undo_state seen;

    if (loss->tree && beneath_look(e->store->workspace, loss->path, &seen) &&
        seen.kind == UNDO_DIRECTORY) {
        (void)undo_save_tree(e, loss->path, loss->fate, NULL);
        return;
    }
    save_above(e, loss->path);
    (void)undo_save(e, loss->path, loss->fate, NULL);
}

static void save_all(struct saving *s)
{
    const struct undo_policy *policy = &s->decision->book->undo;
    const struct undo_limits limits = {.file = policy->file, .ms = SAVING_MS};
    struct undo_keep keep = losses_keep(policy);
    struct undo_entry e;
    const int64_t now = stamp_now();

    if (undo_entry_begin(&e, &s->store, &s->header, &limits, NULL) == STATUS_OK) {
        e.skips = is_skipped;
        e.context = s;
        for (size_t i = 0; i < s->losses.count; i++)
            save_one(&e, &s->losses.items[i]);
    }
    undo_entry_close(&e);
    keep.bytes = now % SIZE_EVERY ? 0 : keep.bytes;
    (void)undo_prune(&s->store, &keep, now, NULL, NULL);
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
                                     .decision = str_from(d->id),
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

void losses_save(warder_decision *d, struct str client)
{
    struct saving s = {.decision = d, .client = client};
    const struct facts *f = d->verdict.facts;

    if (!is_saved(d) || !decision_try_text(d, find_losses, &s) || !s.losses.count ||
        !decision_try_text(d, write_header, &s))
        return;
    if (undo_store_open(&s.store, d->engine->request.state_dir.s, f->workspace.s, true, NULL) ==
        STATUS_OK) {
        (void)undo_close_recent(&s.store, (struct str){0}, NULL);
        save_all(&s);
    }
    undo_store_close(&s.store);
}

void losses_end(const char *state_dir, struct str near, struct str use_id)
{
    struct undo_store s;

    if (undo_store_find(&s, state_dir, near, NULL) == STATUS_OK && s.entries >= 0)
        (void)undo_close_recent(&s, use_id, NULL);
    undo_store_close(&s);
}
