#include "connect/event.h"

#include "base/json.h"
#include "machine/guard.h"
#include "undo/undo.h"

static enum status find_client(struct str name, const struct value *event,
                               const struct client **out, struct error *err)
{
    bool automatic = str_is(name, "auto");

    *out = automatic ? client_recognise(event) : client_find(name);
    if (*out)
        return STATUS_OK;
    if (automatic)
        return fail(err, STATUS_SYNTAX,
                    "the client cannot be recognised by its event: name it with --client");
    return fail(err, STATUS_USAGE, "unknown agent \"%.60s\"", name.s);
}

static void make_calls(struct arena *a, struct event *e, const struct event_place *from,
                       struct str doubt)
{
    e->call = client_call(a, &e->question, from->project, true, doubt);
    e->plain_call = client_call(a, &e->question, from->project, false, doubt);
}

static enum status try(struct arena *a, void (*fn)(void *), void *arg, struct error *err)
{
    switch (guard_try(a, fn, arg)) {
    case GUARD_DONE:
        return STATUS_OK;
    case GUARD_FAULT:
        return fail(err, STATUS_NOMEM, GUARD_MARK ": the event made its reader crash");
    case GUARD_FULL:
        break;
    }
    return fail(err, STATUS_NOMEM, "the event is too large");
}

/* ---- reading ---- */

struct event_reading {
    struct arena *arena;
    struct str client, text;
    const struct event_place *from;
    struct event *out;
    struct error *err;
    enum status status;
};

static void read_event(void *arg)
{
    struct event_reading *r = arg;
    struct client_question *question = &r->out->question;
    struct value *event = ARENA_NEW(r->arena, struct value);
    const struct client *row;

    if ((r->status = json_read(r->arena, r->text, NULL, event, r->err)) != STATUS_OK ||
        (r->status = find_client(r->client, event, &row, r->err)) != STATUS_OK ||
        (r->status = client_read(r->arena, row, event, question, r->err)) != STATUS_OK ||
        question->event->kind == EVENT_CONFIG)
        return;
    if (question->event->kind == EVENT_RAN) { /* silence would be an answer to another event */
        r->status = fail(r->err, STATUS_SYNTAX,
                         "this says that a tool has run: it is registered with --ran");
        return;
    }
    if (!question->cwd.len)
        question->cwd = r->from->cwd;
    make_calls(r->arena, r->out, r->from, (struct str){0});
}

enum status event_read(struct arena *a, struct str client, struct str text,
                       const struct event_place *from, struct event *out, struct error *err)
{
    struct event_reading r = {a, client, text, from, out, err, STATUS_OK};

    enum status status = try(a, read_event, &r, err);

    return status == STATUS_OK ? r.status : status;
}

/* ---- doubt ---- */

struct event_doubting {
    struct arena *arena;
    struct event *event;
    const struct event_place *from;
    const struct facts *facts;
    bool found;
};

static void find_doubt(void *arg)
{
    struct event_doubting *d = arg;
    struct str why = client_doubt(d->arena, &d->event->question, d->facts, d->from->shell);

    d->found = why.len > 0;
    if (d->found)
        make_calls(d->arena, d->event, d->from, why);
}

enum status event_doubt(struct arena *a, struct event *e, const struct event_place *from,
                        const struct facts *facts, bool *found, struct error *err)
{
    struct event_doubting d = {a, e, from, facts, false};
    enum status status = try(a, find_doubt, &d, err);

    *found = d.found;
    return status;
}

/* ---- the answer ---- */

struct event_answering {
    struct arena *arena;
    const struct client_question *question;
    struct client_verdict verdict;
    struct client_answer *out;
};

static void write_answer(void *arg)
{
    struct event_answering *w = arg;

    client_answer(w->arena, w->question, &w->verdict, w->out);
}

/* Only where it was allowed because of that. */
static struct str brief_of(const struct reversible *r)
{
    return r->yes && r->entry.len > UNDO_ID_BRIEF ? str_from_byte(r->entry, UNDO_ID_BRIEF)
                                                  : (struct str){0};
}

enum status event_answer(struct arena *a, const struct event *e, const struct verdict *v,
                         const struct event_words *words, struct client_answer *out,
                         struct error *err)
{
    struct event_answering w = {
        .arena = a,
        .question = &e->question,
        .verdict = {.behavior = verdict_behavior(v),
                    .by_mode = words->by_mode,
                    .message = v->message.len ? v->message : v->reason,
                    .approval = words->approval,
                    .for_rule = words->for_rule,
                    .undo = brief_of(&v->reversible),
                    .updated_input = v->updated_input,
                    .interrupt = v->interrupt},
        .out = out,
    };

    return try(a, write_answer, &w, err);
}

/* ---- verdicts and modes ---- */

bool event_failed(const struct verdict *v)
{
    static const char *const layers_of_failure[] = {"malformed", "policy", "limit",
                                                    "session",   "record", "service"};

    for (size_t i = 0; v->behavior == BEHAVIOR_DENY && i < COUNT(layers_of_failure); i++)
        if (v->layer && strcmp(v->layer, layers_of_failure[i]) == 0)
            return true;
    return false;
}

bool event_says_no_mode(const struct event *e, warder_decision *decision)
{
    enum mode mode;

    if (e->question.mode.len == 0)
        return true;
    return decision_own_mode(decision, &mode) && mode == decision->verdict.mode;
}

bool event_by_hook(const warder_decision *decision)
{
    return strcmp(warder_decision_layer(decision), "hooks") == 0;
}

bool event_may_lift(const struct event *e, const warder_decision *decision)
{
    return e->question.event->kind == EVENT_TOOL && decision->verdict.mode == MODE_ACCEPT_EDITS &&
           decision_edits_by_person(decision, e->question.client);
}
