/* decision.c - what a decision says, one thing at a time. */
#include <stdio.h>

#include "base/json.h"
#include "engine/engine.h"
#include "machine/guard.h"

const struct call *decision_call(const warder_decision *decision)
{
    return decision->resolved ? &decision->last : &decision->call;
}

struct str decision_client(const warder_decision *decision)
{
    return decision->call.client.len ? decision->call.client : decision->engine->client;
}

void decision_forget_texts(warder_decision *decision)
{
    /* a text from before may say allow */
    decision->json = decision->explain_json = (struct str){0};
    decision->unasked_found = false;
    memset(decision->explain_text, 0, sizeof(decision->explain_text));
}

void decision_overflow(warder_decision *decision)
{
    decision->verdict = (struct verdict){0};
    if (decision->faulted)
        verdict_refuse(&decision->verdict, BEHAVIOR_DENY, "fault",
                       STR(GUARD_MARK ": the analysis of this call crashed, so it is denied in "
                                      "every mode; please report it"));
    else
        verdict_refuse(&decision->verdict, BEHAVIOR_DENY, "limit", STR("too large to be shown"));
    decision_forget_texts(decision);
}

/* Without a book it is not judged, shown or asked about any more: see run() in resolve.c. What its
 * call says stays readable, for the record. */
static void deny_fault(warder_decision *d)
{
    d->faulted = true;
    d->book = NULL;
    d->project = NULL;
    decision_overflow(d);
}

bool decision_try_text(warder_decision *decision, void (*fn)(void *), void *arg)
{
    if (decision->engine->unguarded)
        return arena_try(&decision->arena, fn, arg);
    return guard_try(&decision->arena, fn, arg) == GUARD_DONE;
}

bool decision_try(warder_decision *decision, void (*fn)(void *), void *arg)
{
    enum guarded end;

    if (decision->engine->unguarded)
        return arena_try(&decision->arena, fn, arg);
    end = guard_try(&decision->arena, fn, arg);
    if (end == GUARD_FAULT)
        deny_fault(decision);
    return end == GUARD_DONE;
}

void decision_refuse(warder_decision *decision, const char *layer, const char *why)
{
    struct verdict *v = &decision->verdict;

    if (decision->faulted)
        return; /* it denies already, and its reason is the one to be seen */
    snprintf(decision->why, sizeof(decision->why), "%s", why);
    verdict_refuse(v, BEHAVIOR_DENY, layer, str_from(decision->why));
    v->rule = NULL;
    v->immune = v->interrupt = v->cancelled = false;
    v->updated_input = NULL;
    v->suggestions = (struct strs){0};
    v->unsuggested = false;
    decision_forget_texts(decision);
}

static void find_words(void *decision)
{
    warder_decision *d = decision;

    decide_word(d->profile, &d->verdict);
}

/* Without memory for more, the reason stays what the last layer said. */
void decision_word(warder_decision *decision)
{
    struct verdict *v = &decision->verdict;

    if ((v->unsuggested || v->vague) && !decision_try_text(decision, find_words, decision)) {
        v->suggestions = (struct strs){0};
        v->unsuggested = v->vague = false;
    }
}

/* An allow with another input must not be taken for one of the call's own: what cannot be written
 * denies, while it is resolved. */
void decision_write_input(warder_decision *d)
{
    d->new_input = (struct str){0};
    if (!d->verdict.updated_input)
        return;
    d->new_input = json_try_value(&d->arena, d->verdict.updated_input);
    if (!d->new_input.s)
        decision_overflow(d);
}

warder_behavior warder_decision_behavior(const warder_decision *decision)
{
    return decision ? (warder_behavior)verdict_behavior(&decision->verdict) : WARDER_DENY;
}

const char *warder_decision_layer(const warder_decision *decision)
{
    return decision && decision->verdict.layer ? decision->verdict.layer : "";
}

const char *warder_decision_rule(const warder_decision *decision)
{
    return decision && decision->verdict.rule ? decision->verdict.rule->text.s : NULL;
}

const char *warder_decision_reason(const warder_decision *decision)
{
    if (!decision)
        return NO_DECISION;
    decision_word(decision->self);
    return decision->verdict.reason.len ? decision->verdict.reason.s : "";
}

const char *warder_decision_message(const warder_decision *decision)
{
    if (!decision)
        return NO_DECISION;
    decision_word(decision->self);
    return decision->verdict.message.len ? decision->verdict.message.s : "";
}

int warder_decision_interrupt(const warder_decision *decision)
{
    return decision && decision->verdict.interrupt;
}

int warder_decision_cancelled(const warder_decision *decision)
{
    return decision && decision->verdict.cancelled;
}

const char *warder_decision_id(const warder_decision *decision)
{
    return decision ? decision->id : "";
}

const char *warder_decision_name(const warder_decision *decision)
{
    if (decision && decision->name)
        return decision->name;
    switch (warder_decision_behavior(decision)) {
    case WARDER_ALLOW:
        return "auto-accept";
    case WARDER_ASK:
        return "ask";
    case WARDER_DENY:
        break;
    }
    return "auto-deny";
}

size_t warder_decision_suggestion_count(const warder_decision *decision)
{
    if (!decision)
        return 0;
    decision_word(decision->self);
    return decision->verdict.suggestions.count;
}

const char *warder_decision_suggestion(const warder_decision *decision, size_t i)
{
    return i < warder_decision_suggestion_count(decision) ? decision->verdict.suggestions.items[i].s
                                                          : NULL;
}

const char *warder_behavior_name(warder_behavior behavior)
{
    return behavior_name(behavior == WARDER_ALLOW || behavior == WARDER_ASK
                             ? (enum behavior)behavior
                             : BEHAVIOR_DENY);
}

const char *warder_version(void)
{
    return WARDER_VERSION;
}

uint32_t warder_version_number(void)
{
    return WARDER_VERSION_NUMBER;
}
