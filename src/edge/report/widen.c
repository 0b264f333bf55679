/* widen.c - what a contained call was refused, always: as lines of policy, after a person has seen
 * them. */
#include <stdlib.h>

#include "ask/caller.h"
#include "base/path.h"
#include "engine/record.h"
#include "engine/report.h"
#include "policy/sandbox.h"
#include "report/change.h"
#include "report/diff.h"
#include "report/outside_call.h"
#include "warder_admin.h"

#define MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct warder_sandbox_change {
    struct arena arena;
    warder_engine *engine;
    struct outside_call call;
    struct policy_change policy;
    struct str diff;
};

struct job {
    warder_sandbox_change *widening;
    bool in_project;
    unsigned locked; /* by managed policy: bits of enum sandbox_list */
    struct error *err;
    enum status status;
};

/* ---- planning ---- */

/* Of what only a person's own file may say, the project's file says nothing. */
static bool is_for_file(const struct job *job, enum sandbox_list list)
{
    return !job->in_project || list != SANDBOX_SOCKETS;
}

static void add_list(struct job *job, enum sandbox_list list)
{
    warder_sandbox_change *w = job->widening;
    const struct strs *values = &w->call.walls.lists[list];
    struct edit edit;

    if (values->count && (job->locked & (1u << list))) {
        job->status = fail(job->err, STATUS_UNSAFE, "managed policy has locked sandbox.%s",
                           sandbox_list_key(list));
        return;
    }
    for (size_t i = 0; job->status == STATUS_OK && i < values->count; i++) {
        job->status = edit_sandbox(&w->arena, w->policy.file, w->policy.new, list, values->items[i],
                                   &edit, job->err);
        if (job->status == STATUS_OK && !edit.already)
            w->policy.new = edit.result;
    }
}

static void find_place(void *arg)
{
    struct job *job = arg;

    policy_change_place(&job->widening->arena, job->widening->engine, !job->in_project,
                        &job->widening->policy);
}

static void add_lists(void *arg)
{
    struct job *job = arg;
    warder_sandbox_change *w = job->widening;

    w->policy.new = w->policy.old;
    for (int i = 0; job->status == STATUS_OK && i < SANDBOX_LISTS; i++)
        if (is_for_file(job, (enum sandbox_list)i))
            add_list(job, (enum sandbox_list)i);
    if (job->status == STATUS_OK)
        w->diff = diff_lines(&w->arena, w->policy.old, w->policy.new);
}

static enum status check_project(const struct job *job)
{
    const warder_sandbox_change *w = job->widening;

    if (!job->in_project ||
        (w->engine->project.len && path_is_inside(w->call.cwd, w->engine->project)))
        return STATUS_OK;
    return fail(job->err, STATUS_USAGE, "the call was not made in this project");
}

static enum status find_locks(struct job *job)
{
    struct held held;
    warder_error err = {0};

    if (policy_borrow(job->widening->engine, &held, &err) != WARDER_OK)
        return fail(job->err, STATUS_SYNTAX, "%s", err.message);
    job->locked = held.project->book->sandbox.locked;
    snapshot_drop(held.snapshot);
    return STATUS_OK;
}

static enum status step(struct job *job, void (*fn)(void *))
{
    if (!arena_try(&job->widening->arena, fn, job))
        return fail(job->err, STATUS_NOMEM, "no memory for the change");
    return job->status;
}

static enum status plan(struct job *job, const char *id)
{
    warder_sandbox_change *w = job->widening;
    enum status status = caller_is_person(job->err);

    if (status == STATUS_OK)
        status = outside_find(&w->arena, w->engine, str_from(id), &w->call, job->err);
    if (status == STATUS_OK)
        status = check_project(job);
    if (status == STATUS_OK)
        status = find_locks(job);
    if (status == STATUS_OK)
        status = step(job, find_place);
    if (status == STATUS_OK)
        status = policy_change_read(&w->policy, job->err);
    return status == STATUS_OK ? step(job, add_lists) : status;
}

warder_status warder_sandbox_change_plan(warder_engine *engine, const char *id, int in_project,
                                         warder_sandbox_change **out, warder_error *err)
{
    struct error inner = {0};
    struct job job = {.in_project = in_project != 0, .err = &inner};

    if (!engine || !id || !out)
        return give_usage(err, "missing argument");
    *out = NULL;
    if (!(job.widening = calloc(1, sizeof(*job.widening))))
        return give_no_memory(err);
    job.widening->engine = engine;
    arena_init(&job.widening->arena, MEMORY_MAX);
    if (plan(&job, id) == STATUS_OK && job.widening->diff.len)
        *out = job.widening;
    else
        warder_sandbox_change_free(job.widening);
    return inner.status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

const char *warder_sandbox_change_file(const warder_sandbox_change *w)
{
    return w ? w->policy.file.s : "";
}

const char *warder_sandbox_change_diff(const warder_sandbox_change *w)
{
    return w ? w->diff.s : "";
}

void warder_sandbox_change_free(warder_sandbox_change *w)
{
    if (!w)
        return;
    policy_change_release(&w->policy);
    arena_release(&w->arena);
    free(w);
}

/* ---- writing ---- */

static void write_body(struct buf *out, const void *about)
{
    const warder_sandbox_change *w = about;
    struct json_writer json = json_to(out);

    buf_format(out, "\"kind\":\"outside\",\"id\":\"%.*s\",\"answer\":\"always\",\"file\":",
               STR_ARG(w->call.id));
    json_string(out, w->policy.file);
    buf_text(out, ",\"sandbox\":");
    walls_json(&json, &w->call.walls);
}

/* On record before it counts. */
warder_status warder_sandbox_change_write(warder_sandbox_change *w, warder_error *err)
{
    struct error inner = {0};
    struct str body;
    enum status status = STATUS_OK;

    if (!w)
        return give_usage(err, "there is no plan to carry out");
    if (!w->engine->recorder)
        return give_usage(err, "this has to be recorded: the engine records nothing");
    if (!buf_try(&w->arena, write_body, w, &body))
        return give_no_memory(err);
    status = recorder_append(w->engine->recorder, NULL, &body, 1, &inner);
    if (status == STATUS_OK)
        status = policy_change_write(w->engine, &w->policy, &inner);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
