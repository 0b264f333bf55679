/* commit.c - makes decisions durable before their answers leave.
 *
 * What was staged becomes a batch, which goes to the writer (writer.h) and comes back. The writer
 * does, in this order: it syncs the session files that these calls changed, puts new reviews into
 * the database, all records, also those of the new reviews, into the journal with one write and one
 * sync, and the ends of reviews into the database. If sessions or records cannot be made durable,
 * the calls are denied. If new reviews cannot be stored, those calls are denied, and the next batch
 * records that. If an end cannot be stored, that is repeated later. Then the answers leave; events
 * and figures are noted after that. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/thread_cache.h"
#include "record/seal.h"
#include "service/service.h"

#define ROUNDS_MAX 8 /* a commit may stage calls itself: those that are asked about again */

static void staged_free(struct staged *item)
{
    if (!item)
        return;
    warder_decision_free(item->decision);
    arena_release(&item->arena);
    seal_free(&item->sealed);
    enact_free(item->enacts);
    free(item);
}

static void stage(warder_service *s, struct staged *item)
{
    item->next = NULL;
    *s->staged_end = item;
    s->staged_end = &item->next;
    s->staged_last = item;
    s->staged_count++;
}

struct staged *service_stage(warder_service *s, enum staged_kind kind)
{
    struct staged *item = calloc(1, sizeof(*item));

    if (!item)
        return NULL;
    item->kind = kind;
    arena_init(&item->arena, SERVICE_STAGED_MAX);
    stage(s, item);
    return item;
}

/* ---- questions that cannot be asked ---- */

static void refuse_question(struct staged *item, const struct error *why)
{
    char text[sizeof(why->message) + 64];

    snprintf(text, sizeof(text), "cannot ask a person: %s", why->message);
    decision_refuse(item->decision, "review", text);
    item->kind = STAGED_VERDICT;
    item->refused = true;
    item->review = NULL;
    if (item->item)
        case_detach(item->item);
}

static bool is_of(const struct staged *item, enum staged_kind kind)
{
    return item->kind == kind;
}

static void refuse_joined(struct staged *list, const struct error *why)
{
    for (struct staged *i = list; i; i = i->next)
        if (is_of(i, STAGED_JOINED) && i->item && i->item->review->state == WAITING_STAGED)
            refuse_question(i, why);
}

static void refuse_new(warder_service *s, struct staged *list, const struct error *why)
{
    for (struct staged *i = list; i; i = i->next)
        if (is_of(i, STAGED_QUESTION)) {
            struct waiting *w = i->review;
            refuse_question(i, why);
            while (w->cases) { /* calls that are asked about again have no verdict of their own */
                warder_case *left = w->cases;
                case_detach(left);
                case_settle(left, NULL);
            }
            waiting_free(s, w);
            s->pending--;
        }
}

/* No new review can be stored: all calls that wait for one are denied, those of the batch and those
 * that came since. */
static void refuse_questions(warder_service *s, struct staged *batch, const struct error *why)
{
    refuse_joined(batch, why);
    refuse_joined(s->staged, why);
    refuse_new(s, batch, why);
    refuse_new(s, s->staged, why);
}

/* A refusal is recorded as any other verdict, by the next batch. */
static void stage_refused(warder_service *s, struct batch *b)
{
    for (struct staged **at = &b->items; *at;) {
        struct staged *i = *at;
        if (!i->refused) {
            at = &i->next;
            continue;
        }
        *at = i->next;
        stage(s, i);
    }
}

/* ---- records ---- */

static void write_fetch(struct buf *out, const void *about)
{
    const struct waiting *review = about;

    buf_format(out,
               "\"kind\":\"delivery\",\"review_id\":\"%s\",\"decision_id\":\"%s\",\"token_id\":",
               review->id, review->decision_id);
    json_string(out, str_from(review->token_id));
}

static void write_question(struct json_writer *w, const void *about)
{
    review_record(w, about);
}

/* A record that would be too long is left out: the others must not fail with it. */
static bool record_question(struct staged *i)
{
    struct str text;

    if (!json_try(&i->arena, write_question, &i->row, &text) ||
        text.len + CHAIN_FRAME > CHAIN_LINE_MAX)
        return false;
    i->body = str_slice(text, 1, text.len - 1); /* without its braces */
    return true;
}

struct kept_record {
    struct staged *item;
    const struct record_key *key;
};

