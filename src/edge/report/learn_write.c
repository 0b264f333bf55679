/* learn_write.c - learned rules into a policy file, shown before they are written, and back.
 *
 * Every entry is added by policy/edit.h, which proves each step by reading the result. What was
 * inserted is noted in the state directory, where no agent writes, before the file is changed;
 * taking it back removes exactly these bytes. */
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/stamp.h"
#include "policy/state.h"
#include "report/change.h"
#include "report/diff.h"
#include "report/learn.h"

#define NOTES      "learned.json"
#define NOTES_MAX  ((size_t)4 * 1024 * 1024)
#define NOTES_KEPT 20 /* changes that can be taken back */

struct learn_change {
    warder_learning_place place;
    struct policy_change policy;
    struct str diff;
    struct strs inserted;
};

/* ---- notes ---- */

static enum status read_notes(struct arena *a, int directory, struct value *out, struct error *err)
{
    char *text = NULL;
    size_t len = 0;
    enum status status = state_read(directory, NOTES, NOTES_MAX, &text, &len, err);

    *out = (struct value){.kind = VALUE_ARRAY};
    if (status == STATUS_OK && text)
        status = json_read(a, (struct str){text, len}, NULL, out, err);
    free(text);
    if (status == STATUS_OK && out->kind != VALUE_ARRAY)
        status = fail(err, STATUS_SYNTAX, NOTES " in the state directory is not a list");
    return status;
}

static void write_note(struct json_writer *w, const struct learn_change *c)
{
    char at[STAMP_SIZE];

    stamp_print(stamp_now(), at);
    json_begin_object(w);
    json_text_member(w, "file", c->policy.file);
    json_text_member_if(w, "project", c->policy.project);
    json_text_member(w, "at", str_from(at));
    json_strings(w, "inserted", &c->inserted);
    json_end_object(w);
}

struct notes {
    struct value old;
    const struct learn_change *more; /* NULL: the last one goes */
};

static void write_notes(struct json_writer *w, const void *about)
{
    const struct notes *n = about;
    size_t end = n->more ? n->old.count : n->old.count - (n->old.count > 0);
    size_t from = n->more && end >= NOTES_KEPT ? end - NOTES_KEPT + 1 : 0;

    json_begin_array(w);
    for (size_t i = from; i < end; i++)
        json_any(w, &n->old.items[i]);
    if (n->more)
        write_note(w, n->more);
    json_end_array(w);
}

/* Adds the change, or takes the last one off. */
static enum status change_notes(warder_learning *l, const struct learn_change *more,
                                struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    struct notes notes = {.more = more};
    struct str text = {0};
    enum status status = state_open(l->engine->request.state_dir.s, NULL, &directory, err);

    if (status == STATUS_OK)
        status = state_lock(directory, NOTES ".lock", &lock, err);
    if (status == STATUS_OK)
        status = read_notes(&l->arena, directory, &notes.old, err);
    if (status == STATUS_OK && !json_try(&l->arena, write_notes, &notes, &text))
        status = fail(err, STATUS_NOMEM, "out of memory");
    return status == STATUS_OK ? state_replace(directory, NOTES, text, err) : status;
}

/* ---- planning ---- */

struct plan_job {
    warder_learning *learning;
    struct learn_change *change;
    struct error *err;
    enum status status;
};

static void add_offers(void *arg)
{
    struct plan_job *job = arg;
    warder_learning *l = job->learning;
    struct learn_change *c = job->change;
    struct edit edit;

    c->policy.new = c->policy.old;
    for (size_t i = 0; job->status == STATUS_OK && i < l->offers.count; i++) {
        const struct learn_offer *o = &l->offers.items[i];
        const struct edit_rule rule = {.effect = BEHAVIOR_ALLOW,
                                       .text = o->rule,
                                       .dialect = DIALECT_WARDER,
                                       .entry = learn_entry(&l->arena, o),
                                       .row = o->wraps};
        if (!o->ticked)
            continue;
        job->status = edit_plan(&l->arena, c->policy.file, c->policy.new, FORMAT_WARDER, &rule,
                                &edit, job->err);
        if (job->status != STATUS_OK || edit.already)
            continue;
        c->policy.new = edit.result;
        LIST_PUSH(&l->arena, &c->inserted, str_copy(&l->arena, edit.insert));
    }
}

static void take_back(void *arg)
{
    struct plan_job *job = arg;
    struct learn_change *c = job->change;
    struct edit edit;

    c->policy.new = c->policy.old;
    for (size_t i = c->inserted.count; job->status == STATUS_OK && i-- > 0;) {
        job->status =
            edit_take_back(&job->learning->arena, c->policy.file, c->policy.new, FORMAT_WARDER,
                           DIALECT_WARDER, c->inserted.items[i], &edit, job->err);
        if (job->status == STATUS_OK)
            c->policy.new = edit.result;
    }
}

