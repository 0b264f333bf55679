/* open.h - what a rule looks for, made ready to be held against texts.
 *
 * A rule keeps its texts only: of a hundred thousand rules a call meets a few,
 * and those are compiled in the call's own memory, each part when it is asked
 * for. rule_parse() has compiled them before, so they do compile. */
#ifndef RULE_OPEN_H
#define RULE_OPEN_H

#include "base/gitignore.h"
#include "base/glob.h"
#include "rule/rule.h"

/* A reading with its globs. */
struct open_reading {
    struct rule_reading from;
    unsigned flags; /* of its globs */
    const struct glob *glob, *bare, *folded;
};

struct open_reading rule_open(const struct rule *r);
struct open_reading
rule_open_unquoted(const struct rule *r); /* where the rule has such a reading */

const struct glob *open_glob(struct arena *a, struct open_reading *o);
/* What a trailing " *" leaves when nothing stands in its place, of a reading with a tail. */
struct str open_head(const struct rule_reading *r);
const struct glob *open_bare(struct arena *a, struct open_reading *o);
const struct glob *open_folded(struct arena *a,
                               struct open_reading *o); /* without regard to case, for paths */

const struct glob *open_tool(struct arena *a,
                             const struct rule *r); /* where the tool has a wildcard */
const struct glob *open_field(struct arena *a,
                              const struct rule *r); /* where the rule has a field */

/* Of a path rule: allow matches exactly, deny and ask without regard to case, and x/[**] at any
 * depth. */
const struct gitignore *open_path(struct arena *a, const struct rule_path *p, bool folded);
struct str open_wide(struct arena *a, const struct rule_path *p);

/* The host pattern with its dots as slashes, so that a star stays inside a label: "*.h" is any
 * depth below h. */
struct str open_domain(struct arena *a, struct str host);

/* What the rule names below its anchor: the pattern without the slash in front and without a slash
 * and ** at its end.
 */
struct str rule_path_name(const struct rule_path *p);

/* Deny and ask: does it also hold from the project of its file? The agent can change its cwd. */
static inline bool rule_path_holds_twice(const struct rule_path *p)
{
    return p->anchor == ANCHOR_CWD && p->up == 0;
}

#endif