/* The record of a call whose text is no longer known, from what the database kept of it. */
static void write_kept(void *arg)
{
    struct kept_record *k = arg;
    struct staged *i = k->item;
    const struct review *r = &i->row;
    const bool expired = r->status == REVIEW_EXPIRED;
    const struct decision_record record = {
        .id = r->decision_id,
        .worker_id = r->worker_id,
        .task_id = r->task_id,
        .project_id = r->project_id,
        .session_id = r->session_id,
        .tool = r->tool,
        .client = STR(SERVICE_CLIENT),
        .caller = r->token_id,
        .answer_reason = expired ? (struct str){0} : r->message,
        .command = r->command,
        .command_hash = r->command_hash,
        .decision = expired ? STR("timeout-deny") : STR("human-deny"),
        .behavior = STR("deny"),
        .layer = STR("review"),
        .reason = expired ? STR("no answer in time") : r->message,
        .answered_by = r->responded_by,
        .review_id = r->id,
        .review_requested_at = i->ending.requested_at,
        .review_responded_at = i->ending.responded_at,
        .response_time_ms = i->ending.response_ms,
        .undelivered = i->ending.undelivered,
    };

    i->body = decision_body(&i->arena, &record, k->key);
}

/* The newest case is the one whose worker still waits: an older one of the same call was given up,
 * or will be asked about again. */
static void choose_receiver(struct staged *item)
{
    warder_case *c = item->review->cases;

    while (c && c->gone)
        c = c->next;
    item->receiver = c;
    item->ending.undelivered = !c;
    if (c)
        c->claimed = true;
}

static bool write_record(struct staged *i, const struct record_key *key)
{
    struct error err = {0};

    switch (i->kind) {
    case STAGED_VERDICT:
        if (i->item)
            i->ending.response_ms = (service_micros() - i->item->began) / 1000;
        i->ending.caller = i->by;
        i->failed = decision_write(i->decision, &i->ending, key, &i->body, &err) != STATUS_OK;
        if (i->failed)
            decision_unrecorded(i->decision, &err);
        return !i->failed;
    case STAGED_END:
        i->failed = i->about && i->about->stale;
        if (i->failed)
            return false;
        choose_receiver(i);
        i->failed = i->by_rules && i->row.status == REVIEW_APPROVED && !i->receiver;
        if (i->failed)
            return false; /* its worker has left, and will ask again */
        i->ending.caller = i->review->token_id;
        if (i->decision)
            i->failed = decision_write(i->decision, &i->ending, key, &i->body, &err) != STATUS_OK;
        else
            i->failed = !arena_try(&i->arena, write_kept, &(struct kept_record){i, key});
        if (i->decision)
            i->row.decision_id = str_from(i->decision->id);
        return !i->failed;
    case STAGED_FETCH:
        i->failed = !buf_try(&i->arena, write_fetch, i->review, &i->body);
        return !i->failed;
    case STAGED_QUESTION:
        i->failed = !record_question(i);
        return !i->failed;
    case STAGED_CHANGE:
    case STAGED_NOTED:
        i->failed = i->stale;
        return !i->failed;
    case STAGED_JOINED:
    case STAGED_TOLD:
    case STAGED_HELD:
        break;
    }
    return false;
}

static const struct rulebook *any_book(const struct staged *batch)
{
    for (; batch; batch = batch->next)
        if (batch->decision && batch->decision->book)
            return batch->decision->book;
    return NULL;
}

static bool has_kind(const struct staged *batch, enum staged_kind kind)
{
    while (batch && !is_of(batch, kind))
        batch = batch->next;
    return batch != NULL;
}

static enum status write_bodies(warder_service *s, struct batch *b, struct error *err)
{
    struct record_key key;
    enum status status;

    b->bodies = calloc(b->count, sizeof(*b->bodies));
    if (!b->bodies)
        return fail(err, STATUS_NOMEM, "out of memory");
    if ((status = recorder_key(s->engine->recorder, &key, err)) != STATUS_OK)
        return status;
    for (struct staged *i = b->items; i; i = i->next)
        if (write_record(i, &key))
            b->bodies[b->body_count++] = i->body;
    return STATUS_OK;
}

/* Everything that was staged, with its records written. */
static void make_batch(warder_service *s)
{
    struct batch *b = &s->batch;
    struct error resting, err = {0};

    if (store_rests(s, &resting) && has_kind(s->staged, STAGED_QUESTION))
        refuse_questions(s, NULL, &resting);
    *b = (struct batch){.service = s, .items = s->staged, .count = s->staged_count};
    if (s->engine->cache) {
        b->later = s->engine->cache->later;
        s->engine->cache->later = (struct session_later){0};
    }
    s->staged = NULL;
    s->staged_end = &s->staged;
    s->staged_last = NULL;
    s->staged_count = 0;
    for (struct staged *i = b->items; i; i = i->next)
        i->refused = false;
    if (write_bodies(s, b, &err) != STATUS_OK)
        b->record = err;
    b->book = any_book(b->items);
    b->asks = has_kind(b->items, STAGED_QUESTION);
}