static void find_diff(void *arg)
{
    struct plan_job *job = arg;

    job->change->diff =
        diff_lines(&job->learning->arena, job->change->policy.old, job->change->policy.new);
}

static void begin_plan(void *arg)
{
    struct plan_job *job = arg;

    job->change = ARENA_NEW(&job->learning->arena, struct learn_change);
}

static void place_plan(void *arg)
{
    struct plan_job *job = arg;
    warder_learning *l = job->learning;

    policy_change_place(&l->arena, l->engine, job->change->place == WARDER_LEARN_USER,
                        &job->change->policy);
}

static void read_last(struct plan_job *job, const struct value *notes)
{
    struct arena *a = &job->learning->arena;
    struct learn_change *c = job->change;
    const struct value *last = notes->count ? &notes->items[notes->count - 1] : NULL,
                       *inserted = value_get(last, "inserted");

    c->policy.file = str_copy(a, value_text(last, "file"));
    c->policy.project = str_copy(a, value_text(last, "project"));
    for (size_t i = 0; inserted && inserted->kind == VALUE_ARRAY && i < inserted->count; i++)
        LIST_PUSH(a, &c->inserted, inserted->items[i].text);
    if (!c->policy.file.len || !c->inserted.count)
        job->status = fail(job->err, STATUS_USAGE, "no learned change is there to be taken back");
}

static void find_last(void *arg)
{
    struct plan_job *job = arg;
    warder_learning *l = job->learning;
    int directory = -1;
    struct value notes = {0};

    job->status = state_find(l->engine->request.state_dir.s, NULL, &directory, job->err);
    if (job->status == STATUS_OK && directory >= 0)
        job->status = read_notes(&l->arena, directory, &notes, job->err);
    if (directory >= 0)
        close(directory);
    if (job->status == STATUS_OK)
        read_last(job, &notes);
}

static warder_status step(struct plan_job *job, void (*fn)(void *), warder_error *err)
{
    if (!arena_try(&job->learning->arena, fn, job))
        return give_no_memory(err);
    return job->status == STATUS_OK ? WARDER_OK : error_out(err, job->err);
}

static warder_status make_plan(struct plan_job *job, warder_learning_place place, warder_error *err)
{
    bool undo = place == WARDER_LEARN_UNDO;
    warder_status status = undo ? WARDER_OK : learn_work(job->learning, err);

    if (status == WARDER_OK)
        status = step(job, begin_plan, err);
    if (status != WARDER_OK)
        return status;
    job->change->place = place;
    status = step(job, undo ? find_last : place_plan, err);
    if (status == WARDER_OK &&
        (job->status = policy_change_read(&job->change->policy, job->err)) != STATUS_OK)
        status = error_out(err, job->err);
    if (status == WARDER_OK)
        status = step(job, undo ? take_back : add_offers, err);
    return status == WARDER_OK ? step(job, find_diff, err) : status;
}

void learn_change_release(warder_learning *l)
{
    if (l->change)
        policy_change_release(&l->change->policy);
    l->change = NULL;
}

warder_status warder_learning_plan(warder_learning *l, warder_learning_place place,
                                   warder_error *err)
{
    struct error inner = {0};
    struct plan_job job = {.learning = l, .err = &inner};

    if (!l || (unsigned)place > WARDER_LEARN_UNDO)
        return give_usage(err, "missing argument: learning, or no such place");
    learn_change_release(l);
    warder_status status = make_plan(&job, place, err);
    l->change = job.change;
    if (status != WARDER_OK)
        learn_change_release(l);
    return status;
}

const char *warder_learning_file(const warder_learning *l)
{
    return l && l->change ? l->change->policy.file.s : "";
}

const char *warder_learning_diff(const warder_learning *l)
{
    return l && l->change && l->change->diff.len ? l->change->diff.s : "";
}

/* ---- writing ---- */

static enum status write_change(warder_learning *l, struct error *err)
{
    const struct learn_change *c = l->change;
    bool undo = c->place == WARDER_LEARN_UNDO;
    enum status status = undo ? STATUS_OK : change_notes(l, c, err);

    if (status == STATUS_OK)
        status = policy_change_write(l->engine, &c->policy, err);
    if (status == STATUS_OK && undo)
        status = change_notes(l, NULL, err);
    return status;
}

warder_status warder_learning_write(warder_learning *l, warder_error *err)
{
    struct error inner = {0};

    if (!l || !l->change)
        return give_usage(err, "there is no plan to carry out");
    if (warder_learning_diff(l)[0] && write_change(l, &inner) != STATUS_OK)
        error_out(err, &inner);
    learn_change_release(l);
    return inner.status == STATUS_OK ? WARDER_OK : (warder_status)inner.status;
}
