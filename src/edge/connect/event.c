#include "connect/event.h"

#include "base/json.h"

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
    return fail(err, STATUS_USAGE, "there is no client \"%.60s\"", name.s);
}

static void make_calls(struct arena *a, struct event *e, const struct event_place *from,
                       struct str doubt)
{
    e->call = client_call(a, &e->question, from->project, true, doubt);
    e->plain_call = client_call(a, &e->question, from->project, false, doubt);
}

enum status event_read(struct arena *a, struct str client, struct str text,
                       const struct event_place *from, struct event *out, struct error *err)
{
    struct value *event = ARENA_NEW(a, struct value);
    const struct client *row;
    enum status status;

    if ((status = json_read(a, text, NULL, event, err)) != STATUS_OK ||
        (status = find_client(client, event, &row, err)) != STATUS_OK ||
        (status = client_read(a, row, event, &out->question, err)) != STATUS_OK ||
        out->question.event->kind == EVENT_CONFIG)
        return status;
    if (!out->question.cwd.len)
        out->question.cwd = from->cwd;
    make_calls(a, out, from, (struct str){0});
    return STATUS_OK;
}

bool event_doubt(struct arena *a, struct event *e, const struct event_place *from,
                 const struct facts *facts)
{
    struct str why = client_doubt(a, &e->question, facts, from->shell);

    if (why.len)
        make_calls(a, e, from, why);
    return why.len > 0;
}

void event_answer(struct arena *a, const struct event *e, const struct verdict *v, bool by_mode,
                  struct str approval, struct client_answer *out)
{
    const struct client_verdict said = {
        .behavior = verdict_behavior(v),
        .by_mode = by_mode,
        .message = v->message.len ? v->message : v->reason,
        .approval = approval,
        .updated_input = v->updated_input,
        .interrupt = v->interrupt,
    };

    client_answer(a, &e->question, &said, out);
}

bool event_failed(const struct verdict *v)
{
    static const char *const layers_of_failure[] = {"valid",   "policy", "limit",
                                                    "session", "record", "service"};

    for (size_t i = 0; v->behavior == BEHAVIOR_DENY && i < COUNT(layers_of_failure); i++)
        if (v->layer && strcmp(v->layer, layers_of_failure[i]) == 0)
            return true;
    return false;
}

bool event_says_no_mode(const struct event *e, warder_decision *decision)
{
    const struct decide_options options = decision_options(decision);
    struct call plain = decision->call;
    enum mode mode;

    if (e->question.mode.len == 0)
        return true;
    plain.mode_given = false;
    plain.mode = decision->engine->mode;
    return decide_mode(&options, &plain, &mode) && mode == decision->verdict.mode;
}

bool event_by_hook(const warder_decision *decision)
{
    return strcmp(warder_decision_layer(decision), "hooks") == 0;
}
