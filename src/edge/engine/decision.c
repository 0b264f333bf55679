/* decision.c - what a decision says, one thing at a time. */
#include <stdio.h>

#include "engine/engine.h"

const struct call *decision_call(const warder_decision *decision)
{
    return decision->resolved ? &decision->last : &decision->call;
}

void decision_forget_texts(warder_decision *decision)
{
    /* a text from before may say allow */
    decision->json = decision->explain_json = (struct str){0};
    decision->explain_text[0] = decision->explain_text[1] = (struct str){0};
}

void decision_overflow(warder_decision *decision)
{
    decision->verdict = (struct verdict){0};
    verdict_refuse(&decision->verdict, BEHAVIOR_DENY, "limit", STR("too large to be shown"));
    decision_forget_texts(decision);
}

void decision_refuse(warder_decision *decision, const char *layer, const char *why)
{
    struct verdict *v = &decision->verdict;

    snprintf(decision->why, sizeof(decision->why), "%s", why);
    verdict_refuse(v, BEHAVIOR_DENY, layer, str_from(decision->why));
    v->rule = NULL;
    v->immune = v->interrupt = false;
    v->updated_input = NULL;
    v->suggestions = (struct strs){0};
    v->unsuggested = false;
    decision_forget_texts(decision);
}

static void find_suggestions(void *decision)
{
    warder_decision *d = decision;

    decide_suggest(d->profile, &d->verdict);
}

void decision_suggest(warder_decision *decision)
{
    if (decision->verdict.unsuggested && !arena_try(&decision->arena, find_suggestions, decision))
        decision_overflow(decision);
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
    return decision && decision->verdict.reason.len ? decision->verdict.reason.s : "";
}

const char *warder_decision_message(const warder_decision *decision)
{
    return decision && decision->verdict.message.len ? decision->verdict.message.s : "";
}

int warder_decision_interrupt(const warder_decision *decision)
{
    return decision && decision->verdict.interrupt;
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
    decision_suggest(decision->self);
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
