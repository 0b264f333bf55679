/* lint.h - warnings about rules that do not do what their author probably meant. */
#ifndef RULE_LINT_H
#define RULE_LINT_H

#include "rule/danger.h"
#include "rule/rule.h"

struct lint_finding {
    const char *name; /* stable; lint_names() lists them all */
    size_t rule;      /* its index in the list */
    struct str message;
};
struct lint_findings LIST_OF(struct lint_finding);

/* All pairs of rules are compared. In larger lists each rule is only checked by itself, and a
 * finding says so. */
#define LINT_MAX_COMPARED 4096

void rules_lint(struct arena *a, const struct rules *rules, danger_of *danger, meant_of *meant,
                struct lint_findings *out);

/* Only this rule, compared with all others. */
void rule_lint(struct arena *a, const struct rules *rules, size_t rule, danger_of *danger,
               meant_of *meant, struct lint_findings *out);

/* All names, for tests and lists; NULL-terminated. */
const char *const *lint_names(void);

/* Does every subject that `narrow` matches also match `wide`? True only when that is certain. */
bool rule_covers(struct arena *a, const struct rule *wide, const struct rule *narrow);

#endif
