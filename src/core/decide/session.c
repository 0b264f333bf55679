#include "decide/session.h"

#include "decide/layer_grants.h"
#include "facts/fresh.h"

void session_judged(struct session *s, enum mode mode)
{
    if (mode == MODE_AUTO && session_asks_in_auto(s))
        s->auto_asks = true;
}

void session_count(struct session *s, enum behavior behavior, enum mode mode)
{
    if (behavior == BEHAVIOR_ASK)
        return;
    if (behavior == BEHAVIOR_DENY) {
        s->denials++;
        s->denials_in_a_row++;
    }
    session_judged(s, mode);
    if (behavior == BEHAVIOR_ALLOW)
        s->denials_in_a_row = 0;
}

/* Errs towards "no": a false "no" costs a second judgement, a false "yes" would keep a wrong
 * verdict. So grants are not compared, they count as a difference. An empty workspace is the
 * project's. */
bool session_is_like(const struct session *s, const struct session *other, struct str project)
{
    struct str here = s->workspace.len ? s->workspace : project;
    struct str there = other->workspace.len ? other->workspace : project;

    return str_eq(here, there) && s->grants.count == 0 && other->grants.count == 0 &&
           s->has_mode == other->has_mode && s->mode == other->mode &&
           s->has_prior == other->has_prior && s->prior == other->prior &&
           s->auto_asks == other->auto_asks && s->denials == other->denials &&
           s->denials_in_a_row == other->denials_in_a_row;
}

static void remember(struct arena *a, struct session *s, struct str key)
{
    if (!strs_has(&s->grants, key))
        LIST_PUSH(a, &s->grants, str_copy(a, key));
}

void session_grant(struct arena *a, struct session *s, const struct verdict *v)
{
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++)
        if (!v->cleared_by[i])
            remember(a, s, grant_key(a, v->facts, i));
    /* mini remembers what was confirmed by the text that was shown. */
    if (v->facts && v->behavior == BEHAVIOR_ASK && v->message.len)
        remember(a, s, confirm_key(a, v->facts, v->message));
}

bool session_has_digest(const struct session *s, struct str digest)
{
    for (size_t i = 0; digest.len && i < s->approvals.count; i++)
        if (str_eq(s->approvals.items[i].digest, digest))
            return true;
    return false;
}

void session_approve(struct arena *a, struct session *s, const struct strs *keys,
                     const struct session_approval *about)
{
    struct session_approval new = *about;

    if (s->approvals.count >= SESSION_APPROVALS_MAX || session_has_digest(s, new.digest))
        return;
    new.keys = (struct strs){0};
    for (size_t i = 0; keys && i < keys->count; i++) {
        if (s->grants.count >= SESSION_GRANTS_MAX || strs_has(&s->grants, keys->items[i]))
            continue;
        LIST_PUSH(a, &s->grants, keys->items[i]);
        LIST_PUSH(a, &new.keys, str_slice(keys->items[i], 0, SESSION_KEY_SHORT));
    }
    if (new.digest.len || new.keys.count)
        LIST_PUSH(a, &s->approvals, new);
}

void session_agree(struct arena *a, struct session *s, const struct verdict *v)
{
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++) {
        const struct strs *keys = &v->facts->actions.items[i].fresh.agreed;
        for (size_t n = 0; n < keys->count; n++)
            if (!strs_has(&s->agreements, keys->items[n]))
                LIST_PUSH(a, &s->agreements, str_copy(a, keys->items[n]));
    }
}

static void bring(struct session *s, bool brings, bool agreed, uint32_t seen)
{
    if (agreed && s->agreed < seen && seen <= s->brought)
        s->agreed = seen;
    if (!brings || s->brought == UINT32_MAX)
        return;
    /* what other calls brought meanwhile was in no question */
    if (agreed && s->agreed == s->brought)
        s->agreed++;
    s->brought++;
}

void session_brings(struct session *s, const struct verdict *v, bool agreed,
                    const struct session *seen)
{
    if (v->facts && v->behavior == BEHAVIOR_ALLOW)
        bring(s, fresh_is_brought(v->facts), agreed, seen->brought);
}

void session_gives(struct session *s, const struct verdict *v)
{
    if (v->facts && v->behavior != BEHAVIOR_DENY && v->facts->gives.len && !s->given.len)
        s->given = v->facts->gives;
}

void session_ran(struct session *s, uint32_t seen, bool brings)
{
    bring(s, brings, true, seen);
}

bool session_same_tree(const struct session *s, const struct session *other)
{
    return s->brought == other->brought && s->agreed == other->agreed &&
           s->agreements.count == other->agreements.count && /* which only grows */
           str_eq(s->given, other->given);
}

void session_enter_plan(struct session *s, enum mode now)
{
    if (now == MODE_PLAN)
        return;
    s->has_prior = true;
    s->prior = now;
    s->has_mode = true;
    s->mode = MODE_PLAN;
}

void session_leave_plan(struct session *s)
{
    if (s->has_mode && s->mode != MODE_PLAN)
        return;
    s->has_mode = true;
    s->mode = s->has_prior ? s->prior : MODE_DEFAULT;
    s->has_prior = false;
}

void session_after(struct session *s, const struct call *call, enum mode mode)
{
    if (call->kind == TOOL_PLAN_ENTER)
        session_enter_plan(s, mode);
    else if (call->kind == TOOL_PLAN_EXIT && mode == MODE_PLAN)
        session_leave_plan(s);
}
