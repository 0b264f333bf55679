/* rule_below.h - deny and ask rules on paths, for actions on whole directories. */
#ifndef DECIDE_RULE_BELOW_H
#define DECIDE_RULE_BELOW_H

#include "facts/facts.h"

/* Where more rules than this are about paths near a directory, one of them is assumed to match
 * something below it. */
#define RULES_BELOW_MAX 1000

/* Comparisons of a name below a directory with a rule, and those of them that match. */
#define BELOW_COMPARED_MAX ((size_t)2 * 1024 * 1024)
#define BELOW_MATCHES_MAX  4096

/* grep -r x DIR reads every file in DIR: a rule that matches one of them, or may do so where not
 * all can be looked at; or NULL. */
const struct rule *rule_below(const struct facts *f, const struct action *a);

/* The same for an action that touches everything below this directory. */
const struct rule *rule_below_directory(const struct facts *f, const struct action *a,
                                        struct str directory, unsigned access);

#endif
