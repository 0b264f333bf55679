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

/* A rule on paths that could be about the action, though no path of it says so, and why; NULL:
 * none. */
const struct rule *rule_in_doubt(const struct facts *f, size_t action, const char **why);

/* grep -r x DIR reads every file in DIR: a rule that matches one of them, or may do so where not
 * all can be looked at; or NULL. */
const struct rule *rule_below(const struct facts *f, const struct action *a);

/* The same for an action that touches everything below this directory. */
const struct rule *rule_below_directory(const struct facts *f, const struct action *a,
                                        struct str directory, unsigned access);

/* ... or only what counts, of what rules match there. */
struct below_filter {
    const void *to;
    bool (*counts)(const void *to, const struct rule *r, struct str path, bool directory);
};
const struct rule *rule_below_some(const struct facts *f, const struct action *a,
                                   struct str directory, unsigned access,
                                   const struct below_filter *filter);

/* Rules whose paths are looked up on the disk: of further ones links are not seen. Each takes as
 * long as a twentieth of a decision. */
#define RULE_LINKS_MAX 16

/* A rule that names a link, for what lies behind it: a path without links; `tree`: everything below
 * it is reached. NULL: none. */
const struct rule *rule_by_link(const struct facts *f, const struct action *a, struct str path,
                                unsigned access, bool tree);
/* The same for all paths of an action. */
const struct rule *rule_by_links(const struct facts *f, const struct action *a);

/* The same for what git keeps, prints, takes and writes of the work tree: rule_git.c. */
const struct rule *rule_in_repository(const struct facts *f, const struct action *a);

/* Do names of files come from a list that no word shows: tar -T, zip -@, cpio, gcc @x? rule_lists.c
 */
bool rule_names_are_listed(const struct facts *f, size_t action);

#endif
