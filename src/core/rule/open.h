/* open.h - compiles what a rule looks for, on demand.
 *
 * A rule stores only its texts. Of a hundred thousand rules a call checks a few, and those are
 * compiled in the call's own memory, each part on first use. rule_parse() has compiled them once,
 * so this cannot fail. */
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
struct open_reading rule_open_unquoted(const struct rule *r); /* if it has_unquoted */

const struct glob *open_glob(struct arena *a, struct open_reading *o);
/* The pattern without its trailing " *", for a reading with a tail; open_bare() compiles it. */
struct str open_head(const struct rule_reading *r);
const struct glob *open_bare(struct arena *a, struct open_reading *o);
const struct glob *open_folded(struct arena *a, struct open_reading *o); /* ignores case */

const struct glob *open_tool(struct arena *a, const struct rule *r);  /* if tool_wild */
const struct glob *open_field(struct arena *a, const struct rule *r); /* if it has a field */
const struct glob *open_letter(struct arena *a, const struct rule *r);

/* A path rule: exact for allow; for deny and ask it ignores case, and x/[**] matches at any
 * depth. */
const struct gitignore *open_path(struct arena *a, const struct rule_path *p, bool folded);
struct str open_wide(struct arena *a, const struct rule_path *p);

/* The host pattern with slashes for dots, so that a star stays within a label; "*.h" is any depth
 * below h. */
struct str open_domain(struct arena *a, struct str host);

/* What the rule names below its anchor: the pattern without a leading slash and a trailing slash
 * and **. */
struct str rule_path_name(const struct rule_path *p);

/* Deny and ask: does a rule relative to the cwd also apply relative to the project of its file? It
 * must, because the agent can change its cwd. */
static inline bool rule_path_holds_twice(const struct rule_path *p)
{
    return p->anchor == ANCHOR_CWD;
}

#endif