/* ---- the disk: on the writer's thread, which has the batch ---- */

static enum status append_bodies(struct batch *b, struct error *err)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && b->written < b->body_count) {
        size_t left = b->body_count - b->written;
        size_t count = left < JOURNAL_BATCH_MAX ? left : JOURNAL_BATCH_MAX;
        status = recorder_append(b->service->engine->recorder, b->book, b->bodies + b->written,
                                 count, err);
        b->written += status == STATUS_OK ? count : 0;
    }
    return status;
}

/* Records are written in order, so the first ones may be there and the rest not. */
static void mark_failed(struct batch *b)
{
    size_t n = 0;

    for (struct staged *i = b->items; i; i = i->next)
        i->failed |= !i->body.len || n++ >= b->written;
}

/* A question that is not asked must not be in the journal. */
static void drop_questions(struct batch *b)
{
    b->body_count = 0;
    for (struct staged *i = b->items; i; i = i->next)
        if (is_of(i, STAGED_QUESTION))
            i->body = (struct str){0};
        else if (i->body.len)
            b->bodies[b->body_count++] = i->body;
}

void service_write(struct batch *b)
{
    struct error err = {0};

    if (b->upkeep) {
        upkeep_write(b);
        return;
    }
    if (session_later_sync(&b->later, b->service->engine->request.state_dir.s, &err) != STATUS_OK)
        b->record = err;
    if (b->asks && store_insert(b, &err) != STATUS_OK) {
        b->insert = err;
        drop_questions(b);
    }
    if (!b->record.status && append_bodies(b, &err) != STATUS_OK)
        b->record = err;
    if (b->record.status)
        mark_failed(b);
    enact_write(b);
    b->micros = service_micros() - b->began;
    if (store_end(b, &err) != STATUS_OK)
        b->end = err;
    store_leave_removed(b->service);
}

/* ---- ends ---- */

static void tell_end(struct staged *i, warder_case *c, bool delivered)
{
    c->claimed = false;
    case_detach(c);
    if (delivered || !i->decision)
        case_settle(c, json_ended(i->review, delivered));
    else
        case_settle(c, json_verdict(i, i->ending.response_ms * 1000));
}

/* A deny is for all cases that wait. An approval is for one of them. */
static void tell_others(warder_service *s, struct staged *i)
{
    struct waiting *w = i->review;
    bool approved = w->status == REVIEW_APPROVED;
    warder_case *again = NULL;

    for (warder_case *c = w->cases, *next; c; c = next) {
        next = c->next;
        if (!approved || c->awaits || c->gone || !w->call) {
            tell_end(i, c, approved);
            continue;
        }
        case_detach(c);
        c->next = again;
        again = c;
    }
    if (!again)
        return;
    table_remove(&s->calls, &w->by_call); /* new calls must not join it */
    service_ask_again(s, w, again);
}

static void take_end(struct staged *i)
{
    struct waiting *w = i->review;

    w->status = i->row.status;
    if (i->decision)
        snprintf(w->decision_id, sizeof(w->decision_id), "%s", i->decision->id);
    else
        snprintf(w->decision_id, sizeof(w->decision_id), "%.*s", STR_ARG(i->row.decision_id));
    i->row.decision_id = str_from(w->decision_id);
}

/* The record says that the answer waits for its worker, and the worker has come meanwhile. */
static struct staged *find_fetcher(const struct waiting *w)
{
    for (warder_case *c = w->cases; c; c = c->next)
        if (!c->gone && c->staged) {
            case_detach(c);
            return c->staged;
        }
    return NULL;
}

static void finish_end(warder_service *s, struct staged *i)
{
    struct waiting *w = i->review;

    take_end(i);
    metrics_reviewed(s->metrics, w->status, i->ending.response_ms);
    metrics_decision(s->metrics, i->decision ? i->decision->name : review_decision(w->status));
    events_decision(s, i->body);
    events_ended(s, &i->row);
    s->pending--;
    if (i->decision)
        workers_note(s->workers, w->token_id, i->decision, i->receiver != NULL);
    if (i->receiver)
        tell_end(i, i->receiver, false);
    else
        i->fetcher = find_fetcher(w);
    tell_others(s, i);
}

