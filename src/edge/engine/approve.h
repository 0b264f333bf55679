/* approve.h - one-time approvals of a decision's call; see ask/approval.h. */
#ifndef ENGINE_APPROVE_H
#define ENGINE_APPROVE_H

#include "ask/approval.h"
#include "engine/engine.h"

int64_t approval_now(void); /* seconds */

/* A call of the decision, in the form that approvals are bound to. */
struct approval_call decision_approval_call(const warder_decision *d, const struct call *call,
                                            struct str client);

/* Uses up an approval that a person gave for exactly this call of this client; true: it may run.
 * Only an ask can be approved: a deny stays a deny, and a failure is no approval. Not below an
 * arena_try() of the decision. */
bool decision_take_approval(warder_decision *d, const struct call *call, struct str client);

/* Has a person said yes to exactly this call in its session (facts/session.h)? Only to an ask that
 * lacks nothing but a rule, takes nothing away that was made since, and runs no code that came in.
 */
bool decision_has_yes(warder_decision *d, const struct call *call, struct str client);
/* The digest by which such a yes is found; empty: a yes counts once. */
struct str decision_yes(warder_decision *d, const struct call *call, struct str client);

/* Puts the question where `warder approve` finds it; *id lives in the decision's arena. Empty: it
 * cannot be approved, and *err says why. */
struct str decision_offer_approval(warder_decision *d, const struct call *call, struct str client,
                                   struct error *err);

#endif
