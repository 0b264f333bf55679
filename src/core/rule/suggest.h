/* suggest.h - the rule to offer when a user answers "always". */
#ifndef RULE_SUGGEST_H
#define RULE_SUGGEST_H

#include "rule/danger.h"
#include "rule/rule.h"

/* The narrowest allow rule that a person would write for this subject, in the dialect's syntax. It
 * is parsed and matched against the subject before it is returned. Empty if no rule that we would
 * offer covers it (a command that was not understood or has a word that is only known at run time,
 * a link that leads elsewhere, a text that the dialect cannot express exactly).
 *
 * `wide`: arguments of a well-known subcommand do not matter, so "npm run build:*" may be offered;
 * otherwise the command is offered literally. */
struct str rule_suggest(struct arena *a, const struct subject *s, enum dialect d,
                        const struct rule_env *env, bool wide, danger_of *danger);

/* The whole command line, literally, which covers everything in it; for actions that have no rule
 * of their own: a redirection, an assignment, a word that is only known at run time. Empty as
 * above, and if it does not fit on a line. */
struct str rule_suggest_whole(struct arena *a, const struct subject *s, enum dialect d,
                              const struct rule_env *env);

#endif
