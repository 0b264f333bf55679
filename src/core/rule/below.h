/* below.h - deny and ask rules on paths, compared with everything that lies below a directory.
 *
 * There may be many names, so the patterns are compiled once. */
#ifndef RULE_BELOW_H
#define RULE_BELOW_H

#include "base/gitignore.h"
#include "rule/rule.h"

struct below_pattern {
    const struct rule *rule;
    const struct glob *name;       /* on the last name of a path; NULL: that says nothing */
    const struct gitignore *whole; /* on absolute paths; NULL: it could match any */
    bool anywhere;                 /* a path at any depth below the directory may match */
};
struct below_patterns LIST_OF(struct below_pattern);

/* Adds what could match below the directory, which is absolute. Not a path without wildcards from
 * the anchor: whether that is there, rule_means_below() asks the disk. */
void below_add(struct arena *a, const struct rule *r, const struct rule_env *env,
               struct str directory, struct below_patterns *to);
/* The same with those paths, for a directory that a link leads to. */
void below_add_all(struct arena *a, const struct rule *r, const struct rule_env *env,
                   struct str directory, struct below_patterns *to);

/* `name`: the last one of the path. */
bool below_matches(struct arena *a, const struct below_pattern *p, struct str path,
                   struct str name);

/* The paths in front of the wildcards of the rule's patterns, where it names some: /x/y of
 * /x/y/[two stars], and all of a path without wildcards. */
void below_fronts(struct arena *a, const struct rule *r, const struct rule_env *env,
                  struct strs *to);

/* Could it match something below this directory? */
bool below_leads_into(struct arena *a, const struct below_pattern *p, struct str directory);

#endif
