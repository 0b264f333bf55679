/* change.h - one change of the rules on its way: what is new, the policy that would hold,
 * the record of it. */
#ifndef SERVICE_CHANGE_H
#define SERVICE_CHANGE_H

#include "service/rules.h"

#define PROMOTED_MAX                                                                               \
    16 /* rules that one promotion may make: a command line with more parts wants a written rule   \
        */

struct change {
    warder_service *service;
    const warder_caller *caller;
    struct arena arena;
    struct rules_file file;
    const char *action;
    const struct stored_rule *before; /* NULL: added */
    struct stored_rules after;        /* what is new or changed; empty: removed */
    struct str text;                  /* of the new file */
    struct strs warnings;
    warder_decision *proof; /* a call that must be accepted then; NULL: none */
    struct policy *policy;  /* that would hold */
    bool accepted;
    struct error err;
    enum status status;
};

/* Reads the file. change_end() in every case. */
warder_outcome change_begin(struct change *c, warder_error *err);
void change_end(struct change *c);

/* One more rule that is new; it gets its id. */
warder_outcome change_push(struct change *c, const struct stored_rule *rule, warder_error *err);

/* Can the new rules be read? */
warder_outcome change_parse(struct change *c, warder_error *err);
/* And the policy with them? Lints them, and looks whether the call that is the proof would be
 * accepted. */
warder_outcome change_prove(struct change *c, warder_error *err);
/* Both, and then it happens. */
warder_outcome change_apply(struct change *c, warder_error *err);

struct str change_stamp(struct arena *a, int64_t ms);
struct str change_caller(struct arena *a, const warder_caller *c);

#endif
