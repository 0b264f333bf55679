#include "record/decision.h"

#include <sys/random.h>

#include "base/json.h"
#include "record/redact.h"

#define ID_BYTES ((size_t)16)
#define BRIEF_ID 8 /* letters */

static void print_id(const uint8_t bytes[ID_BYTES], char out[DECISION_ID_SIZE])
{
    memcpy(out, "d_", 2);
    *str_hex(out + 2, bytes, ID_BYTES) = '\0';
}

bool decision_id_make(char out[DECISION_ID_SIZE])
{
    uint8_t bytes[ID_BYTES];

    out[0] = '\0';
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    print_id(bytes, out);
    return true;
}

struct str decision_brief(struct str id)
{
    return str_starts(id, STR("d_")) ? str_slice(id, 2, 2 + BRIEF_ID) : id;
}

bool decision_id_next(struct decision_ids *ids, char out[DECISION_ID_SIZE])
{
    out[0] = '\0';
    if (ids->left < ID_BYTES) {
        if (getrandom(ids->bytes, sizeof(ids->bytes), 0) != (ssize_t)sizeof(ids->bytes))
            return false;
        ids->left = sizeof(ids->bytes);
    }
    print_id(ids->bytes + sizeof(ids->bytes) - ids->left, out);
    ids->left -= ID_BYTES;
    return true;
}

/* Cut at a character boundary, with a note of the full length. */
static struct str cut(struct arena *a, struct str text, size_t most)
{
    size_t keep = most;

    if (text.len <= most)
        return text;
    while (keep > 0 && ((unsigned char)text.s[keep] & 0xc0) == 0x80)
        keep--;
    return str_format(a, "%.*s... (%zu bytes)", (int)keep, text.s, text.len);
}

static void member(struct json_writer *w, const char *key, struct str text)
{
    if (!text.len)
        return;
    json_key(w, key);
    json_text(w, cut(w->out->arena, text, DECISION_TEXT_MAX));
}

static void clean_member(struct json_writer *w, const struct decision_record *d, const char *key,
                         struct str text)
{
    if (text.len)
        member(w, key, redact_text_again(d->redacts, w->out->arena, text));
}

static void time_member(struct json_writer *w, const char *key, int64_t ms)
{
    char text[STAMP_SIZE];

    if (!ms)
        return;
    stamp_print(ms, text);
    member(w, key, str_from(text));
}

/* A text that may quote the command. */
static void quoting_member(struct json_writer *w, const struct decision_record *d, const char *key,
                           struct str text, const struct strs *found)
{
    if (text.len)
        member(w, key, redact_quoting_again(d->redacts, w->out->arena, text, found));
}

/* Usually a rule is its own id. */
static void rule_members(struct json_writer *w, const struct decision_record *d,
                         const struct strs *found)
{
    struct str id = redact_quoting_again(d->redacts, w->out->arena, d->matched_rule_id, found);

    member(w, "matched_rule_id", id);
    if (str_eq(d->rule, d->matched_rule_id))
        member(w, "rule", id);
    else
        quoting_member(w, d, "rule", d->rule, found);
}

static void command_members(struct json_writer *w, const struct decision_record *d,
                            const struct record_key *key, struct strs *found)
{
    struct arena *a = w->out->arena;
    char hash[SHA256_HEX];

    if (!d->command.len)
        return;
    struct str clean = d->shell ? redact_command_again(d->redacts, a, d->command, found)
                                : redact_text_finding(a, d->command, found);
    json_text_member(w, "command", cut(a, clean, DECISION_COMMAND_MAX));
    record_key_hash(key, d->command, hash);
    member(w, "command_hash", d->command_hash.len ? d->command_hash : str_from(hash));
}

static void input_member(struct json_writer *w, const struct decision_record *d, struct strs *found)
{
    struct buf text = buf_in(w->out->arena);
    struct json_writer inner = json_to(&text);

    if (!d->input)
        return;
    redact_json(&inner, d->input, d->commands ? d->commands : "", DECISION_TEXT_MAX, found);
    json_key(w, "input");
    if (text.len > DECISION_INPUT_MAX)
        json_text(w, str_format(w->out->arena, "(%zu bytes)", text.len));
    else
        json_raw(w, buf_str(&text));
}

/* The kernel's word on a peer is another thing than a token. */
static void caller_member(struct json_writer *w, struct str caller)
{
    static const struct str peer = STR("uid:");

    if (!str_starts(caller, peer)) {
        member(w, "token_id", caller);
        return;
    }
    json_key(w, "peer_uid");
    json_raw(w, str_from_byte(caller, peer.len));
}

static void contained_member(struct json_writer *w, const struct decision_record *d)
{
    if (!d->tier.len)
        return;
    json_key(w, "contained");
    json_begin_object(w);
    member(w, "tier", d->tier);
    member(w, "why", d->contained);
    member(w, "token", d->token);
    member(w, "outside", d->outside);
    json_end_object(w);
}

static void count_member(struct json_writer *w, const char *key, size_t n)
{
    json_key(w, key);
    json_int(w, (int64_t)n);
}

static void reversible_member(struct json_writer *w, const struct decision_record *d)
{
    char until[STAMP_SIZE];

    if (!d->undo_entry.len)
        return;
    stamp_print(d->undo_until, until);
    json_key(w, "reversible");
    json_begin_object(w);
    member(w, "entry", d->undo_entry);
    member(w, "until", str_from(until));
    count_member(w, "paths", d->undo_paths);
    count_member(w, "left", d->undo_left);
    json_key(w, "needed");
    json_bool(w, d->undo_needed);
    json_end_object(w);
}

struct str decision_body(struct arena *a, const struct decision_record *d,
                         const struct record_key *key)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);
    struct strs found = {0};

    json_begin_object(&w);
    member(&w, "kind", STR("decision"));
    member(&w, "id", d->id);
    clean_member(&w, d, "worker_id", d->worker_id);
    clean_member(&w, d, "task_id", d->task_id);
    clean_member(&w, d, "task", d->task);
    caller_member(&w, d->caller);
    clean_member(&w, d, "project_id", d->project_id);
    clean_member(&w, d, "session_id", d->session_id);
    clean_member(&w, d, "client", d->client);
    clean_member(&w, d, "tool", d->tool);
    clean_member(&w, d, "tool_use_id", d->tool_use_id);
    command_members(&w, d, key, &found);
    input_member(&w, d, &found);
    member(&w, "decision", d->decision);
    member(&w, "behavior", d->behavior);
    member(&w, "layer", d->layer);
    rule_members(&w, d, &found);
    quoting_member(&w, d, "reason", d->reason, &found);
    contained_member(&w, d);
    reversible_member(&w, d);
    member(&w, "profile", d->profile);
    member(&w, "policy", d->policy);
    member(&w, "mode", d->mode);
    quoting_member(&w, d, "cwd", d->cwd, &found);
    clean_member(&w, d, "answered_by", d->answered_by);
    clean_member(&w, d, "answer_reason", d->answer_reason);
    member(&w, "review_id", d->review_id);
    member(&w, "answers", d->answers);
    time_member(&w, "review_requested_at", d->review_requested_at);
    time_member(&w, "review_responded_at", d->review_responded_at);
    if (d->undelivered)
        member(&w, "delivery", STR("waiting"));
    if (d->again) {
        json_key(&w, "again");
        json_bool(&w, true);
    }
    json_key(&w, "response_time_ms");
    json_int(&w, d->response_time_ms);
    json_end_object(&w);
    struct str all = buf_str(&b);
    return str_slice(all, 1,
                     all.len - 1); /* without its braces: the chain puts its own around it */
}
