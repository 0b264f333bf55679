/* store.c - the state database of the service: opened when possible, and left alone for a while
 * after a failure. */
#include <stdlib.h>

#include "service/service.h"

/* ---- its state ---- */

enum status store_used(warder_service *s, enum status status, const struct error *err)
{
    if (status == STATUS_OK) {
        s->db_error = (struct error){0};
        return status;
    }
    s->db_error = *err;
    s->db_retry = s->mono() + SERVICE_RETRY_MS;
    return status;
}

/* Its file was removed: what it had is made again from the journal when it is opened. */
static void leave_removed(warder_service *s)
{
    if (!s->db_open || !database_has_moved(&s->db))
        return;
    database_close(&s->db);
    s->db_open = false;
    s->db_behind = true;
    s->keep_at = 0;
}

bool store_ready(warder_service *s, struct error *err)
{
    leave_removed(s);
    if (s->db_error.status && s->mono() < s->db_retry) {
        *err = s->db_error;
        return false;
    }
    if (s->db_open)
        return true;
    free(s->db_notice);
    s->db_notice = NULL;
    enum status status = state_db_open(&s->db, s->data, SERVICE_BUSY_MS, &s->db_notice, err);
    if (status == STATUS_OK && s->options.no_sync)
        status = database_run(&s->db, "PRAGMA synchronous=NORMAL", err);
    s->db_open = store_used(s, status, err) == STATUS_OK;
    if (!s->db_open)
        database_close(&s->db);
    return s->db_open;
}

bool store_readable(warder_service *s, struct error *err)
{
    leave_removed(s);
    return s->db_open || store_ready(s, err);
}

enum status store_read(warder_service *s, enum status status, const struct error *err)
{
    return status == STATUS_OK ? status : store_used(s, status, err);
}

static enum status transact(warder_service *s, struct staged *batch,
                            enum status (*each)(warder_service *, struct staged *, struct error *),
                            struct error *err)
{
    enum status status = database_run(&s->db, "BEGIN IMMEDIATE", err);

    if (status != STATUS_OK)
        return status;
    for (struct staged *i = batch; status == STATUS_OK && i; i = i->next)
        status = each(s, i, err);
    if (status == STATUS_OK)
        status = database_run(&s->db, "COMMIT", err);
    if (status != STATUS_OK)
        (void)database_run(&s->db, "ROLLBACK", NULL);
    return status;
}

/* ---- new reviews ---- */

static enum status insert(warder_service *s, struct staged *i, struct error *err)
{
    return i->kind == STAGED_QUESTION ? review_insert(&s->db, &i->row, err) : STATUS_OK;
}

enum status store_insert(warder_service *s, struct staged *batch, struct error *err)
{
    if (!store_ready(s, err))
        return err->status;
    return store_used(s, transact(s, batch, insert, err), err);
}

/* ---- reviews that have ended ---- */

static enum status end(warder_service *s, struct staged *i, struct error *err)
{
    char now[STAMP_SIZE];
    bool taken;

    if (i->failed)
        return i->kind == STAGED_QUESTION ? review_recorded(&s->db, i->row.id, false, err)
                                          : STATUS_OK;
    if (i->kind == STAGED_FETCH)
        return review_deliver(&s->db, str_from(i->review->id), s->wall(), err);
    if (i->kind != STAGED_END)
        return STATUS_OK;
    stamp_print(s->wall(), now);
    i->row.delivered_at = i->receiver ? str_from(now) : (struct str){0};
    return review_end(&s->db, &i->row, &taken, err);
}

static bool has_end(const struct staged *batch)
{
    for (; batch; batch = batch->next)
        if (batch->failed ? batch->kind == STAGED_QUESTION
                          : batch->kind == STAGED_END || batch->kind == STAGED_FETCH)
            return true;
    return false;
}

/* The journal has it: a database that cannot be written only lags. */
void store_end(warder_service *s, struct staged *batch)
{
    struct error err = {0};

    if (!has_end(batch))
        return;
    if (!store_ready(s, &err) || store_used(s, transact(s, batch, end, &err), &err) != STATUS_OK)
        s->db_behind = true;
}

/* ---- reading one ---- */

bool review_copy(struct arena *a, const struct review *r, struct review *o)
{
    struct str *const texts[] = {
        &o->id,           &o->worker_id, &o->task_id,      &o->project_id,   &o->session_id,
        &o->tool,         &o->token_id,  &o->command,      &o->command_hash, &o->call_hash,
        &o->context,      &o->reason,    &o->requested_at, &o->expires_at,   &o->responded_at,
        &o->responded_by, &o->message,   &o->rule,         &o->decision_id,  &o->delivered_at};

    *o = *r;
    o->sealed = (struct str){0};
    for (size_t i = 0; i < COUNT(texts); i++) {
        *texts[i] = str_try_copy(a, *texts[i]);
        if (!texts[i]->s)
            return false;
    }
    return true;
}

struct review_target {
    struct arena *arena;
    struct review *out;
    bool failed;
};

static bool copy(const struct review *r, void *context)
{
    struct review_target *t = context;

    t->failed = !review_copy(t->arena, r, t->out);
    return false;
}

enum status store_review(warder_service *s, struct arena *a, const char *id, struct review *out,
                         bool *found, struct error *err)
{
    struct review_target target = {.arena = a, .out = out};

    *out = (struct review){0};
    *found = false;
    if (!store_readable(s, err))
        return err->status;
    enum status status =
        store_read(s, review_find(&s->db, str_from(id), copy, &target, found, err), err);
    return status == STATUS_OK && target.failed ? fail(err, STATUS_NOMEM, "out of memory") : status;
}
