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

static bool close_removed(struct database *db, bool *open)
{
    if (!*open || !database_has_moved(db))
        return false;
    database_close(db);
    *open = false;
    return true;
}

void store_leave_removed(warder_service *s)
{
    (void)close_removed(&s->db_write, &s->db_write_open);
}

/* Its file was removed: what it had is made again from the journal when it is opened, by one that
 * is alone. So the writer's connection is closed, too; by the writer, if it has a batch. */
static void leave_removed(warder_service *s)
{
    if (!close_removed(&s->db, &s->db_open))
        return;
    if (!s->writing)
        store_leave_removed(s);
    s->db_behind = true;
    for (struct waiting *w = s->open.first; w; w = w->after)
        w->stored = false; /* the journal has no calls */
    s->calls_unstored = s->state_lost = true;
    s->keep_at = 0;
}

bool store_rests(const warder_service *s, struct error *err)
{
    bool rests = s->db_error.status && s->mono() < s->db_retry;

    if (rests)
        *err = s->db_error;
    return rests;
}

static enum status open_one(const warder_service *s, struct database *db, char **notice,
                            struct error *err)
{
    enum status status = state_db_open(db, s->data, SERVICE_BUSY_MS, notice, err);

    if (status == STATUS_OK && s->options.no_sync)
        status = database_run(db, "PRAGMA synchronous=NORMAL", err);
    if (status != STATUS_OK)
        database_close(db);
    return status;
}

bool store_ready(warder_service *s, struct error *err)
{
    leave_removed(s);
    if (store_rests(s, err))
        return false;
    if (s->db_open)
        return true;
    free(s->db_notice);
    s->db_notice = NULL;
    s->db_open = store_used(s, open_one(s, &s->db, &s->db_notice, err), err) == STATUS_OK;
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

/* ---- writing, on the writer's thread ---- */

typedef enum status (*store_one)(struct batch *b, struct staged *item, struct error *err);

static enum status write_all(struct batch *b, store_one each, struct error *err)
{
    struct database *db = &b->service->db_write;
    enum status status = database_run(db, "BEGIN IMMEDIATE", err);

    if (status != STATUS_OK)
        return status;
    for (struct staged *i = b->items; status == STATUS_OK && i; i = i->next)
        status = each(b, i, err);
    if (status == STATUS_OK)
        status = database_run(db, "COMMIT", err);
    if (status != STATUS_OK)
        (void)database_run(db, "ROLLBACK", NULL);
    return status;
}

struct database *store_writable(warder_service *s, struct error *err)
{
    char *notice = NULL;

    store_leave_removed(s);
    if (!s->db_write_open) {
        s->db_write_open = open_one(s, &s->db_write, &notice, err) == STATUS_OK;
        free(notice);
    }
    return s->db_write_open ? &s->db_write : NULL;
}

static enum status transact(struct batch *b, store_one each, struct error *err)
{
    return store_writable(b->service, err) ? write_all(b, each, err) : err->status;
}

static enum status insert(struct batch *b, struct staged *i, struct error *err)
{
    return i->kind == STAGED_QUESTION ? review_insert(&b->service->db_write, &i->row, err)
                                      : STATUS_OK;
}

enum status store_insert(struct batch *b, struct error *err)
{
    return transact(b, insert, err);
}

static enum status end(struct batch *b, struct staged *i, struct error *err)
{
    struct database *db = &b->service->db_write;
    const int64_t now = b->service->wall();
    char stamp[STAMP_SIZE];
    bool taken;

    if (i->failed)
        return i->kind == STAGED_QUESTION ? review_recorded(db, i->row.id, false, err) : STATUS_OK;
    if (i->kind == STAGED_FETCH)
        return review_deliver(db, str_from(i->review->id), now, &taken, err);
    if (i->kind != STAGED_END)
        return STATUS_OK;
    stamp_print(now, stamp);
    i->row.delivered_at = i->receiver ? str_from(stamp) : (struct str){0};
    enum status status = review_end(db, &i->row, &taken, err);
    i->row.delivered_at = (struct str){0};
    return status;
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
enum status store_end(struct batch *b, struct error *err)
{
    return has_end(b->items) ? transact(b, end, err) : STATUS_OK;
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
    const struct waiting *w = *found ? waiting_find(s, id) : NULL;
    if (w && w->state == WAITING_STAGED)
        *found = false; /* it is not announced yet */
    return status == STATUS_OK && target.failed ? fail(err, STATUS_NOMEM, "out of memory") : status;
}
