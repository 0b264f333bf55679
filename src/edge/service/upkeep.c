/* upkeep.c - what is mended, forgotten and kept now and then.
 *
 * All of it is for the writer, between two batches: it alone writes, so nothing waits for a lock of
 * the database, and the owner never waits for the disk. While it runs no review can end, since the
 * record of that would be written by the same thread: what it found is still true when the owner
 * takes it back. */
#include <stdlib.h>

#include "ask/approval.h"
#include "record/seal.h"
#include "service/service.h"

#define FORGET_EVERY_MS ((int64_t)3600 * 1000)
#define DAY_MS          ((int64_t)86400 * 1000)

/* ---- on the writer's thread ---- */

static enum status forget(warder_service *s, struct database *db, struct upkeep *u,
                          struct error *err)
{
    const int64_t before = s->wall() - (int64_t)s->options.retention_days * DAY_MS;

    return review_forget(db, before, &u->forgets_more, err);
}

void upkeep_write(struct batch *b)
{
    warder_service *s = b->service;
    struct upkeep *u = b->upkeep;
    struct error *err = &u->database, ignored;
    struct database *db = store_writable(s, err);
    enum status status = db ? STATUS_OK : err->status;

    if (status == STATUS_OK && u->mends)
        status = mend_database(s, db, u, err);
    if (status == STATUS_OK && u->forgets)
        status = forget(s, db, u, err);
    u->kept = status == STATUS_OK && u->keeps && keep_write(s, db, u, &ignored) == STATUS_OK;
    if (u->keeps)
        approval_sweep(s->engine->request.state_dir.s, s->wall() / 1000);
    store_leave_removed(s);
}

/* ---- its owner ---- */

static void release(struct upkeep *u)
{
    for (size_t i = 0; i < u->call_count; i++)
        seal_free(&u->calls[i].sealed);
    free(u->calls);
    free(u->mended);
    *u = (struct upkeep){0};
}

static void take_results(warder_service *s, const struct upkeep *u)
{
    const int64_t now = s->mono();

    if (u->recorded || u->record.status)
        s->journal_error = u->record;
    if (u->forgets)
        s->forget_at =
            now + (u->forgets_more || u->database.status ? SERVICE_RETRY_MS : FORGET_EVERY_MS);
    if (u->keeps)
        s->keep_at =
            now + (u->keeps_more || !u->kept || s->state_lost ? SERVICE_RETRY_MS : KEEP_EVERY_MS);
}

void upkeep_finish(warder_service *s)
{
    struct upkeep *u = &s->upkeep;
    struct error err = u->database;

    take_results(s, u);
    if (!s->state_lost) { /* or all of it was for a file that is gone */
        if (u->mends && !err.status)
            s->db_behind = mend_memory(s, u, &err) != STATUS_OK;
        keep_finish(s, u);
    }
    if (err.status || u->mends || u->forgets || u->kept)
        (void)store_used(s, err.status, &err);
    release(u);
}

void service_upkeep(warder_service *s)
{
    const int64_t now = s->mono();
    const bool forgets = now >= s->forget_at, keeps = now >= s->keep_at;
    struct error ignored;

    s->upkeep_due = false;
    if (!s->db_behind && !forgets && !keeps)
        return;
    s->upkeep_due = s->writing;
    if (s->writing || !store_ready(s, &ignored))
        return;
    s->state_lost = false;
    s->upkeep = (struct upkeep){.mends = s->db_behind, .forgets = forgets, .keeps = keeps};
    if (keeps)
        keep_seal(s, &s->upkeep);
    service_hand_over_upkeep(s, &s->upkeep);
}

/* Nobody waits yet. */
void upkeep_start(warder_service *s)
{
    struct error ignored;

    s->db_behind = true;
    if (!store_ready(s, &ignored))
        return;
    s->state_lost = false;
    s->upkeep = (struct upkeep){.mends = true};
    upkeep_write(&(struct batch){.service = s, .upkeep = &s->upkeep});
    upkeep_finish(s);
}
