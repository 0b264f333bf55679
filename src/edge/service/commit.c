/* commit.c - makes decisions durable before their answers leave.
 *
 * In this order: new reviews into the database, all records, also those of the new reviews, into
 * the journal with one write and one sync, the ends of reviews into the database. If the first step
 * fails for a call, it is denied, and the second step records that. If the second fails, the calls
 * are denied. If the third fails, it is repeated later. Then the answers leave; events and figures
 * are noted after that. */
#include <stdio.h>
#include <stdlib.h>

#include "record/seal.h"
#include "service/service.h"

#define ROUNDS_MAX                                                                                 \
    8 /* a commit may stage calls itself: those that are asked about again                 \ */

static void staged_free(struct staged *item)
{
    if (!item)
        return;
    warder_decision_free(item->decision);
    arena_release(&item->arena);
    seal_free(&item->sealed);
    free(item);
}

/* ---- questions that cannot be asked ---- */

static void refuse_question(struct staged *item, const struct error *why)
{
    char text[sizeof(why->message) + 64];

    snprintf(text, sizeof(text), "cannot ask a person: %s", why->message);
    decision_refuse(item->decision, "review", text);
    item->kind = STAGED_VERDICT;
    if (item->item)
        case_detach(item->item);
}

static bool is_of(const struct staged *item, enum staged_kind kind)
{
    return item->kind == kind;
}

/* No review of the batch is in the database: their calls are denied, with all that joined them. */
static void refuse_questions(warder_service *s, struct staged *batch, const struct error *why)
{
    for (struct staged *i = batch; i; i = i->next)
        if (is_of(i, STAGED_JOINED) && i->review->state == WAITING_STAGED) {
            refuse_question(i, why);
            i->review = NULL;
        }
    for (struct staged *i = batch; i; i = i->next)
        if (is_of(i, STAGED_QUESTION)) {
            struct waiting *w = i->review;
            refuse_question(i, why);
            i->review = NULL;
            while (w->cases) { /* calls that are asked about again have no verdict of their own */
                warder_case *left = w->cases;
                case_detach(left);
                case_settle(left, NULL);
            }
            waiting_free(s, w);
            s->pending--;
        }
}

static void put_questions(warder_service *s, struct staged *batch)
{
    struct error err = {0};
    bool any = false;

    for (struct staged *i = batch; i; i = i->next)
        any |= is_of(i, STAGED_QUESTION);
    if (any && store_insert(s, batch, &err) != STATUS_OK)
        refuse_questions(s, batch, &err);
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
        choose_receiver(i);
        i->ending.caller = i->review->token_id;
        if (i->decision)
            i->failed = decision_write(i->decision, &i->ending, key, &i->body, &err) != STATUS_OK;
        else
            i->failed = !arena_try(&i->arena, write_kept, &(struct kept_record){i, key});
        return !i->failed;
    case STAGED_FETCH:
        i->failed = !buf_try(&i->arena, write_fetch, i->review, &i->body);
        return !i->failed;
    case STAGED_QUESTION:
        i->failed = !record_question(i);
        return !i->failed;
    case STAGED_JOINED:
    case STAGED_TOLD:
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

static enum status write_records(warder_service *s, struct staged *batch, size_t count,
                                 struct error *err)
{
    struct str *bodies = calloc(count ? count : 1, sizeof(*bodies));
    struct record_key key;
    size_t n = 0;

    if (!bodies)
        return fail(err, STATUS_NOMEM, "out of memory");
    enum status status = recorder_key(s->engine->recorder, &key, err);
    for (struct staged *i = batch; status == STATUS_OK && i; i = i->next)
        if (write_record(i, &key))
            bodies[n++] = i->body;
    int64_t began = service_micros();
    if (status == STATUS_OK && n)
        status = recorder_append(s->engine->recorder, any_book(batch), bodies, n, err);
    if (n)
        metrics_stored(s->metrics, service_micros() - began);
    if (n || status != STATUS_OK)
        s->journal_error = status == STATUS_OK ? (struct error){0} : *err;
    free(bodies);
    return status;
}

/* ---- ends ---- */

static void tell_end(struct staged *i, warder_case *c, bool delivered)
{
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
    tell_others(s, i);
}

/* The end was not recorded, so the review is open again; it will be answered or expire once the
 * journal accepts records. Cases that wait for an expired one are denied now. */
static void undo_end(warder_service *s, struct staged *i, const struct error *why)
{
    struct waiting *w = i->review;

    w->state = WAITING_OPEN;
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
    waiting_queue(&s->open, w, s->mono() + (int64_t)s->options.review_timeout_s * 1000);
    events_review(s, &i->row);
}

static void show_pending(struct staged *i)
{
    warder_case *c = i->item;

    if (!c || c->state != CASE_STAGED)
        return;            /* its review ended in this commit */
    i->review = c->review; /* or it is asked about again */
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

static void finish(warder_service *s, struct staged *batch, const struct error *failed)
{
    for (struct staged *i = batch; i; i = i->next) {
        i->failed |= failed != NULL;
        if (is_of(i, STAGED_END) && i->failed)
            undo_end(s, i, failed ? failed : &no_room);
        else if (is_of(i, STAGED_END))
            finish_end(s, i);
    }
    for (struct staged *i = batch; i; i = i->next)
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
        case STAGED_END:
            break;
        }
}

/* The database is updated last. Then a review that has ended is freed, or keeps its answer for its
 * worker. */
static void clear(warder_service *s, struct staged *batch)
{
    store_end(s, batch);
    for (struct staged *i = batch; i; i = i->next) {
        if (!i->failed && is_of(i, STAGED_END)) {
            if (i->receiver)
                waiting_free(s, i->review);
            else
                waiting_over(s, i->review, s->mono() + SERVICE_KEPT_MS);
        } else if (!i->failed && is_of(i, STAGED_FETCH)) {
            waiting_free(s, i->review);
        }
    }
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

static struct staged *take_batch(warder_service *s, size_t *count)
{
    struct staged *first = s->staged, *last = first;

    for (*count = 1; *count < JOURNAL_BATCH_MAX && last->next; ++*count)
        last = last->next;
    s->staged = last->next;
    last->next = NULL;
    if (!s->staged)
        s->staged_end = &s->staged;
    s->staged_count -= *count;
    return first;
}

enum status service_commit(warder_service *s, struct error *err)
{
    struct error first = {0};
    struct staged *done = NULL, **done_end = &done;
    size_t whole = s->staged_count / JOURNAL_BATCH_MAX + ROUNDS_MAX;
    for (size_t round = 0; s->staged && round < whole; round++) {
        struct error inner = {0};
        size_t count;
        struct staged *batch = take_batch(s, &count);
        put_questions(s, batch);
        bool failed = write_records(s, batch, count, &inner) != STATUS_OK;
        finish(s, batch, failed ? &inner : NULL);
        clear(s, batch);
        for (*done_end = batch; *done_end; done_end = &(*done_end)->next)
            ;
        if (failed && !first.status)
            first = inner;
    }
    service_tell_settled(s);
    note(s, done);
    if (err)
        *err = first;
    return first.status;
}

warder_status warder_service_commit(warder_service *s, warder_error *err)
{
    struct error inner = {0};

    if (!s)
        return give_usage(err, "missing argument: service");
    const bool any = s->staged_count > 0;
    const int64_t began = service_micros();
    enum status status = service_commit(s, &inner);
    if (any)
        metrics_committed(s->metrics, service_micros() - began);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

size_t warder_service_uncommitted(const warder_service *s)
{
    return s ? s->staged_count : 0;
}