/* The end was not recorded, so the review is open again; it will be answered or expire once the
 * journal accepts records. Cases that wait for an expired one are denied now. */
static void undo_end(warder_service *s, struct staged *i, const struct error *why)
{
    struct waiting *w = i->review;

    w->state = WAITING_OPEN;
    if (i->receiver)
        case_unclaim(i->receiver);
    if (i->row.status != REVIEW_EXPIRED)
        return;
    waiting_queue(&s->open, w, s->mono() + SERVICE_RETRY_MS);
    if (i->decision)
        decision_unrecorded(i->decision, why);
    w->status = REVIEW_EXPIRED;
    while (w->cases)
        tell_end(i, w->cases, false);
}

/* ---- everything else ---- */

static void finish_verdict(struct staged *i, const struct error *failed)
{
    if (failed)
        decision_unrecorded(i->decision, failed);
    if (i->item)
        case_settle(i->item,
                    i->event ? json_hook(i) : json_verdict(i, service_micros() - i->item->began));
}

/* Its case may have been freed by now. */
static void note_verdict(warder_service *s, struct staged *i)
{
    if (!i->failed)
        events_decision(s, i->body);
    else
        metrics_unrecorded(s->metrics);
    metrics_decision(s->metrics, i->decision->name);
    workers_note(s->workers, i->by, i->decision, true);
}

static void finish_fetch(warder_service *s, struct staged *i, const struct error *failed)
{
    struct waiting *w = i->review;

    i->row.status = w->status;
    if (failed)
        w->state = WAITING_OVER;
    if (!i->decision) {
        case_settle(i->item, failed ? NULL : json_ended(w, false));
        return;
    }
    if (failed) {
        decision_unrecorded(i->decision, failed);
    } else {
        memcpy(i->decision->id, w->decision_id, sizeof(w->decision_id));
        i->decision->name = review_decision(w->status);
        workers_note(s->workers, w->token_id, i->decision, true);
    }
    case_settle(i->item, json_verdict(i, service_micros() - i->item->began));
}

static void open_review(warder_service *s, struct staged *i)
{
    struct waiting *w = i->review;

    w->state = WAITING_OPEN;
    w->stored = true;
    waiting_queue(&s->open, w, s->mono() + (int64_t)s->options.review_timeout_s * 1000);
    events_review(s, &i->row);
}

static void show_pending(struct staged *i)
{
    warder_case *c = i->item;

    if (!c)
        return; /* its review has ended, and it was told */
    c->staged = NULL;
    i->review = c->review; /* a new one, if it is asked about again */
    if (c->gone) {
        case_detach(c);
        case_settle(c, NULL);
        return;
    }
    c->json = i->decision ? json_pending(i) : json_waiting(i->review);
    c->state = CASE_PENDING;
}

static void tell_as_it_is(warder_case *c)
{
    char *json = c->json;

    c->json = NULL;
    case_settle(c, json);
}

static const struct error no_room = {.status = STATUS_NOMEM, .message = "no memory for the record"};

static void finish_ends(warder_service *s, struct batch *b)
{
    for (struct staged *i = b->items; i; i = i->next)
        if (is_of(i, STAGED_END) && i->failed)
            undo_end(s, i, b->record.status ? &b->record : &no_room);
        else if (is_of(i, STAGED_END))
            finish_end(s, i);
}

static void finish(warder_service *s, struct batch *b, struct staged *i)
{
    const struct error *failed = i->failed && b->record.status ? &b->record : NULL;

    switch (i->kind) {
    case STAGED_VERDICT:
        finish_verdict(i, failed);
        break;
    case STAGED_QUESTION:
        open_review(s, i);
        show_pending(i);
        break;
    case STAGED_JOINED:
        show_pending(i);
        break;
    case STAGED_FETCH:
        finish_fetch(s, i, i->failed && !failed ? &no_room : failed);
        break;
    case STAGED_TOLD:
        if (i->item)
            tell_as_it_is(i->item);
        break;
    case STAGED_HELD:
        enact_settle(b, i);
        break;
    case STAGED_END:
    case STAGED_CHANGE:
    case STAGED_NOTED:
        break;
    }
}

