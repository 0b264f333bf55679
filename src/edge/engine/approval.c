/* approval.c - approvals that a person gave for one call, as a decision uses them. */
#include <time.h>

#include "decide/session.h"
#include "engine/approve.h"
#include "facts/fresh.h"
#include "machine/world.h"

int64_t approval_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec;
}

struct approval_call decision_approval_call(const warder_decision *d, const struct call *call,
                                            struct str client)
{
    return (struct approval_call){.state_dir = d->engine->request.state_dir.s,
                                  .client = client,
                                  .call = call,
                                  .verdict = &d->verdict,
                                  .book = d->book,
                                  .profile = d->profile,
                                  .world = &real_world,
                                  .home = d->engine->home,
                                  .now = approval_now()};
}

bool decision_take_approval(warder_decision *d, const struct call *call, struct str client)
{
    struct approval_call c = decision_approval_call(d, call, client);
    bool taken = false;

    return d->book && approval_take(&d->arena, &c, &taken, NULL) == STATUS_OK && taken;
}

/* ---- a yes for the rest of the session ---- */

/* What is there by then may be lost, or run: that it was agreed to once is no word about it. Which
 * code that came in a person has agreed to run, the session knows better (facts/fresh.h). */
static bool depends_on_more(const struct verdict *v)
{
    const struct actions *actions = &v->facts->actions;

    for (size_t i = 0; i < actions->count; i++) {
        const struct action *a = &actions->items[i];
        if ((a->effects & (EFFECT_LOSS | EFFECT_PRIVILEGE)) || action_is_fresh(a))
            return true;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (a->subject.paths.items[n].access & ACCESS_DELETE)
                return true;
    }
    return false;
}

static bool may_be_kept(const warder_decision *d)
{
    const struct verdict *v = &d->verdict;

    return d->book && v->behavior == BEHAVIOR_ASK && v->uncleared && v->facts &&
           !depends_on_more(v);
}

struct str decision_yes(warder_decision *d, const struct call *call, struct str client)
{
    struct approval_call c = decision_approval_call(d, call, client);
    struct approval_bond bond;

    if (!may_be_kept(d) || approval_bind(&d->arena, &c, &bond, NULL) != STATUS_OK)
        return (struct str){"", 0};
    return str_try_copy(&d->arena, str_from(bond.digest));
}

bool decision_has_yes(warder_decision *d, const struct call *call, struct str client)
{
    bool any = false;

    for (size_t i = 0; !any && i < d->session.approvals.count; i++)
        any = d->session.approvals.items[i].digest.len > 0;
    return any && session_has_digest(&d->session, decision_yes(d, call, client));
}
