/* unasked.c - what a check leaves out: the hooks and classifiers of policy files that would be
 * asked before the call runs, and that may decide otherwise. */
#include "ask/hooks.h"
#include "engine/engine.h"

struct unasked {
    warder_decision *decision;
    struct strs found;
};

static void add_event(struct unasked *u, enum hook_event event)
{
    warder_decision *d = u->decision;
    const struct hook_question question = {.event = event,
                                           .call = &d->call,
                                           .book = d->book,
                                           .verdict = &d->verdict,
                                           .world = &d->world};
    struct hook_panel panel;

    if (!hooks_prepare(&d->arena, &question, &panel))
        arena_leave(&d->arena);
    for (size_t i = 0; i < panel.count; i++) {
        const struct hook *h = panel.jobs[i].hook;
        if (!h->observes)
            LIST_PUSH(&d->arena, &u->found,
                      str_format(&d->arena, "%s hook %.*s (%.*s:%u)", hook_event_name(event),
                                 STR_ARG(h->command), STR_ARG(h->file), h->line));
    }
}

static void find(void *arg)
{
    struct unasked *u = arg;

    add_event(u, HOOK_PRE_TOOL_USE);
    if (verdict_behavior(&u->decision->verdict) != BEHAVIOR_ASK)
        return;
    add_event(u, HOOK_PERMISSION_REQUEST);
    add_event(u, HOOK_CLASSIFIER);
}

/* A deny stays one, whatever they say. */
const struct strs *decision_unasked(warder_decision *d)
{
    static const struct strs none;
    struct unasked u = {.decision = d};

    if (d->resolved || !d->book || !d->book->hooks.count ||
        verdict_behavior(&d->verdict) == BEHAVIOR_DENY)
        return &none;
    if (!d->unasked_found && decision_try_text(d, find, &u)) {
        d->unasked = u.found;
        d->unasked_found = true;
    }
    return &d->unasked;
}

size_t warder_decision_unasked_count(const warder_decision *decision)
{
    return decision ? decision_unasked(decision->self)->count : 0;
}

const char *warder_decision_unasked(const warder_decision *decision, size_t i)
{
    return i < warder_decision_unasked_count(decision) ? decision->unasked.items[i].s : NULL;
}
