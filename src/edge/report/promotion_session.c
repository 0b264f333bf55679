/* promotion_session.c - a recorded call that is allowed for the rest of its session, as if a person
 * had answered "for this session" when it was asked about. No policy is written. */
#include "ask/session_file.h"
#include "decide/session.h"
#include "report/promotion.h"

struct granting {
    const warder_promotion *promotion;
    bool gone, full;
};

static void grant(struct arena *a, struct session *s, void *context)
{
    struct granting *g = context;
    const struct verdict *v = &g->promotion->decision->verdict;
    const struct session_approval about = {
        .id = g->promotion->record.id, .how = APPROVED_BY_ALLOW, .at = stamp_now() / 1000};
    struct session new = {0};

    g->gone = s->fresh;
    g->full = s->grants.count + v->facts->actions.count + 1 > SESSION_GRANTS_MAX ||
              s->approvals.count >= SESSION_APPROVALS_MAX;
    if (g->gone || g->full)
        return;
    session_grant(a, &new, v);
    session_approve(a, s, &new.grants, &about);
}

bool promotion_fits_session(const warder_promotion *p)
{
    const struct verdict *v = &p->decision->verdict;

    return p->effect == BEHAVIOR_ALLOW && p->record.session.len && v->facts && v->cleared_by &&
           v->uncleared;
}

static enum status grant_call(const warder_promotion *p, struct error *err)
{
    const struct session_id id = engine_session(p->engine, p->record.client, p->record.session);
    struct granting g = {.promotion = p};

    if (p->effect != BEHAVIOR_ALLOW)
        return fail(err, STATUS_USAGE, "a session has no denials to keep: write a rule");
    if (!p->record.session.len)
        return fail(err, STATUS_USAGE, "the call belongs to no session");
    if (!promotion_fits_session(p))
        return fail(err, STATUS_USAGE, "it would still be asked about");
    enum status status = session_update(&id, grant, &g, NULL, err);
    if (status == STATUS_OK && g.gone)
        status = fail(err, STATUS_USAGE, "its session is over");
    if (status == STATUS_OK && g.full)
        status = fail(err, STATUS_LIMIT, "its session has too many approvals already");
    return status;
}

warder_status warder_promotion_grant(warder_promotion *p, warder_error *err)
{
    struct error inner = {0};

    if (!p)
        return give_usage(err, "missing argument: promotion");
    return grant_call(p, &inner) == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
