/* samples.h - one text that a pattern matches, and commands that have an effect: what neighbours.h
 * begins with. */
#ifndef REPORT_SAMPLES_H
#define REPORT_SAMPLES_H

#include "rule/rule.h"

/* Wildcards become "x", classes their first member, groups their first alternative; escapes are
 * resolved. */
struct str sample_glob(struct arena *a, struct str pattern);

/* An absolute path that the pattern of a rule matches. */
struct str sample_path(struct arena *a, const struct rule_path *p, struct str home,
                       struct str project);

/* Commands, by what they do (rule/effect.h). */
struct sample_effect {
    unsigned does;
    const char *command;
};
#define SAMPLE_EFFECTS 26
extern const struct sample_effect sample_effects[SAMPLE_EFFECTS];

#endif
