/* resolve_session.c - the session of a decision: read before it is judged, changed by how it ends.
 */
#include <stdio.h>
#include <string.h>

#include "decide/session_builds.h"
#include "engine/resolving.h"
#include "engine/thread_cache.h"
#include "machine/age.h"

/* A hook has often met it a moment ago, to judge the call. */
static enum status meet(struct resolving *r, struct session *out, struct error *err)
{
    struct session_memory *kept = r->d->cache ? r->d->cache->sessions : NULL;

    if (!r->d->just_judged || !r->d->recalled || r->d->past != PAST_BEGUN)
        return session_memory_meet(kept, &r->d->arena, &r->id, out, err);
    *out = r->d->met;
    return STATUS_OK;
}

enum status session_open(struct resolving *r, struct error *err)
{
    struct session *s = &r->d->session, set;
    enum status status = meet(r, s, err);

    decision_set(r->d, &set);
    r->found = *s;
    if (!status && !s->has_mode && set.has_mode) {
        s->has_mode = true;
        s->mode = set.mode;
        s->has_prior = set.has_prior;
        s->prior = set.prior;
    }
    return status ? status : session_hold_rules(r, err);
}

static void remember(struct arena *a, struct session *s, void *context)
{
    const struct resolving *r = context;
    const struct verdict *v = &r->d->verdict;

    if (s->workspace.len == 0)
        s->workspace = r->d->call.project;
    if (s->fresh)
        s->began = r->d->session.began;
    if (r->d->call.mode_given && !r->d->call.subagent) {
        s->has_main = true;
        s->main = v->mode;
    }
    if (r->policy[0])
        memcpy(s->policy, r->policy, sizeof(s->policy));
    if (r->grants.count)
        session_approve(a, s, &r->grants,
                        &(struct session_approval){.id = decision_id_ahead(r->d),
                                                   .how = APPROVED_AT_PROMPT,
                                                   .at = age_now() / 1000});
    for (size_t i = 0; i < r->agreements.count; i++)
        if (s->agreements.count < SESSION_AGREEMENTS_MAX &&
            !strs_has(&s->agreements, r->agreements.items[i]))
            LIST_PUSH(a, &s->agreements, r->agreements.items[i]);
    session_brings(s, v, r->agreed, &r->d->session);
    session_gives(s, v);
    session_judged(s, v->mode);
    if (r->counts)
        session_count(s, v->behavior, v->mode);
    if (v->behavior == BEHAVIOR_ALLOW)
        session_after(s, &r->d->last, v->mode);
    if (session_builds_change(s, v))
        session_builds_keep(a, s, v, age_now());
}

/* True for most calls: allowed, like the one before. What other processes changed in the session
 * meanwhile counts as later. */
static bool leaves_session(struct resolving *r)
{
    struct session s = r->found;

    /* a call that has waited may have missed what others built meanwhile */
    if (s.workspace.len == 0 || r->grants.count || r->agreements.count ||
        session_builds_change(&s, &r->d->verdict) || r->ending.requested_at)
        return false;
    remember(NULL, &s, r);
    return strcmp(s.policy, r->found.policy) == 0 && session_is_like(&s, &r->found, s.workspace) &&
           session_same_tree(&s, &r->found) && s.has_main == r->found.has_main &&
           s.main == r->found.main;
}

void session_close(struct resolving *r)
{
    struct session after;
    struct error err = {0};
    char why[sizeof(err.message) + 64];

    if (leaves_session(r))
        return;
    if (session_update(&r->id, remember, r, &after, &err) != STATUS_OK) {
        snprintf(why, sizeof(why), "the session cannot be written: %s", err.message);
        decision_refuse(r->d, "session", why);
    } else if (r->d->verdict.behavior == BEHAVIOR_DENY && after.denials >= SESSION_DENIALS_IN_ALL) {
        r->d->verdict.interrupt = true;
    }
}
