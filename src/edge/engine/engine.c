/* engine.c - an engine's life, and how its policy is changed by updates. */
#include "engine/engine.h"

#include <stdlib.h>

#include "ask/session_file.h"
#include "base/json.h"
#include "engine/edges.h"
#include "engine/record.h"
#include "engine/thread_cache.h"
#include "machine/shelf.h"

#define UPDATES_MAX    256u /* in one call of warder_engine_update() */
#define SESSION_MEMORY (64 * SESSION_FILE_MAX)

warder_status engine_new(const struct edges *edges, const warder_options *options, bool serves,
                         warder_engine **out, warder_error *err)
{
    struct error inner = {0};
    struct snapshot *first = NULL;

    if (!out)
        return give_usage(err, "missing argument: engine");
    *out = NULL;
    warder_engine *e = calloc(1, sizeof(*e));
    if (!e)
        return give_no_memory(err);
    atomic_init(&e->holders, 1);
    e->edges = edges;
    e->serves = serves;
    e->cache = serves ? thread_cache_new() : NULL;
    pthread_mutex_init(&e->updating, NULL);
    enum status status = engine_keep_options(e, options, &inner);
    if (status == STATUS_OK)
        status = engine_read(e, NULL, &first, &inner);
    if (status != STATUS_OK) {
        warder_engine_free(e);
        return error_out(err, &inner);
    }
    atomic_init(&e->slot.now, first);
    if (e->edges->join)
        e->edges->join(e);
    *out = e;
    return WARDER_OK;
}

void engine_hold(warder_engine *e)
{
    atomic_fetch_add(&e->holders, 1);
}

void warder_engine_free(warder_engine *e)
{
    if (!e || atomic_fetch_sub(&e->holders, 1) > 1)
        return;
    if (e->link.next)
        e->edges->leave(e);
    snapshot_drop(atomic_load(&e->slot.now));
    pthread_mutex_destroy(&e->updating);
    recorder_free(e->recorder);
    thread_cache_free(e->cache);
    shelf_free(e->sessions);
    arena_release(&e->arena);
    free(e);
}

struct session_id engine_session(const warder_engine *e, struct str client, struct str session)
{
    return (struct session_id){.state_dir = e->request.state_dir.s,
                               .client = client,
                               .session = session,
                               .shelf = e->sessions,
                               .later = e->cache ? &e->cache->later : NULL};
}

uint64_t warder_engine_generation(warder_engine *engine)
{
    if (!engine)
        return 0;
    struct snapshot *s = snapshot_slot_take(&engine->slot);
    uint64_t generation = s->generation;

    snapshot_drop(s);
    return generation;
}

/* ---- reload ---- */

warder_status warder_engine_reload(warder_engine *engine, warder_error *err)
{
    struct snapshot *next = NULL;
    struct error inner = {0};

    if (!engine)
        return give_usage(err, "missing argument: engine");
    pthread_mutex_lock(&engine->updating);
    engine_read(engine, atomic_load(&engine->slot.now), &next, &inner);
    if (next)
        snapshot_slot_put(&engine->slot, next);
    pthread_mutex_unlock(&engine->updating);
    return inner.status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

/* ---- updates ---- */

static void take_mode(struct arena *a, struct session *s, void *mode)
{
    const struct session *set = mode;

    (void)a;
    s->has_mode = set->has_mode;
    s->mode = set->mode;
    s->has_prior = set->has_prior;
    s->prior = set->prior;
}

/* Its own calls may have set another one before (plan mode), which the session keeps. */
static enum status replace_own_mode(const struct engine_change *job, struct str session,
                                    struct session *set)
{
    const struct session_id id = engine_session(job->engine, job->engine->client, session);
    struct session kept;
    struct arena a;

    if (!id.client.len)
        return fail(job->err, STATUS_USAGE,
                    "the mode of a session needs the name of its client, in the engine's options");
    arena_init(&a, SESSION_MEMORY);
    enum status status = session_load(&a, &id, &kept, job->err);
    arena_release(&a);
    if (status != STATUS_OK || !kept.has_mode)
        return status;
    return session_update(&id, take_mode, set, NULL, job->err);
}

static enum status set_mode(struct engine_change *job, struct changes *changes,
                            const struct update *u)
{
    const struct rulebook *book = &snapshot_find(job->old, job->engine->project)->policy->book;
    struct session own = job->next->session;

    if (!u->session.len) {
        session_set_mode(&job->next->session, book, u->mode);
        return STATUS_OK;
    }
    changes_mode(changes, u->session, &own);
    session_set_mode(&own, book, u->mode);
    enum status status = changes_set_mode(&job->scratch, changes, u->session, &own, job->err);
    return status ? status : replace_own_mode(job, u->session, &own);
}

/* `text` is the JSON of the update. */
static void change(void *arg)
{
    struct engine_change *job = arg;
    struct value v;
    struct updates updates;
    struct changes changes = job->old->changes, more;

    if ((job->status = json_read(&job->scratch, job->text, NULL, &v, job->err)) != STATUS_OK ||
        (job->status = updates_read(&job->scratch, &v, &updates, job->err)) != STATUS_OK)
        return;
    if (updates.count > UPDATES_MAX)
        job->status = fail(job->err, STATUS_LIMIT, "more than %u updates at once", UPDATES_MAX);
    for (size_t i = 0; !job->status && i < updates.count; i++) {
        const struct update *u = &updates.items[i];
        job->status =
            changes_add(&job->scratch, &changes, job->next->profile->dialect, u, &more, job->err);
        changes = more;
        if (!job->status && u->kind == UPDATE_SET_MODE)
            job->status = set_mode(job, &changes, u);
    }
    if (!job->status)
        job->status = snapshot_take_changes(job->next, &changes, job->err);
}

/* The same policies as before, under the new changes. */
enum status engine_take_over(struct snapshot *old, struct snapshot *next, struct error *err)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        for (const struct project_policy *p = atomic_load(&old->projects[i]); !status && p;
             p = p->next)
            status = snapshot_add(next, p->project, p->policy, &p->stale, err);
    return status;
}

