/* rules.h - rules that change while the service runs: in a policy file of its own, recorded, and
 * then in force.
 *
 * The order of a change: it is read and proved (the policy with it can be read) and staged; the
 * next batch records it and writes the file durably, and then the policy is read again. If a step
 * fails, the rules stay as they were. */
#ifndef SERVICE_RULES_H
#define SERVICE_RULES_H

#include "policy/stored.h"
#include "service/service.h"

#define SERVICE_COOLDOWN_MAX 604800 /* seconds: a week */

/* The file as it is now. The rules live in the arena. Do not call this inside an arena_try(). */
enum status rules_file_read(warder_service *s, struct arena *a, struct stored_rules *out,
                            struct error *err);

/* A rule that a reviewer adds with an approval. */
struct promotion {
    const struct value
        *rule; /* a pattern, or {"pattern", "scope", "reason"}; NULL: exactly this call */
    int64_t cooldown_s;
    warder_decision *decision; /* the call */
    struct staged *change;     /* out: what was staged for it */
};
/* Checks that the rule accepts the call before it is added. */
warder_outcome rules_promote(warder_service *s, const warder_caller *caller, struct promotion *p,
                             struct arena *a, struct promoted *out, warder_error *err);

/* The patterns that a promotion without a rule of its own would add, in the arena. Empty if no rule
 * can express the call, or it contains a secret. Do not call this inside an arena_try(). */
void rules_suggest(warder_service *s, const struct waiting *w, struct arena *a,
                   struct strs *patterns);

/* Rules take effect when their cooldown is over. */
void rules_tick(warder_service *s);
int64_t rules_next_ms(const warder_service *s); /* until the next one takes effect */
void rules_note_times(warder_service *s);       /* after the file has changed */

/* They are in force: pending reviews that they decide end with the next ticks. */
void rules_changed(warder_service *s);

/* Takes the members of a request into a rule; what it does not name stays as it was. */
warder_outcome rules_take(warder_service *s, struct arena *a, const struct value *body,
                          struct stored_rule *r, warder_error *err);

/* The members of the long form: "regex", "flags", "paths". */
warder_outcome rules_take_long_form(struct arena *a, const struct value *body,
                                    struct stored_rule *r, warder_error *err);

#define RULES_TYPE_UNKNOWN "\"type\" must be allow, ask or deny"

struct str rules_id(const struct rule *r); /* what the wire calls it */

/* A rule as an AuthorizationRule, or the members of one. */
void rules_stored_members(struct json_writer *w, const struct stored_rule *r, int64_t now);
void rules_write_stored(struct json_writer *w, const struct stored_rule *r, int64_t now);
void rules_write_other(struct json_writer *w, const struct rule *r);

#endif
