/* rule_reach.h - how far an allow rule on commands reaches. */
#ifndef DECIDE_RULE_REACH_H
#define DECIDE_RULE_REACH_H

#include "facts/facts.h"

/* The rule's text matches the action: does the rule also mean it?
 *
 * A path in the rule means that place, whatever the directory and however the word is spelt. A star
 * stands for data and for paths in the workspace; an option that runs code, deletes, works in
 * another directory or writes outside is covered only if the rule names it. */
bool rule_reaches(const struct facts *f, const struct rule *r, const struct action *a);

/* What of the action the rule does not mean, as the end of "covers X, but not ..."; NULL: it
 * reaches. */
const char *rule_falls_short(const struct facts *f, const struct rule *r, const struct action *a);

/* Does an exception of the rule (`unless`) cover the action, as an allow rule would? */
bool rule_excepts(const struct facts *f, const struct rule *r, const struct action *a);

/* Does the rule match the action, and none of its exceptions cover it? */
bool rule_is_about(const struct facts *f, const struct rule *r, const struct action *a);

#endif
