/* change.h - one change of the rules in progress: the new rules, the policy with them, the record.
 */
#ifndef SERVICE_CHANGE_H
#define SERVICE_CHANGE_H

#include "service/rules.h"

#define PROMOTED_MAX                                                                               \
    16 /* rules that one promotion may make: a command line with more parts needs a rule written   \
          by hand   \ */

struct change {
    warder_service *service;
    const warder_caller *caller;
    struct arena arena;
    struct stored_rules file; /* as it is now, or will be before this change */
    const char *action;
    const struct stored_rule *before; /* NULL: added */
    struct stored_rules after;        /* new or changed rules; empty: removed */
    struct strs warnings;
    warder_decision *proof; /* a call that the new rules must accept; NULL: none */
    struct policy *policy;  /* with the change */
    bool accepted;
    struct error err;
    enum status status;
};

/* Reads the file. Call change_end() afterwards, also on failure. */
warder_outcome change_begin(struct change *c, warder_error *err);
void change_end(struct change *c);

/* Adds a new rule and gives it an id. */
warder_outcome change_push(struct change *c, const struct stored_rule *rule, warder_error *err);

/* Checks that the new rules can be parsed. */
warder_outcome change_parse(struct change *c, warder_error *err);
/* Checks that the policy with them can be read, lints them, and checks that `proof` would be
 * accepted. */
warder_outcome change_prove(struct change *c, warder_error *err);
/* Both checks, then the change is staged: it takes effect with the next commit. */
warder_outcome change_apply(struct change *c, warder_error *err);

struct str change_stamp(struct arena *a, int64_t ms);
struct str change_caller(struct arena *a, const warder_caller *c);

#endif
