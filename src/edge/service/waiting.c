/* waiting.c - reviews in memory: found by id and by call, in the order in which they expire. */
#include <stdio.h>
#include <stdlib.h>

#include "service/service.h"

struct waiting *waiting_new(warder_service *s, const char *id, const char *call_hash,
                            const char *token_id)
{
    struct waiting *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    snprintf(w->id, sizeof(w->id), "%s", id);
    snprintf(w->call_hash, sizeof(w->call_hash), "%s", call_hash);
    snprintf(w->token_id, sizeof(w->token_id), "%s", token_id);
    if (table_add(&s->reviews, &w->by_id, w->id) && table_add(&s->calls, &w->by_call, w->call_hash))
        return w;
    waiting_free(s, w);
    return NULL;
}

static void unqueue(struct waiting *w)
{
    if (!w->in)
        return;
    *(w->before ? &w->before->after : &w->in->first) = w->after;
    *(w->after ? &w->after->before : &w->in->last) = w->before;
    w->before = w->after = NULL;
    w->in = NULL;
}

static void forget_call(warder_service *s, struct waiting *w)
{
    if (w->call)
        s->call_bytes -= w->call_len;
    free(w->call);
    w->call = NULL;
}

void waiting_free(warder_service *s, struct waiting *w)
{
    if (!w)
        return;
    unqueue(w);
    table_remove(&s->reviews, &w->by_id);
    table_remove(&s->calls, &w->by_call);
    forget_call(s, w);
    explain_forget(s, w);
    free(w->files);
    free(w->message);
    free(w);
}

struct waiting *waiting_find(const warder_service *s, const char *id)
{
    return TABLE_THING(table_find(&s->reviews, id), struct waiting, by_id);
}

struct waiting *waiting_find_call(const warder_service *s, const char *call_hash)
{
    return TABLE_THING(table_find(&s->calls, call_hash), struct waiting, by_call);
}

/* All reviews of a queue wait equally long, so a new one goes to its end; those of an earlier run
 * are inserted first, in order. */
void waiting_queue(struct queue *q, struct waiting *w, int64_t deadline)
{
    struct waiting *at;

    unqueue(w);
    w->in = q;
    w->deadline = deadline;
    for (at = q->last; at && at->deadline > deadline;)
        at = at->before;
    w->before = at;
    w->after = at ? at->after : q->first;
    *(w->after ? &w->after->before : &q->last) = w;
    *(at ? &at->after : &q->first) = w;
}

enum status waiting_keep_call(warder_service *s, struct waiting *w, struct str call,
                              struct error *err)
{
    if (w->call)
        return STATUS_OK;
    if (call.len > SERVICE_CALLS_MAX - s->call_bytes)
        return fail(err, STATUS_LIMIT, "the waiting calls already take %zu bytes", s->call_bytes);
    w->call = strndup(call.s, call.len);
    if (!w->call)
        return fail(err, STATUS_NOMEM, "out of memory");
    w->call_len = call.len;
    s->call_bytes += call.len;
    return STATUS_OK;
}

void waiting_over(warder_service *s, struct waiting *w, int64_t until)
{
    w->state = WAITING_OVER;
    forget_call(s, w);
    waiting_queue(&s->over, w, until);
}

/* ---- their cases ---- */

void case_attach(struct waiting *w, warder_case *item)
{
    item->review = w;
    item->before = NULL;
    item->next = w->cases;
    if (w->cases)
        w->cases->before = item;
    w->cases = item;
}

void case_detach(warder_case *item)
{
    struct waiting *w = item->review;

    if (!w)
        return;
    *(item->before ? &item->before->next : &w->cases) = item->next;
    if (item->next)
        item->next->before = item->before;
    item->before = item->next = NULL;
    item->review = NULL;
}
