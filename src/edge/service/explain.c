/* explain.c - the whole of a judgement, for the person who is asked about a call or who tries one:
 * when the question is asked it is kept, since the policy may change until it is answered. */
#include <stdlib.h>

#include "decide/stakes.h"
#include "engine/action_json.h"
#include "record/redact.h"
#include "report/tree_json.h"
#include "service/service.h"
#include "shell/tree.h"

#define KEPT_MAX     ((size_t)256 * 1024)       /* bytes of one that is kept */
#define KEPT_ALL_MAX ((size_t)64 * 1024 * 1024) /* ... and of all */
#define SHOWN_MEMORY ((size_t)16 * 1024 * 1024)

/* ---- kept with a review ---- */

struct summary {
    warder_decision *decision;
    struct str headline;
};

static void summarise(void *arg)
{
    struct summary *m = arg;
    struct arena *a = &m->decision->arena;

    m->headline = redact_text(a, stakes_headline(a, &m->decision->verdict));
}

void explain_keep(warder_service *s, struct waiting *w, warder_decision *d)
{
    struct summary m = {.decision = d};
    const char *json = warder_decision_explain_json(d);
    const size_t len = json ? strlen(json) : 0;

    w->stakes = stakes_name(stakes_of(&d->verdict));
    if (decision_try(d, summarise, &m))
        w->headline = strndup(m.headline.s ? m.headline.s : "", m.headline.len);
    if (!len || len > KEPT_MAX || s->explain_bytes + len > KEPT_ALL_MAX)
        return;
    w->explain = strdup(json);
    w->explain_len = w->explain ? len : 0;
    s->explain_bytes += w->explain_len;
}

void explain_forget(warder_service *s, struct waiting *w)
{
    s->explain_bytes -= w->explain_len;
    free(w->explain);
    free(w->headline);
    w->explain = w->headline = NULL;
    w->explain_len = 0;
}

void explain_summary(struct json_writer *writer, const warder_service *s, const struct waiting *w)
{
    json_text_member(writer, "stakes", str_from(w && w->stakes ? w->stakes : "grave"));
    json_text_or_null(writer, "headline", str_from(w ? w->headline : NULL));
    json_text_or_null(writer, "url",
                      w && s->url[0]
                          ? str_format(writer->out->arena, "%s/console/#/reviews/%s", s->url, w->id)
                          : (struct str){0});
}

/* Every text of it, without what was found in the command: the form of an action loses a secret,
 * and what the action does is still said. */
static void redact_value(struct json_writer *w, const struct value *v, const struct strs *found)
{
    switch (v->kind) {
    case VALUE_STRING:
        json_text(w, redact_quoting(w->out->arena, v->text, found));
        break;
    case VALUE_ARRAY:
        json_begin_array(w);
        for (size_t i = 0; i < v->count; i++)
            redact_value(w, &v->items[i], found);
        json_end_array(w);
        break;
    case VALUE_OBJECT:
        json_begin_object(w);
        for (size_t i = 0; i < v->count; i++) {
            json_key_str(w, v->members[i].key);
            redact_value(w, &v->members[i].value, found);
        }
        json_end_object(w);
        break;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INTEGER:
    case VALUE_FLOAT:
    case VALUE_TIME:
        json_any(w, v);
        break;
    }
}

void explain_members(struct json_writer *w, const struct waiting *waiting, struct str command)
{
    struct arena *a = w->out->arena;
    struct strs found = {0};
    struct value v;

    if (command.len)
        (void)redact_command(a, command, &found);
    /* Nobody knows any more: then it is grave. */
    json_text_member(w, "stakes", str_from(waiting && waiting->stakes ? waiting->stakes : "grave"));
    json_text_or_null(w, "headline",
                      redact_quoting(a, str_from(waiting ? waiting->headline : NULL), &found));
    json_key(w, "explain");
    if (!waiting || !waiting->explain ||
        json_read(a, (struct str){waiting->explain, waiting->explain_len}, NULL, &v, NULL) !=
            STATUS_OK)
        json_null(w);
    else if (command.len)
        redact_value(w, &v, &found);
    else
        json_any(w, &v);
}

/* ---- one that a person tries ---- */

struct tried {
    warder_decision *decision;
    struct str json;
    bool tree;
};

