/* answer.c - a verdict in the client's own words.
 *
 * Every shape has one small function that writes what the client honours, and
 * nothing else: an unknown key, or an allow where none is expected, makes some
 * clients throw the whole answer away and run the call. */
#include "base/json.h"
#include "base/utf8.h"
#include "client/client.h"

/* The answer after the client's limits: where it cannot ask or replace the input, a deny. */
struct answer_text {
    const struct client_question *q;
    enum behavior behavior;
    bool silent; /* no answer: the client goes on by itself */
    struct str text;
    struct str next;           /* what a person can type, as a sentence; empty: nothing helps */
    const struct value *input; /* a new one; NULL: none */
    bool interrupt;
};

static const char *const behavior_words[] = {
    [BEHAVIOR_DENY] = "deny", [BEHAVIOR_ASK] = "ask", [BEHAVIOR_ALLOW] = "allow"};

/* ---- the shapes ---- */

static void new_input(struct json_writer *w, const char *key, const struct answer_text *s)
{
    if (!s->input)
        return;
    json_key(w, key);
    json_any(w, s->input);
}

static void stop_loop(struct json_writer *w, const struct answer_text *s)
{
    if (!s->interrupt)
        return;
    json_key(w, "continue");
    json_bool(w, false);
    json_text_member(w, "stopReason", s->text);
}

static void write_specific(struct json_writer *w, const struct answer_text *s)
{
    stop_loop(w, s);
    json_key(w, "hookSpecificOutput");
    json_begin_object(w);
    json_text_member(w, "hookEventName", s->q->event_name);
    json_text_member(w, "permissionDecision", str_from(behavior_words[s->behavior]));
    if (s->text.len)
        json_text_member(w, "permissionDecisionReason", s->text);
    new_input(w, "updatedInput", s);
    json_end_object(w);
}

static void write_request(struct json_writer *w, const struct answer_text *s)
{
    json_key(w, "hookSpecificOutput");
    json_begin_object(w);
    json_text_member(w, "hookEventName", s->q->event_name);
    json_key(w, "decision");
    json_begin_object(w);
    json_text_member(w, "behavior", str_from(behavior_words[s->behavior]));
    new_input(w, "updatedInput", s);
    if (s->behavior == BEHAVIOR_DENY)
        json_text_member(w, "message", s->text);
    if (s->interrupt) {
        json_key(w, "interrupt");
        json_bool(w, true);
    }
    json_end_object(w);
    json_end_object(w);
}

static void write_behavior(struct json_writer *w, const struct answer_text *s)
{
    json_text_member(w, "behavior", str_from(behavior_words[s->behavior]));
    if (s->behavior == BEHAVIOR_DENY)
        json_text_member(w, "message", s->text);
}

static void write_top(struct json_writer *w, const struct answer_text *s)
{
    json_text_member(w, "permissionDecision", str_from(behavior_words[s->behavior]));
    if (s->text.len)
        json_text_member(w, "permissionDecisionReason", s->text);
    new_input(w, "modifiedArgs", s);
}

static void write_decision(struct json_writer *w, const struct answer_text *s)
{
    stop_loop(w, s);
    json_text_member(w, "decision", str_from(behavior_words[s->behavior]));
    if (s->text.len)
        json_text_member(w, "reason", s->text);
    if (s->input) {
        json_key(w, "hookSpecificOutput");
        json_begin_object(w);
        json_text_member(w, "hookEventName", s->q->event_name);
        new_input(w, "tool_input", s);
        json_end_object(w);
    }
}

static void write_permission(struct json_writer *w, const struct answer_text *s)
{
    json_text_member(w, "permission", str_from(behavior_words[s->behavior]));
    if (s->text.len) {
        json_text_member(w, "user_message", s->text);
        json_text_member(w, "agent_message", s->text);
    }
}

static void write_crush(struct json_writer *w, const struct answer_text *s)
{
    json_key(w, "version");
    json_int(w, 1);
    json_text_member(w, "decision", str_from(behavior_words[s->behavior]));
    if (s->text.len)
        json_text_member(w, "reason", s->text);
    new_input(w, "updated_input", s);
    if (s->interrupt) {
        json_key(w, "halt");
        json_bool(w, true);
    }
}

