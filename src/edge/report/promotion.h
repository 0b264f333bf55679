/* promotion.h - a recorded decision made into a rule: shared by the files promotion*.c.
 *
 * promotion_forms.c finds which rules the call is an example of; promotion.c lets the engine judge
 * the call once more with each of them, so that nothing is offered that would not help, and writes
 * the one that a person chose. */
#ifndef REPORT_PROMOTION_H
#define REPORT_PROMOTION_H

#include "engine/report.h"
#include "report/change.h"
#include "report/recorded.h"

struct promotion_rule {
    struct str text;
    struct strs hosts; /* that the rule has to name in `within` */
};
struct promotion_rules LIST_OF(struct promotion_rule);

struct promotion_form {
    const char *as;               /* command, program, host */
    struct promotion_rules rules; /* all of them are needed */
    struct strs near;             /* "ask    git push --force" */
};
struct promotion_forms LIST_OF(struct promotion_form);

struct warder_promotion {
    struct arena arena;
    warder_options options;
    enum behavior effect;
    struct recorded record;
    struct str call; /* in its session */
    warder_engine *engine;
    warder_decision *decision; /* by the present policy */
    struct promotion_forms found, offers;
    const char *why; /* there is no rule for the program, as "it ..."; NULL: there may be one */
    struct policy_change change;
    struct str until; /* RFC 3339; empty: for good */
    struct str diff;
};

#define PROMOTED_ALLOW "allowed-" /* how the ids of such rules begin */
#define PROMOTED_DENY  "denied-"

/* Fills p->found, in the decision's arena. `promotion`: below a decision_try(). */
void promotion_find_forms(void *promotion);

/* Would it be allowed for the rest of its session, if a person said so? */
bool promotion_fits_session(const warder_promotion *p);

/* One rule as an entry of a policy, and a form as a policy. */
struct str promotion_entry(struct arena *a, const warder_promotion *p,
                           const struct promotion_rule *rule);
struct str promotion_policy(struct arena *a, const warder_promotion *p,
                            const struct promotion_form *form);

#endif