static void write_tree(struct json_writer *w, const warder_decision *d)
{
    struct str command = {0};
    struct tree tree = {0};

    json_key(w, "tree");
    if (d->call.kind != TOOL_SHELL || !call_command(w->out->arena, &d->call, &command)) {
        json_null(w);
        return;
    }
    shell_parse(w->out->arena, command, &tree);
    tree_json(w, tree.root);
    json_text_or_null(w, "refusal", str_from(tree.why));
}

static void write_tried(struct report *r, const void *about)
{
    const struct tried *t = about;
    struct buf b = buf_in(r->arena);
    struct json_writer w = json_to(&b);

    buf_add(&r->json_text, str_slice(t->json, 0, t->json.len - (t->tree ? 1 : 0)));
    if (!t->tree)
        return;
    json_begin_object(&w);
    write_tree(&w, t->decision);
    json_end_object(&w);
    buf_byte(&r->json_text, ',');
    buf_add(&r->json_text, str_from_byte(buf_str(&b), 1)); /* without its brace */
}

/* What the body has beyond a call. */
struct wishes {
    struct arena arena;
    struct str body, call;
    bool tree;
    const char *profile; /* of the service */
    warder_outcome outcome;
    warder_error *err;
};

static void split_body(void *arg)
{
    static const char *const own[] = {"tree", "profile", "policy"};
    struct wishes *q = arg;
    struct buf b = buf_in(&q->arena);
    struct json_writer w = json_to(&b);
    struct error inner = {0};
    struct value v;

    if (json_read(&q->arena, q->body, NULL, &v, &inner) != STATUS_OK || v.kind != VALUE_OBJECT) {
        q->outcome = outcome_say(q->err, WARDER_INVALID, "not a call: %s",
                                 inner.message[0] ? inner.message : "an object is expected");
        return;
    }
    struct str profile = value_text(&v, "profile");
    if ((profile.len && !str_is(profile, q->profile)) || value_get(&v, "policy")) {
        q->outcome = WARDER_NOT_FOUND;
        return;
    }
    const struct value *tree = value_get(&v, "tree");
    q->tree = tree && tree->kind == VALUE_BOOL && tree->boolean;
    json_begin_object(&w);
    for (size_t i = 0; i < v.count; i++)
        if (!STR_IN(v.members[i].key, own)) {
            json_key_str(&w, v.members[i].key);
            json_any(&w, &v.members[i].value);
        }
    json_end_object(&w);
    q->call = buf_str(&b);
}

static warder_outcome explain_call(warder_service *s, const warder_caller *caller,
                                   const struct wishes *q, warder_report **out, warder_error *err)
{
    struct tried t = {.tree = q->tree};
    struct error inner = {0};

    /* Nothing is decided, so any mode may be tried. */
    if (engine_open_call(s->engine, q->call, MODE_AS_SAID, NULL, &t.decision, err) != WARDER_OK)
        return WARDER_FAILED;
    warder_decision *d = t.decision;
    if (d->book && trusted_apply(s, caller->id, d, &inner) != STATUS_OK)
        decision_refuse(d, "policy", inner.message);
    else if (d->book && !decision_try(d, decision_judge, d))
        decision_overflow(d);
    const char *json = warder_decision_explain_json(d);
    warder_outcome outcome = WARDER_DONE;
    if (!json)
        outcome = outcome_say(err, WARDER_INVALID, "too large to explain");
    else {
        t.json = str_from(json);
        outcome =
            report_make_line(write_tried, &t, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
    }
    warder_decision_free(d);
    return outcome;
}

warder_outcome warder_service_explain(warder_service *s, const warder_caller *caller,
                                      const char *json, size_t len, warder_report **out,
                                      warder_error *err)
{
    struct wishes q = {.body = {json, len}, .outcome = WARDER_DONE, .err = err};

    if (!s || !out || !json)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, call or report");
    *out = NULL;
    q.profile = s->profile;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    arena_init(&q.arena, SHOWN_MEMORY);
    if (!arena_try(&q.arena, split_body, &q))
        q.outcome = outcome_say(err, WARDER_INVALID, "too large to explain");
    if (q.outcome == WARDER_DONE)
        q.outcome = explain_call(s, caller, &q, out, err);
    arena_release(&q.arena);
    return q.outcome;
}