static void write_cancel(struct json_writer *w, const struct answer_text *s)
{
    json_key(w, "cancel");
    json_bool(w, s->behavior == BEHAVIOR_DENY);
    if (s->behavior == BEHAVIOR_DENY)
        json_text_member(w, "errorMessage", s->text);
    if (s->behavior == BEHAVIOR_ASK) {
        json_key(w, "review");
        json_bool(w, true);
        json_text_member(w, "context", s->text);
    }
}

static void write_plugin(struct json_writer *w, const struct answer_text *s)
{
    json_text_member(w, "decision", str_from(behavior_words[s->behavior]));
    if (s->text.len)
        json_text_member(w, "reason", s->text);
    new_input(w, "input", s);
}

static void write_block(struct json_writer *w, const struct answer_text *s)
{
    json_text_member(w, "decision", STR("block"));
    json_text_member(w, "reason", s->text);
}

/* Where no answer means "go on", an allow is not written if writing it would be an error. */
static const struct {
    void (*write)(struct json_writer *w,
                  const struct answer_text *s); /* NULL: nothing but the exit code is read */
    bool silent_allow;
    bool never_silent; /* no answer is an error there: "go on by yourself" must be written, too */
} shapes[] = {
    [ANSWER_EXIT] = {NULL, true, false},
    [ANSWER_SPECIFIC] = {write_specific, false, false},
    [ANSWER_DENY_ONLY] = {write_specific, true, false},
    [ANSWER_REQUEST] = {write_request, false, false},
    [ANSWER_BEHAVIOR] = {write_behavior, false, false},
    [ANSWER_TOP] = {write_top, false, false},
    [ANSWER_DECISION] = {write_decision, false, false},
    [ANSWER_PERMISSION] = {write_permission, false, true},
    [ANSWER_CRUSH] = {write_crush, false, false},
    [ANSWER_CANCEL] = {write_cancel, false, true},
    [ANSWER_PLUGIN] = {write_plugin, false, true},
    [ANSWER_BLOCK] = {write_block, true, false},
};

/* ---- what is answered ---- */

static void deny_for(struct arena *a, struct answer_text *s, const char *why)
{
    s->behavior = BEHAVIOR_DENY;
    s->silent = false;
    s->input = NULL;
    s->next = (struct str){0};
    s->text = s->text.len ? str_format(a, "%.*s; %s", STR_ARG(s->text), why) : str_from(why);
}

static bool takes_away(const struct value *old, const struct value *changed)
{
    for (size_t i = 0; i < old->count; i++)
        if (!value_member(changed, old->members[i].key))
            return true;
    return false;
}

/* What runs must be what was judged. A client that would run the old input gets a deny. */
static void fit_rewrite(struct arena *a, struct answer_text *s)
{
    const struct client_question *q = s->q;

    if (!s->input || s->behavior == BEHAVIOR_DENY) {
        s->input = NULL;
        return;
    }
    if (s->behavior == BEHAVIOR_ASK)
        deny_for(a, s, "its input was changed, and the new one was not agreed to");
    else if (q->client->rewrite == REWRITE_NO || q->event->shape == ANSWER_EXIT ||
             q->event->shape == ANSWER_BEHAVIOR ||
             (q->event->shape == ANSWER_REQUEST && q->client->events[0].shape == ANSWER_DENY_ONLY))
        deny_for(a, s, "its input was changed, and this client would run the old one");
    else if (q->client->rewrite == REWRITE_MERGE && takes_away(q->input, s->input))
        deny_for(a, s, "part of its input was taken away, and this client would keep it");
}

/* The client cannot ask: the model is told, and whoever reads what it was told. */
static void deny_ask(struct arena *a, struct answer_text *s, struct str approval)
{
    struct str next = s->next;

    if (approval.len) {
        s->behavior = BEHAVIOR_DENY;
        s->next =
            str_format(a, "Allow it once, in a terminal: warder approve %.*s", STR_ARG(approval));
        return;
    }
    deny_for(a, s, "a person would have to be asked, which is not possible from here");
    s->next = next;
}