static enum status make_next(const struct engine_change *change, struct snapshot **out)
{
    struct engine_change job = *change;

    job.next = snapshot_new(job.engine->edges, job.old->profile, &job.old->request);
    if (!job.next)
        return fail(job.err, STATUS_NOMEM, "out of memory");
    job.next->generation = job.old->generation + 1;
    job.next->session = job.old->session;
    arena_init(&job.scratch, SNAPSHOT_MEMORY_MAX);
    if (!arena_try(&job.scratch, job.make, &job))
        job.status = fail(job.err, STATUS_NOMEM, "the update takes too much memory");
    arena_release(&job.scratch);
    if (job.status == STATUS_OK)
        job.status = engine_take_over(job.old, job.next, job.err);
    if (job.status == STATUS_OK)
        *out = job.next;
    else
        snapshot_drop(job.next);
    return job.status;
}

enum status engine_change(warder_engine *e, void (*make)(void *), struct str text,
                          struct error *err)
{
    struct snapshot *next = NULL;

    pthread_mutex_lock(&e->updating);
    const struct engine_change job = {
        .make = make, .text = text, .engine = e, .old = atomic_load(&e->slot.now), .err = err};
    enum status status = make_next(&job, &next);
    if (status == STATUS_OK)
        snapshot_slot_put(&e->slot, next);
    pthread_mutex_unlock(&e->updating);
    return status;
}

warder_status warder_engine_update(warder_engine *engine, const char *json, size_t len,
                                   warder_error *err)
{
    struct error inner = {0};

    if (!engine || !json)
        return give_usage(err, "there is no engine, or no update");
    return engine_change(engine, change, (struct str){json, len}, &inner) == STATUS_OK
               ? WARDER_OK
               : error_out(err, &inner);
}

/* ---- projects ---- */

size_t engine_projects(warder_engine *e)
{
    struct snapshot *s = snapshot_slot_take(&e->slot);
    size_t count = atomic_load(&s->count);

    snapshot_drop(s);
    return count;
}

static enum status keep_own(const warder_engine *e, const struct snapshot *old,
                            struct snapshot *next, struct error *err)
{
    const struct project_policy *own = snapshot_find(old, e->project);
    enum status status = snapshot_take_changes(next, &old->changes, err);

    next->generation = old->generation;
    next->session = old->session;
    return status == STATUS_OK ? snapshot_add(next, own->project, own->policy, &own->stale, err)
                               : status;
}

enum status engine_forget_projects(warder_engine *e, struct error *err)
{
    pthread_mutex_lock(&e->updating);
    struct snapshot *old = atomic_load(&e->slot.now),
                    *next = snapshot_new(e->edges, old->profile, &old->request);
    enum status status =
        next ? keep_own(e, old, next, err) : fail(err, STATUS_NOMEM, "out of memory");
    if (status == STATUS_OK)
        snapshot_slot_put(&e->slot, next);
    else
        snapshot_drop(next);
    pthread_mutex_unlock(&e->updating);
    return status;
}
