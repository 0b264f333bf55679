#include "decide/verdict.h"

void verdict_allow(struct verdict *v, enum allowed_by by, const char *layer, struct str reason)
{
    v->behavior = by == ALLOWED_BY_NOBODY ? BEHAVIOR_DENY : BEHAVIOR_ALLOW;
    v->allowed_by = by;
    v->layer = layer;
    v->reason = reason;
    v->message = (struct str){0};
    v->paused = v->vague = false;
}

void verdict_refuse(struct verdict *v, enum behavior behavior, const char *layer, struct str reason)
{
    v->behavior = behavior == BEHAVIOR_ASK ? BEHAVIOR_ASK : BEHAVIOR_DENY;
    v->allowed_by = ALLOWED_BY_NOBODY;
    v->uncleared = false;
    v->layer = layer;
    v->reason = v->message = reason;
    v->paused = v->vague = false;
}

enum behavior verdict_behavior(const struct verdict *v)
{
    bool forged = v->behavior == BEHAVIOR_ALLOW && v->allowed_by == ALLOWED_BY_NOBODY;

    return forged ? BEHAVIOR_DENY : v->behavior;
}