static void fit_ask(struct arena *a, struct answer_text *s, struct str approval)
{
    if (s->behavior != BEHAVIOR_ASK)
        return;
    if (s->q->event->kind == EVENT_PERMISSION) { /* the client is about to ask: nothing to add */
        s->silent = true;
        return;
    }
    if (!s->q->asks)
        deny_ask(a, s, approval);
}

/* What a person sees in the client's own question is short; what the model reads says whom it is
 * for. */
static struct str next_for_rule(struct arena *a, const struct client_question *q,
                                const struct client_verdict *v)
{
    bool asked = v->behavior == BEHAVIOR_ASK && q->asks;

    if (!v->for_rule.len || v->behavior == BEHAVIOR_ALLOW)
        return (struct str){0};
    return str_format(a, "Always allow it%s: warder allow %.*s", asked ? "" : ", in a terminal",
                      STR_ARG(v->for_rule));
}

/* Of a call that was allowed because it can be undone the person is told how, where the answer has
 * a place for it. */
static void say_undo(struct arena *a, struct answer_text *s, const struct client_verdict *v)
{
    if (s->behavior != BEHAVIOR_ALLOW || !v->undo.len || s->q->event->shape != ANSWER_SPECIFIC ||
        !s->q->event->asks)
        return;
    s->text = str_format(a, "Warder: %.*s", STR_ARG(v->message));
    s->next = str_format(a, "Take it back, in a terminal: warder undo %.*s", STR_ARG(v->undo));
}

/* The whole text: whatever is cut, the command at its end is not. */
static void end_text(struct arena *a, struct answer_text *s)
{
    size_t room = CLIENT_TEXT_MAX - (s->next.len ? s->next.len + 2 : 0);
    struct str text = utf8_cut(s->text, room);
    bool ended = text.len && strchr(".!?", text.s[text.len - 1]);

    s->text = s->next.len
                  ? str_format(a, "%.*s%s %.*s", STR_ARG(text), ended ? "" : ".", STR_ARG(s->next))
                  : text;
}

static struct answer_text what_to_say(struct arena *a, const struct client_question *q,
                                      const struct client_verdict *v)
{
    struct answer_text s = {
        .q = q, .behavior = v->behavior, .input = v->updated_input, .interrupt = v->interrupt};

    if (v->message.len && v->behavior != BEHAVIOR_ALLOW)
        s.text = str_format(a, "Warder: %.*s", STR_ARG(v->message));
    s.next = next_for_rule(a, q, v);
    say_undo(a, &s, v);
    fit_ask(a, &s, v->approval);
    fit_rewrite(a, &s);
    if (s.behavior == BEHAVIOR_ALLOW)
        s.silent =
            (v->by_mode || q->event->repeats || shapes[q->event->shape].silent_allow) && !s.input;
    if (s.behavior == BEHAVIOR_DENY && s.text.len == 0)
        s.text = STR("Warder: denied"); /* a deny without a reason is no deny in some clients */
    s.interrupt = s.interrupt && s.behavior == BEHAVIOR_DENY &&
                  (q->client->interrupts || q->event->shape == ANSWER_BEHAVIOR) &&
                  q->event->kind != EVENT_CONFIG;
    end_text(a, &s);
    return s;
}

/* One line: some clients show the first one only. */
static struct str one_line(struct arena *a, struct str text)
{
    struct str line = str_copy(a, text);
    char *bytes = arena_copy(a, text.s, text.len);

    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)bytes[i] < ' ' || bytes[i] == 0x7f)
            bytes[i] = ' ';
    line.s = bytes;
    return line;
}

void client_answer(struct arena *a, const struct client_question *q, const struct client_verdict *v,
                   struct client_answer *out)
{
    struct answer_text s = what_to_say(a, q, v);
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    *out = (struct client_answer){.code = CLIENT_BLOCKED};
    if (s.silent && !shapes[q->event->shape].never_silent) {
        out->code = 0;
        return;
    }
    if (!shapes[q->event->shape].write) {
        out->err = one_line(a, s.text);
        return;
    }
    json_begin_object(&w);
    shapes[q->event->shape].write(&w, &s);
    json_end_object(&w);
    buf_byte(&b, '\n');
    out->out = buf_str(&b);
    out->code = 0;
}
