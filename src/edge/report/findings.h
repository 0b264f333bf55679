/* findings.h - what is wrong with a policy: problems of its files, what lint finds, and rules that
 * a log shows to be unused. lint.c and sarif.c print them. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "engine/report.h"
#include "report/usage.h"
#include "rule/lint.h"

struct policy_finding {
    const char *name;              /* stable; "policy" for a problem of a file */
    const struct problem *problem; /* NULL: it is about a rule */
    const struct rule *rule;
    size_t number; /* of the rule, from 1 */
    struct str message;
};
struct policy_findings LIST_OF(struct policy_finding);

/* usage NULL: no log. Rules that are shipped have no findings. Below an arena_try(). */
struct policy_findings findings_of(struct arena *a, const struct rulebook *book,
                                   const struct usage *usage);

/* Every name there is, and what it means; false after the last. */
bool finding_name(size_t n, const char **name, const char **means);

/* admin.c */
void report_rule(struct report *r, const struct rule *rule, size_t number);
void report_problem(struct report *r, const struct problem *p);

#endif
