/* session_end.c - the end of a session: what it was granted, and what updates have added for it. */
#include "ask/session_file.h"
#include "engine/engine.h"

/* `text` is the session. */
static void leave_out(void *arg)
{
    struct engine_change *job = arg;
    struct changes left;

    changes_end_session(&job->scratch, &job->old->changes, job->text, &left);
    job->status = snapshot_take_changes(job->next, &left, job->err);
}

warder_status warder_session_end(warder_engine *engine, const char *client, const char *session,
                                 warder_error *err)
{
    struct error inner = {0};

    if (!engine || !session || !session[0])
        return give_usage(err, "there is no engine, or no session");
    const struct session_id id = engine_session(
        engine, client && client[0] ? str_from(client) : engine->client, str_from(session));
    if (!id.client.len)
        return give_usage(err, "a session needs the name of its client");
    enum status status = engine_change(engine, leave_out, id.session, &inner);
    if (status == STATUS_OK)
        status = session_remove(&id, &inner);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
