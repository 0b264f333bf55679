/* session_end.c - the end of a session: what it was granted, and what updates have added for it. */
#include "ask/session_file.h"
#include "engine/engine.h"

struct ended_session {
    struct str session;
    const struct snapshot *old;
    struct snapshot *next;
    struct arena scratch;
    struct error *err;
    enum status status;
};

static void leave_out(void *arg)
{
    struct ended_session *job = arg;
    struct changes left;

    changes_end_session(&job->scratch, &job->old->changes, job->session, &left);
    job->status = snapshot_take_changes(job->next, &left, job->err);
}

/* Under the lock of the engine's updates. */
static enum status make_next(warder_engine *e, struct str session, struct snapshot **out,
                             struct error *err)
{
    struct snapshot *old = atomic_load(&e->slot.now),
                    *next = snapshot_new(e->edges, old->profile, &old->request);
    struct ended_session job = {.session = session, .old = old, .next = next, .err = err};

    if (!next)
        return fail(err, STATUS_NOMEM, "out of memory");
    next->generation = old->generation + 1;
    next->session = old->session;
    arena_init(&job.scratch, SNAPSHOT_MEMORY_MAX);
    if (!arena_try(&job.scratch, leave_out, &job))
        job.status = fail(err, STATUS_NOMEM, "out of memory");
    arena_release(&job.scratch);
    if (job.status == STATUS_OK)
        job.status = engine_take_over(old, next, err);
    if (job.status == STATUS_OK)
        *out = next;
    else
        snapshot_drop(next);
    return job.status;
}

static enum status forget_rules(warder_engine *e, struct str session, struct error *err)
{
    struct snapshot *next = NULL;

    pthread_mutex_lock(&e->updating);
    enum status status = make_next(e, session, &next, err);
    if (status == STATUS_OK)
        snapshot_slot_put(&e->slot, next);
    pthread_mutex_unlock(&e->updating);
    return status;
}

warder_status warder_session_end(warder_engine *engine, const char *client, const char *session,
                                 warder_error *err)
{
    struct error inner = {0};

    if (!engine || !session || !session[0])
        return give_usage(err, "there is no engine, or no session");
    const struct session_id id = {engine->request.state_dir.s,
                                  client && client[0] ? str_from(client) : engine->client,
                                  str_from(session)};
    if (!id.client.len)
        return give_usage(err, "a session needs the name of its client");
    enum status status = forget_rules(engine, id.session, &inner);
    if (status == STATUS_OK)
        status = session_remove(&id, &inner);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
