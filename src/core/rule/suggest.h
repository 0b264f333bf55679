/* suggest.h - the rule to offer when a person answers "always". */
#ifndef RULE_SUGGEST_H
#define RULE_SUGGEST_H

#include "rule/rule.h"

/* The least allow rule that people would write for this subject, in the dialect's spelling. It is
 * parsed and held against the subject before it is returned; empty when no rule that we would offer
 * covers it (a command that was not understood or has a word that is not known before run time, a
 * link that leads elsewhere, a text that the dialect cannot say exactly).
 *
 * `wide`: what stands behind a well-known subcommand makes no difference, so that "npm run build:*"
 * may be offered; otherwise a command is offered to the letter. */
struct str rule_suggest(struct arena *a, const struct subject *s, enum dialect d,
                        const struct rule_env *env, bool wide);

/* The whole command line to the letter, which covers everything in it; for actions that have no
 * rule of their own: a redirection, an assignment, a word that is not known before run time. Empty
 * as above, and for what does not fit on a line. */
struct str rule_suggest_whole(struct arena *a, const struct subject *s, enum dialect d,
                              const struct rule_env *env);

#endif
