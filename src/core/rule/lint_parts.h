/* lint_parts.h - shared by the files lint*.c. */
#ifndef RULE_LINT_PARTS_H
#define RULE_LINT_PARTS_H

#include "rule/lint.h"
#include "rule/tool.h"

struct lint {
    struct arena *a;
    const struct rules *rules;
    danger_of *danger;
    meant_of *meant;
    struct lint_findings *out;
};

extern const char lint_mangled[], lint_wider[];

__attribute__((format(printf, 4, 5))) void lint_find(struct lint *l, size_t rule, const char *name,
                                                     const char *format, ...);
enum rule_content lint_content(const struct rule *r);

/* lint_shape.c */
void lint_check_mangled(struct lint *l, size_t i, const struct rule *r);
void lint_check_home(struct lint *l, size_t i, const struct rule *r);

#endif
