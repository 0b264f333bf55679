/* suggest.h - the rule to offer when a person answers "always". */
#ifndef RULE_SUGGEST_H
#define RULE_SUGGEST_H

#include "rule/rule.h"

/* The least allow rule that people would write for this subject, in the dialect's spelling. It is parsed and held
 * against the subject before it is returned; empty when no rule that we would offer covers it (a command that was not
 * understood, a link that leads elsewhere, a text that the dialect cannot say exactly). */
struct str rule_suggest(struct arena *a, const struct subject *s, enum dialect d, const struct rule_env *env);

#endif
