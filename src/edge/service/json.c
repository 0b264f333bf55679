/* json.c - what workers and operators are told, with the names that it has on the wire. */
#include "service/service.h"

#include <stdio.h>
#include <stdlib.h>

struct telling {
    const struct staged *item;
    bool pending;
    int64_t micros;
    struct str json; /* of the verdict */
    struct str out;
};

static void member(struct buf *b, const char *key, struct str text)
{
    buf_text(b, ",\"");
    buf_text(b, key);
    buf_text(b, "\":");
    if (text.len)
        json_string(b, text);
    else
        buf_text(b, "null");
}

static void time_member(struct buf *b, const char *key, int64_t ms)
{
    char text[STAMP_SIZE];

    stamp_print(ms, text);
    member(b, key, str_from(text));
}

static void review_state(struct buf *b, const struct waiting *w, enum review_status status)
{
    member(b, "review_id", str_from(w->id));
    member(b, "status", str_from(review_status_name(status)));
    time_member(b, "requested_at", w->requested_at);
    time_member(b, "expires_at", w->expires_at);
}

/* The verdict's own JSON, with more members behind it. */
static void tell(void *arg)
{
    struct telling *t = arg;
    const struct staged *item = t->item;
    warder_decision *d = item->decision;
    struct buf b = buf_in(&d->arena);

    buf_add(&b, str_slice(t->json, 0, t->json.len - 1));
    if (!t->pending) {
        member(&b, "decision", str_from(warder_decision_name(d)));
        member(&b, "decision_id", str_from(d->id));
        member(&b, "matched_rule_id", decision_rule_id(d));
        buf_text(&b, ",\"response_time_ms\":");
        buf_number(&b, t->micros / 1000);
    }
    if (item->review)
        review_state(&b, item->review, t->pending ? REVIEW_PENDING : item->row.status);
    buf_byte(&b, '}');
    t->out = buf_str(&b);
}

static char *told(const struct staged *item, bool pending, int64_t micros)
{
    struct telling t = {.item = item, .pending = pending, .micros = micros};
    warder_decision *d = item->decision;

    t.json = str_from(warder_decision_json(d));
    if (!arena_try(&d->arena, tell, &t))
        return NULL;
    return strndup(t.out.s, t.out.len);
}

char *json_verdict(const struct staged *item, int64_t micros)
{
    return told(item, false, micros);
}

char *json_pending(const struct staged *item)
{
    return told(item, true, 0);
}

/* ---- of a review alone ---- */

const char *review_decision(enum review_status status)
{
    switch (status) {
    case REVIEW_APPROVED:
        return "human-accept";
    case REVIEW_DENIED:
        return "human-deny";
    case REVIEW_EXPIRED:
    case REVIEW_PENDING:
        break;
    }
    return "timeout-deny";
}

struct state_of {
    const struct waiting *waiting;
    bool delivered, pending;
    struct arena arena;
    struct str out;
};

static void write_ended(void *arg)
{
    struct state_of *e = arg;
    const struct waiting *w = e->waiting;
    struct buf b = buf_in(&e->arena);
    bool allow = w->status == REVIEW_APPROVED && !e->delivered;

    if (e->pending) {
        buf_text(&b, "{\"behavior\":\"ask\",\"layer\":\"review\"");
        review_state(&b, w, REVIEW_PENDING);
        buf_byte(&b, '}');
        e->out = buf_str(&b);
        return;
    }

    buf_format(&b, "{\"behavior\":\"%s\",\"layer\":\"review\"", allow ? "allow" : "deny");
    if (e->delivered)
        member(&b, "reason", STR("the answer was given to another request for this call"));
    else
        member(&b, "reason",
               w->status == REVIEW_EXPIRED ? STR("nobody answered in time") : str_from(w->message));
    member(&b, "decision", str_from(review_decision(w->status)));
    member(&b, "decision_id", str_from(w->decision_id));
    buf_format(&b, ",\"delivered\":%s", e->delivered ? "true" : "false");
    review_state(&b, w, w->status);
    buf_byte(&b, '}');
    e->out = buf_str(&b);
}

#define ENDED_MEMORY_MAX ((size_t)1024 * 1024)

static char *state_text(struct state_of e)
{
    char *text = NULL;

    arena_init(&e.arena, ENDED_MEMORY_MAX);
    if (arena_try(&e.arena, write_ended, &e))
        text = strndup(e.out.s, e.out.len);
    arena_release(&e.arena);
    return text;
}

char *json_ended(const struct waiting *w, bool delivered)
{
    return state_text((struct state_of){.waiting = w, .delivered = delivered});
}

char *json_waiting(const struct waiting *w)
{
    return state_text((struct state_of){.waiting = w, .pending = true});
}

/* ---- for people ---- */

void review_members(struct json_writer *w, const struct review *r, struct str whole)
{
    json_text_member(w, "id", r->id);
    json_text_member(w, "worker_id", r->worker_id);
    json_text_member(w, "task_id", r->task_id);
    json_text_member(w, "project_id", r->project_id);
    json_text_member(w, "command", whole.len ? whole : r->command);
    json_text_member(w, "command_redacted", r->command);
    json_key(w, "context");
    json_raw(w, r->context.len ? r->context : STR("{}"));
    json_text_member(w, "requested_at", r->requested_at);
    json_text_member(w, "expires_at", r->expires_at);
    json_text_member(w, "status", str_from(review_status_name(r->status)));
    json_text_member(w, "tool", r->tool);
    json_text_member_if(w, "session_id", r->session_id);
    json_text_member_if(w, "reason", r->reason);
    json_text_member_if(w, "responded_at", r->responded_at);
    json_text_member_if(w, "responded_by", r->responded_by);
    json_text_member_if(w, "message", r->message);
    json_text_member_if(w, "rule_ids", r->rule);
    json_text_member_if(w, "decision_id", r->decision_id);
    json_text_member_if(w, "delivered_at", r->delivered_at);
}
