/* json.c - answers for workers and operators, with their names on the wire. */
#include "service/service.h"

#include <stdio.h>
#include <stdlib.h>

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

struct worker_answer {
    const struct staged *item;
    bool pending;
    int64_t micros;
    struct str verdict; /* its own JSON */
};

/* The verdict's own JSON, with more members at its end. */
static void write_answer(struct buf *out, const void *about)
{
    const struct worker_answer *a = about;
    const struct staged *item = a->item;
    warder_decision *d = item->decision;

    buf_add(out, str_slice(a->verdict, 0, a->verdict.len - 1));
    if (!a->pending) {
        member(out, "decision", str_from(warder_decision_name(d)));
        member(out, "decision_id", str_from(d->id));
        member(out, "matched_rule_id", decision_rule_id(d));
        buf_text(out, ",\"response_time_ms\":");
        buf_number(out, a->micros / 1000);
    }
    if (item->review)
        review_state(out, item->review, a->pending ? REVIEW_PENDING : item->row.status);
    buf_byte(out, '}');
}

static char *answer_text(const struct staged *item, bool pending, int64_t micros)
{
    warder_decision *d = item->decision;
    const struct worker_answer a = {item, pending, micros, str_from(warder_decision_json(d))};
    struct str text;

    if (!a.verdict.len)
        return NULL;
    return buf_try(&d->arena, write_answer, &a, &text) ? strndup(text.s, text.len) : NULL;
}

char *json_verdict(const struct staged *item, int64_t micros)
{
    return answer_text(item, false, micros);
}

char *json_pending(const struct staged *item)
{
    return answer_text(item, true, 0);
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

struct review_answer {
    const struct waiting *waiting;
    bool delivered;
};

static void write_pending(struct buf *out, const void *about)
{
    buf_text(out, "{\"behavior\":\"ask\",\"layer\":\"review\"");
    review_state(out, about, REVIEW_PENDING);
    buf_byte(out, '}');
}

static void write_ended(struct buf *out, const void *about)
{
    const struct review_answer *a = about;
    const struct waiting *w = a->waiting;
    bool allow = w->status == REVIEW_APPROVED && !a->delivered;

    buf_format(out, "{\"behavior\":\"%s\",\"layer\":\"review\"", allow ? "allow" : "deny");
    if (a->delivered)
        member(out, "reason", STR("the answer went to another request for this call"));
    else
        member(out, "reason",
               w->status == REVIEW_EXPIRED ? STR("no answer in time") : str_from(w->message));
    member(out, "decision", str_from(review_decision(w->status)));
    member(out, "decision_id", str_from(w->decision_id));
    buf_format(out, ",\"delivered\":%s", a->delivered ? "true" : "false");
    review_state(out, w, w->status);
    buf_byte(out, '}');
}

#define ENDED_MEMORY_MAX ((size_t)1024 * 1024)

static char *text_of(void (*write)(struct buf *out, const void *about), const void *about)
{
    struct arena arena;
    struct str text;
    char *copy = NULL;

    arena_init(&arena, ENDED_MEMORY_MAX);
    if (buf_try(&arena, write, about, &text))
        copy = strndup(text.s, text.len);
    arena_release(&arena);
    return copy;
}

char *json_ended(const struct waiting *w, bool delivered)
{
    return text_of(write_ended, &(struct review_answer){w, delivered});
}

char *json_waiting(const struct waiting *w)
{
    return text_of(write_pending, w);
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
