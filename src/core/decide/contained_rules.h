/* contained_rules.h - deny and ask rules on paths, for what runs in a cell.
 *
 * Nobody knows what a program does that is contained for just that, so no rule is compared with
 * what it reads and writes. What a plain path of a deny rule names, the plan of the cell hides or
 * protects; for all other rules the cell must not be the answer. */
#ifndef DECIDE_CONTAINED_RULES_H
#define DECIDE_CONTAINED_RULES_H

#include "facts/facts.h"

/* The one place that a deny rule is about, which the plan keeps from the cell; empty: it has none,
 * or may mean others. */
struct str contained_place(struct arena *a, const struct rule *r, struct str home,
                           struct str project);

/* A rule that matches something which the cell could reach; NULL: there is none. Asks the disk. */
const struct rule *contained_open_rule(const struct facts *f, const struct action *a);

#endif