/* A review that has ended is freed, or keeps its answer for its worker. */
static void clear(warder_service *s, struct batch *b)
{
    for (struct staged *i = b->items; i; i = i->next) {
        if (!i->failed && is_of(i, STAGED_END)) {
            if (i->receiver)
                waiting_free(s, i->review);
            else
                waiting_over(s, i->review, s->mono() + SERVICE_KEPT_MS);
            if (i->fetcher)
                service_fetch(i->fetcher, i->review);
        } else if (!i->failed && is_of(i, STAGED_FETCH)) {
            waiting_free(s, i->review);
        }
    }
}

static void take_results(warder_service *s, struct batch *b)
{
    if (b->body_count)
        metrics_stored(s->metrics, b->micros);
    if (b->body_count || b->record.status)
        s->journal_error = b->record;
    if (b->body_count || b->asks)
        metrics_committed(s->metrics, service_micros() - b->began);
    if (b->asks)
        (void)store_used(s, b->insert.status, &b->insert);
    if (b->end.status) {
        (void)store_used(s, b->end.status, &b->end);
        s->db_behind = true;
    }
    if (!b->insert.status)
        return;
    refuse_questions(s, b->items, &b->insert);
    stage_refused(s, b);
}

/* The answers have left. */
static void note(warder_service *s, struct staged *done)
{
    for (struct staged *i = done, *next; i; i = next) {
        next = i->next;
        if (is_of(i, STAGED_VERDICT))
            note_verdict(s, i);
        staged_free(i);
    }
}

/* ---- handing over and taking back ---- */

static void give(warder_service *s)
{
    s->batch.began = service_micros();
    s->writing = true;
    writer_give(&s->writer, &s->batch);
}

bool service_hand_over(warder_service *s)
{
    if (s->writing || !s->staged)
        return false;
    make_batch(s);
    give(s);
    return true;
}

enum returned { RETURNED_NOTHING, RETURNED_UPKEEP, RETURNED_BATCH };

static void finish_batch(warder_service *s, struct batch *b, struct error *err)
{
    take_results(s, b);
    enact_finish(s, b);
    finish_ends(s, b);
    for (struct staged *i = b->items; i; i = i->next)
        finish(s, b, i);
    clear(s, b);
    *s->done_end = b->items;
    while (*s->done_end)
        s->done_end = &(*s->done_end)->next;
    free(b->bodies);
    if (b->record.status && !err->status)
        *err = b->record;
}

/* Its cases are settled, but not told yet. */
static enum returned take_back(warder_service *s, bool waits, struct error *err)
{
    struct batch *b = s->writing ? writer_take(&s->writer, waits) : NULL;

    if (!b)
        return RETURNED_NOTHING;
    s->writing = false;
    if (b->upkeep) {
        upkeep_finish(s);
        return RETURNED_UPKEEP;
    }
    finish_batch(s, b, err);
    if (s->upkeep_due)
        service_upkeep(s); /* before the writer gets its next batch */
    return RETURNED_BATCH;
}

/* Without a thread it is written at once. */
void service_hand_over_upkeep(warder_service *s, struct upkeep *u)
{
    struct error none = {0};

    s->batch = (struct batch){.service = s, .upkeep = u};
    give(s);
    (void)take_back(s, false, &none);
}

static void tell(warder_service *s)
{
    service_tell_settled(s);
    struct staged *done = s->done;
    s->done = NULL;
    s->done_end = &s->done;
    note(s, done);
}

/* A batch, and the upkeep that it held up. */
static void take_all(warder_service *s, struct error *err)
{
    while (take_back(s, true, err) != RETURNED_NOTHING)
        ;
}

enum status service_commit(warder_service *s, struct error *err)
{
    struct error first = {0};

    take_all(s, &first);
    for (size_t round = 0; round < ROUNDS_MAX && service_hand_over(s); round++)
        take_all(s, &first);
    tell(s);
    if (err)
        *err = first;
    return first.status;
}

/* ---- the border ---- */

warder_status warder_service_commit(warder_service *s, warder_error *err)
{
    struct error inner = {0};

    if (!s)
        return give_usage(err, "missing argument: service");
    return service_commit(s, &inner) == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

int warder_service_hand_over(warder_service *s)
{
    return s && service_hand_over(s);
}

warder_status warder_service_take_back(warder_service *s, int *done, warder_error *err)
{
    struct error inner = {0};

    if (!s || !done)
        return give_usage(err, "missing argument: service or done");
    *done = take_back(s, false, &inner) == RETURNED_BATCH;
    if (*done)
        tell(s);
    return inner.status ? error_out(err, &inner) : WARDER_OK;
}

size_t warder_service_uncommitted(const warder_service *s)
{
    return s ? s->staged_count : 0;
}
